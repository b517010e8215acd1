#include <cmath>
#include <limits>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/local/dual_solvers.hpp"
#include "algorithms/objectives/sets/sets.hpp"
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

TEST_CASE("a sample of zeros gets the dual variable that the loss alone determines") {
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

TEST_CASE("without local steps the duals stay and x follows them, with a warning") {
  Bench bench{.problem = saddle_problem(10, 4, 0.1, make_loss(SquaredOptions{})), .sizes = {5, 5}, .rounds = 3};
  DispaOptions options = with_steps(dispa(1, 4), 0);
  options.dual_start.assign(10, 0.5);
  const Result result = simulate(bench, options);
  CHECK(result.parts[3][1] == Vector::Constant(10, 0.5));
  CHECK(result.w[1] != result.w[0]);
  CHECK(result.w[2] != result.w[1]);
  CHECK(texts_of(make_algorithm(options, bench.assignment())->warnings()) ==
        std::vector<std::string>{"local_steps is 0: the dual variables stay where they are, and only x moves"});
  CHECK(texts_of(make_algorithm(with_steps(CocoaPlusOptions{}, 0), bench.assignment())->warnings()) ==
        std::vector<std::string>{"local_steps is 0: the dual variables stay where they are, and so does x"});
  CocoaPlusOptions exact = with_steps(CocoaPlusOptions{}, 0);  // which goes as far as it can
  exact.local_solver = LocalSolverKind::exact;
  CHECK(make_algorithm(exact, bench.assignment())->warnings().empty());
  CocoaPlusOptions tuned;
  tuned.sigma_prime = 1.5;
  CHECK(texts_of(make_algorithm(tuned, bench.assignment())->warnings()) ==
        std::vector<std::string>{"sigma_prime, 1.5, is below nu K = 2: the iterates can oscillate"});
}

TEST_CASE("a silent machine counts with its last message") {
  Bench bench{.problem = saddle_problem(12, 4, 0.1, make_loss(SquaredOptions{})), .sizes = {6, 6}, .rounds = 6};
  bench.model.participation =
      std::make_shared<const ListedParticipation>(std::vector<std::vector<AgentId>>{{1, 2}, {1}, {1}, {1}, {1}, {1}});
  const Result result = simulate(bench, dispa(1, 4));
  for (std::size_t t = 1; t <= 6; ++t) {
    const Vector v = bench.problem.pulled_back(result.parts[t][1]);
    CHECK((result.w[t] - (result.w[t - 1] - v / 12) / 1.1).norm() <= 1e-14);  // (6), sums of 12 numbers
    CHECK(result.parts[t][1].tail(6) == result.parts[1][1].tail(6));
  }
}

}  // namespace lagnet::saddle_edges_test
