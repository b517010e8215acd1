#include "scenarios/data/quadratics.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <string>

#include "algorithms/objectives/losses/losses.hpp"
#include "scenarios/data/coupling.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::data_quadratics_test {
namespace {

template <class Read>
auto with_file(const std::string& text, const Read& read) {
  const TestFolder folder;
  folder.write("q.csv", text);
  return read(folder.path(), QuadraticsOptions{.path = folder.path() / "q.csv"});
}

Texts problems(const std::string& text) {
  return with_file(text,
                   [](const auto& folder, const auto& options) { return problems_of(folder, [&] { load(options); }); });
}

TEST_CASE("samples of an agent have its quadratic as their mean loss, from its minimum on") {
  const DataSet data =
      with_file("a,b,c\n2,1,3\n1,2,0\n4,0,4\n0,0,0\n", [](const auto&, const auto& options) { return load(options); });
  REQUIRE(data.samples == 4);
  const Matrix A[] = {(Matrix(2, 2) << 2, 1, 1, 2).finished(), (Matrix(2, 2) << 4, 0, 0, 0).finished()};
  const Vector b[] = {Eigen::Vector2d(3, 0), Eigen::Vector2d(4, 0)};
  const double least[] = {-3, -2};  // at (2, -1) and at (1, anything)
  for (const Vector& x : {Vector(Eigen::Vector2d(0, 0)), Vector(Eigen::Vector2d(2, -1)), Vector(Eigen::Vector2d(5, 7))})
    for (Index i : {0, 1}) {
      const Vector misses = data.X.dense().middleRows(2 * i, 2) * x - data.y.segment(2 * i, 2);
      const double cost = 0.5 * x.dot(A[i] * x) - b[i].dot(x);
      // Two squares of at most 1e3, each from a few sums: 1e-12 is a thousand roundings.
      CHECK(misses.squaredNorm() / 4 == Approx(cost - least[i]).margin(1e-12));
    }
}

TEST_CASE("tables that are no convex quadratics with a minimum are refused with the line of the agent") {
  CHECK(problems("1,2,3\n") ==
        Texts{"q.csv: expected 2 lines for each agent, as many as a line has entries of A, found "
              "1 lines"});
  CHECK(problems("1,0,3\n0,1,3\n2,1,3\n0,2,0\n1,0,3\n0,-1,3\n0,0,1\n0,0,0\n") ==
        Texts{"q.csv:3: expected a symmetric matrix from here on, found one that differs from its transpose",
              "q.csv:5: expected a matrix without negative eigenvalues from here on, found -1",
              "q.csv:7: expected a cost with a minimum: b in the range of A, found one without a lower bound"});
}

/// Two agents with two variables each, of which the last has limits, and one constraint.
const char* const two_agents = "2,1,3\n1,2,0\n4,0,4\n0,2,1\n";

template <class Read>
auto with_coupling(const std::string& lines, const std::string& coupling, const std::string& limits, const Read& read) {
  const TestFolder folder;
  folder.write("q.csv", lines);
  folder.write("c.csv", coupling);
  QuadraticsOptions options{.path = folder.path() / "q.csv", .coupling = folder.path() / "c.csv"};
  if (!limits.empty()) {
    folder.write("l.csv", limits);
    options.limits = folder.path() / "l.csv";
  }
  return read(folder.path(), options);
}

Texts problems(const std::string& lines, const std::string& coupling, const std::string& limits = "") {
  return with_coupling(lines, coupling, limits, [](const auto& folder, const auto& options) {
    return problems_of(folder, [&] { load(options); });
  });
}

TEST_CASE("the objective of coupled agents is their cost less the dual function, over the agents") {
  const auto read = [](const auto&, const auto& options) { return load(options); };
  const std::string none = "-1e20,1e20\n";
  for (const bool limited : {false, true}) {
    const DataSet data =
        with_coupling(two_agents, "1,0,1,0,5\n0,1,0,1,1\n", limited ? none + none + none + "-0.25,0.5\n" : "", read);
    const Coupling& coupling = *data.coupling;
    REQUIRE((data.loss != nullptr) == limited);
    const auto loss = limited ? data.loss : make_loss(SquaredOptions{});
    const Matrix A = (Matrix(4, 4) << 2, 1, 0, 0, 1, 2, 0, 0, 0, 0, 4, 0, 0, 0, 0, 2).finished();
    const Matrix B = (Matrix(2, 4) << 1, 0, 1, 0, 0, 1, 0, 1).finished();
    const Vector linear = Eigen::Vector4d(3, 0, 4, 1), b = Eigen::Vector2d(5, 1);
    for (const Vector& price : {Vector(Eigen::Vector2d(0, 0)), Vector(Eigen::Vector2d(-2, 1.5))}) {
      // What each agent does at the price, alone in A but for the first two.
      Vector x(4);
      x.head(2) = A.topLeftCorner(2, 2).llt().solve((linear - B.transpose() * price).head(2));
      x[2] = (4 - price[0]) / 4;
      x[3] = (1 - price[1]) / 2;
      if (limited) x[3] = std::clamp(x[3], -0.25, 0.5);
      const double cost = x.dot(A * x) / 2 - linear.dot(x), dual = cost + price.dot(B * x - b);
      const Vector scores = data.X.times(price), slopes = loss->derivative(scores, data.y);
      CHECK(loss->total(scores, data.y) / 4 == Approx((coupling.cost - dual) / 2).epsilon(1e-13));
      CHECK((coupling.variables_at(slopes) - x).norm() < 1e-13);
      CHECK((coupling.miss - data.X.transpose_times(slopes) / 2 - (B * x - b)).norm() < 1e-13);
      CHECK(coupling.cost + loss->total_conjugate(slopes, data.y) / 2 == Approx(cost).epsilon(1e-13));
    }
  }
}

TEST_CASE("files of coupled agents that do not go together are refused all at once") {
  CHECK(problems(two_agents, "1,0,1,5\n", "0,1\n0,1\n0,1\n") ==
        Texts{"c.csv: expected 5 numbers on a line: one for each line of q.csv, and the right-hand side, found 4",
              "l.csv: expected 4 lines of 2 numbers, found 3 of 2"});
  CHECK(problems("2,1,3\n1,2,0\n4,0,4\n0,0,0\n", "1,0,1,0,5\n", "0,1\n1,0\n0,1\n0,1\n") ==
        Texts{"q.csv:1: expected 0 beside the diagonal, since this variable has limits, found 1 other entries",
              "q.csv:2: expected 0 beside the diagonal, since this variable has limits, found 1 other entries",
              "q.csv:3: expected a matrix with eigenvalues above 0 from here on, so that prices determine the "
              "variables, found 0",
              "l.csv:2: expected a least value that is at most the largest one, found 1 and 0"});
}

TEST_CASE("constraints that no point keeps are refused with what the nearest one misses") {
  CHECK(problems(two_agents, "1,0,1,0,5\n2,0,2,0,9\n") ==
        Texts{"c.csv:1: expected constraints that variables can keep all at once, found one that the nearest point "
              "misses by 0.4",
              "c.csv:2: expected constraints that variables can keep all at once, found one that the nearest point "
              "misses by 0.2"});
  const std::string unit = "0,1\n";
  CHECK(problems("2,0,3\n0,2,0\n4,0,4\n0,2,1\n", "1,1,1,1,5\n", unit + unit + unit + unit) ==
        Texts{"c.csv:1: expected constraints that variables within limits can keep all at once, found one that the "
              "nearest point misses by 1"});
}

}  // namespace
}  // namespace lagnet::data_quadratics_test
