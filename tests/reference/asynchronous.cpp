#include <algorithm>

#include "algorithms/central/solve_centrally.hpp"
#include "tests/reference/asynchronous_case.hpp"

namespace lagnet::reference {

namespace {

constexpr Tolerance exact_integers{.absolute = 0.25, .relative = 0, .floor = 0};

const AsynchronousKind* kind_of(const Json& item) {
  if (!item.contains("first_updates")) return nullptr;
  const std::string name = item.value("algorithm", "");
  for (const auto* kinds : {&server_kinds(), &peer_kinds()})
    if (const auto found = std::ranges::find(*kinds, name, &AsynchronousKind::name); found != kinds->end())
      return &*found;
  return nullptr;
}

void compare_integers(const std::string& what, const std::vector<double>& got, const Json& want, Verdict& verdict) {
  verdict.compare(what, got, numbers(want), exact_integers);
}

/// The first updates, then how stale what was used was.
void compare_order(const Json& item, const AsynchronousRun& run, Verdict& verdict) {
  if (!item["first_updates"].is_null()) {
    std::vector<double> got, want;
    for (std::size_t k = 0; k < std::min(run.updates.size(), item["first_updates"].size()); ++k) {
      got.push_back(static_cast<double>(run.updates[k].first));
      got.push_back(run.updates[k].second);
    }
    for (const Json& update : item["first_updates"])
      for (const Json& number : update) want.push_back(number.get<double>());
    verdict.compare("first updates", got, want, exact_integers);
  }
  if (item.at("staleness").is_null()) return;
  std::vector<double> got, want;
  for (const auto& [value, count] : run.staleness) {
    got.push_back(static_cast<double>(value));
    got.push_back(static_cast<double>(count));
  }
  for (const Json& bin : item["staleness"])
    for (const Json& number : bin) want.push_back(number.get<double>());
  verdict.compare("staleness", got, want, exact_integers);
}

/// sum_i |x_i - mean|^2.
double spread(const AsynchronousRun::Row& row, const Vector& mean) {
  double sum = 0;
  for (const auto& parts : row.parts) sum += (parts.at(0) - mean).squaredNorm();
  return sum;
}

/// The largest entry by which the sum of the agents' last parts differs from what it was at the start: of what they
/// keep, or, where they report nothing else, of their states.
void compare_conserved(const Json& want, const AsynchronousRun::Row& row, const Algorithm& algorithm,
                       Verdict& verdict) {
  if (row.parts.empty() || row.parts.front().empty()) return verdict.fail("conserved: no agent has reported");
  Vector sum = Vector::Zero(row.parts.front().back().size());
  for (AgentId i = 0; i < row.parts.size(); ++i) {
    if (row.parts[i].empty()) return verdict.fail("conserved: an agent has not reported");
    sum += row.parts[i].back() - algorithm.first_report(i).back();
  }
  // 0 but for rounding of thousands of additions of numbers of size 1, or else the number itself.
  verdict.compare("conserved", {sum.lpNorm<Eigen::Infinity>()}, {want.get<double>()},
                  {.absolute = 1e-12, .relative = 1e-9, .floor = 0});
}

void compare_row(const Json& want, const AsynchronousRun::Row& row, const AsynchronousKind& kind,
                 const Algorithm& algorithm, Verdict& verdict) {
  check_keys(want, "rows/", {"at_ns", "updates", "messages", "scalars", "objective", "state"});
  const std::string at = "at " + want.at("at_ns").dump() + " ns, ";
  compare_integers(at + "updates", {static_cast<double>(row.updates)}, Json::array({want.at("updates")}), verdict);
  compare_integers(at + "messages",
                   {static_cast<double>(row.total.messages_sent), static_cast<double>(row.total.messages_received),
                    static_cast<double>(row.lost)},
                   want.at("messages"), verdict);
  compare_integers(at + "scalars", {static_cast<double>(row.total.bytes_sent) / 8}, Json::array({want.at("scalars")}),
                   verdict);
  const Evaluation value = algorithm.evaluate(row.round, row.parts, {});
  const double objective = kind.measures_spread ? spread(row, value.iterate) : value.objective;
  verdict.compare(at + "objective", {objective}, {want.at("objective").get<double>()});
  const Json& state = want.at("state");
  if (!state.at(0).is_array()) return verdict.compare(at + "state", as_list(value.iterate), numbers(state));
  for (std::size_t i = 0; i < state.size(); ++i)
    verdict.compare(at + "state of agent " + std::to_string(i), as_list(row.parts.at(i).at(0)), numbers(state[i]));
}

}  // namespace

bool is_asynchronous(const Json& item) { return kind_of(item) != nullptr; }

Verdict check_asynchronous(const Json& item) {
  // The file's tolerance is relative to the larger of 1 and a value.
  Verdict verdict({.absolute = 0, .relative = item.at("tolerance").get<double>(), .floor = 1});
  check_keys(item, "",
             {"params", "problem", "latency_ns", "busy_ns", "lost", "rows", "first_updates", "staleness", "conserved",
              "optimum"});
  const AsynchronousKind& kind = *kind_of(item);
  const MethodInput given = asynchronous_assignment(item, kind);
  if (item.contains("optimum"))
    verdict.compare("optimum", {solve_centrally(given.problem).value}, {item["optimum"].get<double>()});
  const auto algorithm = kind.make(item.at("params"), given);
  const AsynchronousRun run = run_asynchronous_case(item, kind, *algorithm);
  compare_order(item, run, verdict);
  if (run.rows.size() != item["rows"].size()) verdict.fail("the run ended before its last row");
  for (std::size_t k = 0; k < run.rows.size(); ++k)
    compare_row(item["rows"][k], run.rows[k], kind, *algorithm, verdict);
  if (item.contains("conserved") && !item["conserved"].is_null() && !run.rows.empty())
    compare_conserved(item["conserved"], run.rows.back(), *algorithm, verdict);
  return verdict;
}

}  // namespace lagnet::reference
