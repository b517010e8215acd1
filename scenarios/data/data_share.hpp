#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "algorithms/central/optimum.hpp"
#include "algorithms/interface/algorithm.hpp"
#include "scenarios/data/data_set.hpp"

namespace lagnet {

/// The data that some agents of an experiment hold, and numbers of all data from which its algorithm takes constants: a
/// process that runs these agents alone needs nothing else of the data. Rows and columns are in the partition's order.
struct DataShare {
  std::vector<AgentId> agents;               // whose data these are
  Index rows = 0, columns = 0, samples = 0;  // of all data
  bool of_samples = true;                    // rows are divided; else columns
  std::vector<Index> starts;                 // of the partition (holders + 1)
  std::vector<Index> held;                   // the rows, or columns, that are in here, ascending
  DataMatrix numbers;                        // those of X (held x columns, or rows x held)
  Vector y;                                  // their labels (held), or those of all rows where columns are divided
  double other_label = 0;                    // stands for those of others, so that losses take it
  double largest_label = 0;                  // by which losses count classes
  IterateShape shape = {};                   // as in DataSet
  // The values that the algorithm requested.
  std::optional<double> norm;              // ||X||_2
  std::shared_ptr<const Optimum> optimum;  // null: nothing
  ShardSpectra spectra;
};

/// All data as far as the share has them: what others hold is 0. Stored as they were.
DataSet data_of(const DataShare& share);

}  // namespace lagnet
