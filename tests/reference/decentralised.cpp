#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "algorithms/objectives/sets/intersection.hpp"
#include "algorithms/objectives/sets/sets.hpp"
#include "algorithms/peers/accel_tracking.hpp"
#include "algorithms/peers/dpag.hpp"
#include "algorithms/peers/netlasso.hpp"
#include "algorithms/peers/proximal_gradient.hpp"
#include "algorithms/problem/weighted_loss.hpp"
#include "scenarios/assembly/assemble.hpp"
#include "scenarios/assembly/make_topology.hpp"
#include "sim/accounts/ledger.hpp"
#include "sim/engine/simulation.hpp"
#include "tests/reference/reference_file.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"
#include "topologies/gossip.hpp"

namespace lagnet::reference {

namespace {

double number(Index k) { return static_cast<double>(k); }

/// {"type": "l1 ball", "R": 2} and its like, R "infinity" for a ball that is all of space; "box": bound of the entries,
/// where there is one.
std::shared_ptr<const Constraint> constraint_of(const Json& item, IterateShape shape) {
  if (!item.is_object()) return nullptr;
  const std::string type = item.value("type", "none");
  const auto given = [&](const char* key) { return item.contains(key) && item[key].is_number(); };
  const Json R = item.value("R", Json());
  const bool is_all = R.is_string() && R.get<std::string>().starts_with("inf");
  if (type.find("ball") != std::string::npos && !given("R") && !is_all)
    throw std::runtime_error("constraint/R: expected a number or \"infinity\", found " + R.dump());
  const double radius = given("R") ? R.get<double>() : 0;
  std::shared_ptr<const Constraint> ball;
  if (type.starts_with("l1")) ball = make_constraint(L1BallOptions{.radius = radius}, shape);
  if (type.starts_with("l2")) ball = make_constraint(L2BallOptions{.radius = radius}, shape);
  if (type.starts_with("nuclear")) ball = make_constraint(NuclearBallOptions{.radius = radius}, shape);
  if (!ball && type != "none" && type != "box") throw std::runtime_error("no such constraint here: " + type);
  if (is_all) ball = nullptr;
  if (!given("box")) return ball;
  const auto box = make_constraint(BoxOptions{.bound = item["box"].get<double>()}, shape);
  return ball ? std::make_shared<Intersection>(ball, box) : box;
}

/// The least squares whose objective is the mean of the agents' means, as a plain problem: rows and labels of agent i,
/// of n_i, times sqrt(N / (m n_i)).
Problem of_alike_agents(const Problem& problem, const std::vector<Index>& starts) {
  const double N = static_cast<double>(problem.samples), m = static_cast<double>(starts.size() - 1);
  Matrix X = problem.X->dense();
  Problem scaled = problem;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    const Index n = starts[i + 1] - starts[i];
    const double factor = std::sqrt(N / (m * static_cast<double>(n)));
    X.middleRows(starts[i], n) *= factor;
    scaled.y.segment(starts[i], n) *= factor;
  }
  scaled.X = std::make_shared<const DataMatrix>(std::move(X));
  return scaled;
}

struct Case {
  Problem problem;
  std::vector<Index> starts{0};
  std::optional<Vector> truth;
};

/// How many samples each agent has: one number, or a list.
std::vector<Index> sizes_of(const Json& item, Index m) {
  const Json& n = item.at("n_local");
  if (n.is_array()) return n.get<std::vector<Index>>();
  return std::vector<Index>(static_cast<std::size_t>(m), n.get<Index>());
}

/// Agent i: X[r][j] = sin((a + 0.9 i) + b r + c j + e r j), y[r] = (X theta_star)[r] + 0.2 cos(1.7 r + 0.6 i).
Case regression_of(const Json& item, Verdict& verdict) {
  const Index m = item.at("m").get<Index>(), d = item.at("d").get<Index>();
  const Json& data = item.at("data");
  const auto constant = [&](const char* key) { return data.at(key).get<double>(); };
  Case made;
  for (const Index n : sizes_of(item, m)) made.starts.push_back(made.starts.back() + n);
  Vector truth = Vector::Zero(d);
  for (const auto& [place, value] : {std::pair<Index, double>(1, 1), {d / 2, -1}, {d - 2, 0.5}})
    if (place >= 0 && place < d) truth[place] = value;
  Matrix X(made.starts.back(), d);
  Vector y(X.rows());
  for (Index i = 0; i < m; ++i) {
    const Index first = made.starts[static_cast<std::size_t>(i)], end = made.starts[static_cast<std::size_t>(i) + 1];
    for (Index row = first; row < end; ++row) {
      const double r = number(row - first);
      for (Index j = 0; j < d; ++j)
        X(row, j) = std::sin((constant("a") + 0.9 * number(i)) + constant("b") * r + constant("c") * number(j) +
                             constant("e") * r * number(j));
      y[row] = X.row(row).dot(truth) + 0.2 * std::cos(1.7 * r + 0.6 * number(i));
    }
  }
  if (data.contains("checksum_sum_X")) verdict.compare("sum of X", {X.sum()}, {constant("checksum_sum_X")});
  if (data.contains("checksum_sum_y")) verdict.compare("sum of y", {y.sum()}, {constant("checksum_sum_y")});
  made.problem.shape = IterateShape::vector(d);
  made.problem.X = std::make_shared<const DataMatrix>(std::move(X));
  made.problem.y = std::move(y);
  made.truth = std::move(truth);
  return made;
}

/// Theta_star = u v' / (|u| |v|), u[k] = sin(1 + 2.1 k), v[k] = cos(0.3 + 1.3 k). An observation of entry (row, col) is
/// a row of X with p there, and the label p times the value: (p^2 / (2 n)) sum (Theta[row][col] - value)^2.
Case completion_of(const Json& item, Verdict& verdict) {
  const Index m = item.at("m").get<Index>(), p = item.at("p").get<Index>();
  Vector u(p), v(p);
  for (Index k = 0; k < p; ++k) {
    u[k] = std::sin(1 + 2.1 * number(k));
    v[k] = std::cos(0.3 + 1.3 * number(k));
  }
  const Matrix star = u * v.transpose() / (u.norm() * v.norm());
  Case made;
  for (const Index n : sizes_of(item, m)) made.starts.push_back(made.starts.back() + n);
  SparseMatrix X(made.starts.back(), p * p);
  Vector y(X.rows());
  double sum = 0;
  for (Index i = 0; i < m; ++i)
    for (Index k = 0, first = made.starts[static_cast<std::size_t>(i)];
         first + k < made.starts[static_cast<std::size_t>(i) + 1]; ++k) {
      const Index row = (3 * k + 2 * i + k * k / 3) % p, col = (k + i * i) % p;
      const double value = star(row, col) + 0.05 / number(p) * std::sin(2 * number(k) + 1.1 * number(i));
      X.insert(first + k, row * p + col) = number(p);
      y[first + k] = number(p) * value;
      sum += value;
    }
  X.makeCompressed();
  if (item.at("data").contains("checksum_sum_values"))
    verdict.compare("sum of values", {sum}, {item["data"]["checksum_sum_values"].get<double>()});
  const Matrix by_rows = star.transpose();
  made.problem.shape = IterateShape::matrix(p, p);
  made.problem.X = std::make_shared<const DataMatrix>(std::move(X));
  made.problem.y = std::move(y);
  made.truth = by_rows.reshaped();
  return made;
}

Topology topology_of(const Json& item) {
  std::vector<Edge> edges;
  for (const Json& edge : item.at("edges")) edges.push_back({edge.at(0).get<AgentId>(), edge.at(1).get<AgentId>()});
  return Topology(item.at("m").get<std::int64_t>(), std::move(edges));
}

/// By its name, "metropolis", "0.5*(I + metropolis)", ..; else by its rows, whose last digits are made to sum to 1.
SparseMatrix gossip_of(const Json& gossip, const Topology& topology, Verdict& verdict) {
  const std::string name = gossip.value("W", gossip.contains("W_rows") ? "its rows" : "metropolis");
  const bool lazy = name.starts_with("0.5") || name.starts_with("(I") || name.find("lazy") != std::string::npos;
  Matrix rows;
  if (gossip.contains("W_rows")) {
    rows = Matrix(topology.agents(), topology.agents());
    for (Index i = 0; i < rows.rows(); ++i)
      for (Index j = 0; j < rows.cols(); ++j)
        rows(i, j) = gossip["W_rows"].at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(j)).get<double>();
  }
  if (name.find("etropolis") == std::string::npos && rows.size() > 0) {
    rows.diagonal() = (1 - (rows.rowwise().sum() - rows.diagonal()).array()).matrix();
    return rows.sparseView();
  }
  if (name.find("etropolis") == std::string::npos) throw std::runtime_error("no such gossip matrix here: " + name);
  SparseMatrix w = gossip_matrix(topology, lazy ? GossipWeights::lazy_metropolis : GossipWeights::metropolis);
  if (rows.size() > 0) verdict.compare("W", as_list(Matrix(w).reshaped()), as_list(rows.reshaped()));
  return w;
}

