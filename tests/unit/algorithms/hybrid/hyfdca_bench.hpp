#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "algorithms/hybrid/hyfdca.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "tests/unit/algorithms/hybrid/cell_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"
#include "tests/unit/sim/world.hpp"

/// Small runs of HyFDCA on even blocks, with a ledger and ciphertexts of 512 bytes.
namespace lagnet::test::hyfdca_bench {

inline constexpr double lambda = 0.05;
inline constexpr std::int64_t ms = 1'000'000;
using Lists = std::vector<std::vector<AgentId>>;

inline std::vector<std::shared_ptr<const Loss>> four_losses() {
  return {make_loss(HingeOptions{}), make_loss(SmoothedHingeOptions{}), make_loss(LogisticOptions{}),
          make_loss(SquaredOptions{})};
}

/// Rows of norm about 1, labels -1 and +1, one row of zeros.
inline Problem problem_with(std::shared_ptr<const Loss> loss, Index N = 12, Index M = 6) {
  Draws draws(5, Purpose{"hyfdca test"});
  Matrix X(N, M);
  for (double& x : X.reshaped()) x = draws.normal() / 2;
  X.row(3).setZero();
  Vector y(N);
  for (Index i = 0; i < N; ++i) y[i] = X(i, 0) + X(i, M - 1) > 0 ? 1 : -1;
  return {.X = std::make_shared<const DataMatrix>(X),
          .y = y,
          .samples = N,
          .loss = std::move(loss),
          .regularizer = make_regularizer(L2Options{.weight = lambda})};
}

struct Run : Recorder {
  std::vector<std::vector<Vector>> parts;  // by round
  Ledger ledger{0, 0};
  double ended_s = 0;
  void reported(AgentId agent, Round, std::span<const VectorView> of_round) override {
    CHECK(agent == 0);
    parts.emplace_back(of_round.begin(), of_round.end());
  }
};

inline Run run(const Algorithm& method, AgentId agents, const Lists& listed = {}, double speed = 1e9) {
  WorldModel model;
  if (!listed.empty()) model.participation = std::make_shared<const ListedParticipation>(listed);
  WireFormat wire;
  wire.ciphertext_bytes = 512;
  Simulation world(Network(agents, star(std::vector<std::int64_t>(agents - 1, ms))),
                   ComputeModel(std::vector<double>(agents, speed)), {.wire = wire, .model = model});
  Run result;
  result.ledger = Ledger(agents, world.network().links());
  world.listen(result.ledger);
  world.record(result);
  method.spawn(world);
  result.ended_s = (world.run().last_report - Time()).in_seconds();
  return result;
}

template <class Options>
Run run(const Options& options, const MethodInput& given, const Lists& listed = {}) {
  return run(*make_algorithm(options, given), static_cast<AgentId>(given.network.agents), listed);
}

inline HyfdcaOptions cyclic(std::int64_t H) {
  HyfdcaOptions options;
  options.local_steps = H;
  options.picker = SamplePicker::cyclic;
  return options;
}

}  // namespace lagnet::test::hyfdca_bench
