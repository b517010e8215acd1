#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "scenarios/data/data_set.hpp"
#include "sim/base/draws.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// How many samples, rows and columns generated data have; in doubles, so that no product overflows.
struct DataShape {
  double samples = 0, rows = 0, features = 0;
  IterateShape coefficients = {};      // without rows: a vector
  std::optional<double> entries = {};  // that are stored, where the rest is zero
  double others = 0;                   // numbers beside the samples: prototypes of classes

  /// One row for each sample.
  static DataShape plain(double samples, double features) { return {samples, samples, features}; }
};

/// Declares what generators of samples for clients have in common.
void declare_clients(auto& self, auto& field) {
  field("clients", self.clients, "K, number of clients; the samples of each are consecutive",
        within(1, 1e9).required());
  field("samples_per_client", self.samples_per_client, "n_k, the same for all", within(1, 1e9).required());
}
void declare_test_samples(auto& self, auto& field) {
  field("test_samples_per_client", self.test_samples_per_client, "samples of each client in a separate test set",
        within(0, 1e9));
}

/// The data that `draw` makes of a number of samples for each client and of the purpose of its draws, with its test
/// set.
template <class Draw>
DataSet with_test_set(std::int64_t samples, std::int64_t test_samples, const Draw& draw) {
  DataSet data = draw(samples, Purpose{"data.samples"});
  if (test_samples > 0) data.test = std::make_shared<const DataSet>(draw(test_samples, Purpose{"data.test_samples"}));
  return data;
}

/// A stand-in for generated data in a run without numbers: it has this shape, and no entries, labels or truth.
DataSet without_numbers(std::string_view kind, const DataShape& shape);

}  // namespace lagnet
