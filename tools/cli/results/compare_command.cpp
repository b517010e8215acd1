#include "tools/cli/results/compare_command.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/split.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/compare/tables/run_values.hpp"
#include "scenarios/files/output_file.hpp"
#include "scenarios/files/text.hpp"
#include "scenarios/words/layout.hpp"
#include "tools/console/idle_options.hpp"
#include "tools/console/option_checks.hpp"
#include "tools/console/output_options.hpp"
#include "tools/console/printing.hpp"
#include "tools/console/suggestions.hpp"
#include "tools/console/terminal.hpp"

namespace lagnet::tools {

namespace {

/// What `compare` is asked for.
struct CompareArguments {
  std::vector<std::string> folders;
  std::vector<std::string> where = {};  // "KEY=VALUE": only runs that have all of these
  CompareOptions options;
  std::string format = {};  // text, csv, json or latex; none: text, or JSON where the console asks for it
  std::string table = {};   // one alone; none: all of them, as csv the curves
  OutputFile out = {};      // none: stdout
};

/// The tables asked for.
std::vector<ResultTable> chosen(const std::vector<ResultTable>& tables, const std::string& name) {
  std::vector<ResultTable> found;
  for (const ResultTable& table : tables)
    if (name.empty() || table.name == name) found.push_back(table);
  return found;
}

/// Lines of text fit a terminal, and elsewhere are as long as they are.
std::size_t columns_of_text(const CompareArguments& given) {
  return given.out.path.empty() && is_terminal(STDOUT_FILENO) ? terminal_columns(STDOUT_FILENO) : any_columns;
}

/// A page's width on a terminal, any width elsewhere; a table that is asked for alone has all of its rows.
TextLimits limits_of(const CompareArguments& given, const ResultTable& table) {
  constexpr std::size_t rows = 40;
  TextLimits limits;
  if (columns_of_text(given) != any_columns) limits.columns = columns_of_text(given);
  if (given.table.empty() && !given.options.all && table.name != "curves") limits.rows = rows;
  return limits;
}

/// Headings are bold where that can be seen.
std::string heading(const std::string& text, const CompareArguments& given) {
  return inked(text, Ink::bold, given.out.path.empty() && takes_colors(STDOUT_FILENO));
}

/// The table with its title in lines that fit.
std::string fitted_table(ResultTable table, const CompareArguments& given) {
  constexpr std::size_t indent = 2;
  table.title = wrapped(table.title, columns_of_text(given), indent);
  const std::string text = as_text(table, limits_of(given, table));
  return text.starts_with(table.title) ? heading(table.title, given) + text.substr(table.title.size()) : text;
}

/// Tables whose numbers are in the sentences, or that only programs need: text output has them on request.
bool is_for_programs(const ResultTable& table) {
  return table.name == "verdict" || table.name == "swaps" || table.name == "runs";
}

/// Lines that the answer and its tables may take, so that the answer stays in sight: a terminal's but for the prompt
/// and a line that names the tables that are left out. Any number elsewhere, and where tables are asked for.
std::size_t room_of(const CompareArguments& given) {
  constexpr std::size_t other_lines = 3;
  const bool is_asked_for = !given.table.empty() || !given.options.by.empty() || given.options.all;
  if (is_asked_for || !given.out.path.empty()) return any_columns;
  const std::size_t rows = terminal_rows(STDOUT_FILENO);
  return rows - std::min(rows, other_lines);
}

std::size_t lines_of(const std::string& text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); }

std::string rendered_as_text(const ComparedRuns& comparison, const CompareArguments& given) {
  constexpr std::size_t indent = 2;
  const auto fitting = [&](const std::string& line) { return wrapped(line, columns_of_text(given), indent) + "\n"; };
  std::string text = heading(wrapped(comparison.headline, columns_of_text(given), indent), given) + "\n";
  if (given.table.empty()) text += verdict_text(comparison, columns_of_text(given));
  std::vector<std::string> left_out;
  for (const ResultTable& one : chosen(comparison.tables, given.table)) {
    if (given.table.empty() && is_for_programs(one)) continue;
    const std::string table = "\n" + fitted_table(one, given);
    if (left_out.empty() && lines_of(text) + lines_of(table) <= room_of(given))
      text += table;
    else
      left_out.push_back(one.name);
  }
  if (!left_out.empty()) text += "\n" + fitting("more: --all, or --table with one of " + comma_list(left_out));
  if (given.table.empty())
    for (const std::string& sentence : comparison.sentences) text += fitting(sentence);
  return text;
}

std::string rendered_as_latex(const ComparedRuns& comparison, const std::string& table) {
  std::string latex = "% " + comparison.headline + "; needs \\usepackage{booktabs}\n";
  for (const ResultTable& one : chosen(comparison.tables, table))
    if (!one.rows.empty()) latex += as_latex(one);
  return latex;
}

std::string rendered_as_json(const ComparedRuns& comparison, const CompareArguments& given,
                             const RecordedRuns& recorded) {
  Json folders = Json::array();
  for (const RecordedRun& run : recorded.runs) folders.push_back(run.folder.generic_string());
  Json document{{"metric", given.options.metric},
                {"against", given.options.against},
                {"folders", std::move(folders)},
                {"left_out", recorded.broken},
                {"bootstrap",
                 {{"resamples", given.options.bootstrap.resamples},
                  {"confidence", given.options.bootstrap.confidence},
                  {"seed", given.options.bootstrap.seed}}}};
  for (const ResultTable& table : chosen(comparison.tidy, given.table)) document[table.name] = as_json(table);
  return indented(document);
}

std::string rendered(const std::string& format, const ComparedRuns& comparison, const CompareArguments& given,
                     const RecordedRuns& recorded) {
  if (format == "json") return rendered_as_json(comparison, given, recorded);
  if (format == "latex") return rendered_as_latex(comparison, given.table);
  if (format.empty() || format == "text") return rendered_as_text(comparison, given);
  const std::string usual = given.options.by.empty() ? "curves" : "pivot";
  return as_csv(chosen(comparison.tidy, given.table.empty() ? usual : given.table).front());
}

int compare_command(const CompareArguments& given, const Console& console) {
  const RecordedRuns recorded = read_runs_where({given.folders.begin(), given.folders.end()}, given.where);
  const ComparedRuns comparison = compare_runs(recorded.runs, given.options);
  if (!given.table.empty() && chosen(comparison.tables, given.table).empty())
    throw InputError(fmt::format("compare: --table: {} exists only {}", given.table,
                                 given.options.by.empty() && given.table == "waits"
                                     ? "for runs with record.critical_path"
                                 : given.options.by.empty() && given.table == "bounds"
                                     ? "for methods with a bound of theory in closed form, in the world it is about"
                                 : given.options.by.empty() ? "with --by"
                                                            : "without --by"));
  const std::string format = console.json ? "json" : given.format;
  const std::string text = rendered(format, comparison, given, recorded);
  if (!console.quiet)
    for (const std::string& why : recorded.broken) print_err("left out: {}\n", why);
  if (!given.out.path.empty())
    write_output(given.out, text);
  else if (!console.quiet || console.json)
    print_text(text);
  return 0;
}

/// Of --to. An empty one between commas is a slip, not one level less.
std::vector<double> levels_of(const std::string& command, const std::string& text) {
  std::vector<std::string> words;
  boost::split(words, text, boost::is_any_of(","));
  std::vector<double> levels;
  for (const std::string& word : words) {
    levels.emplace_back();
    if (const char* expected = parse_real(trimmed(word), levels.back()))
      throw InputError(fmt::format("{}: --to: expected {} between commas, found {}", command, expected,
                                   word.empty() ? "nothing in " + text : word));
  }
  return levels;
}

void add_what(CLI::App& compare, CompareArguments& given) {
  compare.add_option("DIR", given.folders, "result folders of runs or sweeps, all over the same data and problem")
      ->required();
  compare
      .add_option("--metric", given.options.metric,
                  "metric to compare: a column of progress.csv; by default relative_error")
      ->check(suggests("columns"))
      ->option_text("COLUMN");
  compare
      .add_option("--against", given.options.against,
                  "axis: round, simulated_s, bytes, messages, flops_per_agent_max, flops, encrypting_s, price, joules, "
                  "grams, or any other column of progress.csv that never decreases; by default simulated_s")
      ->check(suggests("columns"))
      ->option_text("COLUMN");
  add_levels(compare, given.options.to, "levels of the metric", ", and no default for other metrics");
  compare.add_flag("--rising", given.options.rising,
                   "larger values of the metric are better, as with accuracy: runs reach levels from below");
  compare
      .add_option("--baseline", given.options.baseline,
                  "series to compare the others with, by its name in the first table; by default the first. KEY=VALUE: "
                  "compare each series with the one that differs only in this value")
      ->option_text("SERIES");
  compare
      .add_option("--by", given.options.by,
                  "key whose values are the rows of one table: the cost of each level in --against for every series, "
                  "the winner, and where one series overtakes another; network.latency_ms")
      ->check(suggests("keys"))
      ->option_text("KEY");
  add_where(compare, given.where);
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
                  "print only one table:  " + boost::join(comparison_tables(), ", ") +
                      "; by default all of them, or the curves as csv")
      ->check(CLI::IsMember(comparison_tables()))
      ->option_text("NAME");
  compare.add_flag("--all", given.options.all, "show all series and rows, however many there are");
  add_output_file(compare, given.out, "write to this file instead of stdout; its ending sets the format", false);
}

}  // namespace

