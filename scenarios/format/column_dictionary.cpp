#include "scenarios/format/column_dictionary.hpp"

#include <algorithm>

#include "scenarios/format/command_tables.hpp"
#include "scenarios/format/kinds/metric_kinds.hpp"

namespace lagnet {

namespace {

using ColumnTexts = std::vector<ColumnText>;

template <class From, class To>
void append(const std::vector<From>& more, std::vector<To>& all) {
  all.insert(all.end(), more.begin(), more.end());
}

/// What methods add to progress.csv.
ColumnTexts columns_of_methods() {
  return {
      {"consensus_error", "1", "sqrt((1/m) sum_i |theta_i - mean|^2), mean = (1/m) sum_i theta_i",
       "How far the agents' iterates are from their mean: the root of the mean square distance.", pages::algorithms},
      {"relative_consensus_error", "1", "consensus_error / consensus_error of the start",
       "How far the agents' iterates are from their mean, relative to the start; empty where all start at one point.",
       pages::algorithms},
      {"honest_objective", "1", "sum_k pi_k L_k(w) / sum_k pi_k + r(w), over the clients k that do not attack",
       "The objective of the clients that do not attack.", pages::algorithms},
      {"average_error", "1", "sqrt((1/m) sum_i |theta_i - start|^2), start = the mean of all theta_i at the start",
       "How far the agents' estimates are from the mean that they seek.", pages::algorithms},
      {"normalized_error", "1", "sum_i |theta_i - theta*|^2 / (m |theta*|^2)",
       "Mean square distance of the agents' iterates to the coefficients that made the data, relative to these; empty "
       "where they are not known.",
       pages::algorithms},
      {"optimum_distance", "1", "(1/m) sum_i |theta_i - theta^|^2",
       "Mean square distance of the agents' iterates to the central optimum; distance_to_optimum is that of one "
       "iterate, "
       "and no square.",
       pages::algorithms},
      {"objective_last", "1", "F(theta^t)", "Objective at the last iterate; objective is that at their average.",
       pages::algorithms},
      {"relative_error_last", "1", "(F(theta^t) - F*) / (F(start) - F*)",
       "Relative error of the last iterate; relative_error is that of their average.", pages::algorithms},
      {"single_agent_iterations", "iterations",
       "t (n (4 d/m + 2 deg + 7) + 5 d/m) / (n (4 d + 1) + 5 d), d features, deg the largest degree; t where m = 1",
       "Iterations of one agent with all data for the flops that an agent has computed: the axis of figure 2 of the "
       "paper.",
       pages::algorithms},
      {"excess_bound", "1",
       "2 c / t, c = (chi + D) R rho A sqrt(m / n); for losses with |l'| <= rho sqrt(l), bound (16)",
       "Bound of Theorem 1 on F - F* after this round; empty before the theorem applies, and for other step sizes.",
       pages::algorithms},
      {"multiplier_drift", "1", "|sum_j v_j| / sum_j |v_j|",
       "Distance of the sum of the agreement's multipliers from zero; missing messages cause it.", pages::algorithms},
      {"line_search_step", "1", "the first a of 1, c, c^2, .. with f(x - a p) <= f(x) - s a g'p, else the last",
       "The share a of the direction p that the line search takes: c = 1/2, s = 1/2 for fednl, 1/4 and 0.1 for giant.",
       pages::algorithms},
      {"learned_chi", "1", "(1 + margin) times the estimate of |X|_2",
       "The bound on the largest singular value of the data that agents found.", pages::algorithms},
      {"learned_D", "1", "(1 + margin) times the estimate of the Laplacian's largest eigenvalue",
       "The bound on the largest eigenvalue of the Laplacian that agents found.", pages::algorithms},
      {"learned_delta", "1", "estimate of the Laplacian's smallest eigenvalue above 0",
       "The smallest non-zero eigenvalue of the Laplacian that agents found.", pages::algorithms},
      {"dual_objective", "1", "D(y), of the problem itself",
       "Objective of the dual at the machines' dual variables; empty where it is -infinity.", pages::algorithms},
      {"duality_gap", "1", "objective - dual_objective",
       "Upper bound on how far the objective is above its least value.", pages::algorithms},
      {"dual_suboptimality", "1", "F* - dual_objective", "How far the dual objective is below its largest value.",
       pages::algorithms},
      {"relative_loss", "1", "(F(theta) - F*) / F*",
       "How far the objective is above its least value, relative to that; relative_error is relative to the start.",
       pages::algorithms},
      {"squared_gradient", "1", "|grad F(theta)|^2", "How far from flat the objective is at the iterate.",
       pages::algorithms}};
}

/// What methods add that encrypt, or show what a server could learn.
ColumnTexts columns_of_secrets() {
  return {
      {"encrypted", "numbers", "count of numbers that were encrypted", "Encryptions so far.", pages::algorithms},
      {"decrypted", "numbers", "count of numbers that were decrypted", "Decryptions so far.", pages::algorithms},
      {"ciphertext_additions", "additions", "count of additions of two ciphertexts", "Additions of ciphertexts so far.",
       pages::algorithms},
      {"encryption_serial_s", "s", "sum over encryptions, decryptions and additions of the time of each",
       "Time that all operations on ciphertexts take one after the other.", pages::algorithms},
      {"encryption_parallel_s", "s", "sum over phases of the time of the busiest client, and of the server's additions",
       "Time that the operations on ciphertexts take where clients work side by side.", pages::algorithms},
      {"reconstruction_error_duals", "1", "|X^ - X| / |X|, X^ of least squares from hat_k = X_k' a_k of all rounds",
       "How far the clients' data are from what the server solves for from duals and contributions; 1 where it knows "
       "nothing.",
       pages::algorithms},
      {"reconstruction_error_products", "1", "|X^ - X| / |X|, X^ of least squares from ip_k = X_k w_k of all rounds",
       "How far the clients' data are from what the server solves for from the model and inner products; 1 where it "
       "knows nothing.",
       pages::algorithms}};
}

template <class... Metrics>
ColumnTexts of_kinds() {
  return {{Metrics::kind, "1", Metrics::formula, Metrics::summary, pages::metrics}...};
}

/// What scenarios add to progress.csv.
ColumnTexts recorded_metrics() {
  ColumnTexts all = of_kinds<L1ErrorOptions, L2ErrorOptions, FrobeniusErrorOptions, OperatorErrorOptions,
                             SupportF1Options, NonZerosOptions, RankOptions, TrainLossOptions, TestLossOptions,
                             MeanSquaredResidualOptions, TestMeanSquaredResidualOptions, AccuracyOptions,
                             TestAccuracyOptions, OptimumGapOptions, DistanceToOptimumOptions, LocalTrainRatioOptions,
                             LocalTestRatioOptions, CouplingResidualOptions, PrimalObjectiveOptions>();
  all.push_back({"local_loss_*", "1", "least, decile 1 to 9 or largest over agents of the mean loss of their samples",
                 "Loss of each agent's own samples, by its own iterate.", pages::metrics});
  all.push_back({"local_accuracy_*", "1",
                 "least, decile 1 to 9 or largest over agents of the share of their samples classified correctly",
                 "Accuracy on each agent's own samples, by its own iterate.", pages::metrics});
  all.push_back({"primal_variables_*", "1", "entry of the agents' best answers to the prices of coupling constraints",
                 "Variable of an agent, by its line in the file of costs.", pages::metrics});
  return all;
}

ColumnTexts columns_of_progress() {
  ColumnTexts all;
  append(columns_before_metrics(), all);
  append(columns_of_methods(), all);
  append(columns_of_secrets(), all);
  append(recorded_metrics(), all);
  append(columns_after_metrics(), all);
  return all;
}

ColumnTexts columns_of_agents() {
  ColumnTexts all;
  append(agent_columns(), all);
  all.push_back({"node", "text", "name of the node in the graph's file", "Name of the agent, where nodes have names."});
  all.push_back({"site", "text", "name in network.sites", "Site of the agent, where there are sites."});
  return all;
}

ColumnTexts columns_of_links() {
  ColumnTexts all;
  append(link_columns(), all);
  all.push_back({"from_node", "text", "name of the node in the graph's file", "Name of the agent that sends."});
  all.push_back({"to_node", "text", "name of the node in the graph's file", "Name of the agent that receives."});
  all.push_back({"from_site", "text", "name in network.sites", "Site of the agent that sends."});
  all.push_back({"to_site", "text", "name in network.sites", "Site of the agent that receives."});
  return all;
}

ColumnTexts columns_of_sites() {
  ColumnTexts all;
  append(site_columns(), all);
  all.push_back({"site", "text", "name in network.sites", "Name of the site."});
  return all;
}

TableText table_of_critical_paths() {
  return {
      "critical_path.csv",
      "A row for each agent, link and interface, and each kind of time, of what everybody waited for, longest first: "
      "back from the last report through what its agent did, the messages that it waited for, and what their senders "
      "did before. The rows add up to the time of that report.",
      pages::runs,
      {{"what", "text", "agent 3, agent 3's up-link, link 0 -> 3, ..", "What was waited for."},
       {"kind", "text", "computing, encrypting, sleeping, absence, deadline, queueing, transfer, latency or repair",
        "What the time went to: of an agent, or of what messages share."},
       {"time_s", "s", "sum of its pieces on the path", "How long everybody waited for it."},
       {"share", "1", "time_s / time of the last report", "Share of the run's time."}}};
}

TableText table_of_resources() {
  return {"resources.csv",
          "A row for each interface, link, inner link and medium that limits, delays or loses messages, of networks "
          "with an "
          "underlay or media, up to the end of the run. Under fair and none messages count when they are through.",
          pages::runs,
          {{"resource", "text", "agent 3's up-link, link 0 -> 3, wan left -> right, ..", "What messages shared."},
           {"kind", "text", "up, down, link, inner_link or medium",
            "An interface of an agent, or what lies between agents."},
           {"messages", "messages", "count of messages that came to it",
            "Messages at the resource; a broadcast in a medium with broadcast_once counts once."},
           {"bytes", "B", "sum of the bytes of messages", "Bytes at the resource."},
           {"busy_s", "s", "sum over messages of (when it had time for all bytes) - (when it began)",
            "Time in which the resource sent; empty where a bandwidth changes and messages do not take turns."},
           {"queueing_s", "s", "sum over messages of (when it began) - (when the first bit came)",
            "Time that messages waited there; waits at several resources overlap. Empty unless sharing is fifo."},
           {"lost", "messages", "count of messages that were lost there", "Messages that went no further."},
           {"most_waiting", "messages", "largest number of messages that came and had not begun",
            "Messages that waited there at once; empty unless sharing is fifo."},
           {"utilization", "1", "busy_s / duration of the run", "Share of the run in which the resource sent."}}};
}

std::vector<TableText> tables_of_runs() {
  return {
      {"progress.csv",
       "A row for each recorded round, or moment. Counts and times are sums over all agents up to the moment of the "
       "row, which is that of the last report of the round. Metrics of record.metrics are called by their kind or "
       "class, or as "
       "their key column says.",
       pages::runs, columns_of_progress()},
      {"agents.csv", "A row for each agent at the end of the run.", pages::runs, columns_of_agents()},
      {"links.csv", "A row for each directed link at the end of the run.", pages::runs, columns_of_links()},
      {"sites.csv", "A row for each of network.sites at the end of the run, with sums over its agents.", pages::runs,
       columns_of_sites()},
      {"staleness.csv",
       "A row for each agent and age, of methods without rounds.",
       pages::runs,
       {{"agent", "1", "0 .. m-1", "Number of the agent."},
        {"staleness", "updates", "updates between when something of the agent was sent and used",
         "Age of what an update used of the agent."},
        {"count", "uses", "count of uses of that age", "How often updates used something of the agent of that age."}}},
      table_of_resources(),
      table_of_critical_paths(),
      {"model.csv",
       "A row for each feature, then one for the intercept if there is one.",
       pages::models,
       {{"feature", "text", "name in the header of the data, or number from 1", "The feature; or \"intercept\"."},
        {"coefficient", "1 / the feature's unit", "theta_j, in the data's own scale",
         "Coefficient of the feature in the last iterate."},
        {"class_*", "1 / the feature's unit", "theta_jc, in the data's own scale",
         "Coefficient of the feature for the score of that class."}}},
      {"trace.jsonl",
       "A line of JSON for each event, with the keys that it needs.",
       pages::runs,
       {{"time_ns", "ns", "simulated time", "When it happened."},
        {"event", "text", "sent, delivered, lost, computed, waited, ..", "What happened."},
        {"agent", "1", "0 .. m-1", "Number of the agent that it happened to."},
        {"peer", "1", "0 .. m-1; the agent itself where there is no other",
         "Number of the agent at the other end of a message."},
        {"round", "1", "number of the round", "Round that it belongs to."},
        {"bytes", "B", "bytes of one message, with its header", "Bytes of the message of a sent, delivered or lost."},
        {"flops", "flop", "flops of one computation", "Flops of the computation that begins."},
        {"scalars", "numbers", "count of numbers", "Numbers that are encrypted, decrypted or added."},
        {"away_ns", "ns", "time down during one wait", "How long the agent was away while it waited."},
        {"rounds_old", "rounds", "round of the use - round of the message", "How old a message was that was used."},
        {"answers", "messages", "count of messages that came in time", "Answers of a round when it was closed."},
        {"hops", "messages", "messages of the longest chain of causes", "What had to arrive before this report."},
        {"message", "1", "1, 2, .. in the order of sending", "Number of the transmission."},
        {"duration_ns", "ns", "end - begin", "How long it takes, or took on its way."},
        {"queued_ns", "ns", "(time on the way) - (time on the way if no other had been there)",
         "How long others on the way held up a message that arrives."},
        {"cause", "text", "retransmission, loss, link_down, deadline, ..",
         "Why a message set out again, was lost, or was not waited for."}}},
      {"timeline.json",
       "An event of the Trace Event Format for what an agent does and for each message, for viewers.",
       pages::runs,
       {{"ph", "text", "X, i, b, e, s, f or M", "Kind of the event: slice, instant, begin, end, arrow, name of a row."},
        {"cat", "text", "agent or message", "What it is about."},
        {"pid", "1", "1: agents, 2: network", "Process of the viewer that shows it."},
        {"tid", "1", "number of the agent + 1", "Row of that process."},
        {"ts", "us", "simulated time, exact to the nanosecond", "When it begins."},
        {"dur", "us", "end - begin", "How long it takes."},
        {"name", "text", "compute, wait, send, receive, \"0 → 1, round 2\", ..", "What is written on it."},
        {"id", "1", "1, 2, .. in the order of sending", "Number of the transmission."},
        {"s", "text", "t", "An instant belongs to its row alone."},
        {"bp", "text", "e", "An arrow ends at the slice around it."},
        {"args", "object", "round, bytes, flops, peer, cause, queued_us, ..",
         "What the viewer shows of a chosen event."}}}};
}

bool has_same_text(const ColumnText& a, const ColumnText& b) {
  return a.name == b.name && a.unit == b.unit && a.formula == b.formula && a.meaning == b.meaning;
}

}  // namespace

const std::vector<TableText>& table_texts() {
  static const std::vector<TableText> all = [] {
    std::vector<TableText> tables = tables_of_runs();
    append(tables_of_commands(), tables);
    return tables;
  }();
  return all;
}

std::vector<ColumnPlaces> all_columns() {
  std::vector<ColumnPlaces> all;
  for (const TableText& table : table_texts())
    for (const ColumnText& column : table.columns) {
      auto known =
          std::ranges::find_if(all, [&](const ColumnPlaces& places) { return has_same_text(*places.column, column); });
      if (known == all.end()) known = all.insert(all.end(), {&column, {}});
      known->tables.push_back(&table);
    }
  return all;
}

bool is_called(const ColumnText& column, std::string_view name) {
  const std::size_t star = column.name.find('*');
  if (star == std::string_view::npos) return column.name == name;
  const std::string_view before = column.name.substr(0, star), after = column.name.substr(star + 1);
  return column.name == name ||
         (name.size() > before.size() + after.size() && name.starts_with(before) && name.ends_with(after));
}

bool is_column_of_sweeps(std::string_view name) {
  const auto sweeps = std::ranges::find(table_texts(), "sweep.csv", &TableText::name);
  return std::ranges::any_of(sweeps->columns, [name](const ColumnText& column) { return is_called(column, name); });
}

}  // namespace lagnet
