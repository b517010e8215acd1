#include "scenarios/sweep/point_places.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <array>
#include <boost/crc.hpp>
#include <fstream>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/version.hpp"
#include "scenarios/format/named_files.hpp"
#include "scenarios/json/diagnostics.hpp"
#include "scenarios/json/json_file.hpp"

namespace lagnet {

namespace fs = std::filesystem;

namespace {

/// The file of the shared object that this code is in, as the module of Python has it; "" if it is in the program.
fs::path own_module() {
  static const int here = 0;
  Dl_info found{};
  void* entry = nullptr;
  if (::dladdr1(&here, &found, &entry, RTLD_DL_LINKMAP) == 0 || entry == nullptr) return {};
  return static_cast<const link_map*>(entry)->l_name;
}

/// checksum() of a file's content, read in pieces: a program with its debug information may have hundreds of megabytes.
std::string checksum_of_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw OutputError(fmt::format("{}: cannot be read", path.string()));
  boost::crc_32_type crc;
  std::array<char, 65536> piece;
  while (file.read(piece.data(), piece.size()) || file.gcount() > 0)
    crc.process_bytes(piece.data(), static_cast<std::size_t>(file.gcount()));
  if (file.bad()) throw OutputError(fmt::format("{}: cannot be read", path.string()));
  return fmt::format("{:08x}", crc.checksum());
}

}  // namespace

std::string build_identity() {
  // Where the system does not show the program, versions alone are told apart.
  static const std::string identity = [] {
    std::string text(version());
    std::error_code ignored;
    for (const fs::path& file : {fs::path("/proc/self/exe"), own_module()})
      if (!file.empty()) text += " " + (fs::exists(file, ignored) ? checksum_of_file(file) : "");
    return text;
  }();
  return identity;
}

PointPlaces::PointPlaces(fs::path folder, const std::vector<PointIdentity>& points)
    : folder_(std::move(folder)), points_(points) {
  std::map<std::string, int> seen;
  for (const PointIdentity& point : points_) {
    const std::string sum = checksum(point.scenario);
    keys_.push_back(fmt::format("point-{}-{}", sum, seen[sum]++));
  }
}

std::string PointPlaces::certificate_text(std::size_t point) const {
  const PointIdentity& of = points_[point];
  return build_identity() + "\n" + of.scenario + (of.inputs ? "\n" + *of.inputs : "");
}

bool PointPlaces::is_certified(std::size_t point) const {
  std::error_code ignored;
  return fs::is_regular_file(certificate(point), ignored) && read_file(certificate(point)) == certificate_text(point);
}

void PointPlaces::refuse_other_work(const fs::path& target) const {
  const std::string ways_out = "choose another --out, or pass --replace to give up what is finished";
  std::set<std::string> own;
  for (std::size_t i = 0; i < count(); ++i) {
    own.insert(certificate(i).filename().string());
    std::error_code none;
    if (!fs::is_regular_file(certificate(i), none)) continue;
    const std::string text = read_file(certificate(i)), same = build_identity() + "\n" + points_[i].scenario;
    if (text == certificate_text(i) || !text.starts_with(same)) continue;
    const Json before = try_json(text.substr(same.size()));
    const Json now = points_[i].inputs ? parse_json(*points_[i].inputs) : Json::array();
    throw OutputError(
        fmt::format("{}: the finished points of this sweep have read other data: {}; restore the file, {}",
                    target.string(), input_difference(before.is_array() ? before : Json::array(), now), ways_out));
  }
  std::size_t others = 0;
  std::error_code gone;
  for (fs::directory_iterator at(folder_, gone), end; !gone && at != end; at.increment(gone))
    if (at->path().extension() == finished_suffix && !own.contains(at->path().filename().string())) ++others;
  if (others > 0)
    throw OutputError(
        fmt::format("{}: expected finished points of this sweep alone, found {} of another one, which was "
                    "interrupted: run that one to its end, {}",
                    target.string(), others, ways_out));
}

std::string PointPlaces::announcement(const std::vector<std::string>& names) const {
  Json points = Json::array();
  for (std::size_t i = 0; i < names.size(); ++i) points.push_back({{"key", keys_[i]}, {"folder", names[i]}});
  return points.dump() + "\n";
}

std::vector<std::pair<fs::path, fs::path>> PointPlaces::named() const {
  std::vector<std::pair<fs::path, fs::path>> found;
  std::error_code ignored;
  if (!fs::exists(folder_ / points_name, ignored)) return found;
  const Json points = try_json(read_file(folder_ / points_name));
  if (!points.is_array()) return found;
  for (const Json& point : points) {
    const std::string key = point.value("key", ""), name = point.value("folder", "");
    const bool is_finished = !key.empty() && fs::exists(folder_ / (key + finished_suffix), ignored);
    if (!is_finished || name.empty() || fs::path(name).filename() != name) continue;
    if (fs::is_directory(folder_ / name, ignored) && !fs::exists(folder_ / key, ignored))
      found.emplace_back(folder_ / name, folder_ / key);
  }
  return found;
}

void PointPlaces::take_names_back() const {
  for (const auto& [name, place] : named()) {
    std::error_code failed;
    fs::rename(name, place, failed);
    if (failed) throw OutputError(fmt::format("{}: cannot be written: {}", place.string(), failed.message()), failed);
  }
}

}  // namespace lagnet
