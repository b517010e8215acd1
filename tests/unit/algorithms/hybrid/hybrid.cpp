#include "algorithms/hybrid/hybrid.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "algorithms/hybrid/hybrid_fed_avg.hpp"
#include "tests/unit/algorithms/hybrid/hybrid_bench.hpp"
#include "tests/unit/algorithms/hybrid/hyfdca_bench.hpp"

namespace lagnet::test::hybrid_test {

namespace {

class Idle final : public CellMethod {
 public:
  explicit Idle(MethodInput input) : CellMethod(std::move(input)) {}
  void spawn(Host&) const override {}
  using CellMethod::clients;
  using CellMethod::remarks_on_absent;
};

/// A sample for each of seven clients, the second of which has none.
Idle seven() {
  std::vector<Places> places;
  for (Index k = 0; k < 7; ++k) places.push_back({k == 1 ? std::vector<Index>{} : std::vector<Index>{k}, {0}});
  return Idle(hybrid(Matrix::Ones(7, 1), Vector::Ones(7), 1, places, 1));
}

}  // namespace

using namespace lagnet::test;

TEST_CASE("all agents but the server are clients, and the server alone reports") {
  CHECK(seven().clients() == std::vector<AgentId>{1, 2, 3, 4, 5, 6, 7});
  CHECK(seven().reporters() == std::vector<AgentId>{0});
}

TEST_CASE("the iterate is the first part of what the server reports") {
  const std::vector<std::vector<Vector>> report{{Vector{{3}}, Vector{{5}}}};
  const Evaluation got = seven().evaluate(1, report, {});
  CHECK(got.iterate == Vector{{3}});
  CHECK(got.objective == 2 + 9 / 2.0);  // (3 - 1)^2 / 2 of each sample, and the regularizer's share
}

TEST_CASE("five of the clients that never took part are named, those without samples left out") {
  const Idle method = seven();
  CHECK(method.remarks_on_absent([](AgentId) { return true; }).empty());
  CHECK(texts_of(method.remarks_on_absent([](AgentId k) { return k != 2 && k != 5; })) ==
        std::vector<std::string>{"1 of 7 clients never took part (agents 5): the run solves the problem without their "
                                 "samples and features"});
  CHECK(texts_of(method.remarks_on_absent([](AgentId) { return false; })) ==
        std::vector<std::string>{"6 of 7 clients never took part (agents 1, 3, 4, 5, 6, ..): the run solves the "
                                 "problem without their samples and features"});
}
using namespace lagnet::test::hyfdca_bench;

TEST_CASE("samples are picked in turn from visit to visit, or drawn without replacement and again after each n") {
  const Draws draws(1, Purpose{"hybrid test"});
  CHECK(pick_samples(SamplePicker::cyclic, 5, 3, 0, draws) == std::vector<Index>{0, 1, 2});
  CHECK(pick_samples(SamplePicker::cyclic, 5, 3, 1, draws) == std::vector<Index>{3, 4, 0});
  std::vector<Index> drawn = pick_samples(SamplePicker::uniform, 4, 10, 0, draws);
  REQUIRE(drawn.size() == 10);
  for (const std::size_t first : {0u, 4u}) {
    std::vector<Index> four(&drawn[first], &drawn[first] + 4);
    std::ranges::sort(four);
    CHECK(four == std::vector<Index>{0, 1, 2, 3});
  }
  CHECK(drawn[8] != drawn[9]);
}

TEST_CASE("H is the share iic of the samples for each client, rounded up but for rounding errors") {
  const auto H = [](double iic, Index samples, Index clients) {
    const Matrix X = Matrix::Ones(samples, clients);
    std::vector<Index> all(static_cast<std::size_t>(samples));
    std::iota(all.begin(), all.end(), Index{0});
    std::vector<Places> places;
    for (Index k = 0; k < clients; ++k) places.push_back({all, {k}});
    HybridFedAvgOptions ratio;
    ratio.iic = iic;
    ratio.a = 1;
    return make_algorithm(ratio, hybrid(X, Vector::Ones(samples), 1, places, 1))->constants().at(1).second;
  };
  CHECK(H(0.07, 100, 1) == 7);  // 0.07 * 100 is above 7 in doubles
  CHECK(H(0.07, 101, 1) == 8);
  CHECK(H(0.5, 9, 3) == 2);
  CHECK(H(1e-9, 9, 3) == 1);
}

TEST_CASE("a client that never takes part is reported after the run") {
  const MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 3, 2, 4);
  const auto method = make_algorithm(cyclic(1), given);
  CHECK(method->remarks(counts_of(run(*method, 7).ledger)).empty());
  CHECK(texts_of(method->remarks(counts_of(run(*method, 7, {{1, 2, 4}, {5, 6}}).ledger))) ==
        std::vector<std::string>{"1 of 6 clients never took part (agents 3): the run solves the problem without their "
                                 "samples and features"});
}

TEST_CASE("a client that only sent its norms, and these several times, never took part") {
  HyfdcaOptions options = cyclic(1);
  options.row_norms = RowNorms::exchanged;
  const auto method = make_algorithm(options, divided(problem_with(make_loss(HingeOptions{})), 3, 2, 4));
  Ledger ledger = run(*method, 7, {{1, 2, 4}, {5, 6}}).ledger;
  CHECK(method->remarks(counts_of(ledger)).size() == 1);
  ledger.on_event({.what = EventKind::sent, .agent = 3, .peer = 0, .link = 5});
  CHECK(method->remarks(counts_of(ledger)).size() == 1);
}

TEST_CASE("the method refuses unsupported scenarios") {
  MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 3, 2, 4);
  given.problem.regularizer = make_regularizer(L2Options{.weight = 0});
  CHECK_THROWS_WITH(make_algorithm(cyclic(1), given),
                    "kind: expected an algorithm that needs no l2 regularizer with a weight above 0, found hyfdca");
  given.problem = problem_with(make_loss(HingeOptions{}));
  given.start = Vector::Ones(6);
  CHECK_THROWS_WITH(make_algorithm(cyclic(1), given),
                    "kind: expected an algorithm that may start anywhere: this one starts at 0, found hyfdca");
}

}  // namespace lagnet::test::hybrid_test
