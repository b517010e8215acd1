#include <cmath>
#include <limits>

#include "algorithms/local/dual_ascent.hpp"
#include "algorithms/local/spdc.hpp"
#include "algorithms/objectives/sets/l2_ball.hpp"
#include "tests/unit/algorithms/dual/saddle_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::saddle_edges_test {

using namespace lagnet::test;

namespace {

/// Normal entries, of which a sixth is left, over the largest norm of a row; two columns and a row are empty.
Matrix thinned(Index n, Index d) {
  Matrix X = random_matrix(n, d);
  X = (X.array().abs() > 1.4).select(X, 0.0).eval();
  X.col(2).setZero();
  X.col(d - 1).setZero();
  X.row(4).setZero();
  return X / X.rowwise().norm().maxCoeff();
}

Bench sparse_bench(const std::shared_ptr<const Loss>& loss, bool sparse) {
  const Index n = 60, d = 40;
  Bench bench{.problem = saddle_problem(n, d, 0.01, loss), .sizes = {20, 25, 15}, .rounds = 6};
  const Matrix X = thinned(n, d);
  bench.problem.X =
      sparse ? std::make_shared<const DataMatrix>(SparseMatrix(X.sparseView())) : std::make_shared<const DataMatrix>(X);
  return bench;
}

}  // namespace

TEST_CASE("on sparse data every method gives the iterates that it gives on the same data stored densely") {
  for (const auto& loss : saddle_losses()) {
    const Bench dense = sparse_bench(loss, false), sparse = sparse_bench(loss, true);
    CAPTURE(loss->kind());
    const auto check = [&](const auto& options) {
      const Result a = simulate(dense, options), b = simulate(sparse, options);
      for (std::size_t t = 0; t <= 6; ++t)
        for (std::size_t part = 0; part < 2; ++part)
          // Rounding of 100 steps in each of 6 rounds.
          CHECK((a.parts[t][part] - b.parts[t][part]).norm() <= 1e-12 * std::max(1.0, a.parts[t][part].norm()));
    };
    check(with_steps(dispa(0.5, 4), 100));
    check(with_steps(dispa(20, 40), 100));
    check(with_steps(dispa(0.5, 4, LocalSolverKind::sdca), 100));
    check(with_steps(CocoaPlusOptions{}, 100));
    ADispaOptions options;
    options.tau = 0.5;
    options.sigma = 4;
    options.vt = 0.1;
    check(with_steps(options, 100));
  }
}

TEST_CASE("a sample of zeros gets the dual variable that the loss alone asks for") {
  for (const auto& loss : saddle_losses()) {
    const Bench bench = sparse_bench(loss, true);
    const double y = bench.problem.y[4], best = loss->derivative(0, y);
    CocoaPlusOptions ascent;
    ascent.order = StepOrder::cyclic;
    CHECK(simulate(bench, ascent).parts[1][1][4] == best);
    // With a proximal term it comes there in the end: each round takes it on by the same part of the way.
    Bench longer = bench;
    longer.rounds = 200;
    const double last = simulate(longer, with_steps(dispa(1, 30), 25, StepOrder::cyclic)).parts[200][1][4];
    CHECK(last == Approx(best).margin(1e-9).epsilon(0));
  }
}

TEST_CASE("a dual that CoCoA averages with 0 ends at 0, and not among subnormal numbers") {
  Bench bench{.problem = saddle_problem(60, 3, 0.01, make_loss(HingeOptions{})), .sizes = {20, 25, 15}, .rounds = 2500};
  const Result result = simulate(bench, with_steps(CocoaOptions{}, 60, StepOrder::cyclic));
  const Vector &early = result.parts[20][1], &last = result.parts.back()[1];
  Index ended = 0;
  for (Index i = 0; i < early.size(); ++i) {
    CHECK((last[i] == 0 || std::isnormal(last[i])));
    ended += early[i] != 0 && last[i] == 0;
  }
  CHECK(ended > 0);  // 2/3 to the power 2,500 is 0 in double precision; see decay.hpp
}

TEST_CASE("machines with one sample or none take part") {
  for (const auto solver : {LocalSolverKind::spdc, LocalSolverKind::sdca, LocalSolverKind::exact}) {
    Bench bench{.problem = saddle_problem(11, 4, 0.1, make_loss(LogisticOptions{})), .sizes = {6, 0, 1, 4}};
    bench.rounds = 2500;
    const Optimum best = solve_centrally(bench.problem);
    const Result result = simulate(bench, dispa(1, 8, solver));
    CHECK(bench.problem.objective(result.w.back()) - best.value <= 1e-9);
    CHECK(result.ledger.agent(2).bytes_sent == 2500 * 4 * 8);  // zeros
    CHECK(result.ledger.agent(2).flops == 0);
    CocoaPlusOptions ascent;
    ascent.local_solver = solver;
    CHECK(bench.problem.objective(simulate(bench, ascent).w.back()) - best.value <= 1e-9);
  }
}

