#pragma once

#include <memory>
#include <vector>

#include "algorithms/objectives/losses/logistic.hpp"
#include "tests/unit/algorithms/federated/compressed/compressed_bench.hpp"

/// Worlds for methods with second derivatives, and the clients' functions written down.
namespace lagnet::test {

/// Three unequal clients, of least squares or of two classes.
inline Bench newton_bench(Round rounds, bool logistic = false, double l2 = 0.1) {
  Bench bench = unequal_clients(rounds, 0, l2);
  if (!logistic) return bench;
  bench.problem.loss = make_loss(LogisticOptions{});
  bench.problem.y = bench.problem.y.unaryExpr([](double y) { return y > 0 ? 1.0 : -1.0; });
  return bench;
}

/// f_k, its gradient and Hessian.
struct WrittenDown {
  const Bench& bench;

  Index first(AgentId k) const {
    Index sum = 0;
    for (AgentId j = 1; j < k; ++j) sum += bench.sizes[j - 1];
    return sum;
  }
  double b() const { return bench.problem.regularizer->l2_weight().value(); }
  bool is_squared() const { return bench.problem.loss->is_squared(); }
  Index n(AgentId k) const { return bench.sizes[k - 1]; }
  Matrix A(AgentId k) const { return bench.problem.X->dense().middleRows(first(k), n(k)); }
  Vector y(AgentId k) const { return bench.problem.y.segment(first(k), n(k)); }
  double value(AgentId k, const Vector& x) const {
    const Vector a = A(k) * x, labels = y(k);
    double sum = 0;
    for (Index i = 0; i < n(k); ++i)
      sum += is_squared() ? (a[i] - labels[i]) * (a[i] - labels[i]) / 2 : std::log1p(std::exp(-labels[i] * a[i]));
    return sum / static_cast<double>(n(k)) + b() / 2 * x.squaredNorm();
  }
  Vector gradient(AgentId k, const Vector& x) const {
    Vector a = A(k) * x;
    const Vector labels = y(k);
    for (Index i = 0; i < n(k); ++i)
      a[i] = is_squared() ? a[i] - labels[i] : -labels[i] / (1 + std::exp(labels[i] * a[i]));
    return A(k).transpose() * a / static_cast<double>(n(k)) + b() * x;
  }
  Matrix hessian(AgentId k, const Vector& x) const {
    Vector a = A(k) * x;
    for (Index i = 0; i < n(k); ++i) a[i] = is_squared() ? 1 : 1 / (2 + std::exp(a[i]) + std::exp(-a[i]));
    return A(k).transpose() * a.asDiagonal() * A(k) / static_cast<double>(n(k)) +
           b() * Matrix::Identity(x.size(), x.size());
  }
  /// sum_k pi_k of what it gives for client k.
  template <class Of>
  auto mean(const Of& of) const {
    auto sum = of(AgentId{1});
    sum *= share_of(bench, 1);
    for (AgentId k = 2; k <= bench.sizes.size(); ++k) sum += share_of(bench, k) * of(k);
    return sum;
  }
  Vector mean_gradient(const Vector& x) const {
    return mean([&](AgentId k) -> Vector { return gradient(k, x); });
  }
  double F(const Vector& x) const {
    return mean([&](AgentId k) { return value(k, x); });
  }
  /// The first share with which F falls by this part of share g'p, else the last.
  double searched(const Vector& x, const Vector& p, double factor, Index count, double part) const {
    double a = 1;
    for (Index j = 0; j < count; ++j, a *= factor)
      if (F(x - a * p) <= F(x) - part * a * mean_gradient(x).dot(p) + 2e-15 * F(x)) return a;
    return a / factor;
  }
};

/// The same flops, messages and bytes without numbers.
inline void check_timing(const Bench& bench, const Algorithm& method, const Result& result) {
  const std::vector<double> speeds(bench.sizes.size() + 1, 1e9);
  Simulation world(
      Network(static_cast<AgentId>(speeds.size()), star(std::vector<std::int64_t>(bench.sizes.size(), 1'000'000))),
      ComputeModel(speeds), {.timing_only = true});
  Ledger ledger(static_cast<AgentId>(speeds.size()), world.network().links());
  world.listen(ledger);
  method.spawn(world);
  world.run();
  for (AgentId k = 0; k < speeds.size(); ++k) {
    CHECK(ledger.agent(k).flops == result.ledger.agent(k).flops);
    CHECK(ledger.agent(k).bytes_sent == result.ledger.agent(k).bytes_sent);
    CHECK(ledger.agent(k).messages_sent == result.ledger.agent(k).messages_sent);
  }
}

/// A softmax problem on the bench's samples.
inline Bench with_three_classes(Bench bench) {
  bench.problem = softmax_lasso(40, 4, 3, 0.1);
  bench.problem.regularizer = make_regularizer(L2Options{.weight = 0.1});
  return bench;
}

}  // namespace lagnet::test
