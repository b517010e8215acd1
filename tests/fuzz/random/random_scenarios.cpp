/// random_scenarios [--count N] [--seed S] [--only K] [--findings FOLDER] [--write FOLDER]
/// Draws scenarios from lagnet's own schema, valid and broken ones by turns, and holds them against what must be true
/// of every run: see trial.hpp. Exit status 0 if all of it is, 1 otherwise. A crash, or a scenario that takes more than
/// two minutes of processor time, ends the program; FOLDER/current then has its number.
#include <fmt/format.h>
#include <sys/time.h>

#include <CLI/CLI.hpp>

#include <filesystem>
#include <map>
#include <optional>

#include "checkout_paths.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/temporary_folder.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/json/schema.hpp"
#include "sim/machine/allowance.hpp"
#include "tests/fuzz/random/trial.hpp"

namespace {

using namespace lagnet;
using namespace lagnet::fuzz;
namespace fs = std::filesystem;

struct Options {
  std::uint64_t count = 300, seed = 1;
  std::optional<std::uint64_t> only;
  std::string findings, write;
};

/// The scenarios of one seed, and how many came to which end.
class Trials {
 public:
  explicit Trials(const Options& options) : options_(options) {}

  void check(std::uint64_t number) {
    const TemporaryFolder folder("random");
    ScenarioGenerator generator(schema_, LAGNET_SOURCE_DIR "/scenarios/data/sets", options_.seed, number);
    Trial trial(generator, folder.path());
    if (!options_.findings.empty()) write_file(fs::path(options_.findings) / "current", fmt::format("{}\n", number));
    constexpr itimerval patience{.it_interval = {}, .it_value = {.tv_sec = 120, .tv_usec = 0}};
    setitimer(ITIMER_PROF, &patience, nullptr);  // its signal ends the program
    try {
      const std::optional<Json> document = trial.accepted();
      const bool is_broken = number % 2 == 1;
      const std::string text = is_broken  ? generator.broken(document ? *document : generator.scenario())
                               : document ? document->dump()
                                          : "";
      if (!options_.write.empty()) return keep(options_.write, number, text, is_broken);
      ++ends_[is_broken ? trial.check_broken(text) : document ? trial.check_accepted(*document) : "none accepted"];
    } catch (const std::exception& error) {
      ++findings_;
      fmt::print("{}/{}: {}\n", options_.seed, number, error.what());
      if (!options_.findings.empty()) keep(options_.findings, number, trial.text(), false);
    }
  }

  int tell(std::uint64_t count) const {
    if (!options_.write.empty()) return 0;
    std::string ends;
    for (const auto& [end, times] : ends_) ends += fmt::format(", {} {}", times, end);
    fmt::print("{} scenarios of seed {}: {} findings{}\n", count, options_.seed, findings_, ends);
    return findings_ > 0 ? 1 : 0;
  }

 private:
  void keep(const fs::path& folder, std::uint64_t number, const std::string& text, bool is_broken) const {
    if (!text.empty())
      write_file(folder / fmt::format("{}-{}{}.json", options_.seed, number, is_broken ? "-broken" : ""), text);
  }

  const Options& options_;
  ScenarioSchema schema_{schema_of<Scenario>()};
  std::map<std::string, int> ends_;
  int findings_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Draws random scenarios and checks what must be true of every run.");
  Options options;
  app.add_option("--count", options.count, "how many")->capture_default_str();
  app.add_option("--seed", options.seed, "of the draws; each scenario is a function of it and its number")
      ->capture_default_str();
  app.add_option("--only", options.only, "the scenario of this number alone");
  app.add_option("--findings", options.findings, "folder that takes the scenarios with findings")
      ->check(CLI::ExistingDirectory);
  app.add_option("--write", options.write, "write them into this folder instead, without running them")
      ->check(CLI::ExistingDirectory);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  set_memory_budget(Bytes{500} << 20);
  Trials trials(options);
  if (options.only) {
    trials.check(*options.only);
    return trials.tell(1);
  }
  for (std::uint64_t number = 0; number < options.count; ++number) {
    trials.check(number);
    if (number % 10'000 == 9'999 && options.write.empty()) trials.tell(number + 1);
  }
  return trials.tell(options.count);
}
