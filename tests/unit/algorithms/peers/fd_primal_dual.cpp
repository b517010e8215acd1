#include "algorithms/peers/fd_primal_dual.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <map>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "sim/accounts/ledger.hpp"
#include "sim/engine/simulation.hpp"
#include "tests/support/decompositions.hpp"
#include "tests/unit/algorithms/known_reference.hpp"

namespace lagnet::fd_primal_dual_test {

namespace {

struct Line {
  AgentId a, b;
  double weight = 1;
};

/// A small world for one problem: features split evenly, links with latencies that differ.
struct Bench {
  Index agents;
  std::vector<Line> lines;
  Problem problem;
  Round rounds = 60;
  double latency_ms = 1;
  double latency_step_ms = 0;  // added from link to link
  unsigned threads = 1;

  Matrix laplacian() const {
    Matrix L = Matrix::Zero(agents, agents);
    for (const Line& line : lines) {
      L(line.a, line.b) -= line.weight;
      L(line.b, line.a) -= line.weight;
      L(line.a, line.a) += line.weight;
      L(line.b, line.b) += line.weight;
    }
    return L;
  }

  MethodInput assignment() const {
    MethodInput given{.problem = problem, .rounds = rounds};
    const Index d = problem.X->cols();
    for (Index j = 0; j <= agents; ++j) given.feature_starts.push_back(j * (d / agents) + std::min(j, d % agents));
    const Vector eigenvalues = testing::eigenvalues(laplacian());
    given.network = {.agents = agents,
                     .max_degree = 0,
                     .laplacian_max = agents > 1 ? eigenvalues(agents - 1) : 0,
                     .algebraic_connectivity = agents > 1 ? eigenvalues(1) : INFINITY,
                     .link_weights = {}};
    std::vector<std::map<AgentId, double>> around(static_cast<std::size_t>(agents));
    bool weighted = false;
    for (const Line& line : lines) {
      around[line.a][line.b] = around[line.b][line.a] = line.weight;
      weighted |= line.weight != 1;
    }
    for (const auto& neighbors : around) {
      given.network.max_degree = std::max(given.network.max_degree, static_cast<Index>(neighbors.size()));
      if (!weighted) continue;
      auto& row = given.network.link_weights.emplace_back();
      for (const auto& [to, weight] : neighbors) row.push_back(weight);
    }
    given.central = std::make_shared<const test::KnownReference>(singular_values_by_rotations(problem.X->dense())(0));
    return given;
  }

