#include "algorithms/peers/bases/laplacian_polynomial.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <utility>

#include "tests/unit/algorithms/peers/peer_bench.hpp"

namespace lagnet::laplacian_polynomial_test {

namespace {

using test::laplacian_of;
using test::spectrum_of;

/// P(Wl) by the recursion, as agents do it.
Matrix recursive(const LaplacianPolynomial& P, const Matrix& L) {
  const Matrix identity = Matrix::Identity(L.rows(), L.rows());
  if (P.is_plain()) return L;
  Matrix x = identity, before = identity;
  for (Index k = 0; k < P.exchanges(); ++k) {
    const auto [of_product, of_last] = P.step(k);
    Matrix next = of_product * (L * x) + of_last * x;
    if (k > 0) next -= before;
    before = std::exchange(x, std::move(next));
  }
  return identity - x / P.scale();
}

/// 2 q^K / (1 + q^2K), q = (sqrt(chi) - 1) / (sqrt(chi) + 1).
double width(double chi, Index K) {
  const double q = (std::sqrt(chi) - 1) / (std::sqrt(chi) + 1), power = std::pow(q, static_cast<double>(K));
  return 2 * power / (1 + power * power);
}

}  // namespace

TEST_CASE("The polynomial of a ring's Laplacian has its eigenvalues within its bounds and meets the lower one") {
  for (const AgentId m : {AgentId{6}, AgentId{8}, AgentId{16}, AgentId{32}}) {
    const Matrix L = laplacian_of(m, test::ring_edges(m));
    const GraphSpectrum graph = spectrum_of(L);
    const double chi = graph.largest / graph.least;
    for (const Index K : {Index{1}, Index{2}, Index{3}, LaplacianPolynomial::usual_degree(graph)}) {
      CAPTURE(m, K);
      const LaplacianPolynomial P(K, graph);
      const double e = width(chi, K);
      CHECK(P.exchanges() == K);
      CHECK(P.largest() == Approx(1 + e).epsilon(1e-12));
      CHECK(P.least() == Approx(1 - e).epsilon(1e-9));  // a difference of numbers near 1
      const Matrix polynomial = recursive(P, L);
      const Vector found = testing::eigenvalues(polynomial);  // ascending, the first is 0
      // Coefficients of the size of a_K c2^K, below 1e3, and dozens of roundings.
      CHECK(std::abs(found[0]) < 1e-12);
      CHECK(found[1] == Approx(1 - e).margin(1e-12));
      CHECK(found[found.size() - 1] <= 1 + e + 1e-12);
      CHECK((polynomial * Matrix::Ones(L.rows(), 1)).norm() < 1e-12);
    }
  }
}

TEST_CASE("The usual degree is the root of the condition number and leaves eigenvalues within a factor of 19/15") {
  const auto usual = [](AgentId m) {
    return LaplacianPolynomial::usual_degree(spectrum_of(laplacian_of(m, test::ring_edges(m))));
  };
  CHECK(usual(6) == 2);  // chi = 4, whose eigenvalues are rounded
  CHECK(usual(8) == 2);
  CHECK(usual(16) == 5);
  CHECK(usual(32) == 10);
  // Kovalev, Salim, Richtarik 2020: 2 q^K / (1 + q^2K) <= 4/15 for K >= sqrt(chi), so that the ratio is below 19/11.
  for (const double chi : {4.0, 25.0, 100.0, 1e4}) {
    const LaplacianPolynomial P(LaplacianPolynomial::usual_degree({chi, 1}), {chi, 1});
    CHECK(P.largest() <= 1 + 4.0 / 15);
    CHECK(P.least() >= 1 - 4.0 / 15);
  }
}

TEST_CASE("Steps from the polynomial's bounds are the constants that the paper prints for MSDA") {
  const double mu = 0.1, L = 1.3, kappa = L / mu;
  for (const double chi : {4.0, 6.83, 26.3, 104.0})
    for (const Index K : {1, 2, 5, 10}) {
      const LaplacianPolynomial P(K, {chi, 1});
      const double q = (std::sqrt(chi) - 1) / (std::sqrt(chi) + 1), c = std::pow(q, static_cast<double>(K));
      const double eta = mu / P.largest(), g = std::sqrt(P.least() / P.largest());
      const double beta = (std::sqrt(kappa) - g) / (std::sqrt(kappa) + g);
      CHECK(eta == Approx(mu * (1 + c * c) / ((1 + c) * (1 + c))).epsilon(1e-12));
      const double up = (1 + c) * std::sqrt(kappa), down = 1 - c;
      CHECK(beta == Approx((up - down) / (up + down)).epsilon(1e-10));  // 1 - e loses digits where q^K is near 1
    }
}

TEST_CASE("Degree 0 is the Laplacian itself and a complete graph takes one exchange whatever the degree") {
  const Matrix ring = laplacian_of(8, test::ring_edges(8)), complete = laplacian_of(5, test::complete_edges(5));
  const LaplacianPolynomial plain(0, spectrum_of(ring));
  CHECK((plain.is_plain() && plain.exchanges() == 1));
  CHECK(plain.largest() == Approx(4));
  CHECK(plain.least() == Approx(2 - std::sqrt(2.0)));
  for (const Index K : {1, 4}) {
    const LaplacianPolynomial P(K, spectrum_of(complete));
    CHECK(P.exchanges() == 1);
    CHECK((P.largest() == 1 && P.least() == 1));
    CHECK((recursive(P, complete) - complete / 5).norm() < 1e-14);
  }
  CHECK(LaplacianPolynomial::usual_degree(spectrum_of(complete)) == 1);
}

TEST_CASE("Degrees whose coefficients are not finite are refused and so are graphs that are not connected") {
  // cosh(K arccosh(5/3)) is finite for K log 3 < 710.
  CHECK(LaplacianPolynomial(640, {4, 1}).exchanges() == 640);
  CHECK_THROWS_WITH(LaplacianPolynomial(650, {4, 1}),
                    "K: expected a degree whose polynomial has finite coefficients; 2 is usual here, found 650");
  CHECK_THROWS_WITH(LaplacianPolynomial(1, {4, 0}), Catch::StartsWith("kind: expected a connected graph, found"));
}

}  // namespace lagnet::laplacian_polynomial_test
