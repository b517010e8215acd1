#include "scenarios/assembly/copied_arrays.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "scenarios/data/arrays.hpp"
#include "scenarios/format/kinds/python_method.hpp"

namespace lagnet {

namespace {

/// Where its numbers begin.
const double* numbers_of(const DataMatrix& X) {
  if (const auto rows = X.as_sparse_rows()) return rows->valuePtr();
  if (const auto sparse = X.as_sparse()) return sparse->valuePtr();
  return X.as_dense()->data();
}

}  // namespace

void warn_of_copied_arrays(const Experiment& made, std::vector<std::string>& warnings) {
  constexpr Bytes little = Bytes{64} << 20;
  const auto* const options = made.scenario.data.options_as<ArraysOptions>();
  if (!options || !made.data->X.has_numbers() || made.data->X.bytes() <= little) return;
  const DataMatrix given = load(*options).X;
  const bool by_rows = given.as_sparse_rows().has_value();
  const bool of_features = made.traits.partition_by == PartitionBy::features;
  std::vector<std::string_view> why;
  if (numbers_of(made.data->X) != numbers_of(given)) why.push_back("steps of the section data change it");
  if (made.problem.X.get() != &made.data->X) why.push_back("the partition puts it in another order");
  // Agents in Python look at rows of the array itself.
  if (!of_features && !by_rows && made.scenario.algorithm.kind() != PythonOptions::kind)
    why.push_back("agents hold samples row by row");
  if (of_features && by_rows) why.push_back("agents hold columns, and it is given by rows");
  if (!why.empty())
    warnings.push_back(fmt::format("X, {:.3g} GB, is copied: {}", static_cast<double>(given.bytes()) / 1e9,
                                   fmt::join(why, "; ")));
}

}  // namespace lagnet
