#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/times/event_graph.hpp"

namespace lagnet {

/// Listens to the first rounds of a run and finds the steps that its rounds consist of.
class StepRecorder final : public Listener {
 public:
  /// Of a world whose broadcasts set out in this order.
  StepRecorder(const Network& network, bool is_rotated)
      : network_(network), is_rotated_(is_rotated), agents_(network.agents()) {}

  void on_event(const SimEvent& what) override;
  bool wants(EventKind what) const override;

  /// The steps of a run of `rounds` rounds, where rounds from some early one up to the one before the last are alike
  /// and no message went another way than from its sender to its receiver, once. Nothing otherwise.
  std::optional<EventGraph> graph(Round rounds) const;

 private:
  struct Heard {
    Round round = 0;  // that the agent is in
    std::map<Round, Steps> steps;
  };

  Steps& steps_of(const SimEvent& what);
  Steps joined(AgentId agent, const Steps& steps) const;

  const Network& network_;
  const bool is_rotated_;
  std::vector<Heard> agents_;
  bool is_usual_ = true;
};

}  // namespace lagnet
