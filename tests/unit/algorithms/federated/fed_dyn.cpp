#include "algorithms/federated/fed_dyn.hpp"

#include <catch2/catch.hpp>

#include "algorithms/objectives/losses/logistic.hpp"
#include "tests/support/decompositions.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"

namespace lagnet::fed_dyn_test {

using namespace lagnet::test;

namespace {

using Lists = RoundCounts::Lists;
using Rounds = std::vector<std::vector<AgentId>>;
constexpr double l2 = 0.1;

Bench three_clients(Round rounds) {
  return {.problem = random_problem(40, 4, 0, l2), .sizes = {5, 15, 20}, .rounds = rounds};
}

/// Least squares replaced by logistic regression.
Bench of_labels(Bench bench) {
  for (double& y : bench.problem.y) y = y > 0 ? 1 : -1;
  bench.problem.loss = make_loss(LogisticOptions{});
  return bench;
}

FedDynOptions dyn(double alpha, DynMinimizer minimizer = DynMinimizer::steps) {
  FedDynOptions options;
  options.alpha = alpha;
  options.local_minimizer = minimizer;
  if (minimizer == DynMinimizer::steps) options.local_steps = 5, options.client_step = 0.1;
  if (minimizer == DynMinimizer::gradient) options.accuracy = 1e-13;
  return options;
}

/// The method by plain loops: `asked(t)` answer, and those in `missed(t)` of them in vain. With steps if eta > 0.
struct PlainDyn {
  const Bench& bench;
  double alpha, eta;
  Index steps;
  std::vector<Vector> w{Vector::Zero(4)}, s = std::vector<Vector>(3, Vector::Zero(4));
  Vector h = Vector::Zero(4);

