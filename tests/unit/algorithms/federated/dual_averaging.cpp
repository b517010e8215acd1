#include "algorithms/federated/dual_averaging.hpp"
#include "algorithms/federated/c_fed_da.hpp"
#include "algorithms/federated/fast_fed_da.hpp"
#include "algorithms/federated/mc_fed_da.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::dual_averaging_test {

using namespace lagnet::test;

namespace {

constexpr double mu = 0.2;

}  // namespace

TEST_CASE("the sum of polynomial weights has its closed form, and no integer that overflows") {
  const AveragingWeights squares(Alpha::polynomial, 3.5), ones(Alpha::constant, {});
  double sum = 0;
  for (Round t = 0; t <= 200; ++t) {
    sum += (static_cast<double>(t) + 3.5) * (static_cast<double>(t) + 3.5);
    CHECK(squares.A(t) == Approx(sum).epsilon(1e-13));  // two hundred additions
    CHECK(ones.A(t) == static_cast<double>(t + 1));
  }
  CHECK(squares.A(Round{1} << 60) == Approx(std::pow(2.0, 180) / 3).epsilon(1e-12));  // t^3 / 3
}

TEST_CASE("two rounds of Fast-FedDA and C-FedDA are as by hand, with weights (t + 1)^2 and a start that is not 0") {
  // mu = 1, gamma = 2, w_0 = 1: gradients x - 2, thresholds A_t / (2 B_t), B_t = A_t / 2 + 2.
  Bench bench = one_sample(2);
  bench.start = scalar(1);
  FastFedDaOptions fast{{.mu = 1, .gamma = 2}};
  fast.alpha = Alpha::polynomial;
  fast.a = 1;
  CFedDaOptions constrained{{{.mu = 1, .gamma = 2}}};
  constrained.alpha = Alpha::polynomial;
  constrained.a = 1;
  // g = -1, s = 1: w_1 = (2 + 1 + 0.5 - 0.5) / 2.5 = 1.2. g = -1 - 4 * 0.8, s = 1 + 4.8: (2 + 4.2 + 2.9 - 2.5) / 4.5.
  for (const auto& w : {simulate(bench, fast).w, simulate(bench, constrained).w}) {
    CHECK(w[1][0] == Approx(1.2).epsilon(1e-15));
    CHECK(w[2][0] == Approx(6.6 / 4.5).epsilon(1e-15));
  }
  // With E = 2 local steps. Fast: the middle iterate is 1.2 again, the server's (2 + 4.2 + 2.9 - 2.5) / 4.5.
  fast.local_steps = constrained.local_steps = 2;
  CHECK(simulate(bench, fast).w[1][0] == Approx(6.6 / 4.5).epsilon(1e-15));
  // C: g = -1, middle (4 + 1 + 1 - 1) / 5 = 1, since E stands with gamma, mu, the threshold and s; then g = -2:
  // (4 + 2 + 1 - 1) / 5 = 1.2.
  CHECK(simulate(bench, constrained).w[1][0] == Approx(1.2).epsilon(1e-15));
}

TEST_CASE("lean messages give the iterates of the literal ones, up to rounding") {
  std::vector<Bench> all = benches(40);
  all.push_back({.problem = softmax_lasso(60, 4, 3, 0.02), .sizes = {10, 20, 30}, .rounds = 40});
  for (Bench& bench : all) {
    bench.model.participation = std::make_shared<const RandomSubset>(RandomSubset::of_size(1, 2));
    bench.start = Vector::LinSpaced(bench.problem.dim(), -1, 1);
    const auto same = [&](auto options) {
      const auto literal = simulate(bench, options).w;
      options.messages = Messages::lean;
      const auto lean = simulate(bench, options).w;
      for (std::size_t t = 0; t < literal.size(); ++t)
        CHECK((lean[t] - literal[t]).norm() < 1e-10);  // sums of squares of t + a up to 1e6, over like sums
      CHECK((literal.back() - literal.front()).norm() > 0.1);
    };
    FastFedDaOptions fast{{.batch = 4, .mu = mu, .gamma = 60}, /*local_steps=*/3};
    fast.alpha = Alpha::polynomial;
    fast.a = 3;
    same(fast);
    CFedDaOptions constrained{{{.batch = 4, .mu = mu, .gamma = 10}}, /*local_steps=*/3};
    constrained.epsilon = 2;
    same(constrained);
    McFedDaOptions stages{{{.mu = mu, .gamma = 10}},
                          {{.lambda = 0.4, .rounds = 10, .local_steps = 2, .epsilon = 3.0},
                           {.lambda = 0.3, .rounds = 1, .local_steps = 3},
                           {.lambda = 0.2, .rounds = 29, .local_steps = 4}}};
    same(stages);
  }
}

TEST_CASE("lean messages give the iterates of literal ones even after rounds without answers") {
  for (const Problem& problem : {lasso(40, 4, 0.2), low_rank(40, 2, 3, 0.2)}) {
    Bench bench = lost_rounds(problem, 24);
    bench.start = Vector::LinSpaced(problem.dim(), -1, 1);
    const auto same = [&](auto options) {
      const auto literal = simulate(bench, options).w;
      CHECK(literal[1] == literal[0]);
      CHECK(literal[3] == literal[2]);
      CHECK(literal[4] != literal[3]);
      options.messages = Messages::lean;
      const auto lean = simulate(bench, options).w;
      for (std::size_t t = 0; t < literal.size(); ++t)
        CHECK((lean[t] - literal[t]).norm() < 1e-11);  // sums of squares of t + a up to 1e4, over like sums
    };
    FastFedDaOptions fast{{.mu = mu, .gamma = 60}, /*local_steps=*/3};
    fast.alpha = Alpha::polynomial;
    fast.a = 3;
    same(fast);
    CFedDaOptions constrained{{{.mu = mu, .gamma = 30}}, /*local_steps=*/3};
    constrained.alpha = Alpha::polynomial;
    constrained.a = 2;
    same(constrained);
    // The second stage starts with a round without answers.
    same(McFedDaOptions{
        {{.mu = mu, .gamma = 10}},
        {{.lambda = 0.4, .rounds = 8, .local_steps = 2}, {.lambda = 0.2, .rounds = 16, .local_steps = 3}}});
  }
}

}  // namespace lagnet::dual_averaging_test
