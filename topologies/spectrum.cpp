#include "topologies/spectrum.hpp"

#include <fmt/format.h>
#include <Eigen/SparseCholesky>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "sim/base/draws.hpp"
#include "sim/base/errors.hpp"
#include "sim/numerics/decompositions.hpp"
#include "sim/numerics/lanczos.hpp"
#include "topologies/laplacian.hpp"

/// The sparse way to the extreme eigenvalues. Graphs that mix fast (expanders) let Lanczos converge in a few hundred
/// products; those that mix slowly (rings, grids, trees) do not, but fall apart by removing few agents, so that
/// factorizations of their Laplacians stay sparse. Hence Lanczos first, within a budget, and a factorization where it
/// has failed.
namespace lagnet {

namespace {

constexpr double residual_max = 1e-12;  // of Lanczos, relative to the eigenvalue sought; bounds that eigenvalue's error

/// A symmetric matrix (m x m) by its products, divided by `scale`: about its largest eigenvalue, because Spectra
/// distinguishes zero from rounding by absolute thresholds, which fit matrices of norm 1.
class Operator final : public SymmetricOperator {
 public:
  Operator(Index size, double scale, std::function<Vector(VectorRef)> times)
      : size_(size), scale_(scale), times_(std::move(times)) {}
  Index rows() const override { return size_; }
  void perform_op(const double* x, double* y) const override {
    Eigen::Map<Vector>(y, size_) = times_(VectorView(x, size_)) / scale_;
  }
  double scale() const { return scale_; }

