#include "tools/cli/python_commands.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/machine/allowance.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/run_options.hpp"
#include "tools/console/idle_options.hpp"
#include "tools/console/option_checks.hpp"
#include "tools/console/output_options.hpp"
#include "tools/console/suggestions.hpp"

namespace lagnet::tools {

namespace {

namespace fs = std::filesystem;

/// Imports the package from the folder that it is given, if any, or from where Python has it; `import` never from the
/// working folder, which may be anybody's.
constexpr const char* bootstrap = R"(import importlib.util, sys
command, request, folder = sys.argv[1:]
if command == "import":
    sys.path[:] = [one for one in sys.path if one]
if folder:
    sys.path.insert(command != "import", folder)
if importlib.util.find_spec("lagnet") is None:
    sys.exit(print(f"{command}: expected the Python package lagnet, found none that {sys.executable} can import; "
                   "install it with pip install .", file=sys.stderr) or 2)
from lagnet.testing.__main__ import main
sys.exit(main([command, request])))";

/// The folder that contains the package `lagnet` for this program, as pip and a build in the sources place it; "" for
/// neither.
std::string folder_of_package(const fs::path& program) {
  const fs::path bin = program.parent_path();
  const fs::path installed = bin.parent_path().parent_path();                               // lagnet/bin/lagnet
  const fs::path sources = bin.parent_path().parent_path().parent_path() / "tools/python";  // build/release/bin/lagnet
  for (const fs::path& folder : {installed, sources})
    if (fs::is_regular_file(folder / "lagnet" / "testing" / "__main__.py")) return folder.string();
  return "";
}

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

CLI::Option* add_file(CLI::App& command, const std::string& name, std::string& file, const std::string& what) {
  return command.add_option(name, file, what)->check(refuse_empty)->option_text("FILE");
}

/// What `hunt` is asked for.
struct HuntRequest {
  std::string scenario, out, within, maximize, minimize, turning;
  std::vector<std::string> settings;
  std::optional<std::int64_t> runs;
  std::optional<double> seconds;
  std::uint64_t seed = 1;
  std::optional<unsigned> jobs;
  std::optional<double> to;
  int findings = 1;
  bool resume = false;
};

Json as_json(const HuntRequest& asked, const Console& console) {
  return {{"scenario", asked.scenario},
          {"set", asked.settings},
          {"runs", or_null(asked.runs)},
          {"seconds", or_null(asked.seconds)},
          {"seed", asked.seed},
          {"jobs", asked.jobs.value_or(usable_cores())},
          {"out", or_null(asked.out)},
          {"resume", asked.resume},
          {"findings", asked.findings},
          {"to", or_null(asked.to)},
          {"within", or_null(asked.within)},
          {"maximize", or_null(asked.maximize)},
          {"minimize", or_null(asked.minimize)},
          {"turning", or_null(asked.turning)},
          {"json", console.json},
          {"quiet", console.quiet}};
}

}  // namespace

void continue_in_python(const std::string& command, const Json& request) {
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  const std::string folder = none ? "" : folder_of_package(program);
  if (!none) ::setenv("LAGNET", program.c_str(), 0);
  const char* const named = std::getenv("LAGNET_PYTHON");
  const std::string python = named != nullptr && *named != '\0' ? named : "python3", asked = request.dump();
  // Python has its own way with a reader that goes away.
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGXFSZ, SIG_DFL);
  ::execlp(python.c_str(), python.c_str(), "-c", bootstrap, command.c_str(), asked.c_str(), folder.c_str(), nullptr);
  throw InputError(fmt::format("{}: expected Python, found no program {} ({}); LAGNET_PYTHON names another one",
                               command, python, std::strerror(errno)));
}

void add_prove(CLI::App& app, Console& console) {
  struct Request {
    std::vector<std::string> names;
    bool all = false;
    std::uint64_t seed = 1;
    int examples = 20;
    unsigned jobs = 1;
    std::string badge, table;
  };
  auto given = std::make_shared<Request>();
  auto* command = app.add_subcommand(
      "prove",
      "Test what every method must keep, on drawn problems, graphs and networks: same bits again, the optimum, the "
      "same iterates under other latencies, honest flops and bytes, and more; print the smallest scenario that shows a "
      "failure");
  command
      ->add_option("NAME", given->names,
                   "an algorithm (extra), a class in Python (module:Class or file.py:Class) or a scenario file, whose "
                   "algorithm and options are tested")
      ->check(suggests("algorithms"));
  command->add_flag("--all", given->all, "all algorithms of lagnet");
  command->add_option("--seed", given->seed, "seed of what is drawn")->capture_default_str()->check(refuse_negative);
  command->add_option("--examples", given->examples, "worlds that each property is tested in")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--jobs", given->jobs, "properties that are tested in parallel")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024))
      ->option_text("N");
  add_file(*command, "--badge", given->badge, "also draw a badge that says how many properties hold, as SVG");
  add_file(*command, "--table", given->table, "also write the table of methods and properties, as Markdown");
  command->callback([=, &console] {
    if (given->all == !given->names.empty())
      throw InputError(given->all ? "prove: expected names or --all, found both"
                                  : "prove: expected the name of an algorithm, a class in Python or a scenario, or "
                                    "--all, found none");
    check_ending("prove: --badge", given->badge, {{".svg", "svg"}});
    check_ending("prove: --table", given->table, {{".md", "md"}});
    continue_in_python("prove", {{"names", given->names},
                                 {"all", given->all},
                                 {"seed", given->seed},
                                 {"examples", given->examples},
                                 {"jobs", given->jobs},
                                 {"badge", or_null(given->badge)},
                                 {"table", or_null(given->table)},
                                 {"json", console.json},
                                 {"quiet", console.quiet}});
  });
}