struct History : Recorder {
  explicit History(AgentId agents, Ledger& accounts) : count(agents), ledger(accounts) {}
  void reported(AgentId agent, Round round, std::span<const VectorView> parts) override {
    auto& row = rounds[round];
    row.resize(count);
    row[agent] = {Vector(parts[0])};
    if (round <= 2) sent[round] += ledger.agent(agent).bytes_sent;
  }
  AgentId count;
  Ledger& ledger;
  std::map<Round, std::vector<std::vector<Vector>>> rounds;  // by round and agent
  std::map<Round, Bytes> sent;                               // of all agents when they reported rounds 1 and 2
};

/// A row of results has members named by rounds, and iterates such as theta_rows_5 and theta_mean_3.
Round last_round(const Json& results) {
  Round last = 2;
  for (const auto& [key, value] : results.items())
    last = std::max<Round>(last, std::stoll(key.substr(key.find_first_of("0123456789"))));
  return last;
}

void compare_rounds(const std::string& name, const Json& results, const Algorithm& algorithm, const History& history,
                    const ErrorScale& error_scale, const std::optional<Vector>& truth, Verdict& verdict) {
  for (const auto& [key, want] : results.items()) {
    const Round round = std::stoll(key.substr(key.find_first_of("0123456789")));
    const auto& report = history.rounds.at(round);
    const std::string what = name + " " + key;
    const Evaluation value = algorithm.evaluate(round, report, error_scale);
    if (key.starts_with("theta_rows")) {
      for (std::size_t i = 0; i < want.size(); ++i) verdict.compare(what, as_list(report.at(i)[0]), numbers(want[i]));
    } else if (key.starts_with("theta_mean")) {
      verdict.compare(what, as_list(value.iterate), numbers(want));
    } else {
      for (const auto& [metric, expected] : want.items()) {
        double got = std::nan("");  // fails, unless one of these
        if (metric == "f_mean") got = value.objective;
        if (metric == "mean_sq_dist_to_opt") got = value.metrics.at(1).value();
        if (metric == "mean_sq_dist_to_truth") got = value.metrics.at(0).value() * truth->squaredNorm();
        verdict.compare(what + " " + metric, {got}, {expected.get<double>()});
      }
    }
  }
}

