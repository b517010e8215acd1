#pragma once

#include <optional>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "sim/base/options.hpp"

/// The constants that step sizes follow from.
namespace lagnet {

/// The value of an option that must be above 0. Throws OptionError.
double positive(const char* key, double value);

/// L, by default from the data. Throws OptionError unless it is above 0, or for data that are all 0.
double largest_curvature(std::optional<double> L, const MethodInput& given);

/// The largest curvature of the mean loss of any agent's samples, each times the agent's weight if weights are given.
/// By MethodInput::sample_starts. Throws OptionError, for the option `key`, for a loss with kinks and for data that are
/// all 0: there the step must be given.
double largest_shard_curvature(const char* key, const MethodInput& given, const std::vector<double>& weights = {});

/// The largest curvature of the mean loss of each agent's samples, by agent; 0 of those without samples. Throws
/// OptionError, for the option `key`, for a loss with kinks.
std::vector<double> shard_curvatures(const char* key, const MethodInput& given);

/// An agent, and the least curvature of its mean loss: of least squares the least eigenvalue of X_i'X_i / n_i; 0 of
/// other losses, which are flat somewhere, or come near it.
struct FlattestShard {
  AgentId agent = 0;
  double curvature = 0;
};
/// The agent with the least one; each counts times the agent's weight if weights are given.
FlattestShard flattest_shard(const MethodInput& given, const std::vector<double>& weights = {});

/// mu, with which every f_i is strongly convex, f_i the mean loss of agent i, times its weight, and (b/2) |x|^2: the
/// option, by default from the data. Throws OptionError for "mu" unless it is above 0, and for "L" if L is below it.
double strong_convexity(std::optional<double> mu, double L, double b, const MethodInput& given,
                        const std::vector<double>& weights = {});

/// A step size, and what theory took it from if it was not given.
struct StepInUse {
  double step = 0;                    // 0 in a timing-only run where it is not given
  std::optional<double> from_L = {};  // the largest curvature of any f_i
};

}  // namespace lagnet
