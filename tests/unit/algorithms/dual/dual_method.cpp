#include "algorithms/objectives/sets/sets.hpp"
#include "tests/unit/algorithms/dual/saddle_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::dual_method_test {

using namespace lagnet::test;

namespace {

template <class Options>
std::string refusal(const Problem& problem, const Options& options, bool may_miss_rounds = false,
                    const Vector& start = {}) {
  Bench bench{.problem = problem, .sizes = {5, problem.X->rows() - 5}, .start = start};
  MethodInput given = bench.assignment();
  given.may_miss_rounds = may_miss_rounds;
  try {
    make_algorithm(options, std::move(given));
  } catch (const Diagnosed& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("problems and options that do not go with a primal-dual method are refused") {
  const Problem good = saddle_problem(10, 4, 0.1, make_loss(HingeOptions{}));
  const DispaOptions known = dispa(1, 4);
  CHECK(refusal(good, known).empty());

  Problem wrong = good;
  wrong.regularizer = make_regularizer(L2Options{.weight = 0});
  const std::string no_weight = "eps: expected above 0, since the regularizer has no square norm, found 0";
  CHECK(refusal(wrong, known) == no_weight);
  CHECK(refusal(wrong, CocoaPlusOptions{}) == no_weight);
  CHECK(refusal(wrong, CocoaOptions{}) == no_weight);
  DispaOptions perturbed = known;
  perturbed.eps = 0.1;
  CHECK(refusal(wrong, perturbed).empty());
  wrong.regularizer = make_regularizer(L1Options{.weight = 0.1});
  CHECK(refusal(wrong, known) == no_weight);
  CHECK(refusal(wrong, perturbed).empty());
  CHECK(refusal(wrong, CocoaPlusOptions{}) ==
        "kind: expected an algorithm for regularizers other than l2, (weight/2) |x|^2, found cocoa_plus");
  wrong = good;
  wrong.constraint = make_constraint(L2BallOptions{.radius = 1}, IterateShape::vector(4));
  CHECK(refusal(wrong, ADispaOptions{}) ==
        "kind: expected an algorithm that keeps to the problem's constraint, found a_dispa");
  wrong = softmax_lasso(10, 3, 2, 0.1);
  CHECK(refusal(wrong, CocoaOptions{}) ==
        "kind: expected an algorithm for losses of several scores a sample, found cocoa");
  wrong = good;
  wrong.X = std::make_shared<const DataMatrix>(Matrix::Zero(10, 4));
  CHECK(refusal(wrong, known) == "kind: expected an algorithm for data in which all samples are 0, found dispa");

  const std::string no_rule =
      ": expected a number, since the loss is not smooth and eps is 0, which leaves no rule for "
      "it, found null";
  DispaOptions unknown = known;
  unknown.tau.reset();
  CHECK(refusal(good, unknown) == "tau" + no_rule);
  unknown = known;
  unknown.sigma.reset();
  CHECK(refusal(good, unknown) == "sigma" + no_rule);
  ADispaOptions no_vt;
  no_vt.tau = no_vt.sigma = 1;
  CHECK(refusal(good, no_vt) == "vt" + no_rule);
  CocoaPlusOptions primal_dual;
  primal_dual.local_solver = LocalSolverKind::spdc;
  CHECK(
      refusal(good, primal_dual) ==
      "local_solver: expected sdca or exact, since the local problem is not strongly concave without eps, found spdc");

  DispaOptions warm = known;
  warm.dual_start = {0.5, 0.5};
  CHECK(refusal(good, warm) == "dual_start: expected 10 numbers, one for each sample, found 2");
  warm.dual_start.assign(10, 0.0);
  warm.dual_start[3] = good.y[3];
  CHECK(refusal(good, warm) == "dual_start: expected numbers in the domain of the loss's conjugate, found " +
                                   std::string(good.y[3] > 0 ? "1" : "-1") + " for sample 3 with the label " +
                                   (good.y[3] > 0 ? "1" : "-1"));
  DispaOptions lean = known;
  lean.messages = SaddleMessages::lean;
  CHECK(refusal(good, lean, true) ==
        "messages: expected paper, since machines may miss messages, without which they do not know x, found lean");
  CHECK(refusal(good, CocoaPlusOptions{}, false, Vector::Ones(4)) ==
        "kind: expected an algorithm that may start anywhere: the start of this one belongs to dual variables 0, found "
        "cocoa_plus");
}

TEST_CASE("shards that overlap, or miss samples, are an internal error") {
  Bench bench{.problem = saddle_problem(10, 4, 0.1, make_loss(HingeOptions{})), .sizes = {5, 4}};
  CHECK_THROWS_AS(make_algorithm(dispa(1, 4), bench.assignment()), InternalError);
  MethodInput overlap = bench.assignment();
  overlap.sample_starts = {0, 0, 6, 5, 10};
  overlap.network.agents = 4;
  CHECK_THROWS_AS(make_algorithm(dispa(1, 4), std::move(overlap)), InternalError);
}

}  // namespace lagnet::dual_method_test
