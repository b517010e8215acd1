#include "algorithms/dual/saddle.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <optional>

#include "algorithms/central/solve_centrally.hpp"
#include "tests/unit/algorithms/dual/saddle_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::saddle_test {

namespace {

const StateVector v(Vector{{1, 2}}), x(Vector{{3, 4}}), z(Vector{{5, 6}});

/// What a machine reads of the message that it is sent.
MachineView::State read(const MachineView& view, AgentId machine, Message& request) {
  const MessageTag brings = view.brings(machine);
  request = Message(0, 1, brings, MachineView::encode(brings, v, x, z));
  return MachineView::decode(request, 2);
}

}  // namespace

TEST_CASE("messages as the paper has them bring x each time, and z once to each machine") {
  MachineView view(3, false);
  Message request;
  view.new_z();
  const auto first = read(view, 1, request);
  CHECK(first.v == v);
  CHECK(first.x.value() == x);
  CHECK(first.z.value() == z);
  CHECK(request.body.size() == 6);
  view.answered(std::vector<Message>{Message(1, 1, 0, Vector{{0}})});
  CHECK(read(view, 1, request).x.value() == x);
  CHECK_FALSE(read(view, 1, request).z);
  CHECK(read(view, 2, request).z.value() == z);  // it has not answered
}

TEST_CASE("lean messages bring x only to machines that have missed a round") {
  MachineView view(3, true);
  Message request;
  CHECK_FALSE(read(view, 1, request).x);
  CHECK(request.body.size() == 2);
  CHECK_FALSE(MachineView::brings_x(request));
  view.answered(std::vector<Message>{Message(1, 1, 0, Vector{{0}})});
  view.new_z();
  const auto stays = read(view, 1, request);
  CHECK(stays.v == v);
  CHECK_FALSE(stays.x);
  CHECK(stays.z.value() == z);
  const auto missed = read(view, 2, request);
  CHECK(missed.x.value() == x);
  CHECK(missed.z.value() == z);
}

using namespace lagnet::test;

namespace {}  // namespace

TEST_CASE("the perturbed hinge loss is the smoothed one, with the same iterates") {
  const double eps = 0.2;
  const Bench hinge = saddle_bench(make_loss(HingeOptions{}), 0.05, 30);
  const Bench smooth = saddle_bench(make_loss(SmoothedHingeOptions{.gamma = eps}), 0.05 + eps, 30);
  for (const auto solver : {LocalSolverKind::spdc, LocalSolverKind::sdca, LocalSolverKind::exact}) {
    DispaOptions options = dispa(0.3, 4, solver);
    const Result expected = simulate(smooth, options);
    options.eps = eps;
    // Rounding of numbers of size 1 over 30 rounds of 10 steps that contract.
    CHECK(largest_difference(simulate(hinge, options), expected) <= 1e-12);
    CocoaPlusOptions cocoa;
    cocoa.local_solver = solver;
    const Result of_cocoa = simulate(smooth, cocoa);
    cocoa.eps = eps;
    CHECK(largest_difference(simulate(hinge, cocoa), of_cocoa) <= 1e-12);
  }
}

TEST_CASE("the perturbed hinge's optimum is off by at most eps / 2 times the square norm of the optimum and 1") {
  const Bench bench = saddle_bench(make_loss(HingeOptions{}), 0.05, 4000);
  const Optimum best = solve_centrally(bench.problem);
  for (const double eps : {0.3, 0.03}) {
    DispaOptions options = dispa(1, 10, LocalSolverKind::exact);
    options.eps = eps;
    Problem smooth = bench.problem;
    smooth.loss = make_loss(SmoothedHingeOptions{.gamma = eps});
    smooth.regularizer = make_regularizer(L2Options{.weight = 0.05 + eps});
    const Vector x_eps = solve_centrally(smooth).theta;
    const Vector last = simulate(bench, options).w.back();
    CHECK((last - x_eps).norm() <= 1e-6);  // the central optimum's own accuracy is sqrt(2e-10 / (0.05 + eps))
    const double excess = bench.problem.objective(last) - best.value;
    CHECK(excess > 0);
    CHECK(excess <= eps / 2 * (best.theta.squaredNorm() + 1));
  }
}

TEST_CASE("one machine with exact solutions takes the proximal step of x and y at once") {
  const double lambda = 0.05, tau = 0.8, sigma = 3;
  for (const auto& loss : saddle_losses()) {
    const Bench bench = saddle_bench(loss, lambda, 20, {30});
    const Result result = simulate(bench, dispa(tau, sigma, LocalSolverKind::exact));
    for (std::size_t t = 1; t <= 20; ++t) {
      const Vector &x = result.parts[t][0], &y = result.parts[t][1];
      const Vector &x_old = result.parts[t - 1][0], &y_old = result.parts[t - 1][1];
      CAPTURE(loss->kind(), t);
      const Vector in_x = bench.problem.pulled_back(y) / 30 + lambda * x + (x - x_old) / tau;
      CHECK(in_x.norm() <= 1e-14);  // a few roundings of numbers below 5
      const Vector scores = bench.problem.scores(x);
      for (Index i = 0; i < 30; ++i)
        // The solver stops at changes of 1e-15, a few thousand of whose steps have been added up in x.
        CHECK(y[i] == Approx(-loss->dual_step(-y_old[i], scores[i], bench.problem.y[i], 1 / sigma)).margin(1e-12));
    }
  }
}

