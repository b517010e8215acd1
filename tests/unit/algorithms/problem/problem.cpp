#include "algorithms/problem/problem.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"

namespace lagnet::problem_test {

namespace {

Problem make(const Matrix& x, const Vector& y) {
  return {std::make_shared<const DataMatrix>(x), y, x.rows(), make_loss(SquaredOptions{}),
          make_regularizer(L1Options{.weight = 0.5})};
}

}  // namespace

TEST_CASE("The objective is the mean loss over the nominal samples plus the regularizer") {
  Problem problem = make((Matrix(2, 2) << 1, 2, 3, 4).finished(), (Vector(2) << 1, 1).finished());
  const Vector theta = (Vector(2) << 1, -1).finished();  // scores -1, -1
  CHECK(problem.objective(theta) == 3);                  // (2 + 2) / 2 + 0.5 * 2
  CHECK(problem.objective_of_scores((Vector(2) << -1, -1).finished(), theta) == 3);
  problem.samples = 8;
  CHECK(problem.objective(theta) == 1.5);
  CHECK(problem.diagnostics().empty());
}

TEST_CASE("All problems of the data are reported at once, with their places") {
  Problem problem =
      make(Matrix::Ones(3, 2), (Vector(4) << 1, 0.5, 2, std::numeric_limits<double>::quiet_NaN()).finished());
  Matrix x = Matrix::Ones(3, 2);
  x(2, 1) = std::numeric_limits<double>::infinity();
  problem.X = std::make_shared<const DataMatrix>(x);
  problem.loss = make_loss(LogisticOptions{});
  problem.samples = 0;
  CHECK(problem.diagnostics() ==
        std::vector<Diagnostic>{Diagnostic{"samples", "at least 1", "0"},
                                Diagnostic{"y", "3 labels, one per row of X", "4"},
                                Diagnostic{"X", "a finite number", "inf", Diagnostic::Place::words, "row 2, column 1"},
                                Diagnostic{"y", "a finite number", "nan", Diagnostic::Place::words, "sample 4 of 4"},
                                Diagnostic{"y", "-1 or +1", "0.5", Diagnostic::Place::words, "sample 2 of 4"}});
  problem.X = std::make_shared<const DataMatrix>(SparseMatrix(x.sparseView()));
  CHECK(problem.diagnostics()[2] ==
        Diagnostic{"X", "a finite number", "inf", Diagnostic::Place::words, "row 2, column 1"});
}

TEST_CASE("Numbers whose squares are no doubles are reported with the largest of them") {
  const std::string few = "a number of at most 1e+150, since squares are added up";
  const std::string tiny = "a number of at least 1e-150 somewhere, since squares are added up and all are smaller";
  Matrix x = Matrix::Ones(3, 2);
  CHECK(make(x, (Vector(3) << 1, -1e155, 2).finished()).diagnostics() ==
        std::vector<Diagnostic>{Diagnostic{"y", few, "-1e+155", Diagnostic::Place::words, "sample 2 of 3"}});
  CHECK(make(1e-200 * x, Vector::Ones(3)).diagnostics() ==
        std::vector<Diagnostic>{Diagnostic{"X", tiny, "1e-200", Diagnostic::Place::words, "row 0, column 0"}});
  x(2, 1) = 1e160;
  CHECK(make(x, Vector::Ones(3)).diagnostics() ==
        std::vector<Diagnostic>{Diagnostic{"X", few, "1e+160", Diagnostic::Place::words, "row 2, column 1"}});
  x(2, 1) = 1e-200;  // one small number among others does no harm
  CHECK(make(x, Vector::Zero(3)).diagnostics().empty());
}

TEST_CASE("Data without rows or columns are reported") {
  CHECK(make(Matrix(0, 2), Vector(0)).diagnostics()[0] == Diagnostic{"X", "at least 1 row (sample)", "0"});
  CHECK(make(Matrix(2, 0), Vector::Ones(2)).diagnostics() ==
        std::vector<Diagnostic>{Diagnostic{"X", "at least 1 column (feature)", "0"}});
}

TEST_CASE("Chosen columns come in the order asked for, dense and sparse") {
  const Matrix x = (Matrix(2, 3) << 1, 0, 3, 4, 5, 0).finished();
  const Matrix expected = (Matrix(2, 2) << 3, 1, 0, 4).finished();
  CHECK(DataMatrix(x).columns(std::vector<Index>{2, 0}).dense() == expected);
  CHECK(DataMatrix(SparseMatrix(x.sparseView())).columns(std::vector<Index>{2, 0}).dense() == expected);
  CHECK(DataMatrix(x).squared_norm() == 51);
}

}  // namespace lagnet::problem_test