std::unique_ptr<Algorithm> algorithm_of(const std::string& name, const Json& item, MethodInput given) {
  const auto constant = [&](const char* key, double otherwise) { return item.value(key, otherwise); };
  const double L = item.at("L").get<double>(), mu = item.at("mu").get<double>();
  const double alpha = constant("alpha", 2 * L), step = constant("step", 1 / (2 * L));
  const double beta = constant("beta", std::sqrt(mu / (8 * L)));
  const MixingOptions mixing{.rounds = item.contains("gossip") ? item["gossip"].value("rounds_K", std::int64_t{1}) : 1};
  if (name == "algorithm1")
    return make_algorithm(AccelTrackingOptions{{.steps = {.alpha = alpha, .beta = beta}, .mixing = mixing}}, given);
  if (name == "netlasso") return make_algorithm(NetLassoOptions{{.steps = {.step = step}, .mixing = mixing}}, given);
  if (name == "dpag")
    return make_algorithm(DpagOptions{{.steps = {.step = step, .beta = beta}, .mixing = mixing}}, given);
  if (name == "pgd") return make_algorithm(ProximalGradientOptions{{.step = step}}, given);
  if (name == "apgd") return make_algorithm(AcceleratedProximalGradientOptions{{.alpha = alpha, .beta = beta}}, given);
  throw std::runtime_error("no such algorithm here: " + name);
}