TEST_CASE("without local steps the duals stay and x follows them, which is warned of") {
  Bench bench{.problem = saddle_problem(10, 4, 0.1, make_loss(SquaredOptions{})), .sizes = {5, 5}, .rounds = 3};
  DispaOptions options = with_steps(dispa(1, 4), 0);
  options.dual_start.assign(10, 0.5);
  const Result result = simulate(bench, options);
  CHECK(result.parts[3][1] == Vector::Constant(10, 0.5));
  CHECK(result.w[1] != result.w[0]);
  CHECK(result.w[2] != result.w[1]);
  CHECK(make_algorithm(options, bench.assignment())->warnings() ==
        std::vector<std::string>{"local_steps is 0: the dual variables stay where they are, and only x moves"});
  CHECK(make_algorithm(with_steps(CocoaPlusOptions{}, 0), bench.assignment())->warnings() ==
        std::vector<std::string>{"local_steps is 0: the dual variables stay where they are, and so does x"});
  CocoaPlusOptions exact = with_steps(CocoaPlusOptions{}, 0);  // which goes as far as it can
  exact.local_solver = LocalSolverKind::exact;
  CHECK(make_algorithm(exact, bench.assignment())->warnings().empty());
  CocoaPlusOptions tuned;
  tuned.sigma_prime = 1.5;
  CHECK(make_algorithm(tuned, bench.assignment())->warnings() ==
        std::vector<std::string>{"sigma_prime, 1.5, is below nu K = 2: the iterates can oscillate"});
}

TEST_CASE("a machine that is silent counts with what it sent last") {
  Bench bench{.problem = saddle_problem(12, 4, 0.1, make_loss(SquaredOptions{})), .sizes = {6, 6}, .rounds = 6};
  bench.rules.participation =
      std::make_shared<const ListedParticipation>(std::vector<std::vector<AgentId>>{{1, 2}, {1}, {1}, {1}, {1}, {1}});
  const Result result = simulate(bench, dispa(1, 4));
  for (std::size_t t = 1; t <= 6; ++t) {
    const Vector v = bench.problem.pulled_back(result.parts[t][1]);
    CHECK((result.w[t] - (result.w[t - 1] - v / 12) / 1.1).norm() <= 1e-14);  // (6), sums of 12 numbers
    CHECK(result.parts[t][1].tail(6) == result.parts[1][1].tail(6));
  }
}

TEST_CASE("SPDC and coordinate ascent come to the exact solution of a local problem") {
  const Problem problem = saddle_problem(20, 5, 0.1, make_loss(LogisticOptions{}));
  const auto rows = std::make_shared<const SampleRows>(*problem.X, problem.y);
  const RowBlock samples(rows, 3, 9);
  const Vector start = Vector::Constant(5, 0.3), x0 = Vector::Constant(5, -0.2);
  const LocalProblem local{
      .samples = samples, .loss = *problem.loss, .n = 20, .M = 0.7, .rho = 0.2, .start = start, .x0 = x0};
  std::vector<Index> order;
  for (Index h = 0; h < 9 * 400; ++h) order.push_back(h % 9);
  Vector exact = Vector::Zero(9), ascent = exact, spdc = exact;
  ExactAscent().solve(local, {}, exact);
  DualAscent().solve(local, order, ascent);
  Spdc(1, 4).solve(local, order, spdc);
  CHECK((ascent - exact).norm() <= 1e-13);  // linear convergence to rounding
  CHECK((spdc - exact).norm() <= 1e-13);
  CHECK(exact.norm() > 0.1);
}

namespace {

template <class Options>
std::string refusal(const Problem& problem, const Options& options, bool may_miss_rounds = false,
                    const Vector& start = {}) {
  Bench bench{.problem = problem, .sizes = {5, problem.X->rows() - 5}, .start = start};
  MethodInput given = bench.assignment();
  given.may_miss_rounds = may_miss_rounds;
  try {
    make_algorithm(options, std::move(given));
  } catch (const OptionError& error) {
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
  const std::string no_weight = "eps: expected above 0, since the regularizer l2 has no weight above 0, found 0";
  CHECK(refusal(wrong, known) == no_weight);
  CHECK(refusal(wrong, CocoaPlusOptions{}) == no_weight);
  CHECK(refusal(wrong, CocoaOptions{}) == no_weight);
  DispaOptions perturbed = known;
  perturbed.eps = 0.1;
  CHECK(refusal(wrong, perturbed).empty());
  wrong.regularizer = make_regularizer(L1Options{.weight = 0.1});
  CHECK(refusal(wrong, known) ==
        "kind: expected an algorithm for regularizers other than l2, (weight/2) |x|^2, found dispa");
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

}  // namespace lagnet::saddle_edges_test
