#pragma once

#include <cmath>
#include <optional>

#include "algorithms/interface/algorithm.hpp"
#include "sim/base/options.hpp"

/// The constants that step sizes follow from: bounds 0 < mu <= L on the curvature of F or, in high dimensions, on its
/// curvature in the directions that matter (restricted constants).
namespace lagnet {

struct CurvatureOptions {
  std::optional<double> mu, L;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("mu", self.mu, "smallest curvature of F, or a restricted one; by default L/10", above(0));
    field("L", self.L, "largest curvature of F, or a restricted one; by default that of the loss times |X|^2 / N",
          above(0));
  }
  template <class Report>
  void check(Report& report) const {
    if (mu && L && *L < *mu) report("L", "at least mu", *L);
  }
};

/// alpha and beta of an accelerated method.
template <class Self, class Visitor>
void declare_acceleration(Self& self, Visitor& field) {
  field("alpha", self.alpha, "1/alpha is the gradient step; by default 2 L", above(0));
  field("beta", self.beta, "momentum, the weight of v; by default sqrt(mu / (8 L))",
        Limits{.low = 0, .high = 1, .low_excluded = true});
}

/// The value of an option that must be above 0. Throws OptionError.
double positive(const char* key, double value);

/// L, by default from the data. Throws OptionError unless it is above 0, or for data that are all 0.
double largest_curvature(std::optional<double> L, const MethodInput& given);
/// mu, by default L/10. Throws OptionError unless 0 < mu <= L.
double least_curvature(std::optional<double> mu, double L);
/// A gradient step, by default 1/(2 L); 0 in a timing-only run. Throws OptionError as largest_curvature does.
double gradient_step(std::optional<double> step, std::optional<double> L, const MethodInput& given);

/// The parameters of accelerated methods: 1/alpha is the gradient step, beta the momentum.
struct Acceleration {
  double alpha = 0, beta = 0;
};
/// By default alpha is 2 L and beta sqrt(mu / (8 L)). Throws OptionError unless alpha > 0 and 0 < beta <= 1, and, where
/// one of them is not given, as the curvatures do.
Acceleration acceleration(std::optional<double> alpha, std::optional<double> beta, const CurvatureOptions& curvature,
                          const MethodInput& given);

}  // namespace lagnet