  Network network() const {
    std::vector<LinkSpec> links;
    double latency = latency_ms;
    for (const Line& line : lines)
      for (const auto& [from, to] : {std::pair(line.a, line.b), std::pair(line.b, line.a)}) {
        links.push_back({from, to, Duration::milliseconds(latency)});
        latency += latency_step_ms;
      }
    return Network(static_cast<AgentId>(agents), std::move(links));
  }
};

struct History final : Recorder {
  std::map<Round, std::map<AgentId, std::pair<Vector, Vector>>> rounds;
  void reported(AgentId agent, Round round, std::span<const VectorView> parts) override {
    rounds[round][agent] = {Vector(parts[0]), Vector(parts[1])};
  }
  Vector joined(Round round, bool average) const {
    std::vector<double> all;
    for (const auto& [agent, parts] : rounds.at(round)) {
      const Vector& part = average ? parts.second : parts.first;
      all.insert(all.end(), part.begin(), part.end());
    }
    return Eigen::Map<const Vector>(all.data(), static_cast<Index>(all.size()));
  }
};

struct Result {
  History history;
  Ledger ledger{0, 0};
  Ending ending;
};

Result simulate(const Bench& bench, const FdPrimalDual& method) {
  Simulation world(bench.network(), ComputeModel(std::vector<double>(static_cast<std::size_t>(bench.agents), 1e9)),
                   {.threads = bench.threads});
  Result result;
  result.ledger = Ledger(static_cast<AgentId>(bench.agents), world.network().links());
  world.listen(result.ledger);
  world.record(result.history);
  method.spawn(world);
  result.ending = world.run();
  return result;
}

Problem random_problem(Index n, Index d, std::shared_ptr<const Loss> loss, double l1, double l2) {
  Draws draws(7, Purpose{"test problem"});
  Matrix X(n, d);
  for (double& x : X.reshaped()) x = draws.normal();
  Vector y(n);
  for (double& label : y) label = draws.normal();
  if (loss->label_problem(0.5))
    for (double& label : y) label = label >= 0 ? 1 : -1;
  return {.X = std::make_shared<const DataMatrix>(std::move(X)),
          .y = y,
          .samples = n,
          .loss = std::move(loss),
          .regularizer = make_regularizer(ElasticNetOptions{.l1_weight = l1, .l2_weight = l2})};
}

const std::vector<Line> ring5{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 4}};
const std::vector<Line> star5{{0, 1}, {0, 2}, {0, 3}, {0, 4}};

/// The method as one iteration on the whole saddle problem: z = (theta, v), one operator K (section II of the paper).
std::vector<Vector> chambolle_pock(const Bench& bench, double sigma, double tau) {
  const MethodInput given = bench.assignment();
  const Matrix X = bench.problem.X->dense(), L = bench.laplacian();
  const Index n = X.rows(), d = X.cols(), m = bench.agents;
  Matrix K = Matrix::Zero(m * n, d + m * n);
  for (Index j = 0; j < m; ++j) {
    const Index first = given.feature_starts[static_cast<std::size_t>(j)];
    const Index count = given.feature_starts[static_cast<std::size_t>(j) + 1] - first;
    K.block(j * n, first, n, count) = X.middleCols(first, count);
    for (Index k = 0; k < m; ++k) K.block(j * n, d + k * n, n, n) = L(j, k) * Matrix::Identity(n, n);
  }
  K /= static_cast<double>(n);
  Vector z = Vector::Zero(d + m * n), lambda = Vector::Zero(m * n);
  std::vector<Vector> theta{z.head(d)};
  for (Round t = 1; t <= bench.rounds; ++t) {
    Vector next = z - tau * K.transpose() * lambda;
    next.head(d) = bench.problem.regularizer->prox(Vector(next.head(d)), tau);
    lambda += sigma * K * (2 * next - z);
    Vector labels_dual = lambda.head(n);
    bench.problem.loss->prox_conjugate(labels_dual, bench.problem.y, sigma / static_cast<double>(n));
    lambda.head(n) = labels_dual;
    z = next;
    theta.push_back(z.head(d));
  }
  return theta;
}

/// The method as the paper writes it, on a topology without weights: an oracle for the fused loops of the product.
Task<> plain(Agent& me, const Problem& problem, const MethodInput& given, PrimalDualSteps steps) {
  const auto [sigma, tau] = steps;
  const double n = static_cast<double>(problem.samples), deg = static_cast<double>(me.degree());
  const Index first = given.feature_starts[me.id()], d_j = given.feature_starts[me.id() + 1] - first;
  const Matrix X = problem.X->dense().middleCols(first, d_j);
  Vector theta = Vector::Zero(d_j), theta_next = theta, sum = theta, average = theta;  // (d_j)
  Vector v = Vector::Zero(X.rows()), v_next = v, lambda = v, w = v, others = v;        // (n)
  me.report(0, theta, average);
  for (Round t = 1; t <= given.rounds; ++t) {
    theta_next = problem.regularizer->prox(theta - tau / n * X.transpose() * lambda, tau);  // (9)
    others = co_await me.neighbor_sum(lambda);
    v_next = v - tau / n * (deg * lambda - others);  // (10)
    w = 2 * v_next - v;
    others = co_await me.neighbor_sum(w);
    lambda += sigma / n * (X * (2 * theta_next - theta) + deg * w - others);       // (11), (13)
    if (me.id() == 0) problem.loss->prox_conjugate(lambda, problem.y, sigma / n);  // (12)
    theta = theta_next, v = v_next, sum += theta;
    average = sum / static_cast<double>(t);  // (14)
    me.report(t, theta, average);
  }
}

}  // namespace

