#include "tools/flags/scenario_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <cmath>
#include <map>
#include <set>

#include "scenarios/assembly/load_data.hpp"
#include "scenarios/data/linear_model.hpp"
#include "scenarios/files/pattern.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "scenarios/format/kinds/data_kinds.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/json/json_file.hpp"
#include "scenarios/json/quantities.hpp"
#include "scenarios/sweep/plan.hpp"
#include "scenarios/tune/tuned_steps.hpp"
#include "tools/console/option_checks.hpp"
#include "tools/console/suggestions.hpp"
#include "tools/flags/algorithm_flag.hpp"
#include "tools/flags/data_flag.hpp"

namespace lagnet::tools {

namespace {

namespace fs = std::filesystem;

/// A loss for such labels, and the rule that brings them into its form.
void choose_loss(const std::set<double>& labels, ChosenData& chosen) {
  switch (kind_of_labels({labels.begin(), labels.end()}, chosen.samples)) {
    case LabelsKind::two_classes:
      chosen.loss = "logistic";
      chosen.remark = fmt::format("two labels, {} and {}: two classes", *labels.begin(), *labels.rbegin());
      break;
    case LabelsKind::classes:
      chosen.loss = "softmax";
      chosen.remark = fmt::format("{} labels, all of them integers: classes", labels.size());
      break;
    case LabelsKind::numbers:
      chosen.loss = "squared";
      chosen.remark = fmt::format("{} different labels: a regression", labels.size());
  }
}

/// The columns of a table, with the label and the doubts put into words and into the section. Throws Diagnosed
/// where they cannot be read, with the keys that read them.
void settle_columns(const std::string& file, ChosenData& chosen) {
  const Choice<DataFamily> source = source_of_section(chosen.section, file);
  Diagnostics problems(file);
  std::optional<TableSurvey> surveyed;
  collect_diagnostics(problems, "--data", [&] { surveyed = survey_of(source); });
  problems.throw_if_any();
  if (!surveyed) return;
  const TableSurvey& found = *surveyed;
  for (const Diagnostic& one : found.problems) add_diagnostic(problems, "--data", one);
  if (!problems.empty() && !found.proposals.empty())
    problems.add("--data",
                 fmt::format("keys after the file, as in --data {} {} (`lagnet data {}` shows the columns)", file,
                             typed_keys(found.proposals), file),
                 "none of them");
  const bool is_given = chosen.section.contains("label_name") || chosen.section.contains("label_column");
  if (!problems.empty() && !is_given && !found.labels.empty())
    problems.add("--label", fmt::format("a column: {}, or {}", label_words(found, false), comma_list(found.labels)),
                 "none");
  problems.throw_if_any();
  if (!is_given) chosen.label = fmt::format("label: {}; --label COLUMN chooses another one", label_words(found, false));
  chosen.doubts = found.doubts;
  chosen.section = with_proposals(std::move(chosen.section), found.proposals);
  const auto label = std::ranges::find(found.columns, ColumnUse::label, &SurveyedColumn::use);
  if (is_given || label == found.columns.end() || found.proposals.contains("header")) return;
  // The runs need not doubt what was settled here.
  if (label->name.empty())
    chosen.section["label_column"] = label->number;
  else
    chosen.section["label_name"] = label->name;
}

/// A number as one writes it: 5, not 5.0.
Json as_written(double number) {
  constexpr double exact = 9007199254740992;
  if (std::trunc(number) == number && std::abs(number) < exact) return static_cast<std::int64_t>(number);
  return number;
}

}  // namespace

void add_scenario_flags(CLI::App& command, ScenarioFlags& flags) {
  command
      .add_option("--data", flags.data,
                  "file with samples (.csv, .libsvm, .mtx, .npy), and keys of the section data, as in "
                  "separator=semicolon; without it lagnet generates data")
      ->type_size(1)
      ->allow_extra_args(false)
      ->check(refuse_empty)
      ->option_text("FILE [KEY=VALUE]...");
  command
      .add_option("--label", flags.label,
                  "label's column of a CSV or NPY file, its name or number; by default the last one")
      ->option_text("COLUMN");
  command.add_option("--loss", flags.loss, "loss (`lagnet list losses`); by default one that fits the labels")
      ->check(suggests("losses"))
      ->option_text("NAME");
  command.add_option("--l2", flags.l2, "weight of the l2 regularizer; by default 0.01")
      ->check(refuse_below_zero)
      ->check(refuse_infinite)
      ->option_text("WEIGHT");
  command.add_option("--agents", flags.agents, "agents that hold data")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 31))
      ->option_text("N");
  command
      .add_option("--latency", flags.latency,
                  "latency of every link, in ms unless it has a unit: 50, 0.05s; 5..150 draws it from this range; or a "
                  "CSV file with latencies between sites")
      ->option_text("TIME|FILE");
  command
      .add_option("--bandwidth", flags.bandwidth,
                  "bandwidth of every agent's interface, as in 10Mbit or 1MB/s; messages queue for it")
      ->option_text("RATE");
  command
      .add_option("--profile", flags.profile,
                  "kind of network (`lagnet list profiles`), as far as other options do not say")
      ->check(suggests("profiles"))
      ->option_text("NAME");
  command
      .add_option("--sites", flags.sites,
                  "CSV file with places of agents, one a line: name, agents, up_bytes_per_s, price.internet_per_gb and "
                  "other keys of a site (`lagnet describe network.sites`)")
      ->check(refuse_empty)
      ->option_text("FILE");
  command.add_option("--to", flags.to, "relative error to reach")
      ->check(CLI::Range(1e-15, 0.999))
      ->check(refuse_infinite)
      ->option_text("ERROR");
}

