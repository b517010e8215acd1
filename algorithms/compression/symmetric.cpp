#include "algorithms/compression/symmetric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <vector>

#include "algorithms/compression/compressor.hpp"
#include "sim/base/diagnostic.hpp"
#include "sim/numerics/decompositions.hpp"

namespace lagnet {

namespace {

class RankR final : public Compressor {
 public:
  RankR(const ValueBits& v, Index r, Index d)
      : Compressor(packed_size(d), {.is = CompressorClass::contractive,
                                    .kept = packed_size(d),
                                    .flops = 9 * d * d * d + 2 * r * packed_size(d),
                                    .omega = std::nullopt,
                                    .delta = static_cast<double>(r) / static_cast<double>(d)}),
        v_(v),
        r_(r),
        order_(d) {}

  std::int64_t bits(std::int64_t scalar_bits) const override { return r_ * (order_ * v_.value_or(scalar_bits) + 1); }
  void encode(VectorRef x, CompressionDraws&, std::int64_t scalar_bits, BitWriter& to) const override {
    for (const Part& part : largest_parts(x)) {
      to.put(part.is_negative ? 1 : 0, 1);
      for (const double entry : part.u) to.put_value(entry, static_cast<int>(v_.value_or(scalar_bits)));
    }
  }
  Vector decode(BitReader& from, CompressionDraws&, std::int64_t scalar_bits) const override {
    Vector x = Vector::Zero(d());
    for (Index j = 0; j < r_; ++j) {
      Part part{.is_negative = from.take(1) == 1, .u = Vector(order_)};
      for (double& entry : part.u) entry = from.take_value(static_cast<int>(v_.value_or(scalar_bits)));
      add(part, x);
    }
    return x;
  }

 private:
  /// u u', or its negative: an eigenvalue's part of the matrix.
  struct Part {
    bool is_negative;
    Vector u;  // (d)
  };
  std::vector<Part> largest_parts(VectorRef x) const {
    const SymmetricEigen eigen = symmetric_eigen(unpacked(x, order_));
    std::vector<Index> places(static_cast<std::size_t>(order_));
    std::iota(places.begin(), places.end(), Index{0});
    std::ranges::stable_sort(places,
                             [&](Index i, Index j) { return std::abs(eigen.values[i]) > std::abs(eigen.values[j]); });
    std::vector<Part> parts;
    for (Index j = 0; j < r_; ++j) {
      const Index place = places[static_cast<std::size_t>(j)];
      const double value = eigen.values[place];
      parts.push_back({.is_negative = value < 0, .u = std::sqrt(std::abs(value)) * eigen.vectors.col(place)});
    }
    return parts;
  }
  void add(const Part& part, Eigen::Ref<Vector> x) const {
    Index first = 0;
    for (Index j = 0; j < order_; first += order_ - j, ++j)
      x.segment(first, order_ - j) += (part.is_negative ? -part.u[j] : part.u[j]) * part.u.tail(order_ - j);
  }
  void apply(Eigen::Ref<Vector> x, CompressionDraws&) const override {
    const std::vector<Part> parts = largest_parts(x);
    x.setZero();
    for (const Part& part : parts) add(part, x);
  }

  const ValueBits v_;
  const Index r_, order_;
};

std::shared_ptr<const Compressor> make_for_matrices(const RankROptions& options, Index d) {
  if (options.r > d)
    throw Diagnosed("compressor", fmt::format("r: at most {}, the features", d), std::to_string(options.r));
  return std::make_shared<RankR>(options.value_bits, options.r, d);
}
std::shared_ptr<const Compressor> make_for_matrices(const TopKOptions& options, Index d) {
  const Index q = packed_size(d);
  if (options.k.value_or(0) > q)
    throw Diagnosed("compressor", fmt::format("k: at most {}, the entries of the upper triangle", q),
                    std::to_string(*options.k));
  return make_compressor(options, q);
}
std::shared_ptr<const Compressor> make_for_matrices(const IdentityOptions& options, Index d) {
  return make_compressor(options, packed_size(d));
}

}  // namespace

Vector packed(const Matrix& lower) {
  const Index d = lower.rows();
  Vector numbers(packed_size(d));
  Index first = 0;
  for (Index j = 0; j < d; first += d - j, ++j) numbers.segment(first, d - j) = lower.col(j).tail(d - j);
  return numbers;
}

Matrix unpacked(VectorRef numbers, Index d) {
  Matrix lower = Matrix::Zero(d, d);
  Index first = 0;
  for (Index j = 0; j < d; first += d - j, ++j) lower.col(j).tail(d - j) = numbers.segment(first, d - j);
  return lower;
}

double frobenius_norm(VectorRef numbers, Index d) {
  double of_diagonal = 0;
  for (Index j = 0, place = 0; j < d; place += d - j, ++j) of_diagonal += numbers[place] * numbers[place];
  return std::sqrt(2 * numbers.squaredNorm() - of_diagonal);
}

std::shared_ptr<const Compressor> make_compressor(const MatrixCompressorOptions& options, Index d) {
  return options.visit([d](const auto& chosen) { return make_for_matrices(chosen, d); });
}

double delta_of_matrices(const Compressor& Q, const MatrixCompressorOptions& options, Index d) {
  if (options.kind() != TopKOptions::kind || Q.is() == CompressorClass::exact) return Q.delta();
  return static_cast<double>(Q.kept()) / static_cast<double>(d * d);
}

}  // namespace lagnet
