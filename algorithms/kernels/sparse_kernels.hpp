#pragma once

#include "sim/base/array.hpp"

/// Inner loops over the stored entries of one sparse row or column: value e belongs to place index[e]. They are plain
/// code on every machine: each entry is loaded from a different place, which vector instructions do no faster than
/// scalar ones, so the loops only avoid that additions wait for one another.
namespace lagnet {

/// The sum of value[e] v[index[e]], entry e added in lane e mod 4, the lanes as (0 + 2) + (1 + 3).
inline double sparse_dot(const double* value, const SparseMatrix::StorageIndex* index, Index entries, const double* v) {
  double lane[4] = {};
  Index e = 0;
  for (; e + 4 <= entries; e += 4)
    for (Index k = 0; k < 4; ++k) lane[k] += value[e + k] * v[index[e + k]];
  for (Index k = 0; e < entries; ++e, ++k) lane[k] += value[e] * v[index[e]];
  return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

/// v[index[e]] += factor value[e]; no index occurs twice.
inline void sparse_axpy(double factor, const double* value, const SparseMatrix::StorageIndex* index, Index entries,
                        double* v) {
  for (Index e = 0; e < entries; ++e) v[index[e]] += factor * value[e];
}

}  // namespace lagnet
