#include "tools/cli/compare_options.hpp"

#include <CLI/CLI.hpp>

#include <boost/algorithm/string/join.hpp>
#include <memory>

#include "tools/cli/compare_command.hpp"
#include "tools/console/number_checks.hpp"
#include "tools/console/text_checks.hpp"

namespace lagnet::tools {

namespace {

void add_what(CLI::App& compare, CompareArguments& given) {
  compare.add_option("DIR", given.folders, "result folders of runs or sweeps, all over the same data and problem")
      ->required();
  compare
      .add_option("--metric", given.options.metric,
                  "metric to compare: a column of progress.csv; by default relative_error")
      ->option_text("COLUMN");
  compare
      .add_option("--against", given.options.against,
                  "axis: round, simulated_s, bytes, messages, flops_per_agent_max, flops, encrypting_s, or any other "
                  "column of progress.csv that never decreases; by default simulated_s")
      ->option_text("COLUMN");
  compare
      .add_option(
          "--to", given.options.to,
          "levels of the metric, separated by commas; by default 1e-1 .. 1e-6 for relative_error, none for others")
      ->delimiter(',')
      ->type_size(1)
      ->allow_extra_args(false)
      ->option_text("LEVELS");
  compare.add_flag("--rising", given.options.rising,
                   "larger values of the metric are better, as for an accuracy: levels are reached from below");
  compare
      .add_option("--baseline", given.options.baseline,
                  "series that the others are compared with, by its name in the first table; by default the first")
      ->option_text("SERIES");
}

void add_how(CLI::App& compare, CompareArguments& given) {
  compare
      .add_option("--points", given.options.points,
                  "largest number of rows of the curves, by default 20; 0: one row for every value on the axis")
      ->check(CLI::Range(0, 1'000'000))
      ->option_text("N");
  compare
      .add_option("--confidence", given.options.bootstrap.confidence,
                  "confidence of the intervals, from 0.5 to 0.9999; by default 0.95")
      ->check(CLI::Range(0.5, 0.9999))
      ->check(refuse_infinite)
      ->option_text("P");
  compare
      .add_option("--resamples", given.options.bootstrap.resamples,
                  "resamples of the bootstrap, from 100 to 1000000; by default 10000")
      ->check(CLI::Range(100, 1'000'000))
      ->option_text("N");
  compare.add_option("--bootstrap-seed", given.options.bootstrap.seed, "seed of the bootstrap's draws; by default 1")
      ->check(refuse_negative)
      ->option_text("SEED");
  compare.add_option("--format", given.format, "text (the default), csv (one table), json or latex (with booktabs)")
      ->check(CLI::IsMember({"text", "csv", "json", "latex"}))
      ->option_text("FORMAT");
  compare
      .add_option("--table", given.table,
                  "print one table alone: " + boost::join(comparison_tables(), ", ") +
                      "; by default all of them, or the curves as csv")
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
      "compare", "Compare runs: curves, costs of accuracy, paired differences over seeds, Pareto front and crossings");
  add_what(*compare, *given);
  add_how(*compare, *given);
  compare->callback([given, &console] { console.exit_status = compare_command(*given, console); });
}

}  // namespace lagnet::tools
