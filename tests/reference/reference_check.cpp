/// reference_check [--only PREFIX] FILE...
/// Runs the cases of files of reference numbers and compares: a line per case with its largest deviation relative to
/// the tolerance, then `N passed, N failed, N skipped`. Cases of algorithms that do not exist here are skipped. Exit
/// status 0 when all passed, 1 when something failed, 3 when something was only skipped, 2 for files that cannot be
/// read.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <fstream>

#include "tests/reference/reference_file.hpp"

namespace {

using namespace lagnet::reference;

struct Counts {
  int passed = 0, failed = 0, skipped = 0;
};

void run_case(const Json& item, const std::string& name, Counts& counts) {
  if (!is_fd_primal_dual(item)) {
    ++counts.skipped;
    fmt::print("skip  {}: no such algorithm here: {}\n", name, item.value("algorithm", "not named"));
    return;
  }
  try {
    const Verdict verdict = check_fd_primal_dual(item);
    ++(verdict.passed() ? counts.passed : counts.failed);
    fmt::print("{}  {}: {} arrays, largest deviation {:.3g} of the tolerance ({})\n",
               verdict.passed() ? "pass" : "FAIL", name, verdict.compared(), verdict.largest(), verdict.largest_in());
    for (const std::string& failure : verdict.failures()) fmt::print("      {}\n", failure);
  } catch (const std::exception& error) {
    ++counts.failed;
    fmt::print("FAIL  {}: {}\n", name, error.what());
  }
}

/// Everything that stands in a list of cases; other lists of a file, like "prox_cases", are cases, too.
void run_file(const Json& file, const std::string& only, Counts& counts) {
  for (const auto& [key, list] : file.items()) {
    const bool cases = key == "cases" || key.ends_with("_cases");
    if (cases && list.is_array())
      for (const Json& item : list)
        if (const std::string name = case_name(item); name.starts_with(only)) run_case(item, name, counts);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Compares lagnet's algorithms with files of reference numbers.");
  std::vector<std::string> files;
  std::string only;
  app.add_option("FILE", files, "JSON files of cases")->required();
  app.add_option("--only", only, "run only the cases whose name starts so");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  Counts counts;
  for (const std::string& name : files) {
    std::ifstream stream(name);
    const Json file = Json::parse(stream, nullptr, false);
    if (!file.is_object() || !file.contains("cases")) {
      fmt::print(stderr, "{}: expected a JSON file with a list \"cases\", found {}\n", name,
                 stream ? "something else" : "no readable file");
      return 2;
    }
    run_file(file, only, counts);
  }
  fmt::print("{} passed, {} failed, {} skipped\n", counts.passed, counts.failed, counts.skipped);
  return counts.failed > 0 ? 1 : counts.skipped > 0 ? 3 : 0;
}
