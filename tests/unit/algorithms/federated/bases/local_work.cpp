#include "algorithms/federated/bases/local_work.hpp"

#include <catch2/catch.hpp>

#include "algorithms/federated/fed_avg.hpp"
#include "algorithms/federated/fed_prox.hpp"
#include "algorithms/federated/scaffold.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"

namespace lagnet::local_work_test {

using namespace lagnet::test;

namespace {

using Lists = RoundCounts::Lists;

Bench three_clients(Round rounds = 6) {
  return {.problem = random_problem(35, 4, 0, 0.1), .sizes = {9, 20, 6}, .rounds = rounds};
}

/// What a mistake of these options is, at "local_steps" or "local_epochs".
std::string mistake(const FedAvgOptions& options) {
  try {
    make_algorithm(options, three_clients().assignment());
  } catch (const Diagnosed& error) {
    return error.what();
  }
  return "";
}

/// Gradient steps on all samples of each client, tau_k of them in a round, averaged.
std::vector<Vector> averaged(const Bench& bench, double eta, const std::function<Index(Index, Round)>& tau) {
  const Matrix X = bench.problem.X->dense();
  std::vector<Vector> w{Vector::Zero(4)};
  for (Round t = 1; t <= bench.rounds; ++t) {
    Vector change = Vector::Zero(4);
    Index first = 0;
    for (std::size_t k = 0; k < bench.sizes.size(); ++k) {
      const Index n = bench.sizes[k];
      const auto A = X.middleRows(first, n);
      Vector x = w.back();
      for (Index j = 0; j < tau(static_cast<Index>(k), t); ++j)
        x -= eta * (A.transpose() * (A * x - bench.problem.y.segment(first, n)) / static_cast<double>(n) + 0.1 * x);
      change += static_cast<double>(n) / 35 * (x - w.back());
      first += n;
    }
    w.push_back(w.back() + change);
  }
  return w;
}

void check_alike(const std::vector<Vector>& got, const std::vector<Vector>& want) {
  REQUIRE(got.size() == want.size());
  // Sums of at most 20 products in another order, over a few steps that contract.
  for (std::size_t t = 0; t < got.size(); ++t) CHECK((got[t] - want[t]).norm() < 1e-13);
}

}  // namespace

TEST_CASE("clients take as many steps as lists say for them and the round, and a list's values repeat") {
  const Bench bench = three_clients();
  FedAvgOptions options{{.local_steps = RoundCounts(Lists{{1, 4}, {2}, {3, 1, 2}}), .client_step = 0.1}};
  check_alike(simulate(bench, options).w, averaged(bench, 0.1, [](Index k, Round t) -> Index {
                const Index of_last[] = {3, 1, 2};
                return k == 0 ? (t % 2 == 1 ? 1 : 4) : k == 1 ? 2 : of_last[(t - 1) % 3];
              }));
}

TEST_CASE("a list's value belongs to the round, also where the client did not take part before") {
  Bench bench = three_clients();
  bench.model.participation = std::make_shared<const ListedParticipation>(std::vector<std::vector<AgentId>>{{1}, {2}});
  FedAvgOptions options{{.local_steps = RoundCounts(Lists{{1, 9, 2, 9}, {9, 3, 9, 1}, {9}}), .client_step = 0.1}};
  std::vector<Flops> steps;
  const Result result = simulate(bench, options);
  for (const SimEvent& one : result.log.all)
    if (one.what == EventKind::computed && one.agent > 0) steps.push_back(one.round);
  CHECK(steps == std::vector<Flops>{1, 2, 3, 4, 5, 6});
  const auto cost = [](Index n, Index tau) { return tau * (4 * n * 4 + n + 4 + 2 * 4 + 2 * 4) + 4; };
  CHECK(result.ledger.agent(1).flops == cost(9, 1) + cost(9, 2) + cost(9, 1));
  CHECK(result.ledger.agent(2).flops == cost(20, 3) + cost(20, 1) + cost(20, 3));
}

TEST_CASE("numbers of steps that are equal for all are one number, and full epochs are steps") {
  const Bench bench = three_clients();
  const auto run = [&](const ClientStepsOptions& steps) { return simulate(bench, FedAvgOptions{steps}).w; };
  const auto three = run({.local_steps = 3, .client_step = 0.1});
  CHECK(run({.local_steps = RoundCounts(Lists{{3}, {3, 3}, {3}}), .client_step = 0.1}) == three);
  CHECK(run({.local_epochs = 3, .client_step = 0.1}) == three);
  CHECK(run({.local_epochs = 3, .batch = 20, .client_step = 0.1}) == three);
  CHECK(run({.local_steps = RoundCounts(RoundCounts::Given(DrawnCounts(UniformCounts{.low = 3, .high = 3}))),
             .client_step = 0.1}) == three);
  CHECK(run({.local_steps = 1, .batch = 4, .batch_order = BatchOrder::reshuffle, .client_step = 0.1}) ==
        run({.local_steps = 1, .batch = 4, .client_step = 0.1}));
  CHECK(run({.local_steps = 2, .batch = 4, .batch_order = BatchOrder::reshuffle, .client_step = 0.1}) !=
        run({.local_steps = 2, .batch = 4, .client_step = 0.1}));
  CHECK(run({.local_epochs = 1, .batch = 5, .client_step = 0.1}) ==
        run({.local_steps = RoundCounts(Lists{{2}, {4}, {2}}),
             .batch = 5,
             .batch_order = BatchOrder::reshuffle,
             .client_step = 0.1}));
}

TEST_CASE("an epoch on minibatches costs its samples once, in ceil(n_k / B) steps") {
  const Bench bench = three_clients(3);
  for (const bool numbers : {true, false}) {
    MethodInput given = bench.assignment();
    given.timing_only = !numbers;
    const auto method = make_algorithm(
        FedAvgOptions{{.local_epochs = RoundCounts(Lists{{2}, {1}, {3}}), .batch = 4, .client_step = 0.1}}, given);
    Simulation world(Network(4, star({1'000'000, 1'000'000, 1'000'000})), ComputeModel(std::vector<double>(4, 1e9)),
                     {.timing_only = !numbers});
    Ledger ledger(4, world.network().links());
    world.listen(ledger);
    method->spawn(world);
    world.run();
    const auto cost = [](Index n, Index epochs, Index steps) {
      return 3 * (epochs * ((4 * 4 + 1) * n + steps * (4 + 2 * 4 + 2 * 4)) + 4);
    };
    CHECK(ledger.agent(1).flops == cost(9, 2, 3));
    CHECK(ledger.agent(2).flops == cost(20, 1, 5));
    CHECK(ledger.agent(3).flops == cost(6, 3, 2));
  }
}

TEST_CASE("drawn numbers of steps are those of the seed for the client and the round") {
  const Bench bench = three_clients();
  const RoundCounts drawn(RoundCounts::Given(DrawnCounts(UniformCounts{.low = 2, .high = 5})));
  const FedAvgOptions options{{.local_steps = drawn, .client_step = 0.1}};
  CHECK(options.traits().draws_work);
  check_alike(simulate(bench, options).w, averaged(bench, 0.1, [](Index k, Round t) {
                return 2 +
                       static_cast<Index>(Draws(1, Purpose{"local_steps"}, static_cast<AgentId>(k + 1), t).below(4));
              }));
}

TEST_CASE("the step of theory goes by the most steps of any client and round") {
  const Bench bench = three_clients();
  const auto eta = [&](const ClientStepsOptions& steps) {
    for (const auto& [name, value] : make_algorithm(FedAvgOptions{steps}, bench.assignment())->constants())
      if (name == "eta_c") return value;
    return 0.0;
  };
  const double of_one = eta({});
  CHECK(eta({.local_steps = RoundCounts(Lists{{1, 8}, {2}, {1}})}) == Approx(of_one / 8).epsilon(1e-15));
  CHECK(eta({.local_epochs = 2, .batch = 4}) == Approx(of_one / 10).epsilon(1e-15));
}

TEST_CASE("scaffold has the minimizer as its fixed point, however many steps each client takes") {
  const Bench bench = three_clients(1500);
  const auto w =
      simulate(bench, ScaffoldOptions{{.local_steps = RoundCounts(Lists{{1}, {5, 2}, {3}}), .client_step = 0.02}}).w;
  // Rounding: the map contracts, and each round adds a few units in the last place.
  CHECK((w.back() - minimizer(bench.problem)).norm() < 1e-12);
}

TEST_CASE("lists must have an entry for each client") {
  CHECK(mistake({{.local_steps = RoundCounts(Lists{{1}, {2}})}}) ==
        "local_steps: expected 3 entries, one for each client, found 2");
  CHECK(mistake({{.local_epochs = RoundCounts(Lists{{1}, {2}, {3}, {4}})}}) ==
        "local_epochs: expected 3 entries, one for each client, found 4");
}

TEST_CASE("minibatches of a round that take much memory are warned of") {
  const auto warnings = [](const ClientStepsOptions& steps) {
    return make_algorithm(FedAvgOptions{steps}, three_clients().assignment())->warnings();
  };
  CHECK(warnings({.local_steps = 20'000'000, .batch = 5, .client_step = 0.1}).empty());
  REQUIRE(warnings({.local_steps = 20'000'001, .batch = 5, .client_step = 0.1}).size() == 1);
  CHECK(warnings({.local_steps = 20'000'001, .batch = 5, .client_step = 0.1})[0].code == "many_batches");
  CHECK(warnings({.local_steps = 100'000'000, .client_step = 0.1}).empty());
}

}  // namespace lagnet::local_work_test