  Vector local(std::size_t k, const Vector& w_t, double alpha_k) const {
    Index first = 0;
    for (std::size_t i = 0; i < k; ++i) first += bench.sizes[i];
    const double n = static_cast<double>(bench.sizes[k]);
    const Matrix A = bench.problem.X->dense().middleRows(first, bench.sizes[k]);
    const Vector y = bench.problem.y.segment(first, bench.sizes[k]);
    if (eta == 0)
      return testing::solve(A.transpose() * A / n + (l2 + alpha_k) * Matrix::Identity(4, 4),
                            A.transpose() * y / n + s[k] + alpha_k * w_t);
    Vector x = w_t;
    for (Index j = 0; j < steps; ++j)
      x -= eta * (A.transpose() * (A * x - y) / n + l2 * x - s[k] + alpha_k * (x - w_t));
    return x;
  }
  void round(const std::vector<AgentId>& answered) {
    const Vector w_t = w.back();
    Vector sum = Vector::Zero(4);
    for (const AgentId k : answered) {
      const double pi = static_cast<double>(bench.sizes[k - 1]) / 40, alpha_k = alpha / (3 * pi);
      const Vector change = local(k - 1, w_t, alpha_k) - w_t;
      s[k - 1] -= alpha_k * change;
      sum += change;
    }
    if (answered.empty()) return w.push_back(w_t);
    h -= alpha / 3 * sum;
    w.push_back(w_t + sum / static_cast<double>(answered.size()) - h / alpha);
  }
};

}  // namespace

TEST_CASE("the first rounds are those of a plain loop, with exact minimizers and with steps, and h = sum_k pi_k s_k") {
  const Rounds asked{{1, 3}, {2}, {1, 2, 3}};
  for (const DynMinimizer how : {DynMinimizer::exact, DynMinimizer::steps, DynMinimizer::gradient}) {
    Bench bench = three_clients(9);
    bench.model.participation = std::make_shared<const ListedParticipation>(asked);
    const auto got = simulate(bench, dyn(0.4, how)).w;
    PlainDyn plain{bench, 0.4, how == DynMinimizer::steps ? 0.1 : 0, 5};
    for (std::size_t t = 1; t <= 9; ++t) {
      plain.round(asked[(t - 1) % 3]);
      // Systems with a condition below 100, and minimizers to 1e-13: h/alpha multiplies that by 2.5 in each round.
      CHECK((got[t] - plain.w[t]).norm() < 1e-11);
    }
    const Vector mean = (5 * plain.s[0] + 15 * plain.s[1] + 20 * plain.s[2]) / 40;
    CHECK((plain.h - mean).norm() < 1e-15);
  }
}

TEST_CASE("the limit is the minimizer, with cohorts, with steps by client, and with answers that are late") {
  for (const bool labels : {false, true})
    for (const DynMinimizer how : {DynMinimizer::steps, DynMinimizer::gradient}) {
      Bench bench = lost_rounds(random_problem(40, 4, 0, l2), 1200);
      if (labels) bench = of_labels(bench);
      FedDynOptions options = dyn(0.5, how);
      if (how == DynMinimizer::steps) options.local_steps = RoundCounts(Lists{{1, 4}, {3}, {2}});
      // Client 3 is late in its rounds; without it the others find their own minimizer, so it is asked in others, too.
      bench.latencies_ns = {1'000'000, 1'000'000, 1'000'000};
      bench.model.faults.push_back(
          std::make_shared<const Jitter>([](Draws draws) { return draws.bernoulli(0.2) ? 6.0 : 0.0; }));
      bench.model.participation =
          std::make_shared<const ListedParticipation>(Rounds{{1, 3}, {2}, {1, 2, 3}, {2, 3}, {1}});
      const Result result = simulate(bench, options);
      CHECK(result.ledger.total().late > 0);
      // Rates below 0.97 a round; then rounding.
      CHECK((result.w.back() - minimizer(bench.problem)).norm() < 1e-9);
    }
}

TEST_CASE("a client whose answer was late takes its step back, as if it had not been asked") {
  Bench bench = lost_rounds(random_problem(40, 4, 0, l2), 14);
  const Rounds asked{{3}, {1, 2}, {3}, {2}, {1, 2, 3}, {3, 1}, {1}, {1, 2}};
  bench.model.participation = std::make_shared<const ListedParticipation>(asked);
  const auto got = simulate(bench, dyn(0.4, DynMinimizer::exact)).w;
  PlainDyn plain{bench, 0.4, 0, 0};
  for (std::size_t t = 1; t <= 14; ++t) {
    std::vector<AgentId> answered = asked[(t - 1) % 8];
    std::erase(answered, 3);  // always late
    plain.round(answered);
    CHECK((got[t] - plain.w[t]).norm() < 1e-11);
  }
  bench.latencies_ns.clear();
  const auto in_time = simulate(bench, dyn(0.4, DynMinimizer::exact)).w;
  CHECK((in_time.back() - got.back()).norm() > 1e-3);
}

TEST_CASE("a round costs the flops and bytes of the sheet, and steps cost their batches") {
  const Index d = 4, rounds = 3;
  const Bench bench = three_clients(rounds);
  FedDynOptions options = dyn(0.4);
  options.batch = 8;
  const Result steps = simulate(bench, options), exact = simulate(bench, dyn(0.4, DynMinimizer::exact));
  for (AgentId k = 1; k <= 3; ++k) {
    const Index n = bench.sizes[k - 1], b = std::min<Index>(8, n);
    CHECK(steps.ledger.agent(k).flops == rounds * (5 * (4 * b * d + b + d + 2 * d + 2 * d + 4 * d) + 3 * d));
    CHECK(steps.ledger.agent(k).bytes_sent == rounds * d * 8);
    const DataMatrix A = bench.problem.X->row_range(0, n);
    CHECK(exact.ledger.agent(k).flops ==
          RidgeSystem::factor_work(A).flops + 2 * n * d + rounds * (8 * d + RidgeSystem::solve_work(A).flops));
  }
  for (const Result* one : {&steps, &exact}) {
    CHECK(one->ledger.agent(0).flops == rounds * (3 + 6) * d);
    CHECK(one->ledger.agent(0).bytes_sent == rounds * 3 * d * 8);
  }
}

TEST_CASE("options that fed_dyn cannot use are refused") {
  const Bench bench = three_clients(1);
  const auto mistake = [&](const FedDynOptions& options, const Bench& world) -> std::string {
    try {
      make_algorithm(options, world.assignment());
    } catch (const Diagnosed& error) {
      return error.what();
    }
    return "";
  };
  FedDynOptions weightless = dyn(0.1);
  weightless.weights = {0.5, 0.5, 0};
  CHECK(mistake(weightless, bench) == "weights: expected above 0 for fed_dyn, found 0");
  CHECK(mistake(dyn(0.1, DynMinimizer::exact), of_labels(bench)) ==
        "local_minimizer: expected gradient, since only least squares have exact minimizers, found exact");
  FedDynOptions wide = dyn(0.1);
  wide.client_step = 2;
  CHECK(mistake(wide, bench).starts_with("client_step: expected below 2 / (L_k + alpha_k) = "));
  Bench kinked = bench;
  kinked.problem.loss = make_loss(HingeOptions{});
  for (double& y : kinked.problem.y) y = y > 0 ? 1 : -1;
  CHECK(mistake(dyn(0.1), kinked).starts_with("kind: expected"));
}

}  // namespace lagnet::fed_dyn_test
