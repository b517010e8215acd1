#include "algorithms/federated/prox_skip.hpp"

#include <cmath>
#include <memory>

#include "algorithms/federated/distributed_proximal_gradient.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/sets/sets.hpp"
#include "tests/unit/algorithms/asynchronous/answers_in_order.hpp"

namespace lagnet::prox_skip_test {

using namespace lagnet::test;

namespace {

/// Two clients with one feature: gradients w - 2 and 2.5 w - 4, with weights 1/3 and 2/3 together 2 w - 10/3.
Bench two_clients(Round rounds, double l1 = 0, double l2 = 0) {
  return {.problem = problem_of(Matrix{{1}, {1}, {2}}, Vector{{2, 4, 2}}, make_loss(SquaredOptions{}), l1, l2),
          .sizes = {1, 2},
          .rounds = rounds};
}

/// Rounds with so many local steps, one after the other and from the start again, and a server that writes down what
/// clients send.
class Watched final : public ProxSkip {
 public:
  Watched(const ProxSkipOptions& options, MethodInput given, std::vector<Index> steps)
      : ProxSkip(options, std::move(given)), steps_(std::move(steps)) {}
  mutable std::vector<std::vector<Vector>> sent;  // z_k by round, from 0, and client  (d)

 protected:
  Index local_steps(const Agent& me, Round round) const override {
    return steps_.empty() ? ProxSkip::local_steps(me, round)
                          : steps_[static_cast<std::size_t>(round - 1) % steps_.size()];
  }

