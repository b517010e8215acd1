#include "algorithms/federated/scaffold.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::scaffold_test {

using namespace lagnet::test;

TEST_CASE("SCAFFOLD reaches the minimizer of clients that differ, by either control variate") {
  Bench bench{.problem = random_problem(40, 4), .sizes = {5, 15, 20}, .rounds = 1500};
  const Vector best = minimizer(bench.problem);
  for (const ControlVariate control : {ControlVariate::local_path, ControlVariate::fresh_gradient}) {
    ScaffoldOptions options{{.local_steps = 5, .client_step = 0.03}, control};
    CHECK((simulate(bench, options).w.back() - best).norm() < 1e-12);  // rounding of numbers of size 1
  }
}

TEST_CASE("the server's control variate is the weighted mean of the clients', for any cohort") {
  // Option I, and option II with one local step: a client's c_k is its gradient at the model that it got last, since
  // c_k - c + (w - x) / eta_c = c_k - c + grad L_k(w) - c_k + c.
  Bench bench{.problem = random_problem(40, 4), .sizes = {5, 15, 20}, .rounds = 20};
  bench.model.participation = std::make_shared<const RandomSubset>(RandomSubset::of_size(1, 2));
  const auto gradient = [&](AgentId k, const Vector& w) -> Vector {
    const Index first = k == 1 ? 0 : k == 2 ? 5 : 20, n_k = bench.sizes[k - 1];
    const Matrix A = bench.problem.X->dense().middleRows(first, n_k);
    return A.transpose() * (A * w - bench.problem.y.segment(first, n_k)) / static_cast<double>(n_k);
  };
  for (const std::vector<double>& weights : {std::vector<double>{}, {0.5, 0.2, 0.3}})
    for (const ControlVariate control : {ControlVariate::fresh_gradient, ControlVariate::local_path}) {
      const Index E = control == ControlVariate::fresh_gradient ? 3 : 1;
      const Result result =
          simulate(bench, ScaffoldOptions{{.local_steps = E, .client_step = 0.05, .weights = weights}, control});
      const std::vector<double> pi = weights.empty() ? std::vector{5.0 / 40, 15.0 / 40, 20.0 / 40} : weights;
      std::vector<Vector> c_k(4, Vector::Zero(4));
      for (Round t = 1; t <= 20; ++t) {
        const auto& before = result.w[static_cast<std::size_t>(t - 1)];
        for (const AgentId k : bench.model.participation->chosen(t, std::vector<AgentId>{1, 2, 3}))
          c_k[k] = gradient(k, before);
        const Vector mean = pi[0] * c_k[1] + pi[1] * c_k[2] + pi[2] * c_k[3];
        // Additions of twenty rounds in another order, of numbers of size 1; option II divides by eta_c besides.
        CHECK((result.parts[static_cast<std::size_t>(t)][1] - mean).norm() < 1e-12);
        CHECK(mean.norm() > 0.01);
      }
    }
}

}  // namespace lagnet::scaffold_test
