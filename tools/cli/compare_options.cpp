#include "tools/cli/compare_options.hpp"

#include <CLI/CLI.hpp>

#include <boost/algorithm/string/join.hpp>
#include <memory>

#include "tools/console/number_checks.hpp"
#include "tools/console/text_checks.hpp"

namespace lagnet::tools {

namespace {

void add_what(CLI::App& compare, CompareArguments& given) {
  compare.add_option("DIR", given.folders, "result folders of runs or sweeps, all over the same data and problem")
      ->required();
  compare
      .add_option("--metric", given.options.metric,
                  "what is compared: a column of progress.csv; by default relative_error")
      ->option_text("COLUMN");
  compare
      .add_option("--against", given.options.against,
                  "over what: round, simulated_s, bytes, messages, flops_per_agent_max, flops, encrypting_s, or any "
                  "other column of progress.csv that never falls; by default simulated_s")
      ->option_text("COLUMN");
  compare
      .add_option(
          "--to", given.options.to,
          "levels of the metric, with commas between; by default 1e-1 .. 1e-6 for relative_error, none for others")
      ->delimiter(',')
      ->type_size(1)
      ->allow_extra_args(false)
      ->option_text("LEVELS");
  compare.add_flag("--rising", given.options.rising,
                   "the metric is good when it is large, as an accuracy is: levels are reached from below");
  compare
      .add_option("--baseline", given.options.baseline,
                  "the series that the others are compared with, by its name in the first table; by default the first")
      ->option_text("SERIES");
}

void add_how(CLI::App& compare, CompareArguments& given) {
  compare
      .add_option("--points", given.options.points,
                  "rows of the curves, at most, by default 20; 0: one for every value of the axis that any run has")
      ->check(CLI::Range(0, 1'000'000))
      ->option_text("N");
  compare
      .add_option("--confidence", given.options.bootstrap.confidence,
                  "of the intervals, from 0.5 to 0.9999; by default 0.95")
      ->check(CLI::Range(0.5, 0.9999))
      ->check(refuse_infinite)
      ->option_text("P");
  compare
      .add_option("--resamples", given.options.bootstrap.resamples,
                  "of the bootstrap, from 100 to 1000000; by default 10000")
      ->check(CLI::Range(100, 1'000'000))
      ->option_text("N");
  compare.add_option("--bootstrap-seed", given.options.bootstrap.seed, "of the bootstrap's draws; by default 1")
      ->check(refuse_negative)
      ->option_text("SEED");
  compare.add_option("--format", given.format, "text, the default, csv (one table), json or latex (with booktabs)")
      ->check(CLI::IsMember({"text", "csv", "json", "latex"}))
      ->option_text("FORMAT");
  compare
      .add_option(
          "--table", given.table,
          "one table alone: " + boost::join(comparison_tables(), ", ") + "; by default all of them, as csv the curves")
      ->check(CLI::IsMember(comparison_tables()))
      ->option_text("NAME");
  compare.add_option("--out", given.out, "write to this file instead of stdout")
      ->check(refuse_empty)
      ->option_text("FILE");
}

}  // namespace

void add_compare(CLI::App& app, Console& console) {
  auto given = std::make_shared<CompareArguments>();
  auto* compare = app.add_subcommand(
      "compare",
      "Curves, costs of accuracy, paired differences over seeds, Pareto front and crossings of several runs");
  add_what(*compare, *given);
  add_how(*compare, *given);
  compare->callback([given, &console] { console.exit_status = compare_command(*given, console); });
}

}  // namespace lagnet::tools
