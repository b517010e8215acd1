#include "algorithms/federated/compressed/tamuna.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithms/federated/prox_skip.hpp"
#include "tests/unit/algorithms/federated/compressed/compressed_bench.hpp"

namespace lagnet::tamuna_test {

using namespace lagnet::test;

namespace {

Index steps_of(std::size_t t, double p) {
  Draws coin(1, Purpose{"proxskip"}, 0, static_cast<Round>(t));
  Index T = 1;
  while (coin.uniform() >= p) ++T;
  return T;
}

/// Who sends which of d entries in round t, by client of the cohort: places by a Fisher-Yates shuffle from the back.
std::vector<std::vector<Index>> masks_of(std::size_t t, Index c, Index s, Index d) {
  std::vector<std::size_t> order(static_cast<std::size_t>(c));
  std::iota(order.begin(), order.end(), 0u);
  Draws draws(1, Purpose{"tamuna"}, 0, static_cast<Round>(t));
  for (std::size_t left = order.size(); left >= 2 && s < c; --left)
    std::swap(order[left - 1], order[static_cast<std::size_t>(draws.uniform() * static_cast<double>(left))]);
  std::vector<std::vector<Index>> masks(order.size());
  for (Index j = 0; j < d; ++j)
    for (Index e = 0; e < s; ++e) masks[order[static_cast<std::size_t>((s * j + e) % c)]].push_back(j);
  return masks;
}

double chi_of(double m, double s) { return m * (s - 1) / (s * (m - 1)); }

}  // namespace

TEST_CASE("with all clients, whole vectors and chi = 1 TAMUNA is ProxSkip") {
  const Bench bench = five_clients(60);
  const Result tamuna = simulate(bench, TamunaOptions{.step = 0.2, .p = 0.3});
  const Result skipping = simulate(bench, ProxSkipOptions{.step = 0.2, .p = 0.3});
  for (std::size_t t = 0; t <= 60; ++t) CHECK((tamuna.w[t] - skipping.w[t]).norm() < 20 * rounding_of(t));
  CHECK(tamuna.ledger.agent(1).bytes_sent == skipping.ledger.agent(1).bytes_sent);
}

TEST_CASE("TAMUNA is a plain loop with masks and cohorts, and its shifts add up to nothing") {
  const double step = 0.1, p = 0.4;
  const Index d = 4;
  for (const auto& [asked, s] : std::vector<std::pair<Index, Index>>{{5, 5}, {5, 2}, {5, 4}, {3, 3}, {3, 2}, {2, 2}}) {
    CAPTURE(asked, s);
    const Bench bench = five_clients(30, static_cast<std::size_t>(asked));
    const TamunaOptions options{.step = step, .p = p, .s = s};
    const Result result = simulate(bench, options);
    CHECK(result.w == simulate(with_repaired_losses(bench), options).w);  // bit for bit
    const double chi = chi_of(5, static_cast<double>(s));
    std::vector<Vector> h(5, Vector::Zero(d));
    std::vector<Flops> flops(5, 0);
    Bytes up = 0;
    Vector w = Vector::Zero(d);
    for (std::size_t t = 1; t <= 30; ++t) {
      const std::vector<AgentId> cohort = asked_in(bench, t);
      const auto masks = masks_of(t, asked, s, d);
      std::vector<Vector> x;
      Vector sum = Vector::Zero(d);
      for (std::size_t k = 0; k < cohort.size(); ++k) {
        x.push_back(w);
        const Index T = steps_of(t, p);
        for (Index j = 0; j < T; ++j) x[k] -= step * (gradient_with_square(bench, cohort[k], x[k]) - h[cohort[k] - 1]);
        for (const Index j : masks[k]) sum[j] += x[k][j];
        flops[cohort[k] - 1] += T * (gradient_flops(bench, cohort[k]) + 3 * d);
        // The last shifts are learnt after the run where all clients are asked.
        if (asked < 5 || t < 30) flops[cohort[k] - 1] += 3 * std::ssize(masks[k]);
        up += 8 * std::ssize(masks[k]);
      }
      w = sum / static_cast<double>(s);
      Vector all = Vector::Zero(d);
      for (std::size_t k = 0; k < cohort.size(); ++k)
        for (const Index j : masks[k]) h[cohort[k] - 1][j] += p * chi / step * (w[j] - x[k][j]);
      for (const Vector& one : h) all += one;
      CHECK(all.norm() < 100 * rounding_of(t));
      CHECK((result.w[t] - w).norm() < 50 * rounding_of(t));
    }
    CHECK(up == 30 * s * d * 8);
    Bytes sent = 0;
    for (AgentId k = 1; k <= 5; ++k) sent += result.ledger.agent(k).bytes_sent;
    CHECK(sent == up);
    CHECK(result.ledger.agent(0).bytes_sent == 30 * (asked * d * 8 + (asked < 5 ? s * d * 8 : 0)));
    CHECK(result.ledger.agent(0).flops == 30 * (s * d + d));
    // The run ends with the server's last report, and those asked last may not have begun to learn.
    if (asked == 5)
      for (AgentId k = 1; k <= 5; ++k) CHECK(result.ledger.agent(k).flops == flops[k - 1]);
  }
}

TEST_CASE("TAMUNA reaches the optimum with masks, cohorts and both, of the mean of unequal clients, too") {
  for (const auto& [asked, s] : std::vector<std::pair<Index, Index>>{{5, 5}, {5, 2}, {3, 3}, {3, 2}}) {
    const Bench bench = five_clients(1500, static_cast<std::size_t>(asked));
    const Tamuna method({.s = s}, with_norm(bench));
    CHECK(distance(simulate(bench, method).w.back(), bench) < 1e-6);
  }
  Bench unequal = five_clients(1500);
  unequal.sizes = {5, 6, 8, 9, 12};
  unequal.agent_weights = AgentWeights::even;
  const Vector w = simulate(unequal, TamunaOptions{.s = 3}).w.back();
  Vector mean = Vector::Zero(4);
  for (AgentId k = 1; k <= 5; ++k) mean += gradient_with_square(unequal, k, w) / 5;
  CHECK(mean.norm() < 1e-6);
}

TEST_CASE("TAMUNA sends nothing but a header where there are fewer copies of entries than clients") {
  Bench bench = five_clients(400);
  bench.problem = random_problem(40, 1, 0, 0.1);
  const Result result = simulate(bench, TamunaOptions{.s = 2});
  CHECK(distance(result.w.back(), bench) < 1e-6);
  Bytes sent = 0;
  for (AgentId k = 1; k <= 5; ++k) sent += result.ledger.agent(k).bytes_sent;
  CHECK(sent == 400 * 2 * 8);
}

TEST_CASE("TAMUNA's constants follow from the clients that a round asks") {
  Bench bench = five_clients(1, 4);
  const Tamuna method({.s = 2, .mu = 0.1, .L = 2}, bench.assignment());
  CHECK(constant_of(method, "step") == 0.5);
  CHECK(constant_of(method, "p") == Approx(std::sqrt(4 / (2 * 20.0))));
  CHECK(constant_of(method, "chi") == Approx(0.625));
  CHECK(constant_of(Tamuna({.mu = 0.1, .L = 2}, bench.assignment()), "s") == 4);
  CHECK(constant_of(Tamuna({.s = 2, .mu = 1, .L = 1.5}, bench.assignment()), "p") == 1);
}

TEST_CASE("TAMUNA refuses what its shifts cannot add up with") {
  const auto refused = [](const Bench& bench, const TamunaOptions& options) {
    try {
      const Tamuna method(options, bench.assignment());
    } catch (const Diagnosed& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refused(five_clients(1), {.step = 0.1, .p = 0.5, .s = 6}).find("s: expected at most 5") == 0);
  CHECK(refused(five_clients(1), {.step = 0.1, .p = 0.5, .s = 2, .chi = 0.7}).find("chi: expected at most m") == 0);
  CHECK(refused(five_clients(1, 1), {.step = 0.1, .p = 0.5}).find("/participation/clients: expected 2 clients") == 0);
  Bench unequal = five_clients(1);
  unequal.sizes = {4, 6, 8, 10, 12};
  CHECK(refused(unequal, {.step = 0.1, .p = 0.5}).find("/problem/agent_weights: expected even") == 0);
}

}  // namespace lagnet::tamuna_test
