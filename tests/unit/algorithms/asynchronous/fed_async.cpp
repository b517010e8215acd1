#include "algorithms/asynchronous/fed_async.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/algorithms/asynchronous/answers_in_order.hpp"

namespace lagnet::fed_async_test {

using namespace lagnet::test;

namespace {

/// E steps of client k from w.
Vector trained(const Bench& bench, AgentId k, Vector w, const FedAsyncOptions& options) {
  const Vector start = w;
  for (Index j = 0; j < options.local_steps; ++j)
    w -= options.client_step * (gradient_of(bench, k, w) + options.proximal * (w - start)).eval();
  return w;
}

}  // namespace

TEST_CASE("fed_async with one client and mixing 1 is local training") {
  const Bench bench{.problem = random_problem(20, 4), .sizes = {20}, .rounds = 30};
  const FedAsyncOptions options{.local_steps = 3, .client_step = 0.2, .mixing = 1};
  const auto w = simulate(bench, options).w;
  Vector x = Vector::Zero(4);
  for (std::size_t t = 1; t <= 30; ++t) {
    x = trained(bench, 1, x, options);
    CHECK((w[t] - x).norm() <= rounding_of(3 * t));
  }
}

TEST_CASE("fed_async mixes answers in the order in which they come, stale ones with smaller weights") {
  const Bench bench = three_clients(random_problem(40, 4), 60);
  const auto order = answers_in_order(three_latencies, 60);
  for (const Discount kind : {Discount::constant, Discount::polynomial, Discount::hinge}) {
    FedAsyncOptions options{.local_steps = 2, .client_step = 0.1, .mixing = 0.5, .proximal = 0.3};
    options.staleness.kind = kind;
    if (kind == Discount::hinge) options.staleness.b = 1;
    const auto w = simulate(bench, options).w;
    std::vector<Vector> x{Vector::Zero(4)};
    for (const auto& [k, version] : order) {
      const auto v = static_cast<Round>(x.size()) - 1;
      const double alpha = 0.5 * options.staleness.of(v - version);
      const Vector& old = x[static_cast<std::size_t>(version)];
      x.push_back((1 - alpha) * x.back() + alpha * trained(bench, k, old, options));
      CHECK((w[x.size() - 1] - x.back()).norm() <= rounding_of(3 * x.size()));
    }
  }
}

TEST_CASE("the weights of stale answers are those of the paper, by default with its constants") {
  CHECK(DiscountOptions{}.of(1000) == 1);
  const DiscountOptions polynomial{.kind = Discount::polynomial};
  CHECK(polynomial.of(0) == 1);
  CHECK(polynomial.of(3) == Approx(0.5).epsilon(1e-15));
  CHECK(DiscountOptions{.kind = Discount::polynomial, .a = 2}.of(1) == Approx(0.25).epsilon(1e-15));
  CHECK(DiscountOptions{.kind = Discount::polynomial, .a = 0}.of(9) == 1);
  const DiscountOptions hinge{.kind = Discount::hinge};
  CHECK(hinge.of(4) == 1);
  CHECK(hinge.of(5) == Approx(1.0 / 11).epsilon(1e-15));
  CHECK(hinge.of(9) == Approx(1.0 / 51).epsilon(1e-15));
  CHECK(DiscountOptions{.kind = Discount::hinge, .a = 0.5, .b = 0}.of(2) == Approx(0.5).epsilon(1e-15));
}

TEST_CASE("weights that vanish leave fed_async's model where it is") {
  const Bench bench = three_clients(random_problem(40, 4), 20);
  FedAsyncOptions options{.client_step = 0.1, .mixing = 1};
  options.staleness = {.kind = Discount::polynomial, .a = 1e6};  // (tau + 1)^-a is 0 in doubles for tau > 0
  const auto w = simulate(bench, options).w;
  const auto order = answers_in_order(three_latencies, 20);
  for (std::size_t v = 0; v < 20; ++v)
    if (order[v].version < static_cast<Round>(v)) CHECK(w[v + 1] == w[v]);
}

}  // namespace lagnet::fed_async_test
