#pragma once

#include <catch2/catch.hpp>

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/interface/algorithm.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/losses/softmax.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"
#include "tests/unit/sim/world.hpp"

/// Small federated worlds for the tests of federated algorithms.
namespace lagnet::test {

/// A server, and clients that hold this number of samples each.
struct Bench {
  Problem problem;
  std::vector<Index> sizes;
  Round rounds = 1;
  std::vector<std::int64_t> latencies_ns = {};  // of each client, 1 ms by default
  std::vector<double> speeds = {};              // of each agent, 1e9 by default
  WorldModel model = {};
  unsigned threads = 1;
  Vector start = {};
  AgentWeights agent_weights = AgentWeights::samples;

  MethodInput assignment() const {
    MethodInput given{
        .problem = problem, .sample_starts = {0, 0}, .agent_weights = agent_weights, .start = start, .rounds = rounds};
    if (model.participation)
      if (const auto asked = model.participation->asked_each_round(sizes.size()))
        given.cohort = static_cast<Index>(*asked);
    for (const Index size : sizes) given.sample_starts.push_back(given.sample_starts.back() + size);
    given.network.agents = static_cast<Index>(sizes.size()) + 1;
    return given;
  }
};

struct Result : Recorder {
  std::vector<Vector> w;                   // by round
  std::vector<std::vector<Vector>> parts;  // by round, w the first
  Ledger ledger{0, 0};
  Log log;
  void reported(AgentId agent, Round round, std::span<const VectorView> of_round) override {
    CHECK(agent == 0);
    CHECK(round == std::ssize(w));
    w.emplace_back(of_round[0]);
    parts.emplace_back(of_round.begin(), of_round.end());
  }
};

inline Result simulate(const Bench& bench, const Algorithm& method) {
  const auto latencies =
      bench.latencies_ns.empty() ? std::vector<std::int64_t>(bench.sizes.size(), 1'000'000) : bench.latencies_ns;
  const auto speeds = bench.speeds.empty() ? std::vector<double>(bench.sizes.size() + 1, 1e9) : bench.speeds;
  Simulation world(Network(static_cast<AgentId>(speeds.size()), star(latencies)), ComputeModel(speeds),
                   {.threads = bench.threads, .model = bench.model});
  Result result;
  result.ledger = Ledger(static_cast<AgentId>(speeds.size()), world.network().links());
  world.listen(result.ledger);
  world.listen(result.log);
  world.record(result);
  method.spawn(world);
  world.run();
  return result;
}

template <class Options>
requires requires { Options::kind; }
Result simulate(const Bench& bench, const Options& options) {
  return simulate(bench, *make_algorithm(options, bench.assignment()));
}

/// How often the bench's participation asks each client.
inline std::map<AgentId, Index> times_asked(const Bench& bench) {
  std::vector<AgentId> clients;
  for (AgentId k = 1; k <= bench.sizes.size(); ++k) clients.push_back(k);
  std::map<AgentId, Index> asked;
  for (Round t = 1; t <= bench.rounds; ++t)
    for (const AgentId k : bench.model.participation->chosen(t, clients)) ++asked[k];
  return asked;
}

inline Problem problem_of(const Matrix& X, const Vector& y,
                          std::shared_ptr<const Loss> loss = make_loss(SquaredOptions{}), double l1 = 0,
                          double l2 = 0) {
  return {.X = std::make_shared<const DataMatrix>(X),
          .y = y,
          .samples = y.size(),
          .loss = std::move(loss),
          .regularizer = make_regularizer(ElasticNetOptions{.l1_weight = l1, .l2_weight = l2})};
}

inline Matrix random_matrix(Index n, Index d, std::uint64_t seed = 7) {
  Draws draws(seed, Purpose{"test problem"});
  Matrix X(n, d);
  for (double& x : X.reshaped()) x = draws.normal();
  return X;
}

/// Least squares on normal data.
inline Problem random_problem(Index n, Index d, double l1 = 0, double l2 = 0) {
  Draws draws(7, Purpose{"test problem"});
  Matrix X(n, d);
  for (double& x : X.reshaped()) x = draws.normal();
  Vector y(n);
  for (double& label : y) label = draws.normal();
  return problem_of(X, y, make_loss(SquaredOptions{}), l1, l2);
}

/// The same with the l1 norm as a norm.
inline Problem lasso(Index n, Index d, double lambda) {
  Problem problem = random_problem(n, d);
  problem.regularizer = make_regularizer(L1Options{.weight = lambda});
  return problem;
}

/// Trace regression of a rows x cols matrix with a nuclear norm.
inline Problem low_rank(Index n, Index rows, Index cols, double lambda) {
  Problem problem = random_problem(n, rows * cols);
  problem.shape = IterateShape::matrix(rows, cols);
  problem.regularizer = make_regularizer(NuclearOptions{.weight = lambda}, problem.shape);
  return problem;
}

/// Softmax regression with an l1 norm, labels in turn.
inline Problem softmax_lasso(Index n, Index d, Index c, double lambda) {
  Problem problem = lasso(n, d, lambda);
  problem.y = Vector::NullaryExpr(n, [c](Index i) { return static_cast<double>(i * i % c); });
  problem.loss = make_loss(SoftmaxOptions{.classes = c});
  problem.shape = IterateShape::matrix(d, c);
  return problem;
}

inline Vector minimizer(const Problem& problem) {
  const Optimum optimum = solve_centrally(problem);
  REQUIRE(optimum.certified());
  return optimum.theta;
}

/// Diagnostics of three clients whose smallest Hessian eigenvalue is above 0.3, and their largest below 4.
inline std::vector<Bench> benches(Round rounds) {
  return {{.problem = lasso(40, 4, 0.2), .sizes = {5, 15, 20}, .rounds = rounds},
          {.problem = low_rank(80, 2, 3, 0.2), .sizes = {25, 15, 40}, .rounds = rounds}};
}

/// One client with one sample x = 1, y = 2 and r(w) = |w| / 2.
inline Bench one_sample(Round rounds) {
  Bench bench{.problem = problem_of(Matrix{{1}}, Vector{{2}}), .sizes = {1}, .rounds = rounds};
  bench.problem.regularizer = make_regularizer(L1Options{.weight = 0.5});
  return bench;
}

/// Client 3 alone is asked in rounds 1, 3 and 6, and its answers come too late.
inline Bench lost_rounds(Problem problem, Round rounds) {
  Bench bench{.problem = std::move(problem), .sizes = {5, 15, 20}, .rounds = rounds};
  bench.model.round_rule.deadline = Duration::milliseconds(5);
  bench.latencies_ns = {1'000'000, 1'000'000, 4'000'000};
  bench.model.participation = std::make_shared<const ListedParticipation>(
      std::vector<std::vector<AgentId>>{{3}, {1, 2}, {3}, {2}, {1, 2}, {3}, {1}, {1, 2}});
  return bench;
}

}  // namespace lagnet::test