void add_hunt(CLI::App& app, Console& console) {
  auto given = std::make_shared<HuntRequest>();
  auto* command = app.add_subcommand(
      "hunt",
      "Search the worlds around a scenario (latencies, losses, partitions, crashes, stragglers, graphs, sizes, seeds) "
      "for one in which a claim fails, a run deadlocks or diverges, or an account does not add up; shrink it to a "
      "small "
      "scenario");
  command->add_option("SCENARIO", given->scenario, "scenario file")->required();
  add_settings(*command, given->settings, "change a value first (repeatable), as in topology.agents=16");
  command->add_option("--runs", given->runs, "most runs of the search")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
      ->option_text("N");
  command->add_option("--seconds", given->seconds, "most seconds of the search; without --runs, 60 by default")
      ->check(refuse_infinite)
      ->check(CLI::Range(0.001, 1e9))
      ->option_text("S");
  command->add_option("--seed", given->seed, "seed of what is drawn")->capture_default_str()->check(refuse_negative);
  command
      ->add_option("--jobs", given->jobs,
                   "worlds that run in parallel, by default one for each core; findings do not depend on it")
      ->check(CLI::Range(1, 1024))
      ->option_text("N");
  command->add_option("-o,--out", given->out, "folder for what was found and seen; by default nothing is kept")
      ->check(refuse_empty)
      ->option_text("DIR");
  command->add_flag("--resume", given->resume, "go on with the search whose folder this is");
  add_file(
      *command, "--within", given->within,
      R"(JSON object of keys with ranges or lists of values to draw from, as in {"/network/latency_ms": [1, 500]})");
  command->add_option("--findings", given->findings, "end with the N-th different failure")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000))
      ->option_text("N");
  auto* maximize =
      command->add_option("--maximize", given->maximize,
                          "search for the largest value of this measure; or of the key, if it begins with /, for the "
                          "largest number with which the scenario fails");
  auto* minimize = command->add_option("--minimize", given->minimize, "the same for the smallest value");
  auto* turning = command->add_option(
      "--turning", given->turning,
      "search for the value of this key at which the order of the scenario's two algorithms turns round");
  maximize->excludes(minimize)->excludes(turning)->check(suggests("columns"))->option_text("MEASURE|KEY");
  minimize->excludes(turning)->check(suggests("columns"))->option_text("MEASURE|KEY");
  turning->check(suggests("keys"))->option_text("KEY");
  command->add_option("--to", given->to, "level of the relative error at which --turning compares")
      ->check(refuse_infinite)
      ->needs(turning)
      ->option_text("LEVEL");
  command->callback([=, &console] {
    refuse_all_idle(*command, {"--runs", "--seconds", "--seed"}, !given->turning.empty(), "on a search along one key");
    continue_in_python("hunt", as_json(*given, console));
  });
}

void add_artifact(CLI::App& app, Console& console) {
  struct Request {
    std::vector<std::string> runs, authors;
    OutputFile out{"artifact.zip"};
    std::string title;
  };
  auto given = std::make_shared<Request>();
  auto* command = app.add_subcommand(
      "artifact",
      "Write results with all that repeats them into one zip file: scenarios, data, claims, figures, versions, a "
      "Containerfile and instructions; `lagnet reproduce FILE.zip` repeats them");
  command->add_option("DIR", given->runs, "result folders")->required();
  add_output_file(*command, given->out, "zip file to write; by default artifact.zip", true);
  command->add_option("--title", given->title, "title of the work")->check(refuse_empty)->option_text("TEXT");
  command->add_option("--author", given->authors, "author, for the citation (repeatable)")
      ->allow_extra_args(false)
      ->option_text("NAME");
  command->callback([=, &console] {
    check_ending("artifact: -o", given->out.path, {{".zip", "zip"}});
    continue_in_python("artifact", {{"runs", given->runs},
                                    {"out", given->out.path},
                                    {"replace", given->out.replace},
                                    {"title", or_null(given->title)},
                                    {"authors", given->authors},
                                    {"json", console.json},
                                    {"quiet", console.quiet}});
  });
}

}  // namespace lagnet::tools
