#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "scenarios/data/data_set.hpp"
#include "scenarios/data/generators/data_shape.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// Some entries of a p x p matrix Theta* of low rank, seen with noise: pairs (row, column) drawn uniformly with
/// replacement, value = Theta*[row][column] + N(0, (noise / p)^2). Theta* is a product of normal p x r and r x p
/// factors, scaled so that its largest entry is omega / p.
/// A sample is a sparse row with the one entry p, at row p + column, and has the label p value, so that the squared
/// loss is (p^2 / 2n) sum (Theta[row][column] - value)^2, whose expected Hessian is the identity (mu = L = 1).
/// Source: Maros, Scutari, "Acceleration in distributed sparse regression" (2022), corollary on matrix completion, with
/// the scale that its condition (65) is written for; factors and the noise's p are not said there.
struct MatrixCompletionOptions {
  std::int64_t size = 0;
  std::int64_t rank = 0;
  std::int64_t observations = 0;
  double omega = 1;
  double noise = 0.5;

  static constexpr std::string_view kind = "matrix_completion";
  static constexpr std::string_view summary = "entries of a square matrix of low rank, drawn with replacement";
  static void fields(auto& self, auto& field) {
    field("size", self.size, "p, rows and columns of the matrix", within(1, max_size).required());
    field("rank", self.rank, "r, rank of the true matrix", at_least(1).required());
    field("observations", self.observations, "number of observed entries, over all agents", at_least(1).required());
    field("omega", self.omega, "p times the largest entry of the true matrix", above(0));
    field("noise", self.noise, "p times the standard deviation of the noise on an entry", at_least(0));
  }
  DataShape shape() const {
    DataShape shape = DataShape::plain(static_cast<double>(observations), 1.0 * size * size);
    shape.coefficients = IterateShape::matrix(size, size);
    shape.entries = static_cast<double>(observations);
    shape.others = 1.0 * size * size;  // Theta*
    return shape;
  }
  void check(auto& report) const {
    if (rank > size) report("rank", "at most the size", rank);
  }

 private:
  static constexpr double max_size = 46'340;  // p^2 columns are counted in 32 bits
};

/// Options must be within their limits.
DataSet load(const MatrixCompletionOptions& options, std::uint64_t seed);

}  // namespace lagnet
