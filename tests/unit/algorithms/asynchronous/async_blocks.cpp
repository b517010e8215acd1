#include "algorithms/asynchronous/async_blocks.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <vector>

#include "algorithms/objectives/losses/losses.hpp"
#include "tests/unit/algorithms/asynchronous/answers_in_order.hpp"

namespace lagnet::async_blocks_test {

using namespace lagnet::test;

namespace {

/// Workers with this number of features each.
MethodInput divided(Problem problem, const std::vector<Index>& widths, Round rounds) {
  MethodInput given{.problem = std::move(problem), .feature_starts = {0, 0}, .rounds = rounds};
  for (const Index width : widths) given.feature_starts.push_back(given.feature_starts.back() + width);
  given.network.agents = std::ssize(widths) + 1;
  return given;
}

/// The newest blocks when the server makes each version.
struct Blocks : Recorder {
  std::vector<std::vector<Vector>> newest;  // by agent
  std::vector<std::vector<std::vector<Vector>>> by_version;
  void reported(AgentId agent, Round, std::span<const VectorView> parts) override {
    newest.resize(std::max<std::size_t>(newest.size(), agent + 1));
    if (agent != 0)
      newest[agent].assign(parts.begin(), parts.end());
    else
      by_version.push_back(newest);
  }
};

/// The blocks at each version, in a world where computing takes no time.
Blocks blocks_of(const Algorithm& method, const std::vector<std::int64_t>& latencies_ns) {
  const auto agents = static_cast<AgentId>(latencies_ns.size() + 1);
  Simulation world(Network(agents, star(latencies_ns)), ComputeModel(std::vector<double>(agents, infinite)), {});
  Blocks blocks;
  world.record(blocks);
  method.spawn(world);
  world.run();
  return blocks;
}

}  // namespace

TEST_CASE("coordinate blocks of one worker are proximal gradient descent") {
  const Problem problem = lasso(20, 4, 0.1);
  const auto method = make_algorithm(AsyncBlocksOptions{.step = 0.2}, divided(problem, {4}, 50));
  const Blocks blocks = blocks_of(*method, {1'000'003});
  const Matrix X = problem.X->dense();
  Vector theta = Vector::Zero(4);
  for (std::size_t v = 1; v <= 50; ++v) {
    theta = problem.regularizer->prox(theta - 0.2 / 20 * (X.transpose() * (X * theta - problem.y)), 0.2);
    CHECK((blocks.by_version[v][1][0] - theta).norm() <= rounding_of(v));
  }
}

TEST_CASE("each worker steps from the server's state at the time of the request") {
  const std::vector<Index> widths{1, 3, 2};
  const Problem problem = lasso(20, 6, 0.05);
  const std::vector<double> steps{0.1, 0.2, 0.15};
  const auto method = make_algorithm(AsyncBlocksOptions{.steps = steps}, divided(problem, widths, 60));
  const Blocks blocks = blocks_of(*method, three_latencies);
  const Matrix X = problem.X->dense();
  const std::vector<Index> first{0, 1, 4};
  std::vector<Vector> theta{Vector::Zero(6)};  // of each version
  for (const auto& [j, version] : answers_in_order(three_latencies, 60)) {
    const Index from = first[j - 1], width = widths[j - 1];
    const double gamma = steps[j - 1];
    // The worker's own block is in that version: it has not stepped since.
    const Vector& then = theta[static_cast<std::size_t>(version)];
    const Vector gradient = X.transpose() * (X * then - problem.y) / 20;
    Vector next = theta.back();
    next.segment(from, width) =
        problem.regularizer->prox(then.segment(from, width) - gamma * gradient.segment(from, width), gamma);
    theta.push_back(next);
    const Vector& got = blocks.by_version[theta.size() - 1][j][0];
    CHECK((got - next.segment(from, width)).norm() <= rounding_of(5 * theta.size()));
  }
}

TEST_CASE("coordinate blocks reach the minimizer whatever the speeds, from any start") {
  Problem problem = lasso(40, 6, 0.2);
  for (const bool is_squared : {true, false}) {
    if (!is_squared) problem.loss = make_loss(HuberOptions{.threshold = 0.7});
    const Vector best = minimizer(problem);
    for (const double start : {0.0, 3.0}) {
      MethodInput given = divided(problem, {1, 3, 2}, 20000);
      if (start > 0) given.start = Vector::Constant(6, start);
      const auto method = make_algorithm(AsyncBlocksOptions{.step = 0.3}, given);
      const Blocks blocks = blocks_of(*method, three_latencies);
      const Evaluation last = method->evaluate(0, blocks.by_version.back(), {});
      CHECK((last.iterate - best).norm() < 1e-6);  // the certificate's gap of 1e-10 bounds it by about its root
      for (Index i = 0; i < 6; ++i) CHECK((last.iterate[i] == 0) == (best[i] == 0));
      std::vector<std::vector<Vector>> first(4);
      for (const AgentId j : method->reporters()) first[j] = method->first_report(j);
      CHECK(method->evaluate(0, first, {}).objective ==
            Approx(problem.objective(Vector::Constant(6, start))).epsilon(1e-14));
    }
  }
}

TEST_CASE("coordinate blocks need a gradient, and a step for each worker") {
  Problem problem = random_problem(20, 4);
  CHECK_THROWS_AS(make_algorithm(AsyncBlocksOptions{.steps = {0.1}}, divided(problem, {2, 2}, 1)), Diagnosed);
  CHECK_NOTHROW(make_algorithm(AsyncBlocksOptions{.steps = {0.1, 0.2}}, divided(problem, {2, 2}, 1)));
  problem.loss = make_loss(HingeOptions{});
  CHECK_THROWS_AS(make_algorithm(AsyncBlocksOptions{.step = 0.1}, divided(problem, {2, 2}, 1)), Diagnosed);
}

}  // namespace lagnet::async_blocks_test
