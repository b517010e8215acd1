#pragma once

#include <string>
#include <string_view>

#include "scenarios/json/fields.hpp"
#include "sim/base/options.hpp"

/// Losses, regularizers and metrics that are classes in Python. The Python package runs them; the program, which runs
/// no Python, reads, compares and draws results of such runs as those of any other.
namespace lagnet {

inline constexpr std::string_view python_kind = "python";

/// "Class" of "module:Class", or of "module:Outer.Class".
inline std::string class_called(const std::string& name) { return name.substr(name.find_last_of(":.") + 1); }

/// A class, as the Python package states it.
struct PythonClass {
  static constexpr std::string_view kind = python_kind;
  std::string name;  // "module:Class"
  std::string source_sha256;
  Json options = Json::object();  // the class's own

  static void fields(auto& self, auto& field) {
    field("class", self.name, "the class, \"module:Class\"; the Python package fills in all of this",
          Limits{}.required());
    field("source_sha256", self.source_sha256,
          "SHA-256 of the class's source, named if a run gives other numbers; empty if unknown");
    field("options", self.options, "options of the class by their names");
  }
  void check(auto& report) const {
    if (!options.is_object()) report("options", "an object", options);
  }
};

struct PythonLossOptions : PythonClass {
  static constexpr std::string_view summary = "a class in Python, of lagnet.Loss; see tools/python";
};
struct PythonRegularizerOptions : PythonClass {
  static constexpr std::string_view summary = "a class in Python, of lagnet.Regularizer; see tools/python";
};
struct PythonMetricOptions : PythonClass {
  static constexpr std::string_view summary = "a class in Python, of lagnet.Metric; see tools/python";
  static constexpr bool rises = true;  // nothing is known of it
};

}  // namespace lagnet
