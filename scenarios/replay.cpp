#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "scenarios/execute.hpp"
#include "scenarios/result_folder.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

/// A folder that is gone with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_(fs::temp_directory_path() / fmt::format("lagnet-replay-{}", ::getpid())) {
    fs::remove_all(path_);
    fs::create_directories(path_);
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

std::string shortened(const std::string& line) { return line.size() <= 80 ? line : line.substr(0, 77) + "..."; }

/// How one line differs; in a CSV file by the name of the column.
std::string line_difference(const std::string& header, const std::string& recorded, const std::string& again) {
  const auto names = cells_of(header), a = cells_of(recorded), b = cells_of(again);
  if (header != again && a.size() == b.size() && b.size() == names.size())
    for (std::size_t k = 0; k < a.size(); ++k)
      if (a[k] != b[k]) return fmt::format("{} is {}, and {} in the new run", names[k], shortened(a[k]), shortened(b[k]));
  return fmt::format("is `{}`, and `{}` in the new run", shortened(recorded), shortened(again));
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

/// The files of a new run that the recorded folder must have: scenarios first, since if these differ all else does,
/// then results before the summaries made of them.
std::vector<fs::path> files_in_order(const fs::path& folder) {
  std::vector<fs::path> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) names.push_back(entry.path().lexically_relative(folder));
  const auto rank = [](const fs::path& name) {
    const std::string file = name.filename().string();
    return file == "scenario.json" ? 0 : file == "progress.csv" ? 1 : file == "summary.json" || file == "sweep.csv" ? 3 : 2;
  };
  std::ranges::sort(names, [&](const fs::path& x, const fs::path& y) {
    return std::pair(rank(x), x) < std::pair(rank(y), y);
  });
  return names;
}

}  // namespace

std::string replay(const fs::path& folder, const ExecuteOptions& options) {
  if (!fs::is_directory(folder) || (!fs::exists(folder / "scenario.json") && !is_result_folder(folder)))
    throw OutputError(fmt::format("{}: expected a folder that a run wrote, found none", folder.string()));
  const TemporaryFolder fresh;
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