void add_levels(CLI::App& command, std::vector<double>& to, const std::string& what, const std::string& of_others) {
  command
      .add_option_function<std::string>(
          "--to", [&to, name = command.get_name()](const std::string& text) { to = levels_of(name, text); },
          what +
              ", separated by commas; by default powers of ten to 1e-6 for relative_error, or to the tolerance "
              "that all runs stop at" +
              of_others)
      ->option_text("LEVELS");
}

void add_where(CLI::App& command, std::vector<std::string>& where) {
  command.add_option("--where", where, "only runs with this value, as in algorithm.kind=extra (repeatable)")
      ->type_size(1)
      ->allow_extra_args(false)
      ->check(suggests("settings"))
      ->option_text("KEY=VALUE");
}

std::string verdict_text(const ComparedRuns& comparison, std::size_t columns) {
  constexpr std::size_t indent = 2, more_lines = 4;
  const ComparisonVerdict& verdict = comparison.verdict;
  std::string text = comparison.setting.empty() ? "" : wrapped(comparison.setting, columns, indent) + "\n";
  if (!verdict.headline.empty()) text += "\n" + wrapped(verdict.headline, columns, indent) + "\n";
  for (const auto& list : {verdict.broken, verdict.sentences, verdict.never, texts_of(verdict.remarks)})
    for (const std::string& sentence : list)
      text += std::string(indent, ' ') + wrapped(sentence, columns - std::min(columns, indent), more_lines) + "\n";
  return text;
}

