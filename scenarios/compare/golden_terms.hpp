#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/json/diagnostics.hpp"

namespace lagnet {

/// How far two numbers may be apart: by `absolute`, or by `relative` times the larger one.
struct Tolerance {
  double relative = 0, absolute = 0;
};

/// What a golden states beside its runs: which columns are compared, and how closely.
///
///     "relative_tolerance": 1e-9, "absolute_tolerance": 0     of all reals
///     "tolerances": {"objective": 1e-6, "/totals/flops": {"relative": 0, "absolute": 10}}     of some, integers too
///     "columns": ["objective", "/totals/flops"]     only these are recorded and compared; without it, all
///
/// A name is a column of progress.csv or a JSON pointer into the summary.
class GoldenTerms {
 public:
  GoldenTerms() = default;  // everything, and exactly
  /// Of a golden, or of a file that has only terms. Throws OutputError with all that is wrong; `file` is its name.
  GoldenTerms(const Json& golden, const std::string& file);

  /// The part of a run that is recorded and compared.
  Json chosen(const Json& run) const;
  /// Reals within the tolerance of this name, anything else exactly.
  bool is_same(const std::string& name, const Json& want, const Json& got) const;
  /// Throws OutputError if a name is in none of these runs, which are whole.
  void check_names(const Json& runs) const;
  /// The terms, to be written with new runs.
  Json as_json() const;

 private:
  std::string file_;
  Tolerance usual_;
  std::map<std::string, Tolerance> by_name_;
  std::vector<std::string> columns_;
  Json stated_ = Json::object();  // as it was written
};

}  // namespace lagnet
