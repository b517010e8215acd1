#include "scenarios/run/outcome.hpp"

#include <catch2/catch.hpp>

#include <cmath>

namespace lagnet::outcome_test {

TEST_CASE("a missing optimum is explained, a certified or unwanted one is not") {
  const Optimum good{Vector::Zero(1), 1, {CertificateKind::duality_gap, 1e-12, ""}},
      rough{Vector::Zero(1), 1, {CertificateKind::duality_gap, 1e-3, ""}};
  const Optimum none{Vector::Zero(1), 0, {CertificateKind::no_minimizer, INFINITY, ""}};
  CHECK(!missing_optimum(nullptr));
  CHECK(!missing_optimum(&good));
  CHECK(missing_optimum(&rough) == "no certified optimum (duality_gap: 0.001): relative_error is empty");
  CHECK(missing_optimum(&none) == "no minimizer exists (separable data): relative_error is empty");
}

}  // namespace lagnet::outcome_test