TEST_CASE("the fused loops compute the paper's lines") {
  for (const auto& lines : {ring5, star5})
    for (const auto& loss : {make_loss(SquaredOptions{}), make_loss(HuberOptions{}), make_loss(LogisticOptions{})}) {
      const Bench bench{.agents = 5, .lines = lines, .problem = random_problem(11, 13, loss, 0.01, 0.02)};
      const MethodInput given = bench.assignment();
      const FdPrimalDual method({{.R = 1.5}}, given);
      const Result fast = simulate(bench, method);
      Simulation world(bench.network(), ComputeModel(std::vector<double>(5, 1e9)), {});
      History expected;
      world.record(expected);
      for (AgentId j = 0; j < 5; ++j) world.spawn(j, plain(world.agent(j), bench.problem, given, method.steps()));
      world.run();
      for (Round t = 0; t <= bench.rounds; ++t)
        for (const bool average : {false, true}) {
          CAPTURE(loss->kind(), t, average);
          // Sums of 11 to 24 numbers of size 1 in another order, 60 rounds of a map that does not expand.
          CHECK((fast.history.joined(t, average) - expected.joined(t, average)).norm() <= 1e-12);
        }
    }
}

TEST_CASE("the agents' messages compute the iteration on the whole saddle problem") {
  for (const auto& loss : {make_loss(SquaredOptions{}), make_loss(HuberOptions{.threshold = 0.5}),
                           make_loss(AbsoluteOptions{}), make_loss(LogisticOptions{})}) {
    const Bench bench{.agents = 5, .lines = ring5, .problem = random_problem(11, 13, loss, 0.01, 0.02)};
    const FdPrimalDual method({{.R = 1.5}}, bench.assignment());
    const Result result = simulate(bench, method);
    const auto expected = chambolle_pock(bench, method.steps().sigma, method.steps().tau);
    Vector sum = Vector::Zero(13);
    for (Round t = 1; t <= bench.rounds; ++t) {
      // Sums in another order: rounding of 1e-16 a step, which a convergent iteration does not amplify.
      CHECK((result.history.joined(t, false) - expected[static_cast<std::size_t>(t)]).norm() < 1e-12);
      sum += expected[static_cast<std::size_t>(t)];
      CHECK((result.history.joined(t, true) - sum / static_cast<double>(t)).norm() < 1e-12);
    }
  }
}

TEST_CASE("edge weights scale the differences over their edges") {
  Bench bench{.agents = 5, .lines = star5, .problem = random_problem(9, 10, make_loss(SquaredOptions{}), 0, 0)};
  for (std::size_t k = 0; k < bench.lines.size(); ++k) bench.lines[k].weight = 0.5 + static_cast<double>(k);
  const FdPrimalDual method({{.R = 1}}, bench.assignment());
  const Result result = simulate(bench, method);
  const auto expected = chambolle_pock(bench, method.steps().sigma, method.steps().tau);
  CHECK((result.history.joined(bench.rounds, false) - expected.back()).norm() < 1e-12);
  // A product with each neighbor's weight in both exchanges, on top of the count without weights.
  const Index n = 9;
  CHECK(result.ledger.agent(0).flops == bench.rounds * (n * (4 * 2 + 2 * 4 + 7) + 5 * 2 + 2 * 4 * n));
}

TEST_CASE("an edge scale is that weight on every edge, at n flops more") {
  const Bench plain{.agents = 5, .lines = star5, .problem = random_problem(9, 10, make_loss(SquaredOptions{}), 0, 0)};
  Bench weighted = plain;
  for (auto& line : weighted.lines) line.weight = 3;
  const FdPrimalDual scaled({{.R = 1, .edge_scale = 3}}, plain.assignment());
  const Result result = simulate(plain, scaled);
  const Result expected = simulate(weighted, FdPrimalDual({{.R = 1}}, weighted.assignment()));
  for (Round t = 0; t <= plain.rounds; ++t)
    CHECK((result.history.joined(t, true) - expected.history.joined(t, true)).norm() < 1e-12);
  const Index n = 9;
  CHECK(result.ledger.agent(0).flops == plain.rounds * (n * (4 * 2 + 2 * 4 + 7) + 5 * 2 + n));
}

