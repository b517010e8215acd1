#include "algorithms/federated/fast_fed_da.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::fast_fed_da_test {

using namespace lagnet::test;

namespace {

constexpr double mu = 0.2;

}  // namespace

TEST_CASE("the virtual average of one local step is the average over all rounds, the start left out", "[threads]") {
  Bench bench{.problem = lasso(40, 4, 0.2), .sizes = {5, 15, 20}, .rounds = 9};
  FastFedDaOptions options{{.mu = mu, .gamma = 5}};
  options.alpha = Alpha::polynomial;
  options.a = 2;
  options.output = FastOutput::virtual_average;
  const Result result = simulate(bench, options);
  for (std::size_t t = 1; t <= 9; ++t)
    CHECK((result.parts[t][2] - result.parts[t][1]).norm() < 1e-14);  // sums of nine vectors in another order
  bench.threads = 3;
  CHECK(simulate(bench, options).parts == result.parts);
}

}  // namespace lagnet::fast_fed_da_test
