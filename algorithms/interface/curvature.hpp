#pragma once

#include <optional>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "sim/base/options.hpp"

/// The constants that step sizes follow from.
namespace lagnet {

/// The value of an option that must be above 0. Throws Diagnosed.
double positive(const char* key, double value);

/// L, by default from the data. Throws Diagnosed unless it is above 0, or for data that are all 0.
double largest_curvature(std::optional<double> L, const MethodInput& given);

/// The largest curvature of the mean loss of any agent's samples, each times the agent's weight if weights are given.
/// By MethodInput::sample_starts. Throws Diagnosed, for the option `key`, for a loss with kinks and for data that are
/// all 0: there the step must be given.
double largest_shard_curvature(const char* key, const MethodInput& given, const std::vector<double>& weights = {});

/// The largest curvature of the mean loss of each agent's samples, by agent; 0 of those without samples. Throws
/// Diagnosed, for the option `key`, for a loss with kinks.
std::vector<double> shard_curvatures(const char* key, const MethodInput& given);

/// The curvature that a regularizer adds to losses: all of a smooth one, of others the weight of the square.
double curvature_of(const Regularizer& regularizer);

/// Throws Diagnosed, in the name of an algorithm of that kind, for a loss that does not say how smooth it is.
void need_gradient(const Loss& loss, std::string_view kind);
/// The same for one without second derivatives, or with several scores a sample.
void need_second_derivative(const Loss& loss, std::string_view kind);

/// The least eigenvalue of X'X / n, X (n x d); 0 where that is nothing beside the rounding of the largest.
double least_gram_eigenvalue(const DataMatrix& X);

/// The least curvature, everywhere and in every direction, of any agent's mean loss, each times the agent's weight if
/// weights are given: of the squared loss the least eigenvalue of X_i'X_i / n_i, 0 where that is nothing beside its
/// rounding; 0 of other losses.
struct LeastCurvature {
  double value = 0;
  AgentId agent = 0;  // the first that has it
};
LeastCurvature least_shard_curvature(const MethodInput& given, const std::vector<double>& weights = {});
/// mu, the least curvature, `square` more where a square is a part of every f_i. Throws Diagnosed for "mu", which was
/// given as `found`, unless it is above 0.
double need_strong_convexity(const LeastCurvature& least, double square, const char* found);

}  // namespace lagnet
