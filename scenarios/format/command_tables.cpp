#include "scenarios/format/command_tables.hpp"

namespace lagnet {

namespace {

/// Columns that several tables have.
namespace shared {

constexpr ColumnText folder{"folder", "text", "path, in sweep.csv and candidates.csv from their own folder",
                            "Folder of the run."};
constexpr ColumnText seed{"seed", "1", "the key seed of the scenario", "Seed of the run."};
constexpr ColumnText stop{"stop", "text", "stop.reason of summary.json; error if the run failed", "Why the run ended."};
constexpr ColumnText trace_hash{"trace_hash", "text", "64 bits over all events with their times, bytes and flops",
                                "The same for runs that sent and computed the same amounts at the same times."};
constexpr ColumnText series{"series", "text", "what its runs differ in from the others, or their label",
                            "Name of the series: the runs that differ only in their seeds."};
constexpr ColumnText to{"to", "1", "as --to says; by default powers of ten down to 1e-6, or the tolerance",
                        "Level of the metric that is reached."};
constexpr ColumnText currency{"currency", "text", "a column of progress.csv", "What the level costs."};
constexpr ColumnText reached_by{"reached_by", "runs",
                                "count of runs that get to the level, or to the value of the axis",
                                "Runs of the series that get that far."};
constexpr ColumnText runs{"runs", "runs", "count of seeds", "Runs of the series."};
constexpr ColumnText winner{
    "winner", "text", "the leader, if others pay 1.01 times as much or more, the interval above that, and a row later",
    "The series that is certainly first; in tables with one number per row, whether this series is it."};
constexpr ColumnText next{"next", "text", "the series with the second least median cost",
                          "The series that comes second."};
constexpr std::string_view of_currency = "that of the currency", of_metric = "that of the metric";
constexpr ColumnText median_cost{"median", of_currency, "median over all runs; one that never gets there is infinite",
                                 "Cost of the level; empty if half of the runs never get there."};
constexpr ColumnText least_cost{"min", of_currency, "least cost of the runs that get there and stay",
                                "Cost of the level in the cheapest run."};
constexpr ColumnText largest_cost{"max", of_currency, "largest cost of the runs that get there and stay",
                                  "Cost of the level in the dearest run."};
constexpr ColumnText level_s{"to_*_s", "s",
                             "simulated_s of the row from which on relative_error stays at or below the level",
                             "Simulated time to a level, as in to_1e-4_s; empty if the run never gets there."};
constexpr ColumnText ratio{"ratio", "1", "(median cost of the next) / (median cost of the leader)",
                           "How many times more the next one pays.", pages::comparisons};
constexpr ColumnText ratio_low{"low", "1", "lower end of the bootstrap interval of ratio, 95 % by default",
                               "The ratio is at least this, as far as these seeds tell."};
constexpr ColumnText ratio_high{"high", "1", "upper end of the bootstrap interval of ratio, 95 % by default",
                                "The ratio is at most this, as far as these seeds tell."};

}  // namespace shared

std::vector<TableText> tables_of_points() {
  return {
      {"sweep.csv",
       "A row for each point: the keys that the sweep sets, by their short names, and the last row of its "
       "progress.csv.",
       pages::sweeps,
       {{"point", "1", "000, 001, .. in the order of the sweep", "Number of the point."},
        shared::folder,
        {"label", "text", "the key label of the point", "What the scenario calls the point."},
        {"/*", "that of the key", "value of the key", "A swept key, where no short name tells it from the others."},
        shared::stop,
        shared::trace_hash,
        {"to_1e-*_s", shared::level_s.unit, shared::level_s.formula, shared::level_s.meaning}},
       "progress.csv"},
      {"candidates.csv",
       "A row for each candidate of lagnet tune.",
       pages::tuning,
       {{"candidate", "1", "0, 1, .. in the order of the draws", "Number of the candidate."},
        {"/*", "that of the key", "drawn from the range of the key", "Value of a tuned key, by its JSON pointer."},
        {"to_*_s", "s", "median over seeds of the simulated_s of the row from which on it stays at the level",
         "Simulated time to the level, where tune.cost is simulated_s."},
        {"to_*_bytes", "B", "median over seeds of the bytes of the row from which on it stays at the level",
         "Bytes to the level, where tune.cost is bytes."},
        {"to_*_rounds", "rounds", "median over seeds of the round of the row from which on it stays at the level",
         "Rounds to the level, where tune.cost is round."},
        {"seconds_per_round", "s", "simulated_s / round, of the last row", "Mean simulated time of a round."},
        {"seconds_per_round_at_*", "s", "the same with half of that round-trip time as network.latency_ms",
         "Mean simulated time of a round at that latency, in s of a round trip."},
        {"final_loss", "1", "mean of the objective in the last 5 rows", "Where the run ends."},
        {"test_accuracy", "1", "largest test_accuracy of any row", "Best share of test samples classified correctly."},
        {"volatility", "1", "standard deviation of the differences of the objective from row to row",
         "How unsteadily the objective falls."},
        {"rounds_to_descend", "rounds", "first round with F(start) - F >= 0.9 (F(start) - least F)",
         "Rounds until nine tenths of the descent are done."},
        {"relative_error", "1", "median over seeds of the last row's relative_error", "Where the runs end."},
        {"relative_loss", "1", "median over seeds of the last row's relative_loss", "Where the runs end."},
        {"outcome", "text", "ok, or why it cannot be chosen", "Whether the candidate can be chosen."},
        {"front", "text", "true unless another candidate is nowhere worse and somewhere better",
         "Whether the candidate is on the Pareto front."},
        {"grade", "1",
         "mean over metrics of (dmin + zeta dmax) / (d + zeta dmax), d the distance to the best in [0, 1]",
         "The higher, the better."},
        {"rank", "1", "1, 2, .. by cost or grade", "Place among those that can be chosen; 1 is the chosen one."},
        shared::folder}},
      {"predict --out",
       "A row for each sample.",
       pages::models,
       {{"sample", "1", "1, 2, .. in the order of the file", "Number of the sample."},
        {"label", "that of the label", "as the file has it", "Label of the sample."},
        {"predicted", "that of the label", "the label of the largest score; else the score",
         "What the model says of the sample, as the file would have it."},
        {"score", "that of the label", "x' theta + intercept", "Score of the sample."},
        {"score_*", "1", "x' theta_c + intercept_c", "Score of the sample for that class."}}},
      {"design --underlay",
       "A row for each site, with the latency to each: a matrix, named after the scenario.",
       pages::designs,
       {{"latency_ms", "text", "name of the node",
         "Site that a message comes from; the other columns are the sites."}}}};
}

std::vector<TableText> tables_of_levels() {
  return {{"compare --table verdict",
           "A row for each level and what it costs.",
           pages::comparisons,
           {shared::to,
            shared::currency,
            shared::winner,
            {"leader", "text", "the series with the least median cost",
             "The series with the least median, whether or not it wins."},
            {"median", shared::of_currency, "median over all runs; one that never gets there is infinite",
             "Cost of the leader."},
            shared::next,
            shared::ratio,
            shared::ratio_low,
            shared::ratio_high}},
          {"compare --table series",
           "A row for each series.",
           pages::comparisons,
           {shared::series,
            shared::runs,
            {"seeds", "text", "the seeds, ascending", "Seeds of its runs."},
            {"ended_by", "text", "stop.reason of summary.json, with counts if they differ", "Why its runs ended."},
            {"median", shared::of_metric, "median over the runs' last rows", "The metric at the end of the runs."},
            {"min", shared::of_metric, "least of the runs' last rows", "The metric at the end of the lowest run."},
            {"max", shared::of_metric, "largest of the runs' last rows", "The metric at the end of the highest run."}}},
          {"compare --table curves",
           "A row for each series and value of the axis, whose column is that of progress.csv.",
           pages::comparisons,
           {shared::series,
            shared::reached_by,
            shared::runs,
            {"mean", shared::of_metric, "mean of the runs' last recorded values up to there",
             "The metric at that value of the axis."},
            {"median", shared::of_metric, "median of the runs' last recorded values up to there",
             "The metric at that value of the axis."},
            {"min", shared::of_metric, "least of the runs' last recorded values up to there",
             "The metric of the lowest run at that value of the axis."},
            {"max", shared::of_metric, "largest of the runs' last recorded values up to there",
             "The metric of the highest run at that value of the axis."}},
           "progress.csv"},
          {"compare --table accuracy",
           "A row for each level, series and what it costs.",
           pages::comparisons,
           {shared::to,
            shared::series,
            shared::currency,
            shared::reached_by,
            shared::runs,
            shared::median_cost,
            {"mean_of_these", shared::of_currency, "mean over the runs that get there", "Mean cost of the level."},
            shared::least_cost,
            shared::largest_cost}}};
}

std::vector<TableText> tables_of_differences() {
  constexpr ColumnText ratio_of_pair{"ratio", "1",
                                     "geometric mean over common seeds of (value) / (value of the baseline)",
                                     "How many times as much as the baseline; empty unless all values are above 0."};
  return {{"compare --table paired",
           "A row for each series and level, and for the common end of the axis.",
           pages::comparisons,
           {shared::series,
            {"baseline", "text", "as --baseline says", "Series that it is compared with."},
            {"quantity", "text", "a column of progress.csv", "What is compared: the metric, or what a level costs."},
            shared::to,
            {"at", "that of the axis", "last value of the axis that all runs of both reach",
             "Where the metric is compared."},
            {"pairs", "pairs", "count of common seeds", "Pairs of runs that are compared."},
            {"difference", "that of the quantity", "mean over common seeds of (value) - (value of the baseline)",
             "How much more than the baseline."},
            {"low", "that of the quantity", "lower end of the bootstrap interval of difference, 95 % by default",
             "The difference is at least this, as far as these seeds tell."},
            {"high", "that of the quantity", "upper end of the bootstrap interval of difference, 95 % by default",
             "The difference is at most this, as far as these seeds tell."},
            ratio_of_pair,
            {"ratio_low", "1", "lower end of the bootstrap interval of ratio, 95 % by default",
             "The ratio is at least this, as far as these seeds tell."},
            {"ratio_high", "1", "upper end of the bootstrap interval of ratio, 95 % by default",
             "The ratio is at most this, as far as these seeds tell."}}},
          {"compare --table pareto",
           "A row for each level and series that gets there; costs are medians over all runs.",
           pages::comparisons,
           {shared::to,
            shared::series,
            {"on_front", "text", "yes if no other series has less of both time and bytes",
             "Whether no other series is better in both."}},
           "progress.csv"}};
}

std::vector<TableText> tables_of_crossings() {
  return {{"compare --table crossings",
           "A row for each crossing of two mean curves, with the axis and the metric by their names.",
           pages::comparisons,
           {{"first", "text", "name of the series", "One of the series."},
            {"second", "text", "name of the series", "The other series."},
            {"lower_after", "text", "first or second", "The series whose metric is lower after the crossing."}},
           "progress.csv"},
          {"compare --table waits",
           "A row for each series and kind of time, of the runs with record.critical_path.",
           pages::comparisons,
           {shared::series,
            shared::runs,
            {"kind", "text", "as in critical_path.csv", "What everybody waited for."},
            {"share", "1", "mean over the runs of its share in critical_path.csv", "Share of the time of a run."}}},
          {"compare --table bounds",
           "A row for each series whose method has a bound of theory in closed form, of the run that comes nearest.",
           pages::comparisons,
           {shared::series,
            shared::runs,
            {"measure", "text", "a column of progress.csv", "What the bound is about."},
            {"largest_ratio", "1", "largest over rows of measured / bound",
             "How near the run comes to its bound; above 1 somebody is wrong."},
            {"at_round", "rounds", "round of that row", "Where it comes nearest."},
            {"last_ratio", "1", "measured / bound in the last row", "How near it is at the end."},
            {"runs_above", "runs", "runs with the warning above_bound", "Runs that are above their bound."},
            {"formula", "text", "bound.formula of summary.json", "The bound, in the symbols of its source."},
            {"source", "text", "bound.source of summary.json", "Who proves it."}},
           "progress.csv"},
          {"compare --table runs",
           "A row for each run, with the swept keys and the metric of its last row.",
           pages::comparisons,
           {shared::folder,
            shared::series,
            shared::seed,
            {"ended_by", "text", "stop.reason of summary.json", "Why the run ended."},
            {"staleness_mean", "updates", "mean age of what updates used; in rounds, of old messages that were used",
             "How old the things were that the run used."},
            {"staleness_max", "updates", "largest age of what updates used; in rounds, of old messages that were used",
             "How old the oldest thing was that the run used."},
            shared::level_s},
           "progress.csv"},
          {"compare --by",
           "A row for each level, value of the key and series; the key has its own column.",
           pages::comparisons,
           {shared::to, shared::series, shared::reached_by, shared::runs, shared::median_cost, shared::least_cost,
            shared::largest_cost, shared::winner}},
          {"compare --table swaps",
           "A row for each value of the key where the median costs of two series cross.",
           pages::comparisons,
           {shared::to,
            {"below", "text", "name of the series", "The series that is cheaper below that value."},
            {"above", "text", "name of the series", "The series that is cheaper above that value."}},
           "progress.csv"}};
}

std::vector<TableText> tables_of_export() {
  constexpr ColumnText id{"id", "1", "1, 2, ..", "Number of the row."};
  constexpr ColumnText point{"point", "1", "id in the table points", "The run that the row belongs to."};
  return {{"export: points",
           "A row for each run, with the swept keys and the totals of agents.csv.",
           pages::exports,
           {id,
            shared::folder,
            {"label", "text", "the key label of the scenario", "What the scenario calls the run."},
            {"algorithm", "text", "algorithm.kind of the scenario", "The algorithm."},
            {"topology", "text", "topology.kind of the scenario", "The topology."},
            {"agents", "agents", "agents of the topology", "Number of agents."},
            shared::seed,
            {"status", "text", "done, diverged or deadlock", "How the run ended."},
            shared::stop,
            {"error", "text", "error.txt of the point", "Why the run failed; empty if it did not."},
            {"round", "1", "stop.round of summary.json", "The last round."},
            {"simulated_s", "s", "stop.simulated_s of summary.json", "Simulated time of the last row."},
            shared::trace_hash,
            {"objective_start", "1", "F(start)", "Objective at the start.", pages::certificates},
            {"optimum", "1", "F*", "Least value of the objective; empty where none is certified.", pages::certificates},
            {"runtime", "text", "tcp", "What the agents ran on, unless it was simulated."},
            {"messages_in_flight", "messages", "messages_sent - messages_delivered - lost",
             "Messages that were on their way when the run ended."},
            {"link_utilization_mean", "1", "mean of utilization over all links that have a limit",
             "How busy links were; empty if none has a limit."},
            {"link_utilization_max", "1", "largest utilization of a link", "How busy the busiest link was."},
            {"currency", "text", "network.currency", "Currency of price, where sites have prices."},
            {"scenario", "text", "scenario.json", "The whole scenario, as JSON."}},
           "agents.csv"},
          {"export: rows", "A row for each row of progress.csv.", pages::exports, {id, point}, "progress.csv"},
          {"export: agents", "A row for each row of agents.csv.", pages::exports, {id, point}, "agents.csv"},
          {"export: links", "A row for each row of links.csv.", pages::exports, {id, point}, "links.csv"},
          {"export: facts",
           "A row for each thing to know of the export.",
           pages::exports,
           {id,
            {"key", "text", "lagnet_version or folder", "What it is."},
            {"value", "text", "version of the program, or a path that was exported", "What it says."}}}};
}

}  // namespace

std::vector<TableText> tables_of_commands() {
  std::vector<TableText> all = tables_of_points();
  for (const auto& more : {tables_of_levels(), tables_of_differences(), tables_of_crossings(), tables_of_export()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace lagnet
