#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/interface/attackers.hpp"
#include "algorithms/problem/weighted_loss.hpp"
#include "scenarios/format/compute_options.hpp"
#include "scenarios/format/features.hpp"
#include "scenarios/format/kinds/algorithm_kinds.hpp"
#include "scenarios/format/kinds/claim_kinds.hpp"
#include "scenarios/format/kinds/data_kinds.hpp"
#include "scenarios/format/kinds/metric_kinds.hpp"
#include "scenarios/format/kinds/partition_kinds.hpp"
#include "scenarios/format/kinds/problem_kinds.hpp"
#include "scenarios/format/kinds/topology_kinds.hpp"
#include "scenarios/format/network_options.hpp"
#include "scenarios/format/participation_options.hpp"
#include "scenarios/format/presentation_options.hpp"
#include "scenarios/format/tune_options.hpp"
#include "scenarios/json/fields.hpp"

/// A scenario: the problem, the network, the algorithm, and the records; version 1 of the format. The declarations
/// below define it completely: reader, writer, schema and `lagnet describe` follow from them.
namespace lagnet {

/// Whether a run has numbers. Without them the events are the same, with the same messages, sizes, times and faults,
/// but agents exchange sizes, nothing is computed, and generated data are not made. This is for fleets too large to
/// hold vectors.
enum class Numerics { on, off };
constexpr auto spellings(Numerics) { return std::array{Spelling{Numerics::on, "on"}, Spelling{Numerics::off, "off"}}; }

/// Where methods with a server start.
enum class StartPoint { zero, normal };
constexpr auto spellings(StartPoint) {
  return std::array{Spelling{StartPoint::zero, "zero"}, Spelling{StartPoint::normal, "normal"}};
}

struct ProblemOptions {
  Choice<LossFamily> loss;
  Choice<RegularizerFamily> regularizer;
  Choice<ConstraintFamily> constraint;
  StartPoint start = StartPoint::zero;
  AgentWeights agent_weights = AgentWeights::samples;
  static void fields(auto& self, auto& field) {
    field("loss", self.loss, "loss of one sample's score and label");
    field("regularizer", self.regularizer, "penalty on the coefficients");
    field("constraint", self.constraint, "set that the coefficients must stay in");
    field("start", self.start,
          "where algorithms with a server start: zero, or normal (entries drawn from N(0, 1), projected on the "
          "constraint set); others start at zero");
    field("agent_weights", self.agent_weights,
          "weights of peers in the objective: samples, in proportion to their numbers of samples, so that peers "
          "minimize what a server with clients does; or even, the same for every agent");
  }
};

/// A recorded metric that is good enough.
struct StopMetricOptions {
  std::string column;
  std::optional<double> at_least, at_most, share_of_central;
  static void fields(auto& self, auto& field) {
    field("column", self.column,
          "its column in progress.csv: of a metric in record.metrics, or of the algorithm's own: \"test_accuracy\"",
          any_value().required());
    field("at_least", self.at_least, "the run ends in a recorded round with this value or more: 0.9");
    field("at_most", self.at_most, "the run ends in a recorded round with this value or less");
    field("share_of_central", self.share_of_central,
          "instead of at_least, for a metric that rises: this share of the central optimum's value, as in 0.95 of its "
          "accuracy",
          above(0));
  }
  void check(auto& report) const {
    const int limits = at_least.has_value() + at_most.has_value() + share_of_central.has_value();
    if (limits != 1) report("at_least", "one of at_least, at_most and share_of_central", limits);
  }
};

struct StopOptions {
  std::optional<std::int64_t> rounds, updates, flops, flops_per_agent, bytes;
  std::optional<double> price, simulated_s, relative_error;
  std::int64_t stays_rows = 1;
  std::optional<StopMetricOptions> metric;
  std::optional<double> divergence_factor = 1e6;  // does not end a run that converges, so any() ignores it
  bool any() const {
    return rounds || updates || flops || flops_per_agent || bytes || price || simulated_s || relative_error || metric;
  }
  static void fields(auto& self, auto& field) {
    field("rounds", self.rounds, "last round; 100 if no criterion is given", at_least(1));
    field(
        "updates", self.updates,
        "updates of the server, or of all other agents together; 1000 if no criterion is given for asynchronous peers, "
        "which have no rounds",
        at_least(1));
    field("simulated_s", self.simulated_s, "simulated time, in s", above_to(0, 9e9));
    field("relative_error", self.relative_error, "(F - F*) / (F(0) - F*) at or below this in a recorded round",
          above(0));
    field("stays_rows", self.stays_rows,
          "successive recorded rows that must be at or below relative_error, or have the metric; with 20 a run goes on "
          "if it only touches the level",
          at_least(1));
    field("metric", self.metric,
          "a recorded metric that is good enough: {\"column\": \"test_accuracy\", \"at_least\": 0.9}");
    field("flops", self.flops, "flops of all agents together", at_least(1));
    field("flops_per_agent", self.flops_per_agent, "flops of the agent with the most flops, at the end of a round",
          at_least(1));
    field("bytes", self.bytes, "bytes sent by all agents together", at_least(1));
    field("price", self.price, "price of what all agents sent, by the prices of network.sites: 0.5", above(0));
    field("divergence_factor", self.divergence_factor,
          "a recorded objective above F(0) times this, or one that is not finite, ends the run as diverged; null: only "
          "one that is not finite",
          above(1));
  }
};

struct RecordOptions {
  std::int64_t every = 1;
  std::optional<double> every_s;
  std::optional<std::int64_t> every_updates;
  bool trace = false;
  bool timeline = false;
  bool critical_path = false;
  std::vector<double> timeline_window_s;
  double file_budget_mb = 50;
  std::optional<std::int64_t> model_every;
  bool optimum = true;
  bool holders = false;
  std::vector<Choice<MetricFamily>> metrics;
  bool has_test_accuracy() const {
    return std::ranges::any_of(metrics, [](const auto& one) { return one.template options_as<TestAccuracyOptions>(); });
  }
  static void fields(auto& self, auto& field) {
    field("every", self.every, "rounds from one row to the next; the first and the last round always have one",
          at_least(1));
    field("every_s", self.every_s,
          "simulated time from one row to the next, in s: each has the newest state of every agent at that moment",
          above_to(0, 9e9));
    field("every_updates", self.every_updates,
          "updates, of the server or of all other agents together, from one row to the next: each has the newest state "
          "of every agent; asynchronous peers, which have no rounds, have such a row after as many updates as agents",
          at_least(1));
    field("trace", self.trace, "write every event to trace.jsonl");
    field("timeline", self.timeline, "write every event to timeline.json, for ui.perfetto.dev and chrome://tracing");
    field("critical_path", self.critical_path,
          "write what everybody waited for, back from the last report to the beginning, to critical_path.csv: each "
          "agent, link and interface with its computing, queueing, transfer, latency, absence");
    field("timeline_window_s", self.timeline_window_s,
          "the part of the run that timeline.json has: [from, until], in s of simulated time; by default all of it");
    field("file_budget_mb", self.file_budget_mb,
          "trace.jsonl and timeline.json end at this size, in MB; the run goes on and says so", above_to(0, 9e9));
    field("model_every", self.model_every,
          "rounds from one iterate in model_history.npy to the next, a multiple of every; null: only the last one is "
          "written, to model.csv",
          at_least(1));
    field("holders", self.holders,
          "write who holds which sample to samples.csv: its row among those that were read or made, from 0, and its "
          "agent");
    field("optimum", self.optimum, "compute the central optimum, which relative_error needs");
    field("metrics", self.metrics,
          "columns in addition to objective and relative_error, by kind: [\"l2_error\", {\"kind\": \"support_f1\", "
          "\"threshold\": 0.1}]");
  }
  void check(auto& report) const {
    const auto& window = timeline_window_s;
    const bool is_window = window.empty() || (window.size() == 2 && 0 <= window[0] && window[0] < window[1]);
    if (!is_window) report("timeline_window_s", "none, or two times of which the first is the earlier one", window);
    if (every_s && every_updates) report("every_updates", "one of every_s and every_updates", *every_updates);
    if ((every_s || every_updates) && every != 1)
      report("every", "1, since every_s or every_updates says when rows are due", every);
    if (model_every && (every_s || every_updates))
      report("model_every", "null, since rows are not those of rounds", *model_every);
    if (model_every && every >= 1 && *model_every % every != 0)
      report("model_every", "a multiple of record.every, " + std::to_string(every), *model_every);
  }
};

struct Scenario {
  std::int64_t lagnet = 1;
  std::string name, label, description, source;
  std::uint64_t seed = 1;
  Numerics numerics = Numerics::on;
  Choice<DataFamily> data;
  ProblemOptions problem;
  Choice<PartitionFamily> partition;
  Choice<TopologyFamily> topology;
  NetworkOptions network;
  ComputeOptions compute;
  ParticipationOptions participation;
  std::vector<AttackOptions> attackers;
  Choice<AlgorithmFamily> algorithm;
  StopOptions stop;
  RecordOptions record;
  Json sweep = Json::object();
  PresentationOptions presentation;
  std::optional<TuneOptions> tune;