TEST_CASE("agents' own weights that are all the same are the problem's regularizer") {
  const Bench shared{
      .agents = 5, .lines = ring5, .problem = random_problem(11, 13, make_loss(SquaredOptions{}), 0.01, 0.02)};
  Bench own = shared;
  own.problem.regularizer = make_regularizer(ElasticNetOptions{});
  const std::vector<double> a(5, 0.01), b(5, 0.02);
  const FdPrimalDual plain({{.R = 1.5}}, shared.assignment());
  const FdPrimalDual method({{.R = 1.5}, 0, a, b}, own.assignment());
  const Vector expected = simulate(shared, plain).history.joined(shared.rounds, true);
  const Result result = simulate(own, method);
  CHECK((result.history.joined(own.rounds, true) - expected).norm() == 0);

  std::vector<std::vector<Vector>> report;
  for (const auto& [agent, parts] : result.history.rounds.at(own.rounds)) report.push_back({parts.first, parts.second});
  // The same sum, the regularizer's terms added agent by agent.
  CHECK(method.evaluate(own.rounds, report, {}).objective == Approx(shared.problem.objective(expected)).epsilon(1e-14));
  CHECK(method.has_own_objective());
  CHECK_FALSE(plain.has_own_objective());
}

TEST_CASE("an agent's own weight acts only on its coefficients") {
  const Bench bench{.agents = 5, .lines = ring5, .problem = random_problem(11, 13, make_loss(SquaredOptions{}), 0, 0)};
  // A weight above |X'y|/n and what lambda can reach beyond keeps the third agent's coefficients, 6 to 8, at 0.
  const FdPrimalDual method({{.R = 1.5}, 0, {0, 0, 100, 0, 0}}, bench.assignment());
  const Vector theta = simulate(bench, method).history.joined(bench.rounds, false);
  CHECK((theta.array() == 0).cast<int>().sum() == 3);
  CHECK(theta.segment(6, 3).norm() == 0);
}

TEST_CASE("other latencies and other numbers of threads give bitwise the same iterates", "[threads]") {
  Bench bench{.agents = 5, .lines = ring5, .problem = random_problem(20, 12, make_loss(LogisticOptions{}), 0.01, 0)};
  const FdPrimalDual method({{.R = 1}}, bench.assignment());
  const Result plain = simulate(bench, method);
  Bench other = bench;
  other.latency_ms = 0.3;
  other.latency_step_ms = 1.7;
  const Result uneven = simulate(other, method);
  other.threads = 4;
  const Result threaded = simulate(other, method);
  CHECK(plain.ending.last_report != uneven.ending.last_report);
  CHECK(uneven.ending.last_report == threaded.ending.last_report);
  for (const bool average : {false, true})
    for (Round t = 0; t <= bench.rounds; ++t) {
      CHECK(plain.history.joined(t, average) == uneven.history.joined(t, average));
      CHECK(plain.history.joined(t, average) == threaded.history.joined(t, average));
    }
}

TEST_CASE("an iteration costs the flops, messages and bytes of the paper's count") {
  const Index n = 6, d = 13;
  const Bench bench{
      .agents = 5, .lines = star5, .problem = random_problem(n, d, make_loss(SquaredOptions{}), 0.1, 0), .rounds = 3};
  const Result result = simulate(bench, FdPrimalDual({{.R = 1}}, bench.assignment()));
  for (AgentId j = 0; j < 5; ++j) {
    const Index share = j < d % 5 ? d / 5 + 1 : d / 5, degree = j == 0 ? 4 : 1;
    CHECK(result.ledger.agent(j).flops == 3 * (n * (4 * share + 2 * degree + 7) + 5 * share));
  }
  CHECK(result.ledger.total().messages_sent == 3 * 4 * 4);       // 4 |E| a round
  CHECK(result.ledger.total().bytes_sent == 3 * 4 * 4 * n * 8);  // n scalars each
  CHECK(result.ledger.total().hops == 3 * 2);                    // two exchanges a round
}

TEST_CASE("a single agent runs by the same code, at the cost of the paper's single-agent count") {
  const Index n = 8, d = 5;
  const Bench bench{
      .agents = 1, .lines = {}, .problem = random_problem(n, d, make_loss(SquaredOptions{}), 0, 0.1), .rounds = 2};
  const FdPrimalDual method({{.R = 1}}, bench.assignment());
  const Result result = simulate(bench, method);
  CHECK(result.ledger.agent(0).flops == 2 * (n * (4 * d + 1) + 5 * d));
  CHECK(result.ledger.total().messages_sent == 0);
  CHECK(single_agent_iterations(2, bench.assignment()) == 2);
  CHECK((result.history.joined(2, false) - chambolle_pock(bench, method.steps().sigma, method.steps().tau).back())
            .norm() < 1e-13);
}

