#include "scenarios/data/quadratics.hpp"

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

}  // namespace
}  // namespace lagnet::data_quadratics_test
