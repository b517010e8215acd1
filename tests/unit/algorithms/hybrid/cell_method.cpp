#include "algorithms/hybrid/cell_method.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/algorithms/hybrid/hybrid_bench.hpp"

namespace lagnet::cell_method_test {

using namespace lagnet::test;

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

}  // namespace lagnet::cell_method_test
