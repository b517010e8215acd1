#include "algorithms/hybrid/local_dual_method.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/algorithms/hybrid/hyfdca_bench.hpp"

namespace lagnet::local_dual_method_test {

using namespace lagnet::test;
using namespace lagnet::test::hyfdca_bench;

TEST_CASE("the practical method takes the closed form's step for hinge, the safe one a part of the way") {
  // One client with two samples of one feature, x = 1 and 2, y = 1 and -1; lambda N = 1.
  const Vector y{{1, -1}};
  const CellBlock block({0, 1}, {0}, DataMatrix(Matrix{{1}, {2}}), y);
  const Cells cells({block}, 2, 1);
  const auto hinge = make_loss(HingeOptions{});
  HyfdcaClient own(cells.of(1));
  own.norms = Vector{{1, 4}};
  own.p = Vector{{0.5, 0.25}};
  own.a = Vector{{0.25, -0.5}};
  LocalDualOptions options;
  const LocalDualSteps steps{options, cells, *hinge, 0.5};
  // Delta = y clip(lambda N (1 - y p) / x^2 + y a, 0, 1) - a.
  CHECK(steps.dual_change(own, 0, 1) == 0.75 - 0.25);
  CHECK(steps.dual_change(own, 1, 1) == -(1.25 / 4 + 0.5) + 0.5);
  options.damping = 2;
  CHECK(steps.dual_change(own, 0, 1) == 0.25);
  options.local_method = LocalDualMethod::safe;
  // u - a = 3/4, and f = lambda (1 - p) / x^2 = 1/4, a third of it.
  CHECK(steps.dual_change(own, 0, 1) == Approx(0.25).epsilon(1e-15));
}

TEST_CASE("the dual objective of the safe method never falls, and the gap is never below zero") {
  for (const auto& loss : four_losses()) {
    const MethodInput given = divided(problem_with(loss), 3, 2, 60);
    HyfdcaOptions options = cyclic(4);
    options.local_method = LocalDualMethod::safe;
    const auto method = make_algorithm(options, given);
    const Run got = run(*method, 7);
    double before = -1;
    for (std::size_t t = 0; t < got.parts.size(); ++t) {
      const std::vector<std::vector<Vector>> report{got.parts[t]};
      const Evaluation value = method->evaluate(static_cast<Round>(t), report, {});
      CHECK(*value.metrics[1] >= before - 1e-14);  // the rounding of sums of 12 terms of at most 1
      CHECK(*value.metrics[2] >= -1e-12);
      before = *value.metrics[1];
    }
    CHECK(before > 0.01);
  }
}

TEST_CASE("options of the local method that is not chosen are warned of") {
  const MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 3, 2, 4);
  HyfdcaOptions options = cyclic(1);
  options.row_norms = RowNorms::exchanged;
  options.damping = 4;
  CHECK(make_algorithm(options, given)->warnings().empty());
  options.c = 0.5;
  CHECK(texts_of(make_algorithm(options, given)->warnings()) ==
        std::vector<std::string>{"c belongs to the safe method: the practical one does not use it"});
  options.local_method = LocalDualMethod::safe;
  CHECK(texts_of(make_algorithm(options, given)->warnings()) ==
        std::vector<std::string>{"damping belongs to the practical method: the safe one does not use it"});
}

}  // namespace lagnet::local_dual_method_test
