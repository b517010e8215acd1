#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "algorithms/interface/algorithm.hpp"
#include "algorithms/interface/algorithm_traits.hpp"
#include "scenarios/format/kinds/python_class.hpp"
#include "scenarios/json/fields.hpp"
#include "sim/base/options.hpp"

/// Methods whose agents are async functions in Python. The Python package runs them, with agents of its own making; the
/// program, which runs no Python, reads, compares and draws their results as those of any other method.
namespace lagnet {

enum class PythonRoles { peers, server_and_clients };
constexpr auto spellings(PythonRoles) {
  return std::array{Spelling{PythonRoles::peers, "peers"},
                    Spelling{PythonRoles::server_and_clients, "server_and_clients"}};
}

/// Which function of an agent has a smooth regularizer, such as l2; the rest is in its prox.
enum class SmoothBy { gradient, prox };
constexpr auto spellings(SmoothBy) {
  return std::array{Spelling{SmoothBy::gradient, "gradient"}, Spelling{SmoothBy::prox, "prox"}};
}

struct PythonOptions {
  static constexpr std::string_view kind = python_kind;
  static constexpr std::string_view summary = "a class in Python, whose agents are async functions; see tools/python";
  std::string name;  // "module:Class"
  PythonRoles roles = PythonRoles::peers;
  bool asynchronous = false;
  bool keeps_constraint = false;
  SmoothBy smooth_by = SmoothBy::gradient;
  std::string source_sha256;
  Json options = Json::object();  // the class's own

  AlgorithmTraits traits() const {
    return {.server = roles == PythonRoles::server_and_clients,
            .partition_by = PartitionBy::samples,
            .needs_gossip = roles == PythonRoles::peers,
            .takes_regularizers = Regularizers::all,
            .square = smooth_by == SmoothBy::prox ? SquareStands::in_prox : SquareStands::smooth_in_every_f,
            .takes_constraint = keeps_constraint,
            .takes_even_weights = roles == PythonRoles::peers,
            .depends_on_order = asynchronous};
  }
  static void fields(auto& self, auto& field) {
    field("class", self.name, "the class, \"module:Class\"; the Python package fills in all of this", required());
    field("roles", self.roles, "what its agents are: peers, or a server and clients");
    field("asynchronous", self.asynchronous, "whether what it computes depends on the order in which messages come");
    field("keeps_constraint", self.keeps_constraint, "whether its iterates stay in the problem's constraint set");
    field("smooth_by", self.smooth_by,
          "which function of its agents has a smooth regularizer, such as l2: gradient, or prox");
    field("source_sha256", self.source_sha256,
          "SHA-256 of the class's source, named if a run gives other numbers; empty if unknown");
    field("options", self.options, "options of the class by their names");
  }
  void check(auto& report) const {
    if (!options.is_object()) report("options", "an object", options);
  }

 private:
  static constexpr Limits required() { return Limits{}.required(); }
};

/// The maker of the agents of such methods.
class PythonMethods {
 public:
  virtual ~PythonMethods() = default;
  /// Throws Diagnosed.
  virtual std::unique_ptr<Algorithm> make(const PythonOptions& options, MethodInput given) const = 0;
};

/// Whether anybody makes them.
bool has_python_methods();
/// From now on these make them. They must outlive all runs; call it before the first.
void set_python_methods(const PythonMethods* methods);

/// Throws Diagnosed where no Python makes them, as in the program.
std::unique_ptr<Algorithm> make_python_method(const PythonOptions& options, MethodInput given);

}  // namespace lagnet
