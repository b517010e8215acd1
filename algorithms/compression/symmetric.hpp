#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "algorithms/compression/entrywise.hpp"
#include "algorithms/compression/kept_entries.hpp"
#include "algorithms/compression/value_bits.hpp"
#include "sim/base/array.hpp"
#include "sim/base/options.hpp"

/// Symmetric matrices (d x d) as vectors of the d (d + 1) / 2 numbers of their upper triangle, row by row from the
/// diagonal, and compressors of these vectors. What contracts is the matrix's Frobenius norm.
namespace lagnet {

constexpr Index packed_size(Index d) { return d * (d + 1) / 2; }
/// Of the lower triangle of a matrix (d x d), which is the upper one of a symmetric matrix: column by column.
Vector packed(const Matrix& lower);
/// The same matrix from its numbers; only its lower triangle is set, the rest is 0.
Matrix unpacked(VectorRef numbers, Index d);
/// The matrix's Frobenius norm.
double frobenius_norm(VectorRef numbers, Index d);

class Compressor;

/// Keeps the r eigenvalues of largest absolute value and their eigenvectors; the result has rank r.
/// Contractive with delta = r/d. Vectors times the root of the absolute value are sent, each with a sign. Source:
/// Safaryan, Islamov, Qian, Richtarik, "FedNL: making Newton-type methods applicable to federated learning", ICML 2022.
struct RankROptions {
  static constexpr std::string_view kind = "rank_r";
  static constexpr std::string_view summary = "keeps r eigenvalues of a symmetric matrix, with their vectors";
  std::int64_t r = 1;
  ValueBits value_bits = {};
  static void fields(auto& self, auto& field) {
    field("r", self.r, "eigenvalues that are kept, those of largest absolute value, at most d", at_least(1));
    declare_value_bits(self, field);
  }
  void check(auto& report) const { check_value_bits(*this, report); }
};

// One line a kind, which clang-format would fill up.
// clang-format off
/// A kind of compressor of symmetric matrices with its options; by default the identity. top_k keeps k entries of the
/// upper triangle.
struct MatrixCompressorOptions : OneOf<IdentityOptions,
                                       TopKOptions,
                                       RankROptions> {
  static constexpr std::string_view called = "matrix_compressor";
  using OneOf::OneOf;
  static void declare(auto& self, auto& field) {
    field("compressor", self.compressor,
          "what is sent in place of symmetric matrices: {\"kind\": \"rank_r\", \"r\": 1}; top_k keeps entries of the "
          "upper triangle");
  }
};
// clang-format on

/// For packed matrices (d x d). Throws Diagnosed for options that cannot be, with the key "compressor".
std::shared_ptr<const Compressor> make_compressor(const MatrixCompressorOptions& options, Index d);
/// A delta of it in the Frobenius norm: of top_k k / d^2, as an entry beside the diagonal is one of two.
double delta_of_matrices(const Compressor& Q, const MatrixCompressorOptions& options, Index d);

}  // namespace lagnet
