#include "scenarios/deploy/share_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/deploy/deployable.hpp"
#include "scenarios/deploy/make_share.hpp"
#include "scenarios/files/interruption.hpp"
#include "scenarios/files/result_folder.hpp"
#include "sim/base/errors.hpp"
#include "sim/base/sha256.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t share_format = 2;
constexpr std::size_t digest_bytes = sizeof(Hello::Digest);

/// What ends the file: the SHA-256 of all before it.
std::string digest_of_text(const std::string& text) {
  const auto digest = sha256(std::as_bytes(std::span(text)));
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

template <class Number>
Json packed(const Number* numbers, std::size_t count) {
  std::vector<std::uint8_t> bytes(count * sizeof(Number));
  if (count > 0) std::memcpy(bytes.data(), numbers, bytes.size());
  return Json::binary(std::move(bytes));
}

Json packed(const Vector& numbers) { return packed(numbers.data(), static_cast<std::size_t>(numbers.size())); }

Json matrix_json(const DataMatrix& matrix) {
  Json json{{"rows", matrix.rows()}, {"columns", matrix.cols()}};
  if (const auto sparse = matrix.as_sparse()) {
    const auto count = static_cast<std::size_t>(sparse->nonZeros());
    json["starts"] = packed(sparse->outerIndexPtr(), static_cast<std::size_t>(sparse->outerSize()) + 1);
    json["places"] = packed(sparse->innerIndexPtr(), count);
    json["values"] = packed(sparse->valuePtr(), count);
  } else {
    const Matrix dense = matrix.dense();
    json["values"] = packed(dense.data(), static_cast<std::size_t>(dense.size()));
  }
  return json;
}

/// Reads a share's document; whatever is not as it should be throws FormatError.
class ShareReader {
 public:
  struct FormatError {
    std::string what;
  };

  explicit ShareReader(const Json& document) : document_(document) {}

  template <class Value>
  Value get(const char* key) const {
    try {
      return document_.at(key).get<Value>();
    } catch (const Json::exception&) {
      throw FormatError{key};
    }
  }
  template <class Number>
  std::vector<Number> numbers(const char* key, std::size_t count) const {
    const auto found = document_.find(key);
    if (found == document_.end() || !found->is_binary()) throw FormatError{key};
    const auto& bytes = found->get_binary();
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(Number) || bytes.size() != count * sizeof(Number))
      throw FormatError{key};
    std::vector<Number> numbers(count);
    if (count > 0) std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
  }
  Vector vector(const char* key, Index count) const {
    const auto found = numbers<double>(key, static_cast<std::size_t>(count));
    return Eigen::Map<const Vector>(found.data(), count);
  }
  /// From 0 to the largest that a sparse matrix may have.
  Index size(const char* key) const {
    constexpr Index most = std::numeric_limits<SparseMatrix::StorageIndex>::max();
    const Index size = get<Index>(key);
    if (size < 0 || size > most) throw FormatError{key};
    return size;
  }
  ShareReader part(const char* key) const {
    if (!document_.contains(key)) throw FormatError{key};
    return ShareReader(document_.at(key));
  }
  bool has(const char* key) const { return document_.contains(key); }

 private:
  const Json& document_;
};

void check_area(Index rows, Index columns) {
  if (columns > 0 && rows > (Index{1} << 40) / columns) throw ShareReader::FormatError{"rows"};
}

DataMatrix read_matrix(const ShareReader& from) {
  const Index rows = from.size("rows"), columns = from.size("columns");
  if (!from.has("starts")) {
    check_area(rows, columns);
    const auto values = from.numbers<double>("values", static_cast<std::size_t>(rows * columns));
    return DataMatrix(Matrix(Eigen::Map<const Matrix>(values.data(), rows, columns)));
  }
  using PlaceInStorage = SparseMatrix::StorageIndex;
  const auto starts = from.numbers<PlaceInStorage>("starts", static_cast<std::size_t>(columns) + 1);
  if (starts.front() != 0 || !std::ranges::is_sorted(starts)) throw ShareReader::FormatError{"starts"};
  const auto count = static_cast<std::size_t>(starts.back());
  const auto places = from.numbers<PlaceInStorage>("places", count);
  const auto values = from.numbers<double>("values", count);
  for (std::size_t column = 0; column + 1 < starts.size(); ++column)
    for (PlaceInStorage at = starts[column]; at < starts[column + 1]; ++at) {
      const PlaceInStorage place = places[static_cast<std::size_t>(at)];
      if (place < 0 || place >= rows || (at > starts[column] && place <= places[static_cast<std::size_t>(at) - 1]))
        throw ShareReader::FormatError{"places"};
    }
  return DataMatrix(
      SparseMatrix(SparseView(rows, columns, starts.back(), starts.data(), places.data(), values.data())));
}