 private:
  Index size_;
  double scale_;
  std::function<Vector(VectorRef)> times_;
};

/// Where Lanczos starts (m): fixed numbers, in no pattern that an eigenvector could be orthogonal to.
Vector fixed_start(Index size) {
  Draws draws(1, Purpose{"lanczos_start"});
  Vector start(size);
  for (double& entry : start) entry = draws.uniform(-1, 1);
  return start;
}

Vector without_mean(VectorRef x) { return x.array() - x.mean(); }

/// bound I - L on the vectors of mean 0, and 0 on the constant ones: the second smallest eigenvalue of L becomes
/// the largest.
Operator flipped(const SparseMatrix& l, double bound) {
  return {l.rows(), bound, [&l, bound](VectorRef x) {
            const Vector centered = without_mean(x);
            return without_mean(bound * centered - l * centered);
          }};
}

/// Of weights so far apart, or so large, that double precision does not hold the eigenvalues; of others it is our
/// mistake.
[[noreturn]] void fail(const char* what, const Topology& topology) {
  const auto [least, largest] = std::ranges::minmax(topology.edges(), {}, &Edge::weight);
  LAGNET_CHECK(least.weight < largest.weight || largest.weight != 1, "{} of a graph with {} agents", what,
               topology.agents());
  throw Diagnosed({Diagnostic{"weights", "numbers for which double precision holds the eigenvalues of the Laplacian",
                              fmt::format("{} to {}", least.weight, largest.weight)}});
}

/// The pseudo-inverse of L, for a connected graph: solve with the last agent held at 0, which leaves a positive
/// definite matrix, and take the mean off.
Operator inverse(const SparseMatrix& l, const Topology& topology) {
  const Index others = l.rows() - 1;
  auto grounded = std::make_shared<Eigen::SimplicialLDLT<SparseMatrix>>(l.topLeftCorner(others, others));
  if (grounded->info() != Eigen::Success) fail("factorization of the grounded Laplacian", topology);
  const auto times = [grounded, others](VectorRef x) -> Vector {
    Vector solution = Vector::Zero(others + 1);
    solution.head(others) = grounded->solve(without_mean(x).head(others));
    return without_mean(solution);
  };
  constexpr int power_steps = 5;
  Vector direction = times(fixed_start(l.rows()));
  for (int k = 1; k < power_steps; ++k) direction = times(direction.normalized());
  return {l.rows(), direction.norm(), times};
}

/// The largest eigenvalue, or nothing if Lanczos has not found it within `restarts`.
std::optional<double> largest_eigenvalue(Operator matrix, Index restarts) {
  const auto found = largest_eigenpair(matrix, fixed_start(matrix.rows()),
                                       {.vectors = 40, .restarts = restarts, .tolerance = residual_max});
  return found ? std::optional(found->value * matrix.scale()) : std::nullopt;
}

/// Bisection over shifts: a Cholesky factorization of shift I - L exists exactly if the shift is above all eigenvalues.
/// `low` is at most the largest eigenvalue, `high` at least.
double largest_by_bisection(const SparseMatrix& l, double low, double high) {
  constexpr double relative_width = 1e-12;
  SparseMatrix identity(l.rows(), l.cols());
  identity.setIdentity();
  Eigen::SimplicialLLT<SparseMatrix> cholesky;
  cholesky.analyzePattern(l);
  while (high - low > relative_width * high) {
    const double shift = low + (high - low) / 2;
    cholesky.factorize(shift * identity - l);
    (cholesky.info() == Eigen::Success ? high : low) = shift;
  }
  return low + (high - low) / 2;
}

Spectrum dense_spectrum(const Topology& topology) {
  const auto eigenvalues = symmetric_eigenvalues(dense_laplacian(topology));
  if (!eigenvalues) fail("eigenvalues", topology);
  return {(*eigenvalues)[topology.agents() - 1], (*eigenvalues)[1]};
}

Spectrum sparse_spectrum(const Topology& topology) {
  const SparseMatrix l = laplacian(topology);
  double degree_max = 0, bound = 0;  // bound: Anderson, Morley, "Eigenvalues of the Laplacian of a graph" (1985)
  for (const auto& [from, to, weight] : topology.edges()) {
    const double a = topology.weighted_degree(from), b = topology.weighted_degree(to);
    degree_max = std::max({degree_max, a, b});
    bound = std::max(bound, a + b);
  }
  Spectrum result;
  const auto largest = largest_eigenvalue({l.rows(), bound, [&l](VectorRef x) -> Vector { return l * x; }}, 30);
  result.laplacian_max = largest ? *largest : largest_by_bisection(l, degree_max, bound * (1 + 1e-9));
  if (!topology.connected()) return result;

  // The difference from the bound keeps few digits of an eigenvalue far below it; under this share the inverse is
  // surer.
  constexpr double share_min = 1e-3;
  const auto top = largest_eigenvalue(flipped(l, bound), 30);
  if (top && bound - *top > share_min * bound) {
    result.algebraic_connectivity = bound - *top;
    return result;
  }
  const auto reciprocal = largest_eigenvalue(inverse(l, topology), 1000);
  if (!reciprocal) fail("algebraic connectivity", topology);
  result.algebraic_connectivity = 1 / *reciprocal;
  return result;
}

}  // namespace

Spectrum spectrum(const Topology& topology, EigenMethod method) {
  constexpr std::int64_t dense_agents_max = 512;
  const std::int64_t agents = topology.agents();
  if (agents == 1) return {0, std::numeric_limits<double>::infinity()};
  if (topology.edges().empty()) return {0, 0};
  const bool dense = method == EigenMethod::automatic ? agents <= dense_agents_max : method == EigenMethod::dense;
  Spectrum result = dense || agents < 3 ? dense_spectrum(topology) : sparse_spectrum(topology);
  if (!topology.connected()) result.algebraic_connectivity = 0;  // exactly, where rounding would leave 1e-16
  return result;
}

std::optional<std::vector<double>> laplacian_eigenvalues(const Topology& topology) {
  constexpr std::int64_t agents_max = 2'000;
  if (topology.agents() > agents_max) return std::nullopt;
  const auto all = symmetric_eigenvalues(dense_laplacian(topology));
  if (!all) fail("eigenvalues", topology);
  return std::vector<double>(all->begin(), all->end());
}

}  // namespace lagnet
