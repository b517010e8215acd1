#include "tests/fuzz/random/trial.hpp"

#include <fmt/format.h>

#include <set>

#include "scenarios/compare/replay.hpp"
#include "scenarios/compare/tables/comparison.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/report/report_model.hpp"
#include "scenarios/sweep/execute.hpp"
#include "scenarios/tune/tuned_steps.hpp"
#include "sim/base/errors.hpp"

namespace lagnet::fuzz {

namespace fs = std::filesystem;

namespace {

/// Runs end here at the latest, in s: of 100,000 drawn scenarios, two went on for more than two minutes of processor
/// time without it, and end with it within 0.1 s.
constexpr double simulated_s_max = 20;

void check_finding(bool is_true, const std::string& otherwise) {
  if (!is_true) throw Finding(otherwise);
}

/// Does something that users' errors may end: what these say.
template <class Action>
std::optional<std::string> refusal_of(Action action) {
  try {
    action();
    return std::nullopt;
  } catch (const Diagnosed& error) {
    return error.what();
  } catch (const WorldLimit& error) {
    return error.what();
  } catch (const OutputError& error) {
    check_finding(!error.is_of_system, std::string("a file could not be written: ") + error.what());
    return error.what();
  }
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

}  // namespace

std::vector<Diagnostic> Trial::problems_of(const Json& document) {
  text_ = document.dump();
  try {
    const ScenarioFile file = with_theory({"s.json", folder_, document});
    check_points(file, sweep_points(file));
    return {};
  } catch (const Diagnosed& error) {
    for (const Diagnostic& problem : error.diagnostics)
      check_finding(problem.where.starts_with("/"), "a refusal without a pointer: " + sentence(problem));
    return error.diagnostics;
  }
}

std::optional<Json> Trial::accepted() {
  return generator_.accepted([this](const Json& document) { return problems_of(document); });
}

std::optional<std::string> Trial::refusal_of_run(const Json& document, const std::string& out, unsigned threads) {
  text_ = document.dump();
  return refusal_of([&] { execute({"s.json", folder_, document}, folder_ / out, {.settings = {.threads = threads}}); });
}

Json Trial::summary_of(const std::string& out) const { return Json::parse(read_file(folder_ / out / "summary.json")); }

void Trial::check_conservation(const Json& totals) const {
  const auto count = [&](const char* key) { return totals.at(key).get<std::int64_t>(); };
  check_finding(count("messages_sent") == count("messages_delivered") + count("lost") + count("messages_in_flight"),
                "messages are not conserved: " + totals.dump());
}

void Trial::check_rows(const ProgressTable& rows) const {
  const auto column = [&](const char* name) -> const std::vector<double>& { return *rows.find(name); };
  for (std::size_t k = 0; k < rows.rows(); ++k) {
    const double messages = column("messages")[k] - column("messages_delivered")[k] - column("lost")[k];
    const double bytes = column("bytes")[k] - column("bytes_delivered")[k] - column("bytes_lost")[k];
    check_finding(messages >= 0 && bytes >= 0,
                  fmt::format("row {} has {} messages and {} bytes in flight", k, messages, bytes));
  }
}

void Trial::check_same_files(const std::string& one, const std::string& other, const char* where) const {
  check_finding(names_in(folder_ / one) == names_in(folder_ / other), std::string("other files ") + where);
  for (const std::string& name : names_in(folder_ / one))
    if (fs::is_directory(folder_ / one / name))
      check_same_files(one + '/' + name, other + '/' + name, where);
    else
      check_finding(read_file(folder_ / one / name) == read_file(folder_ / other / name), name + " differs " + where);
}

void Trial::check_replay(const std::string& out) const {
  const auto difference = replay(folder_ / out, {});
  check_finding(!difference, "the replay of " + out + " differs: " + (difference ? sentence(*difference) : ""));
}

/// Whether the values could be retimed. A replay computes the retimed run with its numbers.
bool Trial::check_retiming() const {
  const std::vector<std::string> other_network{"/network/latency_ms=37.5", "/network/jitter_ms=1.5"};
  if (refusal_of([&] { execute_retimed(folder_ / "r", other_network, folder_ / "retimed", {}); })) return false;
  check_replay("retimed");
  return true;
}

void Trial::check_jobs(Json document) {
  document["sweep"] = {{"/seed", {3, 1, 4}}};
  text_ = document.dump();
  const auto refusal_with = [&](unsigned jobs) {
    const ExecuteOptions options{.settings = {.jobs = jobs}};
    return refusal_of([&] { execute({"s.json", folder_, document}, folder_ / fmt::format("jobs_{}", jobs), options); });
  };
  const auto one = refusal_with(1), three = refusal_with(3);
  check_finding(one == three, "another refusal with three jobs: " + three.value_or("none"));
  if (!one) check_same_files("jobs_1", "jobs_3", "with three jobs");
}

void Trial::check_readers() const {
  const RecordedRuns recorded = read_recorded_runs({folder_ / "r"});
  check_rows(recorded.runs.at(0).progress);
  if (recorded.runs.at(0).progress.rows() > 0)  // else the run ended before its first row
    compare_runs(recorded.runs, {.metric = "round", .against = "simulated_s"});
  report_model(recorded, {});
}

std::string Trial::check_twin(Json document) {
  // The same scenario without numbers, where it is accepted and nothing that a number decides ends the run.
  const Json ended = summary_of("r");
  const bool by_numbers = ended.at("status") == "diverged" || ended.at("stop").at("reason") == "relative_error" ||
                          ended.at("stop").at("reason") == "metric";
  if (document.value("numerics", Json()) == "off" || by_numbers) return "run";
  document["numerics"] = "off";
  document["stop"].erase("relative_error");
  document["stop"].erase("metric");
  Json record{{"trace", true}};  // rows are as often: a rule may end the run at each
  for (const char* how_often : {"every", "every_s", "every_updates"})
    if (document["record"].contains(how_often)) record[how_often] = document["record"][how_often];
  document["record"] = std::move(record);
  if (refusal_of_run(document, "twin", 1)) return "run";
  check_finding(summary_of("twin").at("trace_hash") == ended.at("trace_hash"),
                "a run without numbers has another trace");
  return "run, with its twin";
}

std::string Trial::check_accepted(Json document) {
  document["record"]["trace"] = true;
  // Agents that are hardly ever up at the same moment may never finish a round.
  if (Json& end = document["stop"]["simulated_s"]; end.is_null()) end = simulated_s_max;
  if (refusal_of_run(document, "r", 1)) {  // what only the run finds out
    check_finding(!fs::exists(folder_ / "r"), "results of a refused run");
    return "refused by the run";
  }
  check_conservation(summary_of("r").at("totals"));
  check_finding(!refusal_of_run(document, "two", 2), "refused on two threads");
  check_same_files("r", "two", "on two threads");
  check_replay("r");
  const bool is_retimed = check_retiming();
  check_jobs(document);
  if (const auto refusal = refusal_of([&] { check_readers(); })) throw Finding("the folder is not read: " + *refusal);
  return check_twin(std::move(document)) + (is_retimed ? ", retimed" : "");
}

std::string Trial::check_broken(const std::string& text) {
  text_ = text;
  write_file(folder_ / "s.json", text);
  const auto refusal = refusal_of([&] {
    const ScenarioFile file =
        read_scenario_file(folder_ / "s.json", {"stop.rounds=5", fmt::format("stop.simulated_s={}", simulated_s_max)});
    if (asks_for_tuning(file)) return check_points(with_theory(file), sweep_points(with_theory(file)));
    execute(file, folder_ / "r", {});
  });
  const std::set<std::string> found = names_in(folder_);
  if (!refusal) return "accepted though broken";
  check_finding(found == std::set<std::string>{"s.json"}, fmt::format("a refused run left {} files", found.size() - 1));
  return "refused";
}

}  // namespace lagnet::fuzz
