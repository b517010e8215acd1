#pragma once

#include "algorithms/interface/algorithm.hpp"
#include "tests/reference/data_text.hpp"
#include "tests/reference/reference_file.hpp"

namespace lagnet::reference {

/// The sheet's tolerance: relative to max(1, |value|).
Tolerance fed_composite_tolerance(const Json& item);

/// A number, or infinity where it is absent, null or "inf".
double number_or_infinity(const Json& object, const char* key);

/// Client k (n_k samples): X_k[i,j] = sin(1 + 7.3 i + 3.1 j + 0.9 i j + 1.7 k), j the place in a covariate matrix row
/// by row. Least squares: y_k[i] = cos(0.5 i + 1.3 k) + 0.8 + 2 X_k[i,0] - 1.5 X_k[i,3], or with fewer than 4 columns
/// without the last term; softmax: (i i + 2 k) mod c. w0[j] = 0.5 cos(2.3 j + 0.4).
struct FedCompositeProblem {
  IterateShape shape;          // of w
  bool softmax = false;        // least squares otherwise
  std::vector<Index> samples;  // n_k
  std::string norm = "l1";     // or "nuclear"
  double lambda = 0;
  std::vector<MatrixChange> changes;  // of each client's rows, before the labels
};
MethodInput assignment_of(const FedCompositeProblem& problem);

/// The regularizer lambda R for iterates of that shape.
std::shared_ptr<const Regularizer> regularizer_of(const std::string& norm, double lambda, IterateShape shape);
/// [d], or [rows, columns].
IterateShape shape_of(const Json& sizes);

}  // namespace lagnet::reference
