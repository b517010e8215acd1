#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/hybrid/hybrid.hpp"
#include "algorithms/kernels/cells.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"
#include "tests/unit/sim/world.hpp"

/// Small runs of methods of hybrid federated learning.
namespace lagnet::test {

/// Who takes part in each round; a round may be empty.
class Given final : public Participation {
 public:
  explicit Given(std::vector<std::vector<AgentId>> rounds) : rounds_(std::move(rounds)) {}
  std::vector<AgentId> chosen(Round round, std::span<const AgentId>) const override {
    return rounds_.at(static_cast<std::size_t>(round - 1));
  }

 private:
  std::vector<std::vector<AgentId>> rounds_;
};

struct Places {
  std::vector<Index> samples, features;
};

/// Squared loss with (lambda/2) |w|^2 over these data, of which each client has its places.
inline MethodInput hybrid(const Matrix& X, const Vector& y, double lambda, const std::vector<Places>& clients,
                          Round rounds) {
  std::vector<CellBlock> blocks;
  for (const auto& [samples, features] : clients)
    blocks.emplace_back(samples, features, DataMatrix(Matrix(X(samples, features))), Vector(y(samples)));
  MethodInput given{.problem = {.X = std::make_shared<const DataMatrix>(X),
                                .y = y,
                                .samples = X.rows(),
                                .loss = make_loss(SquaredOptions{}),
                                .regularizer = make_regularizer(L2Options{.weight = lambda})},
                    .rounds = rounds};
  given.cells = std::make_shared<const Cells>(std::move(blocks), X.rows(), X.cols());
  given.network.agents = static_cast<Index>(clients.size()) + 1;
  return given;
}

struct HybridRun : Recorder {
  std::vector<std::vector<Vector>> parts;  // of the server's reports, by round
  std::vector<Time> times;                 // when it made them
  const Simulation* world = nullptr;
  void reported(AgentId, Round, std::span<const VectorView> of_round) override {
    parts.emplace_back(of_round.begin(), of_round.end());
    times.push_back(world->now());
  }
};

/// Options of a primal method whose clients use H samples in turn, with these learning rates.
template <class Options>
Options in_turn(std::int64_t H) {
  Options made;
  made.local_steps = H;
  made.picker = SamplePicker::cyclic;
  made.a = 0.25;
  made.b = 1;
  return made;
}
/// Of round t.
inline double rate(double t) { return 0.25 / (1 + std::sqrt(t)); }

/// A run with links of 1 ms and agents of 1 flop a nanosecond.
template <class Options>
HybridRun hybrid_run(const Options& options, const MethodInput& given,
                     const std::vector<std::vector<AgentId>>& rounds) {
  const auto agents = static_cast<AgentId>(given.network.agents);
  WorldModel model;
  model.participation = std::make_shared<const Given>(rounds);
  Simulation world(Network(agents, star(std::vector<std::int64_t>(agents - 1, 1'000'000))),
                   ComputeModel(std::vector<double>(agents, 1e9)), {.model = model});
  HybridRun result;
  result.world = &world;
  world.record(result);
  const auto method = make_algorithm(options, given);
  method->spawn(world);
  world.run();
  return result;
}

}  // namespace lagnet::test
