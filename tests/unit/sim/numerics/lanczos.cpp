#include "sim/numerics/lanczos.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace lagnet::lanczos_test {

/// diag(entries).
class Diagonal final : public SymmetricOperator {
 public:
  explicit Diagonal(Vector entries) : entries_(std::move(entries)) {}
  Index rows() const override { return entries_.size(); }
  void perform_op(const double* x, double* y) const override {
    Eigen::Map<Vector>(y, rows()) = entries_.cwiseProduct(Eigen::Map<const Vector>(x, rows()));
  }

 private:
  Vector entries_;
};

TEST_CASE("the largest eigenvalue is found, negative ones of greater size beside it") {
  Vector entries = Vector::LinSpaced(200, -3, 1);
  entries[77] = 1.5;
  Diagonal A(entries);
  const auto found = largest_eigenpair(A, Vector::Ones(200), {.vectors = 30, .restarts = 100, .tolerance = 1e-12});
  REQUIRE(found);
  // A symmetric matrix has an eigenvalue as near as the residual is long.
  CHECK(std::abs(found->value - 1.5) < 1e-11);
  CHECK(std::abs(std::abs(found->vector[77]) - 1) < 1e-11);
}

TEST_CASE("an eigenvalue that needs more restarts is not found") {
  Diagonal A(Vector::LinSpaced(2000, 0, 1));
  CHECK_FALSE(largest_eigenpair(A, Vector::Ones(2000), {.vectors = 4, .restarts = 2, .tolerance = 1e-12}));
}

}  // namespace lagnet::lanczos_test
