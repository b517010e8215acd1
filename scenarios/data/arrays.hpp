#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "scenarios/data/data_set.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// Samples in the memory of a program that uses lagnet as a library, as the Python package does. The caller that runs
/// the scenario offers them; results name them by their digest, so that no other arrays can replace them.
struct ArraysOptions {
  std::string sha256;
  std::string test_sha256;

  static constexpr std::string_view kind = "arrays";
  static constexpr std::string_view summary = "arrays in memory, which the Python package offers for a run";
  static void fields(auto& self, auto& field) {
    field("sha256", self.sha256, "SHA-256 of the arrays X and y; the Python package fills it in",
          any_value().required());
    field("test_sha256", self.test_sha256, "SHA-256 of arrays with samples for tests alone; empty: there are none");
  }
};

/// While it lives, scenarios of this process find this data set by this digest. Several may live at once, on any
/// threads.
class OfferedArrays {
 public:
  OfferedArrays(std::string sha256, std::shared_ptr<const DataSet> data);
  OfferedArrays(const OfferedArrays&) = delete;
  OfferedArrays& operator=(const OfferedArrays&) = delete;
  ~OfferedArrays();

 private:
  std::string sha256_;
  const DataSet* data_;
};

/// The set that is offered, without a copy of its X. Throws Diagnosed if none is.
DataSet load(const ArraysOptions& options);

}  // namespace lagnet