namespace {

/// The format that --format, --json and the name of the file agree on.
std::string agreed_format(const CompareArguments& given, const Console& console) {
  if (console.json && !given.format.empty() && given.format != "json")
    throw InputError(
        fmt::format("compare: --format: expected no --format but json beside --json, found {}", given.format));
  const std::string asked = console.json ? "json" : given.format;
  return format_of_name("compare: -o", given.out.path,
                        {{".txt", "text"}, {".csv", "csv"}, {".json", "json"}, {".tex", "latex"}}, asked,
                        console.json ? "--json" : "--format " + asked);
}

void refuse_idle_options(const CLI::App& compare, const CompareArguments& given) {
  const std::string usual = given.format == "csv" ? "curves" : "";
  const std::string table = given.table.empty() ? usual : given.table;
  refuse_idle(compare, "--points", !given.options.by.empty() || (!table.empty() && table != "curves"),
              "unless the table curves is printed");
  refuse_idle(compare, "--baseline", !given.options.by.empty(),
              "beside --by, since it compares all series at each value");
  refuse_idle(compare, "--all", given.format == "csv" || given.format == "json",
              "on csv and json, since they contain all series and rows");
}

}  // namespace

void add_compare(CLI::App& app, Console& console) {
  auto given = std::make_shared<CompareArguments>();
  auto* compare = app.add_subcommand("compare",
                                     "Compare runs: who is first and by how much, curves, costs of each level, paired "
                                     "differences over seeds, Pareto front and crossings");
  add_what(*compare, *given);
  add_how(*compare, *given);
  compare->callback([given, compare, &console] {
    given->format = agreed_format(*given, console);
    refuse_idle_options(*compare, *given);
    console.exit_status = compare_command(*given, console);
  });
}

}  // namespace lagnet::tools