ChosenData choose_data(const ScenarioFlags& flags, const fs::path& folder) {
  ChosenData chosen;
  if (flags.data.empty()) {
    chosen.section = {{"source", "gaussian_regression"}, {"samples", 360}, {"features", 20}};
    chosen.loss = flags.loss.empty() ? "squared" : flags.loss;
    chosen.samples = 360;
    chosen.features = 20;
    chosen.remark = "generated: standard normal features, and labels with noise";
    return chosen;
  }
  const std::string file = data_file_of(flags.data);
  chosen.section = typed_data(flags.data, flags.label);
  settle_columns(file, chosen);
  const Json as_read = chosen.section;
  DataSet data;
  Diagnostics problems(file);
  collect_diagnostics(problems, "--data", [&] { data = source_of_section(as_read, file).make().load(1, false); });
  problems.throw_if_any();
  // Near the scenario files may move along with it.
  Choice<DataFamily>::change_paths(chosen.section, [&folder](const fs::path& path) {
    const std::string near = fs::proximate(path, fs::absolute(folder)).string();
    return near.starts_with("../../") ? path.string() : near;
  });
  chosen.samples = data.samples;
  chosen.features = data.X.cols();
  if (data.learnt && chosen.doubts.empty()) chosen.doubts = data.learnt->doubts;
  choose_loss({data.y.begin(), data.y.end()}, chosen);
  if (!flags.loss.empty()) chosen.loss = flags.loss;
  const std::map<std::string_view, const char*> rules{{"logistic", "sign"}, {"softmax", "classes"}};
  const auto rule = rules.find(chosen.loss);
  for (const auto& [key, value] : {std::pair("labels", rule == rules.end() ? Json() : Json(rule->second)),
                                   {"scaling", "max_abs"},
                                   {"intercept", true}})
    if (!value.is_null() && !chosen.section.contains(key)) chosen.section[key] = value;
  return chosen;
}

std::string remarks_text(const ChosenData& chosen) {
  std::string text = chosen.label.empty() ? "" : chosen.label + "\n";
  for (const std::string& doubt : chosen.doubts) text += "in doubt: " + doubt + "\n";
  return text;
}

