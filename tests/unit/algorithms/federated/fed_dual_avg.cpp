#include "algorithms/federated/fed_dual_avg.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::fed_dual_avg_test {

using namespace lagnet::test;

TEST_CASE("two rounds of FedDA are as by hand, the first local step of all without a threshold") {
  // Thresholds are eta / 2. Round 0: x = 0, z = 0.2; x = 0.15, z = 0.385; w = 0.385 - 0.1.
  // Round 1: x = 0.285, z = 0.5565; x = 0.5565 - 0.15, z = 0.71585; w = 0.71585 - 0.2.
  const auto w = simulate(one_sample(2), FedDualAvgOptions{{.local_steps = 2, .client_step = 0.1}}).w;
  CHECK(w[1][0] == Approx(0.285).epsilon(1e-15));
  CHECK(w[2][0] == Approx(0.51585).epsilon(1e-15));
}

}  // namespace lagnet::fed_dual_avg_test
