#include "scenarios/assembly/experiment_cache.hpp"

#include <fmt/format.h>

#include "algorithms/central/gram.hpp"
#include "algorithms/central/solve_centrally.hpp"
#include "scenarios/assembly/load_data.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

std::string data_key(const Scenario& scenario) {
  return fmt::format("{} {} {}", scenario.seed, needs_shape_alone(scenario), scenario.data.write().dump());
}

std::shared_ptr<const DataSet> ExperimentCache::data(const Scenario& scenario) {
  const auto entry = data_.at(data_key(scenario));
  const std::lock_guard alone(entry->making);
  auto found = entry->value.lock();
  const bool is_new = !found;
  if (is_new) {
    make_room();
    found = std::make_shared<const DataSet>(load_data(scenario));
    entry->value = found;
  }
  keep(found, is_new);
  return found;
}

void ExperimentCache::make_room() {
  const std::lock_guard lock(keeping_);
  if (met_bytes_ > limit_) kept_.clear();
}

void ExperimentCache::keep(const std::shared_ptr<const DataSet>& data, bool is_new) {
  const std::lock_guard lock(keeping_);
  if (is_new) met_bytes_ += data->bytes();
  if (met_bytes_ > limit_)
    kept_ = {data};
  else if (is_new)
    kept_.push_back(data);
}

std::optional<Bytes> ExperimentCache::kept_bytes() const {
  const std::lock_guard lock(keeping_);
  if (met_bytes_ > limit_) return std::nullopt;
  return met_bytes_;
}

std::shared_ptr<const CachedReference> ExperimentCache::central(const Scenario& scenario, Problem problem) {
  const std::string key = data_key(scenario);
  return std::make_shared<const CachedReference>(std::move(problem), norms_.at(key),
                                                 optima_.at(key + write_fields(scenario.problem).dump()));
}

double CachedReference::data_norm() const {
  wants_norm_ = true;
  const std::lock_guard alone(norm_->making);
  LAGNET_CHECK(norm_->value || problem_.X, "the norm of data that are elsewhere is not known");
  if (!norm_->value) norm_->value = spectral_norm(*problem_.X);
  return *norm_->value;
}

std::shared_ptr<const Optimum> CachedReference::shared_optimum() const {
  const std::lock_guard alone(best_->making);
  LAGNET_CHECK(best_->value || problem_.X, "the optimum of data that are elsewhere is not known");
  if (!best_->value) best_->value = std::make_shared<const Optimum>(solve_centrally(problem_));
  return best_->value;
}

std::optional<double> CachedReference::told_norm() const {
  return wants_norm_ ? std::optional(data_norm()) : std::nullopt;
}

std::shared_ptr<const Optimum> CachedReference::told_optimum() const {
  return wants_optimum_ ? shared_optimum() : nullptr;
}

}  // namespace lagnet