std::vector<std::string> doubtful_labels(const ScenarioFlags& flags) {
  const std::string file = data_file_of(flags.data);
  const Choice<DataFamily> source = source_of_section(typed_data(flags.data, flags.label), file);
  Diagnostics problems(file);
  std::optional<TableSurvey> found;
  collect_diagnostics(problems, "--data", [&] { found = survey_of(source); });
  problems.throw_if_any();
  // Columns that cannot be read yet are refused before any question.
  return found && found->problems.empty() ? found->labels : std::vector<std::string>();
}

Json number_or_range(std::string_view flag, std::string_view key, const std::string& text) {
  const auto refuse = [&](const std::string& expected) { refuse_flag(std::string(flag), expected, text); };
  const bool is_dashed = Pattern("[0-9.]+ ?[a-zA-Z]*-[0-9.]+ ?[a-zA-Z]*").match(text).has_value();
  const std::string expected =
      fmt::format("a number with one of the units {}{}", known_units(key), is_dashed ? ", or a range as 5..150" : "");
  const auto number = [&](const std::string& part) {
    const auto found = number_with_unit(key, part);
    if (!found || !(*found >= 0)) refuse(expected);
    return as_written(*found);
  };
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) return number(text);
  std::string low = text.substr(0, dots);
  const std::string high = text.substr(dots + 2);
  // A unit at the end of the range is that of both ends.
  if (!low.empty() && !std::isalpha(static_cast<unsigned char>(low.back())))
    low += high.substr(std::min(high.find_first_not_of("0123456789.eE+- "), high.size()));
  const Json range{{"kind", "uniform"}, {"low", number(low)}, {"high", number(high)}};
  if (!(range["low"] < range["high"])) refuse("a range from a smaller to a larger number");
  return range;
}

Json topology_section(const std::string& kind, std::int64_t agents) {
  const auto& catalogue = TopologyFamily::catalogue();
  if (!catalogue.find(kind))
    refuse_flag("--topology", "one of " + comma_list(catalogue.kinds()), kind + did_you_mean(kind, catalogue.kinds()));
  Json topology{{"kind", kind}, {"agents", agents}};
  const auto count = static_cast<double>(agents);
  // The radius at which points in a square become connected is sqrt(log n / (pi n)) for many of them (M. Penrose,
  // 1997).
  if (kind == "random_geometric") {
    const double radius = std::sqrt(2 * std::log(std::max(count, 2.0)) / (3.14159265358979 * count));
    topology["radius"] = std::min(1.0, std::ceil(100 * radius) / 100);
  }
  if (kind == "erdos_renyi")
    topology["probability"] = std::min(1.0, std::ceil(200 * std::log(count + 1) / count) / 100);
  if (kind == "random_regular") topology["degree"] = std::min<std::int64_t>(4, agents - 1);
  if (kind == "lattice") {
    auto rows = static_cast<std::int64_t>(std::sqrt(count));
    while (agents % rows != 0) --rows;
    topology = {{"kind", kind}, {"rows", rows}, {"columns", agents / rows}};
  }
  return topology;
}

std::string on_one_line(const Json& value) {
  std::string line;
  if (value.is_object()) {
    for (const auto& [key, member] : value.items())
      line += (line.empty() ? "" : ", ") + Json(key).dump() + ": " + on_one_line(member);
    return "{" + line + "}";
  }
  if (!value.is_array()) return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  for (const Json& element : value) line += (line.empty() ? "" : ", ") + on_one_line(element);
  return "[" + line + "]";
}

void refuse_existing(const fs::path& path, std::string_view command) {
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(path, ignored)))
    refuse_flag(std::string(command), "a new file", path.string() + ", which is left as it is");
}

void write_checked_scenario(const fs::path& path, const std::string& text) {
  Diagnostics problems(path.string());
  const ScenarioFile file{
      .shown = path.string(), .folder = fs::absolute(path).parent_path(), .document = parse_scenario(text, problems)};
  problems.throw_if_any();
  const ScenarioFile checked = with_theory(file);  // what is to be tuned is checked as theory has it
  check_points(checked, sweep_points(checked));
  replace_file(path, text);
}

}  // namespace lagnet::tools
