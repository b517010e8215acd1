#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algorithms/interface/algorithm.hpp"

/// The steps of fd_primal_dual, and the bounds that they follow from.
namespace lagnet {

/// Theorem 1. For one agent D = 0 and delta = infinity.
struct PrimalDualSteps {
  double sigma = 0, tau = 0;
};
PrimalDualSteps theorem1_steps(double n, double agents, double rho, double R, double chi, double D, double delta);

/// What is known beforehand: both steps, or some of what Theorem 1 takes.
struct StatedSteps {
  std::optional<double> sigma, tau, R, chi, D, delta;
};

/// The steps in use, and what they follow from. Bounds that are not stated come from the topology, the data and the
/// central optimum.
class PrimalDualRule {
 public:
  /// Throws OptionError when the steps cannot be found: no finite minimizer, or R = 0, or a minimizer that is not known
  /// since agents have regularizers of their own.
  PrimalDualRule(const StatedSteps& stated, const MethodInput& given, bool own_regularizers);

  const PrimalDualSteps& steps() const { return steps_; }
  std::vector<Constant> constants() const;
  std::vector<std::string> warnings() const;  // of steps too large to converge for certain

 private:
  /// That of the central optimum. Throws OptionError as the constructor does.
  static double norm_of_minimizer(const MethodInput& given, bool own_regularizers);

  double n_;
  PrimalDualSteps steps_;
  double chi_, D_, delta_;
  std::optional<double> R_;
};

}  // namespace lagnet