TEST_CASE("the first iterate is the start, since the dual starts at zero") {
  const Bench bench{
      .agents = 5, .lines = ring5, .problem = random_problem(7, 10, make_loss(SquaredOptions{}), 0, 0), .rounds = 1};
  const Result result = simulate(bench, FdPrimalDual({{.R = 1}}, bench.assignment()));
  CHECK(result.history.joined(1, false) == Vector::Zero(10));
}

TEST_CASE("the averaged iterate keeps the bound of Theorem 1 for every Lipschitz loss", "[slow]") {
  for (const auto& lines : {ring5, star5})
    for (const auto& loss :
         {make_loss(HuberOptions{.threshold = 0.7}), make_loss(AbsoluteOptions{}), make_loss(LogisticOptions{})}) {
      Bench bench{.agents = 5, .lines = lines, .problem = random_problem(40, 13, loss, 0.01, 0.01), .rounds = 2000};
      const Optimum optimum = solve_centrally(bench.problem);
      REQUIRE(optimum.certified());
      const MethodInput given = bench.assignment();
      const double R = optimum.theta.norm(), chi = given.central->data_norm();
      const double D = given.network.laplacian_max, delta = given.network.algebraic_connectivity;
      const Result result = simulate(bench, FdPrimalDual({{.R = R}}, given));
      const double A = std::sqrt(1 + 2 * chi * chi / (delta * delta));
      for (const Round t : {1, 10, 100, 1000, 2000}) {
        const double bound =
            2 * (chi + D) * R * loss->lipschitz().value() * A * std::sqrt(5.0 / 40.0) / static_cast<double>(t);  // (15)
        const double gap = bench.problem.objective(result.history.joined(t, true)) - optimum.value;
        CHECK(gap <= bound);
        CHECK(gap >= -1e-10 * optimum.value);  // the optimum's certified accuracy
      }
    }
}

TEST_CASE("the averaged iterate keeps the bound of Theorem 1 for least squares") {
  const Index n = 40;
  Bench bench{
      .agents = 5, .lines = star5, .problem = random_problem(n, 13, make_loss(SquaredOptions{}), 0, 0), .rounds = 3000};
  const Optimum optimum = solve_centrally(bench.problem);
  const MethodInput given = bench.assignment();
  const double R = optimum.theta.norm(), chi = given.central->data_norm(), rho = std::sqrt(2.0);
  const double D = given.network.laplacian_max, delta = given.network.algebraic_connectivity;
  const FdPrimalDual method({{.R = R}}, given);
  const Result result = simulate(bench, method);
  const double A = std::sqrt(1 + 2 * chi * chi / (delta * delta));
  const double c = (chi + D) * R * rho * A * std::sqrt(5.0 / static_cast<double>(n));
  const double first = 2 * 5 * static_cast<double>(n) * rho * rho / method.steps().sigma;  // (16) holds from here on
  int checked = 0;
  for (Round t = 1; t <= bench.rounds; ++t) {
    const double T = static_cast<double>(t);
    if (T < first) continue;
    ++checked;
    CHECK(bench.problem.objective(result.history.joined(t, true)) <=
          (1 + 2 * c / T) * (optimum.value + c / T));  // (16)
  }
  CHECK(checked > 100);
}

