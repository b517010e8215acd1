#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/assembly/load_data.hpp"

/// What happened in a run, one thing after the other, for tests that say what must have been computed.
namespace lagnet::test {

struct Step {
  enum class Kind { took, computed, used, restarted, reported };
  Kind kind = Kind::took;
  AgentId agent = 0;
  AgentId peer = 0;           // took, used: whose
  Round round = 0;            // took: the message's; reported: the report's
  std::int64_t amount = 0;    // computed: flops; used: how old
  std::vector<Vector> parts;  // reported
};

class Story final : public Listener, public Recorder {
 public:
  std::vector<Step> steps;

  void on_event(const SimEvent& what) override {
    const auto kind = [&] {
      switch (what.what) {
        case EventKind::took:
          return Step::Kind::took;
        case EventKind::computed:
          return Step::Kind::computed;
        case EventKind::used:
          return Step::Kind::used;
        default:
          return Step::Kind::restarted;
      }
    };
    steps.push_back({kind(), what.agent, what.peer, what.round, what.amount, {}});
  }
  bool wants(EventKind what) const override {
    return what == EventKind::took || what == EventKind::computed || what == EventKind::used ||
           what == EventKind::restarted;
  }
  void reported(AgentId agent, Round round, std::span<const VectorView> parts) override {
    steps.push_back({Step::Kind::reported, agent, agent, round, 0, {parts.begin(), parts.end()}});
  }
};

/// A base scenario with an algorithm, the changes of a world, and a seed.
inline Experiment experiment_of(const char* base, const std::string& algorithm, const std::string& world, int seed) {
  Json document = Json::parse(base);
  document["algorithm"] = Json::parse(algorithm);
  document.merge_patch(Json::parse(world));
  document["seed"] = seed;
  ExperimentCache cache;
  return assemble(read_scenario({"story.json", "/nowhere", document}), "story.json", cache);
}

inline Story story_of(const Experiment& experiment) {
  Story story;
  const auto world = experiment.simulation(1);
  world->listen(story);
  world->record(story);
  world->run();
  return story;
}

/// The rows that each agent holds, and formulas on them by matrix products.
struct RowsOfAgents {
  explicit RowsOfAgents(const Experiment& experiment)
      : problem(experiment.problem), starts(starts_by_agent(experiment.partition, experiment.traits)) {
    const Matrix all = problem.X->dense();
    for (std::size_t k = 0; k + 1 < starts.size(); ++k) {
      X.push_back(all.middleRows(starts[k], starts[k + 1] - starts[k]));
      y.push_back(problem.y.segment(starts[k], starts[k + 1] - starts[k]));
    }
  }
  AgentId agents() const { return static_cast<AgentId>(X.size()); }
  Index d() const { return problem.X->cols(); }
  double n() const { return static_cast<double>(problem.y.size()); }
  double n_of(AgentId k) const { return static_cast<double>(y[k].size()); }
  double pi(AgentId k) const { return n_of(k) / n(); }
  /// Of the mean of (x' w - y)^2 / 2 over the agent's rows.
  Vector gradient(AgentId k, const Vector& w) const { return X[k].transpose() * (X[k] * w - y[k]) / n_of(k); }

  Problem problem;
  std::vector<Index> starts;
  std::vector<Matrix> X;  // by agent
  std::vector<Vector> y;
};

}  // namespace lagnet::test