std::map<std::size_t, double> read_map(const ShareReader& from, const char* key) {
  std::map<std::size_t, double> map;
  for (const auto& [agent, value] : from.get<std::vector<std::pair<std::size_t, double>>>(key)) map[agent] = value;
  return map;
}

/// That what is held has its place among all.
void check_places(const DataShare& share) {
  const Index all = share.of_samples ? share.rows : share.columns;
  const Index here = share.of_samples ? share.numbers.rows() : share.numbers.cols();
  const Index across = share.of_samples ? share.numbers.cols() : share.numbers.rows();
  const bool are_ascending = std::ranges::adjacent_find(share.held, std::greater_equal()) == share.held.end();
  if (here != static_cast<Index>(share.held.size()) || across != (share.of_samples ? share.columns : share.rows) ||
      !are_ascending || (!share.held.empty() && (share.held.front() < 0 || share.held.back() >= all)))
    throw ShareReader::FormatError{"held"};
  if (share.starts.empty() || share.starts.front() != 0 || share.starts.back() != all ||
      !std::ranges::is_sorted(share.starts))
    throw ShareReader::FormatError{"starts"};
}

DataShare read_document(const ShareReader& from) {
  DataShare share{.rows = from.size("rows"), .columns = from.size("columns")};
  share.agents = from.get<std::vector<AgentId>>("agents");
  share.samples = from.get<Index>("samples");  // there may be more of them than rows
  if (share.samples < share.rows) throw ShareReader::FormatError{"samples"};
  share.of_samples = from.get<bool>("of_samples");
  share.starts = from.get<std::vector<Index>>("starts");
  share.held = from.get<std::vector<Index>>("held");
  share.numbers = read_matrix(from.part("numbers"));
  if (!share.numbers.is_sparse()) check_area(share.rows, share.columns);
  share.y = from.vector("labels", share.of_samples ? share.numbers.rows() : share.rows);
  share.other_label = from.vector("other_label", 1)[0];
  share.largest_label = from.vector("largest_label", 1)[0];
  const ShareReader shape = from.part("shape");
  share.shape = {.rows = shape.size("rows"), .cols = shape.size("columns"), .is_matrix = shape.get<bool>("is_matrix")};
  if (from.has("norm")) share.norm = from.vector("norm", 1)[0];
  if (from.has("optimum")) {
    const ShareReader part = from.part("optimum");
    Optimum optimum{
        .theta = part.vector("theta", part.size("size")), .value = part.vector("value", 1)[0], .certificate = {}};
    optimum.certificate.relative = part.vector("relative", 1)[0];
    share.optimum = std::make_shared<const Optimum>(std::move(optimum));
  }
  share.spectra.norms = read_map(from, "shard_norms");
  share.spectra.least_eigenvalues = read_map(from, "shard_least_eigenvalues");
  check_places(share);
  return share;
}

}  // namespace

fs::path shares_folder(const fs::path& plan) { return fs::path(plan).replace_extension(".data"); }

fs::path share_file(const fs::path& plan, std::uint32_t process) {
  return shares_folder(plan) / fmt::format("process_{}.cbor", process);
}