 private:
  Task<> serve(Agent& me) const override {
    StateVector w = me.vector(d());
    std::vector<Message> ends;
    me.report(0, w);
    for (Round t = 1; t <= rounds(); ++t) {
      ends = co_await ask(me, t, w);
      sent.emplace_back();
      w.setZero();
      for (const Message& z : ends) {
        sent.back().emplace_back(z.body.view());
        w += clients().pi(z.from) * z.body.view();
      }
      me.report(t, w);
    }
  }
  std::vector<Index> steps_;
};

/// What local_steps() gives under a seed.
std::vector<Index> steps_under(double p, Round rounds) {
  struct Counting final : ProxSkip {
    using ProxSkip::ProxSkip;
    mutable std::vector<Index> steps;

   protected:
    Index local_steps(const Agent& me, Round round) const override {
      const Index T = ProxSkip::local_steps(me, round);
      if (me.id() == 1) steps.push_back(T);
      return T;
    }
  };
  const Bench bench = two_clients(rounds);
  const Counting method({.step = 0.1, .p = p}, bench.assignment());
  simulate(bench, method);
  return method.steps;
}

Vector threshold(const Vector& v, double by) {
  return v.unaryExpr([by](double x) { return x > by ? x - by : x < -by ? x + by : 0.0; });
}

}  // namespace

TEST_CASE("two rounds of ProxSkip are as by hand, with two local steps and with one") {
  // Round 1: 0, 0.2, 0.38 and 0, 0.4, 0.7. Round 2: shifts 5 (w - 0.38) and 5 (w - 0.7), a step, and 0.2 of the shift.
  const Bench bench = two_clients(2);
  const Watched watched({.step = 0.1, .p = 0.5}, bench.assignment(), {2, 1});
  const auto w = simulate(bench, watched).w;
  REQUIRE(watched.sent.size() == 2);
  CHECK(watched.sent[0][0][0] == Approx(0.38).epsilon(1e-14));
  CHECK(watched.sent[0][1][0] == Approx(0.7).epsilon(1e-14));
  const double first = 1.78 / 3, h_1 = 5 * (first - 0.38), h_2 = 5 * (first - 0.7);
  CHECK(w[1][0] == Approx(first).epsilon(1e-14));
  CHECK(watched.sent[1][0][0] == Approx(first - 0.1 * (first - 2 - h_1) - 0.2 * h_1).epsilon(1e-14));
  CHECK(watched.sent[1][1][0] == Approx(first - 0.1 * (2.5 * first - 4 - h_2) - 0.2 * h_2).epsilon(1e-14));
  CHECK(w[2][0] == Approx(0.808).epsilon(1e-14));
}

TEST_CASE("with p = 1 ProxSkip is distributed proximal gradient descent") {
  for (const double l1 : {0.0, 0.1})
    for (const bool logistic : {false, true}) {
      Bench bench{.problem = random_problem(40, 4, l1), .sizes = {5, 15, 20}, .rounds = 60};
      if (logistic) {
        bench.problem.loss = make_loss(LogisticOptions{});
        bench.problem.y = bench.problem.y.unaryExpr([](double v) { return v > 0 ? 1.0 : -1.0; });
      }
      const auto skipping = simulate(bench, ProxSkipOptions{.step = 0.2, .p = 1}).w;
      const auto plain = simulate(bench, DistributedProximalGradientOptions{{.step = 0.2}}).w;
      for (std::size_t t = 0; t <= 60; ++t) CHECK((skipping[t] - plain[t]).norm() < rounding_of(t));
    }
}

TEST_CASE("a square of the regularizer is a part of every client's loss, and the l1 norm the server's") {
  Bench bench = three_clients(random_problem(40, 4, 0.1, 0.3), 40);
  const auto w = simulate(bench, ProxSkipOptions{.step = 0.2, .p = 1}).w;
  Vector expected = Vector::Zero(4);
  for (std::size_t t = 1; t <= 40; ++t) {
    Vector g = 0.3 * expected;
    for (AgentId k = 1; k <= 3; ++k) g += share_of(bench, k) * gradient_of(bench, k, expected);
    expected = threshold(expected - 0.2 * g, 0.2 * 0.1);
    CHECK((w[t] - expected).norm() < rounding_of(t));
  }
}

TEST_CASE("ProxSkip's clients take the steps of a plain loop, and without a prox their shifts add up to nothing") {
  const double s = 0.1, p = 0.3;
  const Bench bench = three_clients(random_problem(40, 4), 30);
  Bench lossy = bench;
  lossy.model.faults = {std::make_shared<const Jitter>([](Draws draws) { return draws.uniform(0, 9); }),
                        std::make_shared<const IndependentLoss>(0.3), std::make_shared<const Duplication>(0.3)};
  lossy.model.repair.timeout = Duration::milliseconds(12);
  const std::vector<Index> steps{3, 1, 4, 1, 5, 2};
  const Watched watched({.step = s, .p = p}, bench.assignment(), steps);
  const Watched in_losses({.step = s, .p = p}, lossy.assignment(), steps);
  simulate(bench, watched);
  const Result lost = simulate(lossy, in_losses);
  CHECK(lost.ledger.total().messages_lost > 0);
  CHECK(watched.sent == in_losses.sent);  // bit for bit

  std::vector<Vector> x(3, Vector::Zero(4)), h = x;
  Vector w = Vector::Zero(4);
  for (std::size_t t = 0; t < 30; ++t) {
    Vector sum = Vector::Zero(4), all_h = sum;
    for (AgentId k = 1; k <= 3; ++k) {
      Vector &x_k = x[k - 1], &h_k = h[k - 1];
      if (t > 0) h_k += p / s * (w - x_k);
      x_k = w;
      for (Index j = 0; j < steps[t % 6]; ++j) x_k -= s * (gradient_of(bench, k, x_k) - h_k);
      const Vector z = x_k - s / p * h_k;
      CHECK((watched.sent[t][k - 1] - z).norm() < 10 * rounding_of(t));
      sum += share_of(bench, k) * z;
      all_h += share_of(bench, k) * (x_k - watched.sent[t][k - 1]) * p / s;  // its own shift, by what it sent
    }
    w = sum;
    CHECK(all_h.norm() < 10 * rounding_of(t));
    if (t > 0) CHECK(h[0].norm() > 0.01);
  }
}

TEST_CASE("the local steps of a round are as many as throws until a coin shows heads") {
  const auto steps = steps_under(0.25, 4000);
  double sum = 0, ones = 0;
  for (const Index T : steps) {
    CHECK(T >= 1);
    sum += static_cast<double>(T);
    if (T == 1) ++ones;
  }
  // Means of 4 and 0.25, whose standard deviations over 4000 rounds are sqrt(12/4000) = 0.055 and 0.0068.
  CHECK(sum / 4000 == Approx(4).margin(0.28));
  CHECK(ones / 4000 == Approx(0.25).margin(0.035));
  for (const Index T : steps_under(1, 20)) CHECK(T == 1);
}

TEST_CASE("ProxSkip reaches the certified optimum, also with an l1 norm and with a square") {
  for (const double l1 : {0.0, 0.2})
    for (const double l2 : {0.0, 0.1}) {
      Bench bench = three_clients(random_problem(40, 4, l1, l2), 600);
      bench.sizes = {10, 12, 18};
      const auto w = simulate(bench, ProxSkipOptions{}).w;
      // Of 600 rounds each takes a factor of 1 - p^2 in 1/p steps, where kappa = 1/p^2 is below 30.
      CHECK((w.back() - minimizer(bench.problem)).norm() < 1e-6);  // a gap of 1e-10 bounds the distance by its root
    }
}

TEST_CASE("steps and probability follow from the curvature of every part") {
  const auto constant = [](const Algorithm& method, std::string_view name) {
    for (const Constant& one : method.constants())
      if (one.first == name) return one.second;
    return -1.0;
  };
  // Curvatures 1 and 2.5, and 0.5 of the square.
  const auto given = two_clients(1, 0.1, 0.5).assignment();
  const ProxSkip by_data({}, given);
  CHECK(constant(by_data, "L") == Approx(3));
  CHECK(constant(by_data, "mu") == Approx(1.5));
  CHECK(constant(by_data, "step") == Approx(1.0 / 3));
  CHECK(constant(by_data, "p") == Approx(std::sqrt(0.5)));
  const ProxSkip by_options({.mu = 0.25, .L = 4}, given);
  CHECK(constant(by_options, "step") == 0.25);
  CHECK(constant(by_options, "p") == 0.25);
  const ProxSkip by_hand({.step = 0.3, .p = 0.2}, given);
  CHECK(constant(by_hand, "step") == 0.3);
  CHECK(constant(by_hand, "p") == 0.2);
}

TEST_CASE("a round of ProxSkip costs its local steps, the same of all clients, and two vectors each way") {
  const Index d = 4, rounds = 12;
  const double p = 0.3;
  const auto steps = steps_under(p, rounds);
  Index all_steps = 0;
  for (const Index T : steps) all_steps += T;
  CHECK(all_steps > rounds);
  for (const double l2 : {0.0, 0.1})
    for (const double l1 : {0.0, 0.1}) {
      const Bench bench{.problem = random_problem(40, d, l1, l2), .sizes = {5, 15, 20}, .rounds = rounds};
      const Result result = simulate(bench, ProxSkipOptions{.step = 0.1, .p = p});
      for (AgentId k = 1; k <= 3; ++k) {
        const Index n_k = bench.sizes[k - 1], gradient = 4 * n_k * d + n_k + d + (l2 > 0 ? 2 * d : 0);
        CHECK(result.ledger.agent(k).flops == all_steps * (gradient + 3 * d) + rounds * 2 * d + (rounds - 1) * 3 * d);
        CHECK(result.ledger.agent(k).bytes_sent == rounds * d * 8);
      }
      CHECK(result.ledger.agent(0).flops == rounds * (2 * 3 * d + (l1 > 0 ? 3 * d : 0)));
      CHECK(result.ledger.agent(0).bytes_sent == rounds * 3 * d * 8);
    }
}

TEST_CASE("ProxSkip refuses unsupported scenarios and names the remedy") {
  const auto construct = [](const ProxSkipOptions& options, const Bench& bench, bool timing_only = false) {
    MethodInput given = bench.assignment();
    given.timing_only = timing_only;
    const ProxSkip method(options, given);
  };
  Bench bench = two_clients(1);
  CHECK_NOTHROW(construct({}, bench));
  CHECK_THROWS_WITH(construct({.mu = 3}, bench), "L: expected at least mu, which is 3, found 2.5");
  CHECK_THROWS_WITH(construct({.L = 0.5}, bench), "L: expected at least mu, which is 1, found 0.5");
  bench.problem.loss = make_loss(LogisticOptions{});
  CHECK_THROWS_WITH(construct({}, bench),
                    "mu: expected above 0; agent 1's part has least curvature 0: give mu, or an l2 regularizer, found "
                    "null");
  CHECK_NOTHROW(construct({.p = 0.5}, bench));
  CHECK_NOTHROW(construct({.mu = 0.1}, bench));
  CHECK_THROWS_WITH(construct({}, bench, true),
                    "p: expected a number above 0 and at most 1, or mu and L, since a run without numbers finds "
                    "neither, found null");
  CHECK_NOTHROW(construct({.p = 0.5}, bench, true));
  CHECK_NOTHROW(construct({.mu = 0.1, .L = 1}, bench, true));
  bench.problem.loss = make_loss(HingeOptions{});
  CHECK_THROWS_WITH(construct({.step = 0.1, .p = 0.5}, bench), Catch::Contains("needs no gradient"));
  bench = two_clients(1);
  bench.problem.constraint = make_constraint(L1BallOptions{.radius = 1}, IterateShape::vector(1));
  CHECK_THROWS_WITH(construct({}, bench), Catch::Contains("keeps to the problem's constraint"));
  bench = two_clients(1);
  bench.problem.X = std::make_shared<const DataMatrix>(Matrix(Matrix::Zero(3, 1)));
  CHECK_THROWS_WITH(construct({}, bench), Catch::Contains("data that are all 0"));
}

}  // namespace lagnet::prox_skip_test
