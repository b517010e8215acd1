#include "algorithms/peers/fd_primal_dual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <regex>
#include <stdexcept>

#include "algorithms/central/gram.hpp"
#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "scenarios/assembly/assemble.hpp"
#include "scenarios/assembly/make_topology.hpp"
#include "sim/accounts/ledger.hpp"
#include "sim/engine/simulation.hpp"
#include "tests/reference/data_text.hpp"
#include "tests/reference/reference_file.hpp"
#include "tests/unit/algorithms/known_reference.hpp"
#include "topologies/laplacian.hpp"

namespace lagnet::reference {

namespace {

std::shared_ptr<const Loss> loss_of(const Json& loss) {
  const std::string name = loss.at("name");
  if (name == "square" || name == "squared") return make_loss(SquaredOptions{});
  if (name == "logistic") return make_loss(LogisticOptions{});
  if (name == "absolute" || name == "abs") return make_loss(AbsoluteOptions{});
  if (name == "huber") return make_loss(HuberOptions{.threshold = loss.at("h").get<double>()});
  throw std::runtime_error("no such loss here: " + name);
}

const std::string text_of_X = "X[i][j] = sin(a + b*i + c*j + e*i*j), zero-based i,j",
                  text_of_u = "u[i] = sum_j X[i][j]*theta0_cycle[j mod len] + s0*sin(s1*i+s2)",
                  text_of_y = "y = u, " + text_of_u, text_of_signs = "y = +1 if u>=0 else -1, " + text_of_u;

/// X[i][j] = sin(a + b i + c j + e i j), with what the texts change of it; y = X theta0 + s0 sin(s1 i + s2), or its
/// sign for a loss that wants classes.
Problem feature_problem_of(const Json& item) {
  const Json& data = item.at("data");
  const auto number = [&](const char* key) { return data.at(key).get<double>(); };
  const Index n = item.at("n").get<Index>(), d = item.at("d").get<Index>();
  const auto cycle = numbers(data.at("theta0_cycle"));
  Matrix X(n, d);
  Vector theta0(d);
  for (Index j = 0; j < d; ++j) {
    theta0(j) = cycle[static_cast<std::size_t>(j) % cycle.size()];
    for (Index i = 0; i < n; ++i) {
      const double row = static_cast<double>(i), column = static_cast<double>(j);
      X(i, j) = std::sin(number("a") + number("b") * row + number("c") * column + number("e") * row * column);
    }
  }
  // What the text of X says of it comes before the labels, what that of y says after them.
  for (const auto& change : changes_after(data.value("X", std::string(text_of_X)), text_of_X, "data/X")) change(X);
  Vector y = X * theta0;
  for (Index i = 0; i < n; ++i) y(i) += number("s0") * std::sin(number("s1") * static_cast<double>(i) + number("s2"));
  Problem problem{.loss = loss_of(item.at("loss"))};
  const std::string rule = data.value("y", std::string(text_of_y));
  const bool is_sign = rule.starts_with(text_of_signs);
  for (const auto& change : changes_after(rule, is_sign ? text_of_signs : text_of_y, "data/y")) change(X);
  if (problem.loss->label_problem(0.5) || is_sign)
    for (double& label : y) label = label >= 0 ? 1 : -1;
  problem.samples = n;
  problem.X = std::make_shared<const DataMatrix>(std::move(X));
  problem.y = std::move(y);
  const Json& r = item.at("regulariser");
  problem.regularizer = make_regularizer(
      r.is_array() ? ElasticNetOptions{}
                   : ElasticNetOptions{.l1_weight = r.value("l1", 0.0), .l2_weight = r.value("l2", 0.0)});
  return problem;
}

void compare_data(const Json& data, const Problem& problem, Verdict& verdict) {
  const Matrix X = problem.X->dense();
  double sum_iy = 0;
  for (Index i = 0; i < problem.y.size(); ++i) sum_iy += static_cast<double>(i + 1) * problem.y(i);
  const std::map<std::string, double> sums{
      {"checksum_sum_X", X.sum()}, {"checksum_sum_absX", X.cwiseAbs().sum()}, {"checksum_sum_iy", sum_iy}};
  for (const auto& [key, got] : sums)
    if (data.contains(key)) verdict.compare(key, {got}, {data[key].get<double>()});
}

/// The weights of a list of regularisers, one of each agent; none of one regulariser of all.
std::vector<double> own_weights(const Json& item, const char* key) {
  std::vector<double> weights;
  if (item.at("regulariser").is_array())
    for (const Json& r : item["regulariser"]) weights.push_back(r.value(key, 0.0));
  return weights;
}

Topology weighted_topology_of(const Json& item) {
  std::vector<Edge> edges;
  for (const Json& edge : item.at("edges"))
    edges.push_back(
        {edge.at(0).get<AgentId>(), edge.at(1).get<AgentId>(), edge.size() > 2 ? edge.at(2).get<double>() : 1.0});
  return Topology(item.at("m").get<std::int64_t>(), std::move(edges));
}

/// Everything a run of the case leaves behind.
struct ReportHistory : Recorder {
  std::map<Round, std::vector<std::vector<Vector>>> theta;  // by round and agent: last and average, and v
  Index agents = 0;
  void reported(AgentId agent, Round round, std::span<const VectorView> parts) override {
    auto& row = theta[round];
    row.resize(static_cast<std::size_t>(agents));
    row[agent].assign(parts.begin(), parts.end());
  }
  Vector joined(Round round, std::size_t part) const {
    std::vector<double> all;
    for (const auto& of_agent : theta.at(round)) all.insert(all.end(), of_agent[part].begin(), of_agent[part].end());
    return Eigen::Map<const Vector>(all.data(), static_cast<Index>(all.size()));
  }
};

/// The largest round that any key speaks of.
Round largest_round_in(const Json& item) {
  Round last = 10;
  for (const char* key : {"objective_last", "objective_avg"})
    if (item.contains(key))
      for (const auto& [round, value] : item[key].items()) last = std::max<Round>(last, std::stoll(round));
  static const std::regex with_round("(theta|v|lambda)_.*_([0-9]+)");
  for (const auto& [key, value] : item.items())
    if (std::smatch match; std::regex_match(key, match, with_round)) last = std::max<Round>(last, std::stoll(match[2]));
  return last;
}

/// An agent's copy of the dual after a round, (11) to (13), from the coefficients and multipliers that all reported.
Vector dual_of(const Json& item, const MethodInput& given, PrimalDualSteps steps, const ReportHistory& history,
               AgentId j, Round round) {
  const Problem& problem = given.problem;
  const double scale = steps.sigma / static_cast<double>(problem.samples);
  const Index first = given.feature_starts[j], count = given.feature_starts[j + 1] - first;
  const Matrix X = problem.X->dense().middleCols(first, count);
  const Matrix L = dense_laplacian(weighted_topology_of(item));
  Vector lambda = Vector::Zero(X.rows());
  for (Round t = 1; t <= round; ++t) {
    const auto ahead = [&](AgentId k, std::size_t part) -> Vector {  // 2 x^t - x^{t-1}
      return 2 * history.theta.at(t)[k][part] - history.theta.at(t - 1)[k][part];
    };
    Vector step = X * ahead(j, 0);
    for (AgentId k = 0; k < history.agents; ++k) step += L(j, k) * ahead(k, 2);
    lambda += scale * step;
    if (j == item.value("label_agent", AgentId{0})) problem.loss->prox_conjugate(lambda, problem.y, scale);
  }
  return lambda;
}

void compare_iterates(const Json& item, const FdPrimalDual& method, const MethodInput& given,
                      const ReportHistory& history, Verdict& verdict) {
  for (const std::string key : {"objective_last", "objective_avg"}) {
    if (!item.contains(key)) continue;
    std::vector<double> got, want;
    for (const auto& [round, value] : item[key].items()) {
      const Round t = std::stoll(round);
      const Evaluation evaluation = method.evaluate(t, history.theta.at(t), {});
      got.push_back(key == "objective_avg" ? evaluation.objective : evaluation.metrics.at(0).value());
      want.push_back(value.get<double>());
    }
    verdict.compare(key, got, want);
  }
  static const std::regex theta("theta_(last|avg)_([0-9]+)"), state("(v|lambda)_agent([0-9]+)_([0-9]+)");
  for (const auto& [key, want] : item.items()) {
    std::smatch match;
    const std::string name = key;
    if (std::regex_match(name, match, theta)) {
      verdict.compare(name, as_list(history.joined(std::stoll(match[2]), match[1] == "last" ? 0 : 1)), numbers(want));
    } else if (std::regex_match(name, match, state)) {
      const auto agent = static_cast<AgentId>(std::stoul(match[2]));
      const Round t = std::stoll(match[3]);
      const Vector found =
          match[1] == "v" ? history.theta.at(t)[agent][2] : dual_of(item, given, method.steps(), history, agent, t);
      verdict.compare(name, as_list(found), numbers(want));
    }
  }
}

double given_number(const Json& value) {
  return value.is_number() ? value.get<double>() : std::numeric_limits<double>::infinity();
}

/// Theorem 1 from constants that are computed here; the case states R. Of the Laplacian a case may state the bounds
/// that hold for every graph instead, D = 2 x largest degree and delta = 4 / (m x diameter).
void compare_steps(const Json& item, const Topology& topology, const MethodInput& assignment, Verdict& verdict) {
  if (!item.contains("theorem1") || !item["theorem1"].is_object()) return;
  const Json& theorem = item["theorem1"];
  FdPrimalDualOptions options{{.R = theorem.at("R").get<double>()}};
  const auto is_stated = [&](const char* key, double bound) {
    return theorem.contains(key) && std::abs(given_number(theorem[key]) - bound) < 1e-11 * bound;
  };
  if (const auto m = assignment.network.agents; m > 1) {
    const double D = 2 * static_cast<double>(assignment.network.max_degree);
    const double delta = 4 / static_cast<double>(m * distances(topology).diameter);
    if (is_stated("D", D)) options.D = D;
    if (is_stated("delta", delta)) options.delta = delta;
  }
  const FdPrimalDual automatic(options, assignment);
  verdict.compare("sigma", {automatic.steps().sigma}, {item.at("sigma").get<double>()});
  const Loss& l = *assignment.problem.loss;
  const auto rho = l.lipschitz() ? l.lipschitz() : l.sqrt_lipschitz();
  if (theorem.contains("rho") && rho) verdict.compare("rho", {*rho}, {given_number(theorem["rho"])});
  verdict.compare("tau", {automatic.steps().tau}, {item.at("tau").get<double>()});
  for (const auto& [name, value] : automatic.constants())
    if (theorem.contains(name) && std::isfinite(value)) verdict.compare(name, {value}, {given_number(theorem[name])});
}

void check_fd_keys(const Json& item) {
  check_keys(item, "",
             {"init",
              "m",
              "edges",
              "label_agent",
              "n",
              "d",
              "block_starts",
              "data",
              "loss",
              "regulariser",
              "theorem1",
              "sigma",
              "tau",
              "objective_last",
              "objective_avg",
              "theta_last_*",
              "theta_avg_*",
              "v_agent*",
              "lambda_agent*",
              "optimum_objective",
              "optimum_tolerance",
              "scalars_sent_per_iteration",
              "flops_per_agent_per_iteration"});
  check_keys(item.at("data"), "data/",
             {"X", "y", "a", "b", "c", "e", "theta0_cycle", "s0", "s1", "s2", "checksum_sum_X", "checksum_sum_absX",
              "checksum_sum_iy"});
  check_keys(item.at("loss"), "loss/", {"name", "h"});
  if (item.value("init", "all zero") != "all zero")
    throw std::runtime_error("not understood: init = " + item["init"].dump());
  const Json& r = item.at("regulariser");
  for (const Json& one : r.is_array() ? r : Json::array({r})) check_keys(one, "regulariser/", {"l1", "l2"});
  if (item.contains("theorem1") && item["theorem1"].is_object())
    check_keys_but_texts(item["theorem1"], "theorem1/", {"R", "rho", "chi", "delta", "D"});
  for (const char* key : {"m", "n", "d"}) size_at(item, key);
  list_at(item.at("data"), "theta0_cycle");
  list_at(item, "block_starts");
}

}  // namespace

bool is_fd_primal_dual(const Json& item) {
  return item.contains("algorithm") && item["algorithm"].is_string() &&
         item["algorithm"].get<std::string>().starts_with("fd_primal_dual");
}

Verdict check_fd_primal_dual(const Json& item) {
  Verdict verdict(tolerance_of(item));
  check_fd_keys(item);
  const Problem problem = feature_problem_of(item);
  compare_data(item.at("data"), problem, verdict);
  const Topology topology = weighted_topology_of(item);
  std::vector<Index> starts;
  for (const Json& start : item.at("block_starts")) starts.push_back(start.get<Index>());
  const Round rounds = largest_round_in(item);
  const MethodInput assignment{.problem = problem,
                               .feature_starts = starts,
                               .network = network_facts(topology),
                               .central = std::make_shared<const test::KnownReference>(spectral_norm(*problem.X)),
                               .rounds = rounds,
                               .may_miss_rounds = true};  // so that the multipliers are reported
  compare_steps(item, topology, assignment, verdict);

  const StatedSteps steps{.sigma = item.at("sigma").get<double>(), .tau = item.at("tau").get<double>()};
  const auto label_agent = item.value("label_agent", std::int64_t{0});
  const FdPrimalDual method({steps, label_agent, own_weights(item, "l1"), own_weights(item, "l2")}, assignment);
  std::vector<LinkSpec> links;
  for (const Edge& edge : topology.edges()) {
    links.push_back({edge.from, edge.to, Duration::milliseconds(1)});
    links.push_back({edge.to, edge.from, Duration::milliseconds(2)});
  }
  const auto agents = static_cast<AgentId>(topology.agents());
  Simulation world(Network(agents, std::move(links)), ComputeModel(std::vector<double>(agents, 1e9)), {});
  Ledger ledger(agents, world.network().links());
  ReportHistory history;
  history.agents = agents;
  world.listen(ledger);
  world.record(history);
  method.spawn(world);
  world.run();
  compare_iterates(item, method, assignment, history, verdict);

  if (item.contains("optimum_objective")) {
    if (method.has_own_objective())
      throw std::runtime_error("optimum_objective: no solver for weights of the agents' own");
    const double allowed = item.value("optimum_tolerance", 1e-9);
    verdict.compare("optimum_objective", {solve_centrally(problem).value}, {item["optimum_objective"].get<double>()},
                    {.absolute = 1e-12, .relative = allowed, .floor = 1e-3});
  }
  if (item.contains("scalars_sent_per_iteration")) {
    const double per_round = static_cast<double>(ledger.total().bytes_sent) / (8.0 * static_cast<double>(rounds));
    verdict.compare("scalars_sent_per_iteration", {per_round}, {item["scalars_sent_per_iteration"].get<double>()});
  }
  if (item.contains("flops_per_agent_per_iteration")) {
    std::vector<double> got;
    for (AgentId j = 0; j < agents; ++j)
      got.push_back(static_cast<double>(ledger.agent(j).flops) / static_cast<double>(rounds));
    verdict.compare("flops_per_agent_per_iteration", got, numbers(item["flops_per_agent_per_iteration"]));
  }
  return verdict;
}

}  // namespace lagnet::reference
