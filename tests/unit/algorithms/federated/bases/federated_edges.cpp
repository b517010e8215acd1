#include "algorithms/federated/c_fed_da.hpp"
#include "algorithms/federated/fast_fed_da.hpp"
#include "algorithms/federated/fed_avg.hpp"
#include "algorithms/federated/fed_dual_avg.hpp"
#include "algorithms/federated/fed_mid.hpp"
#include "algorithms/federated/mc_fed_da.hpp"
#include "algorithms/federated/scaffold.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

/// Edge cases of the federated composite methods, and invariants between them.
namespace lagnet::federated_edges_test {

using namespace lagnet::test;

namespace {

constexpr double mu = 0.2;

/// Every composite method, with steps that suit data of this size.
template <class Use>
void with_each(Use use) {
  use(FedMidOptions{{.local_steps = 2, .client_step = 0.1}});
  use(FedDualAvgOptions{{.local_steps = 2, .client_step = 0.1}});
  use(FastFedDaOptions{{.mu = mu, .gamma = 10}, /*local_steps=*/2});
  use(CFedDaOptions{{{.mu = mu, .gamma = 5}}, /*local_steps=*/2});
  use(McFedDaOptions{{{.mu = mu, .gamma = 5}},
                     {{.lambda = 0.2, .rounds = 3, .local_steps = 2}, {.lambda = 0.1, .rounds = 9}}});
}

}  // namespace

TEST_CASE("without a regularizer mirror descent and dual averaging are federated averaging, bit for bit") {
  for (const Index batch : {3, 100}) {
    Bench bench{.problem = lasso(40, 4, 0), .sizes = {5, 15, 20}, .rounds = 12};
    bench.model.participation = std::make_shared<const RandomSubset>(RandomSubset::of_size(1, 1));  // one of three
    bench.start = Vector::LinSpaced(4, -1, 1);
    const auto averaged = simulate(bench, FedAvgOptions{{.local_steps = 3, .batch = batch, .client_step = 0.1}}).w;
    for (const ServerProx form : {ServerProx::steps, ServerProx::single, ServerProx::none}) {
      const FedMidOptions mid{{.local_steps = 3, .batch = batch, .client_step = 0.1}, form};
      CHECK(simulate(bench, mid).w == averaged);
    }
    // It sums up z, not w: the same numbers, added up in the same order.
    const FedDualAvgOptions dual{{.local_steps = 3, .batch = batch, .client_step = 0.1}};
    CHECK(simulate(bench, dual).w == averaged);
    Bench alone = bench;
    alone.sizes = {40};
    const auto plain = simulate(alone, FedAvgOptions{{.local_steps = 3, .batch = batch, .client_step = 0.1}}).w;
    const auto controlled = simulate(alone, ScaffoldOptions{{.local_steps = 3, .batch = batch, .client_step = 0.1}}).w;
    // Of one client c and c_k are the same but for rounding.
    CHECK((plain.back() - controlled.back()).norm() <= 1e-14);
  }
}

TEST_CASE("a large weight makes every model exactly zero, matrices of either shape too") {
  for (const Problem& problem : {lasso(40, 6, 100), low_rank(40, 3, 2, 100), low_rank(40, 2, 3, 100)}) {
    const Bench bench{.problem = problem, .sizes = {5, 15, 20}, .rounds = 12};
    with_each([&](auto options) {
      if constexpr (requires { options.stages; })
        for (McFedDaStageOptions& stage : options.stages) stage.lambda = 100;
      CHECK(simulate(bench, options).w.back() == Vector::Zero(6));
    });
  }
}

TEST_CASE("one participant a round, minibatches larger than a client's samples, and stages of one round") {
  for (const Problem& problem : {lasso(40, 6, 0.1), low_rank(40, 3, 2, 0.1), low_rank(40, 2, 3, 0.1)}) {
    Bench bench{.problem = problem, .sizes = {2, 18, 20}, .rounds = 12};
    bench.model.participation = std::make_shared<const RandomSubset>(RandomSubset::of_size(1, 1));
    with_each([&](auto options) {
      const auto all = simulate(bench, options).w;
      CHECK(all.back().allFinite());
      options.batch = 20;
      CHECK(simulate(bench, options).w == all);
      options.batch = 2;
      CHECK(simulate(bench, options).w != all);
    });
  }
}

TEST_CASE("a start outside of the Euclidean ball is refused, one on its boundary is not") {
  Bench bench{.problem = lasso(40, 4, 0.05), .sizes = {40}, .rounds = 1};
  bench.start = Vector::Constant(4, 1);  // of norm 2
  with_each([&](auto options) {
    options.rho = 1.5;
    CHECK_THROWS_WITH(make_algorithm(options, bench.assignment()),
                      "rho: expected at least 2, the norm of the start, found 1.5");
    options.rho = 2;
    CHECK_NOTHROW(make_algorithm(options, bench.assignment()));
  });
}

// Of sqrt(3) = 1.7320508075688772, 1.73205080756 is 5.2e-12 too small, and 1.73205080755 1.1e-11.
TEST_CASE("a start is on the boundary of a ball whose radius is its norm to 12 digits") {
  Bench bench{.problem = lasso(40, 3, 0.05), .sizes = {40}, .rounds = 1};
  bench.start = Vector::Constant(3, 1);
  with_each([&](auto options) {
    options.rho = 1.73205080756;
    CHECK_NOTHROW(make_algorithm(options, bench.assignment()));
    options.rho = 1.73205080755;
    CHECK_THROWS_WITH(make_algorithm(options, bench.assignment()),
                      "rho: expected at least 1.73205080757, the norm of the start, found 1.73205080755");
  });
}

}  // namespace lagnet::federated_edges_test
