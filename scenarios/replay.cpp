#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "scenarios/execute.hpp"
#include "scenarios/result_folder.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

/// A folder that is gone with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "lagnet-replay-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw OutputError(fmt::format("{}: cannot be written", name));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',')
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

/// Around the place where two lines part, at most 60 bytes of one of them.
std::string excerpt(const std::string& line, std::size_t parting) {
  constexpr std::size_t before = 20, longest = 60;
  const std::size_t start = line.size() <= longest || parting <= before ? 0 : parting - before;
  std::string text = start > 0 ? "..." : "";
  for (const char c : line.substr(start, longest)) text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return start + longest < line.size() ? text + "..." : text;
}

std::string texts_differ(const std::string& what, const std::string& recorded, const std::string& again) {
  const auto [a, b] = std::ranges::mismatch(recorded, again);
  const auto parting = static_cast<std::size_t>(a - recorded.begin());
  return fmt::format("{} `{}`, and `{}` in the new run", what, excerpt(recorded, parting), excerpt(again, parting));
}

/// How one line differs; in a CSV file by the name of the column.
std::string line_difference(const std::string& header, const std::string& recorded, const std::string& again) {
  const auto names = cells_of(header), a = cells_of(recorded), b = cells_of(again);
  if (header != again && a.size() == b.size() && b.size() == names.size())
    for (std::size_t k = 0; k < a.size(); ++k)
      if (a[k] != b[k]) return texts_differ(names[k] + " is", a[k], b[k]);
  return texts_differ("is", recorded, again);
}

/// The first difference between two files, the recorded one and the new one; "" if there is none.
std::string file_difference(const fs::path& recorded, const fs::path& again) {
  std::ifstream a(recorded, std::ios::binary), b(again, std::ios::binary);
  std::string header, line_a, line_b;
  for (std::int64_t number = 1;; ++number) {
    const bool more_a = static_cast<bool>(std::getline(a, line_a));
    const bool more_b = static_cast<bool>(std::getline(b, line_b));
    if (!more_a && !more_b) return "";
    if (number == 1 && recorded.extension() == ".csv") header = line_b;
    if (!more_a) return fmt::format("{}: ends here, and goes on in the new run", number);
    if (!more_b) return fmt::format("{}: goes on, and ends here in the new run", number);
    if (line_a != line_b) return fmt::format("{}: {}", number, line_difference(header, line_a, line_b));
    if (a.eof() != b.eof()) return fmt::format("{}: the line breaks at the end differ", number);
  }
}

/// Not every change of a scenario changes its results, so the results say which scenario they belong to. Says how the
/// folder is not complete or not in one piece; "" if it is.
std::string folder_damage(const fs::path& folder) {
  const bool is_sweep = fs::exists(folder / "sweep.csv") || fs::exists(folder / "sweep.json");
  const char* facts_name = is_sweep ? "sweep.json" : "summary.json";
  for (const char* name : {"scenario.json", facts_name})
    if (!fs::is_regular_file(folder / name)) return fmt::format("{}: missing", name);
  const Json facts = Json::parse(read_file(folder / facts_name), nullptr, false);
  if (!facts.is_object()) return fmt::format("{}: expected a JSON object, found something else", facts_name);
  const std::string found = checksum(read_file(folder / "scenario.json"));
  const auto stated = facts.find("scenario_crc32");
  if (stated == facts.end()) return fmt::format("{}: expected the key scenario_crc32, found none", facts_name);
  if (*stated == found) return "";
  return fmt::format("scenario.json: is not the scenario of these results: its CRC-32 is {}, and {} in {}", found,
                     shown(*stated), facts_name);
}

/// The files of a new run that the recorded folder must have: scenarios first, since if these differ all else does,
/// then results before the summaries made of them.
std::vector<fs::path> files_in_order(const fs::path& folder) {
  std::vector<fs::path> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) names.push_back(entry.path().lexically_relative(folder));
  const auto rank = [](const fs::path& name) {
    const std::string file = name.filename().string();
    const bool is_digest = file == "summary.json" || file == "sweep.csv" || file == "sweep.json";
    return file == "scenario.json" ? 0 : file == "progress.csv" ? 1 : is_digest ? 3 : 2;
  };
  std::ranges::sort(
      names, [&](const fs::path& x, const fs::path& y) { return std::pair(rank(x), x) < std::pair(rank(y), y); });
  return names;
}

}  // namespace

std::string replay(const fs::path& folder, const ExecuteOptions& options) {
  const auto has = [&](const char* name) { return fs::exists(folder / name); };
  if (!has("scenario.json") && !has("summary.json") && !has("sweep.csv") && !has("sweep.json"))
    throw OutputError(fmt::format("{}: expected a folder that a run wrote, found none", folder.string()));
  if (auto damage = folder_damage(folder); !damage.empty()) return damage;
  const TemporaryFolder fresh;
  if (options.writing) options.writing(fresh.path());
  try {
    Plan plan(read_scenario_file(folder / "scenario.json"));
    execute_into(plan, fresh.path(), fs::absolute(folder).lexically_normal(), options);
  } catch (const ScenarioError& error) {
    return fmt::format("scenario.json: cannot be run: {}", error.what());
  }
  for (const fs::path& name : files_in_order(fresh.path())) {
    if (!fs::is_regular_file(folder / name)) return fmt::format("{}: missing", name.string());
    if (const auto text = file_difference(folder / name, fresh.path() / name); !text.empty())
      return fmt::format("{}:{}", name.string(), text);
  }
  return "";
}

}  // namespace lagnet