TEST_CASE("the duality gap is never below 0, and x and y belong together, for all losses and solvers") {
  const double lambda = 0.02;
  for (const auto& loss : saddle_losses())
    for (const auto solver : {LocalSolverKind::spdc, LocalSolverKind::sdca, LocalSolverKind::exact}) {
      const Bench bench = saddle_bench(loss, lambda, 40, {12, 7, 1, 10});
      CAPTURE(loss->kind(), static_cast<int>(solver));
      const double tau = 2, sigma = 5, n = 30;
      const auto saddle_point = make_algorithm(dispa(tau, sigma, solver), bench.assignment());
      const Result result = simulate(bench, *saddle_point);
      for (const double gap : may_miss_rounds(bench, *saddle_point, result)) CHECK(gap >= -1e-12);
      for (std::size_t t = 1; t <= 40; ++t) {
        const Vector v = bench.problem.pulled_back(result.parts[t][1]);
        const Vector x = (result.w[t - 1] / tau - v / n) / (lambda + 1 / tau);  // (6)
        CHECK((result.w[t] - x).norm() <= 1e-13);                               // sums of 30 numbers of size 1
      }
      if (solver == LocalSolverKind::spdc && !loss->smoothness()) continue;
      for (const double nu : {1.0, 0.4}) {
        CocoaPlusOptions options;
        options.nu = nu;
        options.local_solver = solver;
        const auto ascent = make_algorithm(options, bench.assignment());
        const Result of_ascent = simulate(bench, *ascent);
        const std::vector<double> gap = may_miss_rounds(bench, *ascent, of_ascent);
        for (std::size_t t = 0; t <= 40; ++t) {
          CHECK(gap[t] >= -1e-12);
          const Vector w = -bench.problem.pulled_back(of_ascent.parts[t][1]) / (lambda * n);
          CHECK((of_ascent.w[t] - w).norm() <= 1e-12);  // sums of 40 rounds, divided by lambda n = 0.6
        }
      }
    }
}

TEST_CASE("lean messages give the iterates of the paper's, also where machines are left out of rounds") {
  Bench bench = saddle_bench(make_loss(SmoothedHingeOptions{.gamma = 1}), 0.01, 40, {10, 8, 5, 7});
  for (const bool all : {true, false}) {
    if (!all) bench.model.participation = std::make_shared<const RandomSubset>(RandomSubset::of_size(3, 2));
    for (const StageStart start : {StageStart::x, StageStart::z}) {
      ADispaOptions options;
      options.tau = 2;
      options.sigma = 5;
      options.vt = 0.05;
      options.start = start;
      options.alpha_0 = 0.618;
      const Result paper = simulate(bench, options);
      options.messages = SaddleMessages::lean;
      CHECK(largest_difference(paper, simulate(bench, options)) == 0);
    }
    DispaOptions options = dispa(2, 5);
    const Result paper = simulate(bench, options);
    options.messages = SaddleMessages::lean;
    CHECK(largest_difference(paper, simulate(bench, options)) == 0);
  }
}

TEST_CASE("a run that starts from another's x and y goes on as that one does") {
  const auto loss = make_loss(SmoothedHingeOptions{.gamma = 1});
  for (const SaddleMessages messages : {SaddleMessages::paper, SaddleMessages::lean}) {
    Bench bench = saddle_bench(loss, 0.01, 10);
    DispaOptions options = with_steps(dispa(2, 5), 10, StepOrder::cyclic);
    options.messages = messages;
    const Result whole = simulate(bench, options);
    bench.rounds = 6;
    bench.start = whole.parts[4][0];
    options.dual_start.assign(whole.parts[4][1].begin(), whole.parts[4][1].end());
    const Result rest = simulate(bench, options);
    for (std::size_t t = 0; t <= 6; ++t)
      for (std::size_t part = 0; part < 2; ++part) CHECK(rest.parts[t][part] == whole.parts[t + 4][part]);
    CHECK(rest.ledger.total().messages_sent == 3 + 6 * 6);  // A_k'y_[k] before the first round
  }
}

TEST_CASE("latencies and threads do not change a bit of the iterates", "[threads]") {
  Bench bench = saddle_bench(make_loss(LogisticOptions{}), 0.01, 15);
  const Result once = simulate(bench, dispa(2, 5));
  bench.latencies_ns = {5'000'000, 1'000, 70'000'000};
  bench.threads = 2;
  CHECK(largest_difference(once, simulate(bench, dispa(2, 5))) == 0);
}

}  // namespace lagnet::saddle_test
