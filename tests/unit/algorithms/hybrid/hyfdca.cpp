#include "algorithms/hybrid/hyfdca.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "tests/unit/algorithms/hybrid/hybrid_bench.hpp"
#include "tests/unit/algorithms/hybrid/hyfdca_bench.hpp"

namespace lagnet::hyfdca_test {

using namespace lagnet::test;
using namespace lagnet::test::hyfdca_bench;

TEST_CASE("one client with one step an iteration is serial dual coordinate ascent") {
  for (const auto& loss : four_losses()) {
    const Problem problem = problem_with(loss);
    const Round rounds = 40;
    const Run got = run(cyclic(1), divided(problem, 1, 1, rounds));
    const Matrix X = problem.X->dense();
    const double scale = lambda * 12;
    Vector a = Vector::Zero(12);
    for (Round t = 1; t <= rounds; ++t) {
      const Index i = (t - 1) % 12;
      const double p = X.row(i).dot(X.transpose() * a) / scale, q = X.row(i).squaredNorm() / scale;
      a[i] = q > 0 ? loss->dual_step(a[i], p, problem.y[i], q) : -loss->derivative(p, problem.y[i]);
      // Sums of 12 products in another order, in 40 steps whose errors do not grow.
      CHECK((got.parts[static_cast<std::size_t>(t)][1] - a).norm() < 1e-12);
    }
  }
}

TEST_CASE("dual suboptimality is the gap of the dual objective to the optimum") {
  const auto method = make_algorithm(cyclic(2), divided(problem_with(make_loss(HingeOptions{})), 2, 2, 5));
  const Run got = run(*method, 5);
  const std::vector<std::vector<Vector>> report{got.parts.back()};
  const auto place = [names = method->metric_names()](const char* name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  };
  const auto without = method->evaluate(5, report, {}).metrics,
             with = method->evaluate(5, report, {.optimum = 0.75}).metrics;
  CHECK(without.at(place("dual_suboptimality")) == std::nullopt);
  CHECK(with.at(place("dual_suboptimality")) == 0.75 - with.at(place("dual_objective")).value());
  CHECK(with.at(place("encryption_serial_s")) == got.parts.back()[2][3]);
  CHECK(with.at(place("encryption_parallel_s")) == got.parts.back()[2][4]);
}

TEST_CASE("H is reported as the most samples that a client uses") {
  const auto H_of = [](Index local_steps) {
    const auto method = make_algorithm(cyclic(local_steps), divided(problem_with(make_loss(HingeOptions{})), 2, 2, 5));
    for (const auto& [name, value] : method->constants())
      if (name == "H") return value;
    return 0.0;
  };
  CHECK(H_of(4) == 4);
  CHECK(H_of(50) == 6);  // 12 samples in 2 groups
}

TEST_CASE("an iteration without anybody leaves the state and the clock as they are") {
  const Problem problem = problem_with(make_loss(HingeOptions{}));
  const Matrix X = problem.X->dense();
  const Vector& y = problem.y;
  std::vector<Index> all(12), none;
  std::iota(all.begin(), all.end(), Index{0});
  const std::vector<Places> places{{all, {0, 1, 2}}, {all, {3, 4, 5}}, {none, {}}};  // client 3 holds nothing
  const HybridRun got = hybrid_run(cyclic(2), hybrid(X, y, lambda, places, 4), {{1, 2}, {3}, {}, {1, 2}});
  for (const std::size_t t : {2u, 3u}) {
    CHECK(got.parts[t] == got.parts[1]);
    CHECK(got.times[t] == got.times[1]);
  }
  const HybridRun without = hybrid_run(cyclic(2), hybrid(X, y, lambda, places, 2), {{1, 2}, {1, 2}});
  CHECK(got.parts[4][0] == without.parts[2][0]);
  CHECK(got.parts[4][1] == without.parts[2][1]);
}

TEST_CASE("any number of iterations without anybody may come before the first client") {
  const Problem problem = problem_with(make_loss(HingeOptions{}));
  const std::vector<Places> places{{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {0, 1, 2, 3, 4, 5}}, {{}, {}}};
  const auto given = [&](Round rounds) { return hybrid(problem.X->dense(), problem.y, lambda, places, rounds); };
  const HybridRun late = hybrid_run(cyclic(2), given(7), {{2}, {}, {2}, {}, {2}, {1}, {1}});  // client 2 holds nothing
  const HybridRun at_once = hybrid_run(cyclic(2), given(2), {{1}, {1}});
  CHECK(late.parts[7][0] == at_once.parts[2][0]);
  CHECK(hybrid_run(cyclic(2), given(5), {{2}, {}, {}, {2}, {}}).parts[5][0].isZero(0));
}

TEST_CASE("a sample of zeros that two clients hold gets the dual variable of its loss at 0") {
  MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 1, 2, 1);
  const Run got = run(cyclic(12), given);
  CHECK(got.parts[1][1][3] == given.problem.y[3]);  // a half from each; b = 1
}

TEST_CASE("samples of absent clients keep their dual variables, and features of absent clients stay 0") {
  const Run got = run(cyclic(2), divided(problem_with(make_loss(HingeOptions{})), 3, 2, 9), {{1, 3}});
  const Vector &w0 = got.parts.back()[0], &a0 = got.parts.back()[1];
  CHECK(a0.head(8).norm() > 0);
  CHECK(a0.tail(4) == Vector(Vector::Zero(4)));
  CHECK(w0.head(3).norm() > 0);
  CHECK(w0.tail(3) == Vector(Vector::Zero(3)));
}

TEST_CASE("a dual that only half of its holders take back each time ends at 0, and not among subnormal numbers") {
  Problem problem = problem_with(make_loss(HingeOptions{}));
  problem.regularizer = make_regularizer(L2Options{.weight = 0.01});
  const Run got = run(cyclic(6), divided(problem, 2, 2, 5000), {{1, 3}, {2, 4}});
  const Vector &early = got.parts[20][1], &last = got.parts.back()[1];
  Index ended = 0;
  for (Index i = 0; i < early.size(); ++i) {
    CHECK((last[i] == 0 || std::isnormal(last[i])));
    ended += early[i] != 0 && last[i] == 0;
  }
  CHECK(ended > 0);  // 5,000 halves of 1 are 0 in double precision; see flush_subnormals.hpp
}

TEST_CASE("a client with fewer samples than local steps uses each of them once") {
  const MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 3, 2, 5);
  const Run many = run(cyclic(100), given), all = run(cyclic(4), given);
  CHECK(many.parts == all.parts);
}

TEST_CASE("norms that clients cannot know without an exchange are warned of") {
  Problem problem = problem_with(make_loss(HingeOptions{}));
  const auto warnings = [&](Index Q, const Problem& of) {
    return make_algorithm(cyclic(1), divided(of, 3, Q, 4))->warnings();
  };
  CHECK(
      texts_of(warnings(2, problem)) ==
      std::vector<std::string>{"row_norms known: clients share samples whose norms are not all 1, which they can only "
                               "learn from each other; exchanged also bills that"});
  CHECK(warnings(1, problem).empty());  // each client has whole samples
  Matrix X = problem.X->dense();
  for (auto row : X.rowwise()) row.stableNormalize();  // zeros stay as they are
  problem.X = std::make_shared<const DataMatrix>(X);
  CHECK(warnings(2, problem).empty());
}

}  // namespace lagnet::hyfdca_test