void run_algorithm(const std::string& name, const Json& item, const Case& made, const Topology& topology,
                   const NetworkFacts& facts, const ErrorScale& error_scale, Verdict& verdict) {
  const Json& results = item.at("results").at(name);
  const bool central = name == "pgd" || name == "apgd";
  MethodInput given{.problem = made.problem, .network = facts, .truth = made.truth, .rounds = last_round(results)};
  given.sample_starts = made.starts;
  given.agent_weights = AgentWeights::even;  // as the sheet says, section 6
  if (central) {
    given.network = {.agents = 1};
    given.problem = of_alike_agents(made.problem, made.starts);
    given.sample_starts = {0, made.starts.back()};
  }
  const auto algorithm = algorithm_of(name, item, given);
  std::vector<LinkSpec> links;
  if (!central)
    for (const Edge& edge : topology.edges()) {
      links.push_back({edge.from, edge.to, Duration::milliseconds(1)});
      links.push_back({edge.to, edge.from, Duration::milliseconds(2)});
    }
  const auto agents = static_cast<AgentId>(given.network.agents);
  Simulation world(Network(agents, std::move(links)), ComputeModel(std::vector<double>(agents, 1e9)), {});
  Ledger ledger(agents, world.network().links());
  History history(agents, ledger);
  world.listen(ledger);
  world.record(history);
  algorithm->spawn(world);
  world.run();
  compare_rounds(name, results, *algorithm, history, error_scale, made.truth, verdict);
  const std::string scalars = "scalars_sent_per_iteration_" + name;
  if (item.contains(scalars))
    verdict.compare(scalars, {static_cast<double>(history.sent[2] - history.sent[1]) / 8},
                    {item[scalars].get<double>()});
}

void compare_optimum(const Json& item, const Optimum& optimum, Verdict& verdict) {
  if (!item.contains("optimum")) return;
  if (!optimum.certified()) verdict.fail("no certified optimum");
  verdict.compare("optimum f", {optimum.value}, {item["optimum"].at("f").get<double>()});
  if (item["optimum"].contains("theta"))
    verdict.compare("optimum theta", as_list(optimum.theta), numbers(item["optimum"]["theta"]));
}

void check_tracking_keys(const Json& item) {
  check_keys_but_texts(item, "",
                       {"m", "edges", "n_local", "d", "p", "data", "constraint", "gossip", "mu", "L", "alpha", "step",
                        "beta", "results", "optimum", "scalars_sent_per_iteration_*"});
  constexpr std::string_view scalars = "scalars_sent_per_iteration_";
  for (const auto& [key, value] : item.items())
    if (key.starts_with(scalars) && !item.at("results").contains(key.substr(scalars.size())))
      throw std::runtime_error("not understood: " + key + " without results of that name");
  check_keys_but_texts(item.at("data"), "data/",
                       {"a", "b", "c", "e", "checksum_sum_X", "checksum_sum_y", "checksum_sum_values"});
  if (item.contains("constraint") && item["constraint"].is_object())
    check_keys(item["constraint"], "constraint/", {"type", "R", "box"});
  check_keys_but_texts(item.at("gossip"), "gossip/", {"rounds_K", "W_rows", "rho_one_round", "rounds_for_0p023"});
  if (item.contains("optimum")) check_keys_but_texts(item["optimum"], "optimum/", {"f", "theta"});
  size_at(item, "m");
  size_at(item, item.contains("p") ? "p" : "d");
  if (!item.at("n_local").is_array()) size_at(item, "n_local");
}

}  // namespace