std::string share_text(const DataShare& share, const Hello::Digest& scenario, std::uint32_t process) {
  const auto one = [](double number) { return packed(&number, 1); };
  Json json{
      {"lagnet_share", share_format},
      {"scenario", hexadecimal(scenario)},
      {"process", process},
      {"agents", share.agents},
      {"rows", share.rows},
      {"columns", share.columns},
      {"samples", share.samples},
      {"of_samples", share.of_samples},
      {"starts", share.starts},
      {"held", share.held},
      {"numbers", matrix_json(share.numbers)},
      {"labels", packed(share.y)},
      {"other_label", one(share.other_label)},
      {"largest_label", one(share.largest_label)},
      {"shape", Json{{"rows", share.shape.rows}, {"columns", share.shape.cols}, {"is_matrix", share.shape.is_matrix}}},
      {"shard_norms", std::vector(share.spectra.norms.begin(), share.spectra.norms.end())},
      {"shard_least_eigenvalues",
       std::vector(share.spectra.least_eigenvalues.begin(), share.spectra.least_eigenvalues.end())}};
  if (share.norm) json["norm"] = one(*share.norm);
  if (share.optimum)
    json["optimum"] = Json{{"size", share.optimum->theta.size()},
                           {"theta", packed(share.optimum->theta)},
                           {"value", one(share.optimum->value)},
                           {"relative", one(share.optimum->certificate.relative)}};
  std::string text;
  Json::to_cbor(json, text);
  return text + digest_of_text(text);
}

DataShare read_share(const fs::path& file, const DeployPlan& plan, std::uint32_t process) {
  const auto refuse = [&](const std::string& found) {
    throw RunError(
        fmt::format("{}: expected the data of process {} of this plan, found {}; `lagnet deploy shares` makes "
                    "them",
                    file.string(), process, found));
  };
  std::string text = read_file(file);
  if (text.size() < digest_bytes) refuse("something else");
  const std::string digest = text.substr(text.size() - digest_bytes);
  text.resize(text.size() - digest_bytes);
  const Json document = Json::from_cbor(text, true, false);
  if (!document.is_object() || document.value("lagnet_share", Json()) != share_format) refuse("something else");
  DataShare share;
  const ShareReader reader(document);
  try {
    if (reader.get<std::string>("scenario") != hexadecimal(plan.digest())) refuse("those of another plan");
    if (const auto of = reader.get<std::int64_t>("process"); of != process)
      refuse(fmt::format("those of process {}", of));
    share = read_document(reader);
  } catch (const ShareReader::FormatError& error) {
    refuse(fmt::format("a damaged file ({})", error.what));
  }
  if (digest != digest_of_text(text)) refuse("a damaged file (its checksum)");
  if (share.agents != plan.agents_of(process)) refuse(fmt::format("those of agents {}", fmt::join(share.agents, ", ")));
  return share;
}

void make_shares(const fs::path& plan) {
  const fs::path folder = shares_folder(plan), partial = folder.string() + ".partial";
  const ReadPlan read = read_plan(plan);
  ExperimentCache cache;
  const Scenario scenario = read_scenario(read.scenario);
  const Experiment experiment = assemble(scenario, read.scenario.shown, cache);
  check_deployable(experiment, read.scenario.shown);
  check_plan(read.plan, experiment.network->agents(), plan.string());
  for (const fs::path& place : {folder, partial})
    if (fs::exists(fs::symlink_status(place)))
      throw OutputError(fmt::format("{}: exists; remove it, if its data are to be made again", place.string()));
  const Unfinished unfinished(partial);
  make_folder(partial);
  try {
    fs::permissions(partial, fs::perms::owner_all);
    for (std::uint32_t process = 0; process < read.plan.processes.size(); ++process) {
      const fs::path file = partial / share_file(plan, process).filename();
      write_file(file, share_text(share_of(experiment, read.plan.agents_of(process)), read.plan.digest(), process));
      fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
      const DataShare share = read_share(file, read.plan, process);
      assemble(scenario, read.scenario.shown, cache, &share);  // which its process will do
    }
    fs::rename(partial, folder);
  } catch (const fs::filesystem_error& error) {
    fs::remove_all(partial);
    throw OutputError(fmt::format("{}: {}", folder.string(), error.code().message()));
  } catch (...) {
    fs::remove_all(partial);
    throw;
  }
}

}  // namespace lagnet
