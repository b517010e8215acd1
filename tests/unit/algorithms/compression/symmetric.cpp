#include "algorithms/compression/symmetric.hpp"

#include <catch2/catch.hpp>

#include "algorithms/compression/compressor.hpp"
#include "sim/base/diagnostic.hpp"
#include "tests/support/decompositions.hpp"
#include "tests/unit/algorithms/compression/some_compressors.hpp"

namespace lagnet::symmetric_test {

using namespace lagnet::test;

namespace {

constexpr Index d = 6, q = 21;

Matrix symmetric(std::uint64_t seed) {
  const Matrix A = testing::normal_matrix(d, d, seed);
  return A + A.transpose();
}
Matrix whole(const Vector& numbers) {
  const Matrix lower = unpacked(numbers, d);
  return lower.selfadjointView<Eigen::Lower>();
}

std::vector<std::pair<std::string, MatrixCompressorOptions>> kinds() {
  return {{"identity", IdentityOptions{}},
          {"top 5", TopKOptions{.k = 5}},
          {"rank 1", RankROptions{}},
          {"rank 4", RankROptions{.r = 4}}};
}

}  // namespace

TEST_CASE("a symmetric matrix is packed row by row from the diagonal") {
  const Matrix A{{1, 2, 3}, {2, 4, 5}, {3, 5, 6}};
  CHECK(packed(A) == Vector{{1, 2, 3, 4, 5, 6}});
  CHECK(unpacked(packed(A), 3) == Matrix{{1, 0, 0}, {2, 4, 0}, {3, 5, 6}});
  CHECK(packed(Matrix{{1, 77, 77}, {2, 4, 77}, {3, 5, 6}}) == packed(A));  // only the lower triangle is read
  CHECK(frobenius_norm(packed(A), 3) == Approx(A.norm()));
}

TEST_CASE("the bits of compressed matrices are those of an encoding that decodes to the same") {
  for (const auto& [name, options] : kinds()) {
    CAPTURE(name);
    const auto Q = make_compressor(options, d);
    const Vector x = packed(symmetric(4)), result = compressed(*Q, x);
    BitWriter encoding;
    CompressionDraws sender = draws_of(1), receiver = draws_of(1);
    Q->encode(x, sender, 64, encoding);
    CHECK(encoding.size() == Q->bits(64));
    BitReader reader(encoding.bytes());
    CHECK(Q->decode(reader, receiver, 64) == result);
  }
  CHECK(make_compressor(MatrixCompressorOptions(IdentityOptions{}), d)->bits(64) == q * 64);
  CHECK(make_compressor(MatrixCompressorOptions(TopKOptions{.k = 3}), d)->bits(64) == 3 * 64 + 3 * 5);
  CHECK(make_compressor(MatrixCompressorOptions(RankROptions{.r = 2}), d)->bits(64) == 2 * (6 * 64 + 1));
}

TEST_CASE("compressed matrices are no farther off in the Frobenius norm than delta says") {
  for (const auto& [name, options] : kinds())
    for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
      CAPTURE(name, seed);
      const auto Q = make_compressor(options, d);
      const Matrix A = symmetric(seed), left = whole(compressed(*Q, packed(A))) - A;
      const double delta = delta_of_matrices(*Q, options, d);
      CHECK(left.squaredNorm() <= (1 - delta) * A.squaredNorm() * (1 + 1e-12) + 1e-24);
    }
}

TEST_CASE("rank r leaves the eigenvalues of largest absolute value") {
  const Matrix A = symmetric(7);
  Vector sizes = testing::eigenvalues(A).cwiseAbs();
  std::ranges::sort(sizes, std::greater<>());
  for (Index r = 1; r <= d; ++r) {
    const Matrix kept =
        whole(compressed(*make_compressor(MatrixCompressorOptions(RankROptions{.r = r}), d), packed(A)));
    Vector found = testing::eigenvalues(kept).cwiseAbs();
    std::ranges::sort(found, std::greater<>());
    // Eigenvalues of numbers below 10 to a few roundings; what is left of others is rounding.
    CHECK((found.head(r) - sizes.head(r)).norm() < 1e-13);
    CHECK(found.tail(d - r).norm() < 1e-13);
  }
}

TEST_CASE("top k counts entries of the upper triangle, and all of them are the identity") {
  Vector x = Vector::Zero(q);
  x << 1, -3, 2, 0.5, 2, 3, Vector::LinSpaced(15, 0.1, 0.4);
  const MatrixCompressorOptions three(TopKOptions{.k = 3}), all(TopKOptions{.k = 21});
  Vector expected = Vector::Zero(q);
  expected[1] = -3;
  expected[5] = 3;
  expected[2] = 2;  // of equal ones that with the lower index
  CHECK(compressed(*make_compressor(three, d), x) == expected);
  CHECK(delta_of_matrices(*make_compressor(three, d), three, d) == Approx(3.0 / 36));
  CHECK(compressed(*make_compressor(all, d), x) == x);
  CHECK(delta_of_matrices(*make_compressor(all, d), all, d) == 1);
}

TEST_CASE("more than there is cannot be kept of a matrix") {
  const auto make = [](const MatrixCompressorOptions& options) { make_compressor(options, 3); };
  CHECK_THROWS_WITH(make(RankROptions{.r = 4}), "compressor: expected r: at most 3, the features, found 4");
  CHECK_THROWS_WITH(make(TopKOptions{.k = 7}),
                    "compressor: expected k: at most 6, the entries of the upper triangle, found 7");
  CHECK_THROWS_WITH(make(TopKOptions{.k = 0}), "compressor: expected k: at least 1, found 0");
  CHECK_NOTHROW(make(TopKOptions{.fraction = 0.3}));
}

}  // namespace lagnet::symmetric_test