bool is_decentralised(const Json& item) {
  return item.contains("results") && item.contains("gossip") && item.contains("n_local");
}

Verdict check_decentralised(const Json& item) {
  Verdict verdict(tolerance_of(item));
  check_tracking_keys(item);
  Case made = item.contains("p") ? completion_of(item, verdict) : regression_of(item, verdict);
  made.problem.samples = made.problem.y.size();
  made.problem.loss = make_loss(SquaredOptions{});
  made.problem.regularizer = make_regularizer(NoneOptions{});
  if (item.contains("constraint")) made.problem.constraint = constraint_of(item["constraint"], made.problem.shape);
  const Topology topology = topology_of(item);
  NetworkFacts facts = network_facts(topology, false);
  const Json& gossip = item.at("gossip");
  add_gossip(facts, topology, gossip_of(gossip, topology, verdict));
  if (gossip.contains("rho_one_round"))
    verdict.compare("rho", {facts.gossip_rho}, {gossip["rho_one_round"].get<double>()});
  if (gossip.contains("rounds_for_0p023"))
    // The sheet has K >= 1; one agent alone mixes nothing, and is billed no round.
    verdict.compare("rounds for 0.023", {number(std::max(Index{1}, Mixing({.target = 0.023}, facts).rounds()))},
                    {gossip["rounds_for_0p023"].get<double>()});
  const Optimum optimum = solve_centrally(pooled(made.problem, AgentWeights::even, made.starts));
  compare_optimum(item, optimum, verdict);
  const ErrorScale error_scale{.initial = made.problem.objective(Vector::Zero(made.problem.X->cols())),
                               .optimum = optimum.value,
                               .minimizer = &optimum.theta};
  for (const auto& [name, results] : item.at("results").items())
    run_algorithm(name, item, made, topology, facts, error_scale, verdict);
  return verdict;
}

bool is_projections(const Json& item) { return item.value("algorithm", "") == "projections"; }

/// Projections of u[k] = 2 sin(1 + 2.7 k) and U[i][j] = sin(0.4 + 1.9 i + 2.3 j + 0.71 i j).
Verdict check_projections(const Json& item) {
  Verdict verdict(tolerance_of(item));
  check_keys_but_texts(item, "", {"d", "p", "l1", "nuclear", "nuclear_box"});
  if (item.contains("l1")) {
    Vector u(size_at(item, "d"));
    for (Index k = 0; k < u.size(); ++k) u[k] = 2 * std::sin(1 + 2.7 * number(k));
    for (const auto& [R, want] : item["l1"].items())
      verdict.compare("l1 " + R, as_list(project_on_l1_ball(u, std::stod(R))), numbers(want));
  }
  if (!item.contains("nuclear") && !item.contains("nuclear_box")) return verdict;
  const Index p = size_at(item, "p");
  const IterateShape shape = IterateShape::matrix(p, p);
  Vector U(p * p);
  for (Index i = 0; i < p; ++i)
    for (Index j = 0; j < p; ++j)
      U[i * p + j] = std::sin(0.4 + 1.9 * number(i) + 2.3 * number(j) + 0.71 * number(i) * number(j));
  if (item.contains("nuclear"))
    for (const auto& [R, want] : item["nuclear"].items())
      verdict.compare("nuclear " + R,
                      as_list(make_constraint(NuclearBallOptions{.radius = std::stod(R)}, shape)->project(U)),
                      numbers(want));
  if (item.contains("nuclear_box")) {
    const Json& both = item["nuclear_box"];
    check_keys(both, "nuclear_box/", {"R", "box", "result", "tolerance"});
    const Json ball{{"type", "nuclear ball"}, {"R", both.at("R")}, {"box", both.at("box")}};
    verdict.compare("nuclear ball and box", as_list(constraint_of(ball, shape)->project(U)), numbers(both.at("result")),
                    tolerance_of(both));
  }
  return verdict;
}

}  // namespace lagnet::reference