  /// Whether the run has only times and sizes, no numbers.
  bool timing_only() const { return numerics == Numerics::off; }
  /// Whether its algorithm runs without numbers, with its loss.
  bool offers_timing() const;
  static void fields(auto& self, auto& field) {
    field("lagnet", self.lagnet, "version of the format", within(1, 1).required());
    field("name", self.name, "short name, for tables and folders");
    field("label", self.label,
          "what tables and figures call the runs of this scenario; by default the values in which they differ from "
          "others. A point of a sweep has one beside its pointers: {\"label\": \"star, 9 agents\", "
          "\"/topology/kind\": \"star\", \"/topology/agents\": 9}");
    field("description", self.description, "what the run should show");
    field("source", self.source, "paper and figure");
    field("seed", self.seed, "seed of every random number of the run");
    field(
        "numerics", self.numerics,
        "off: the same events with sizes instead of numbers, for fleets too large to hold vectors; generated data are "
        "not made, and objective and errors are empty");
    field("data", self.data, "where the samples come from", any_value().required());
    field("problem", self.problem, "what is minimized: (1/n) sum of losses + regularizer");
    field("partition", self.partition,
          "who holds what; by default even blocks of what the algorithm partitions: features or samples");
    field("topology", self.topology, "which agents are linked", any_value().required());
    field("network", self.network, "the links");
    field("compute", self.compute, "the agents' speed");
    field("participation", self.participation, "which clients take part in a round, and when agents are up");
    field("attackers", self.attackers,
          "clients whose answers are false, for algorithms with `aggregation`: [{\"kind\": \"sign_flip\", "
          "\"agents\": [7, 9]}]; they work, and cost, as others do");
    field("algorithm", self.algorithm, "what the agents do", any_value().required());
    field("stop", self.stop, "the first criterion that is reached ends the run");
    field("record", self.record, "what is written, and how often");
    field(
        "sweep", self.sweep,
        "JSON pointers to lists of values: one run for each combination, the last key fastest; beside them \"points\": "
        "a list of objects of pointers to values that belong together, with a \"label\" if they are to have a name; "
        "\"random\" or \"latin_hypercube\": "
        "{\"samples\": 20, \"ranges\": {\"/algorithm/tau\": {\"low\": 0.01, \"high\": 10, \"scale\": \"log\"}}}");
    field("tune", self.tune,
          "parameters that `lagnet tune` searches and chooses; other commands use the scenario's own values");
    PresentationOptions::fields(self.presentation, field);
  }
  void check(auto& report) const {
    if (!sweep.is_object()) report("sweep", "an object of JSON pointers to lists", sweep);
    presentation.check(report);
    if (tune && tune->asks_for(TuningMetric::test_accuracy) && !record.has_test_accuracy())
      report("tune/metrics", "test_accuracy only where record.metrics has it", tune->metrics);
    const bool off = timing_only();
    if (stop.relative_error && (off || !record.optimum))
      report("stop/relative_error",
             off ? "numerics to be on, which it needs" : "record.optimum to be true, which it needs",
             *stop.relative_error);
    if (stop.stays_rows > 1 && !stop.relative_error && !stop.metric)
      report("stop/stays_rows", "1 where relative_error and metric are null", stop.stays_rows);
    if (stop.price && !network.has_prices())
      report("stop/price", "null, since none of network.sites has prices", *stop.price);
    if (stop.metric && off) report("stop/metric", "null with numerics off: there are no iterates", stop.metric->column);
    if (algorithm.has_value() && !algorithm.make().traits.has_rounds()) check_without_rounds(report);
    if (!off) return;
    if (tune) report("tune", "null with numerics off: there is nothing to choose by", tune->ranges);
    if (!record.metrics.empty())
      report("record/metrics", "no metrics with numerics off: there are no iterates", record.metrics.size());
    for (const SetFeature& one : set_features(*this).list)
      if (one.effects().needs_numbers)
        report(one.place().substr(1),
               one.usual_words() + " with numerics off: " + std::string(one.reason(one.declared.why_elsewhere)),
               one.words());
    if (!algorithm.has_value()) return;
    const AlgorithmTraits traits = algorithm.make().traits;
    if (!traits.timing_needs.empty())
      report("algorithm", std::string(traits.timing_needs) + " with numerics off, since what agents do depends on them",
             "none of them");
    else if (!traits.timing_only)
      report("algorithm/kind", "an algorithm that offers timing with numerics off (" + kinds_that_offer_timing() + ")",
             std::string(algorithm.kind()));
    else if (!offers_timing())
      report("problem/loss/kind",
             "squared with numerics off, since what " + std::string(algorithm.kind()) +
                 " does with others depends on their numbers",
             std::string(problem.loss.kind()));
  }

