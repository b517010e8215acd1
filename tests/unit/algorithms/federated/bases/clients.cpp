#include "algorithms/federated/bases/clients.hpp"
#include "algorithms/federated/c_fed_da.hpp"
#include "algorithms/federated/fast_fed_da.hpp"
#include "algorithms/federated/fed_avg.hpp"
#include "algorithms/federated/scaffold.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::clients_test {

using namespace lagnet::test;

namespace {

constexpr double mu = 0.2;

}  // namespace

TEST_CASE("the clients' own weights define the objective") {
  // Client 1 w - 2, client 2 2.5 w - 4: with weights 3/4 and 1/4 the minimizer is 2.5 / 1.375.
  Bench bench{.problem = problem_of(Matrix{{1}, {1}, {2}}, Vector{{2, 4, 2}}), .sizes = {1, 2}, .rounds = 400};
  ScaffoldOptions options{{.local_steps = 2, .client_step = 0.1, .weights = {0.75, 0.25}}};
  const auto method = make_algorithm(options, bench.assignment());
  const Result result = simulate(bench, *method);
  CHECK(result.w.back()[0] == Approx(2.5 / 1.375).epsilon(1e-13));  // at rounding after 400 rounds
  // 3/4 (1 - 2)^2 / 2 + 1/4 ((1 - 4)^2 + (2 - 2)^2) / 4
  const std::vector<std::vector<Vector>> at_one{{scalar(1), scalar(0)}};
  CHECK(method->evaluate(1, at_one, {}).objective == Approx(0.375 + 9.0 / 16).epsilon(1e-15));
  CHECK(method->has_own_objective());
  CHECK_FALSE(make_algorithm(ScaffoldOptions{{.client_step = 0.1}}, bench.assignment())->has_own_objective());
}

TEST_CASE("answers of clients that all have the weight 0 have no mean, and leave the server as it is") {
  Bench bench{.problem = lasso(40, 4, 0.05), .sizes = {5, 15, 10, 10}, .rounds = 30};
  bench.model.participation =
      std::make_shared<const ListedParticipation>(std::vector<std::vector<AgentId>>{{1, 2}, {3, 4}, {2, 3}});
  const std::vector<double> weights{0.5, 0.5, 0, 0};
  const auto kept = [&](auto options) {
    options.weights = weights;
    const auto method = make_algorithm(options, bench.assignment());
    const auto w = simulate(bench, *method).w;
    CHECK(w[2] == w[1]);
    // What had been summed up is still there.
    const auto objective = [&](const Vector& at) {
      return method->evaluate(0, std::vector<std::vector<Vector>>{{at, at}}, {}).objective;
    };
    CHECK(objective(w.back()) < objective(w[1]));
  };
  for (const Messages messages : {Messages::literal, Messages::lean}) {
    FastFedDaOptions fast{{.mu = mu, .gamma = 10}, /*local_steps=*/2};
    fast.messages = messages;
    kept(fast);
    CFedDaOptions constrained{{{.mu = mu, .gamma = 5}}, /*local_steps=*/2};
    constrained.messages = messages;
    kept(constrained);
  }
  kept(FedAvgOptions{{.local_steps = 2, .client_step = 0.1}});
  kept(ScaffoldOptions{{.local_steps = 2, .client_step = 0.1}});
}

}  // namespace lagnet::clients_test
