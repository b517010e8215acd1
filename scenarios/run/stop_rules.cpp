#include "scenarios/run/stop_rules.hpp"

#include <fmt/format.h>

#include <limits>

namespace lagnet {

namespace {

/// So many flops or bytes of all agents together.
class Budget final : public StopRule {
 public:
  Budget(const char* reason, EventKind counted, std::int64_t limit)
      : reason_(reason), counted_(counted), limit_(limit) {}
  const char* reason() const override { return reason_; }
  bool wants(EventKind what) const override { return what == counted_; }
  bool ends_with_event(const SimEvent& what) override { return (so_far_ += what.amount) >= limit_; }

 private:
  const char* reason_;
  EventKind counted_;
  std::int64_t limit_, so_far_ = 0;
};

class FlopsPerAgent final : public StopRule {
 public:
  explicit FlopsPerAgent(Flops limit) : limit_(limit) {}
  const char* reason() const override { return "flops_per_agent"; }
  bool ends_with_round(Flops flops_per_agent_max) const override { return flops_per_agent_max >= limit_; }

 private:
  Flops limit_;
};

/// An objective that is not finite, or above `factor` times that of the start.
class Divergence final : public StopRule {
 public:
  explicit Divergence(double factor) : factor_(factor) {}
  const char* reason() const override { return "diverged"; }
  bool ends_with_row(const Recorded& recorded) const override {
    const double limit = factor_ * recorded.objective_start;
    return !recorded.is_finite || (limit > 0 && recorded.row.objective.value_or(0) > limit);
  }
  std::string remark(const Recorded& recorded) const override {
    if (!recorded.is_finite)
      return fmt::format("diverged in round {}: objective or iterate is not finite", recorded.row.round);
    return fmt::format(
        "diverged in round {}: the objective {:.6g} is above {:.6g}, stop.divergence_factor times that of the start",
        recorded.row.round, recorded.row.objective.value_or(0), factor_ * recorded.objective_start);
  }
  bool is_failure() const override { return true; }

 private:
  double factor_;
};

class RelativeError final : public StopRule {
 public:
  explicit RelativeError(double target) : target_(target) {}
  const char* reason() const override { return "relative_error"; }
  bool ends_with_row(const Recorded& recorded) const override {
    return recorded.row.relative_error && *recorded.row.relative_error <= target_;
  }

 private:
  double target_;
};

}  // namespace

StopRules stop_rules(const StopOptions& stop) {
  StopRules rules;
  if (stop.flops) rules.push_back(std::make_unique<Budget>("flops", EventKind::computed, *stop.flops));
  if (stop.bytes) rules.push_back(std::make_unique<Budget>("bytes", EventKind::sent, *stop.bytes));
  if (stop.flops_per_agent) rules.push_back(std::make_unique<FlopsPerAgent>(*stop.flops_per_agent));
  rules.push_back(
      std::make_unique<Divergence>(stop.divergence_factor.value_or(std::numeric_limits<double>::infinity())));
  if (stop.relative_error) rules.push_back(std::make_unique<RelativeError>(*stop.relative_error));
  return rules;
}

}  // namespace lagnet