 private:
  void check_without_rounds(auto& report) const {
    if (stop.rounds)
      report("stop/rounds", "null: there are no rounds in an asynchronous method of peers; stop.updates or simulated_s",
             *stop.rounds);
    if (record.every != 1)
      report("record/every",
             "1: there are no rounds in an asynchronous method of peers; record.every_s or every_updates",
             record.every);
  }
};
/// In scenario.cpp alone, since the types of all fields within it take seconds to compile.
template <>
const FieldType& field_type<Scenario>();

/// A scenario's JSON with its settings applied, before it is split into sweep points.
struct ScenarioFile {
  std::string shown;             // as the user named it, for messages
  std::filesystem::path folder;  // what its relative paths are relative to
  Json document;
};

/// Reads a file and applies `--set` settings. Throws Diagnosed.
ScenarioFile read_scenario_file(const std::filesystem::path& path, const std::vector<std::string>& settings = {});

/// The scenario that a document describes. Paths in it become absolute. Throws Diagnosed with every problem.
Scenario read_scenario(const ScenarioFile& file);

/// Every default filled in, paths relative to `folder`. Reading it back from there gives the same scenario.
Json write_scenario(const Scenario& scenario, const std::filesystem::path& folder);

/// Identifies a run, apart from its seed and its records beside the progress: the same for the runs of one method under
/// one set of circumstances.
Json circumstances(Json scenario);

/// The file's document, sweep and all, with its relative paths made relative to another folder.
Json relocated(const ScenarioFile& file, const std::filesystem::path& folder);

/// The same with absolute paths.
Json rooted(const ScenarioFile& file);

/// One run of a sweep.
struct SweepPoint {
  std::vector<std::pair<std::string, Json>> values;  // pointer and value, in the order of the sweep
  ScenarioFile file;                                 // without sweep and what belongs to all points together
};

/// Reads the parts of a scenario that concern all its runs. Throws Diagnosed with every problem of them.
PresentationOptions read_presentation(const ScenarioFile& file);

/// The same with the values of `full` put in.
ScenarioFile at_full_size(const ScenarioFile& file);

/// The runs of a scenario: one without values if it has no sweep. Throws Diagnosed with every problem of the sweep.
std::vector<SweepPoint> sweep_points(const ScenarioFile& file);

}  // namespace lagnet