TEST_CASE("agents without features, zero and equal columns, and a single sample work") {
  Problem problem = random_problem(6, 3, make_loss(SquaredOptions{}), 0, 0);
  Matrix X = problem.X->dense();
  X.col(1).setZero();
  X.col(2) = X.col(0);
  problem.X = std::make_shared<const DataMatrix>(X);
  const Bench few{.agents = 5, .lines = ring5, .problem = problem, .rounds = 4000};
  const Result result = simulate(few, FdPrimalDual({{.R = 1}}, few.assignment()));
  const Vector theta = result.history.joined(few.rounds, true);
  CHECK(theta(1) == 0);  // its gradient is 0 in every step
  const double optimum = solve_centrally(problem).value;
  // The average of a bounded oscillation falls like 1/T; 4000 rounds leave well under a hundredth of the start.
  CHECK(problem.objective(theta) - optimum < 0.01 * (problem.objective(Vector::Zero(3)) - optimum));

  const Bench one{.agents = 5, .lines = star5, .problem = random_problem(1, 5, make_loss(SquaredOptions{}), 0, 0)};
  const FdPrimalDual method({{.R = 1}}, one.assignment());
  CHECK((simulate(one, method).history.joined(one.rounds, false) -
         chambolle_pock(one, method.steps().sigma, method.steps().tau).back())
            .norm() < 1e-12);
}

TEST_CASE("Theorem 1's steps are on the boundary of convergence, and larger ones are warned about") {
  const auto steps = theorem1_steps(100, 4, std::sqrt(2.0), 2, 10, 4, 4);
  // tau sigma ((chi + D)/n)^2 = 1 by construction.
  CHECK(steps.tau * steps.sigma * 14 * 14 / 1e4 == Approx(1).epsilon(1e-15));
  CHECK(steps.sigma == Approx(2 * 1000 * std::sqrt(2.0) / (14 * 2 * std::sqrt(1 + 2 * 100.0 / 16))).epsilon(1e-15));

  const Bench bench{.agents = 5, .lines = ring5, .problem = random_problem(6, 5, make_loss(SquaredOptions{}), 0, 0)};
  CHECK(FdPrimalDual({{.R = 1}}, bench.assignment()).warnings().empty());
  const auto warnings = FdPrimalDual({{.sigma = 100.0, .tau = 100.0}}, bench.assignment()).warnings();
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings[0].text, Catch::Contains("above 1: convergence is not guaranteed"));
}

TEST_CASE("options that fit no such problem are refused with their name") {
  const Bench bench{.agents = 5, .lines = ring5, .problem = random_problem(6, 5, make_loss(SquaredOptions{}), 0, 0)};
  CHECK_THROWS_WITH(FdPrimalDual({{.R = 1}, 5}, bench.assignment()), "label_agent: expected an agent below 5, found 5");

  const std::vector<double> four(4, 0.1), five(5, 0.1);
  CHECK_THROWS_WITH(FdPrimalDual({{.R = 1}, 0, five, four}, bench.assignment()),
                    "l2_weights: expected 5 numbers, one for each agent, found 4");
  CHECK_THROWS_WITH(FdPrimalDual({{}, 0, {}, five}, bench.assignment()),
                    "R: expected a bound on the norm of a minimizer, or sigma and tau, found none, and agents with "
                    "regularizers of their own");
  const Bench with_l2{.agents = 5, .lines = ring5, .problem = random_problem(6, 5, make_loss(SquaredOptions{}), 0, 1)};
  CHECK_THROWS_WITH(
      FdPrimalDual({{.R = 1}, 0, {}, five}, with_l2.assignment()),
      "l2_weights: expected an empty list, or a problem without a regularizer, found a problem that has one");

  // A weight above |X'y|/n keeps the minimizer at 0, where Theorem 1's sigma is infinite.
  Bench zero{.agents = 5, .lines = ring5, .problem = random_problem(6, 5, make_loss(SquaredOptions{}), 100, 0)};
  MethodInput given = zero.assignment();
  const Optimum optimum = solve_centrally(zero.problem);
  given.central = std::make_shared<const test::KnownReference>(given.central->data_norm(), optimum);
  CHECK_THROWS_WITH(
      FdPrimalDual({}, given),
      "R: expected R above 0, or sigma and tau: the steps of Theorem 1 are not finite, found a minimizer that is 0");

  given.problem.X = std::make_shared<const DataMatrix>(Matrix(Matrix::Zero(6, 5)));
  given.central = std::make_shared<const test::KnownReference>(0);
  CHECK_THROWS_WITH(FdPrimalDual({{.R = 1}}, given),
                    "chi: expected chi above 0, or sigma and tau, found data that are all 0");
}

}  // namespace lagnet::fd_primal_dual_test
