#include <catch2/catch.hpp>

#include "sim/agents/agent.hpp"
#include "tests/unit/sim/world.hpp"

namespace lagnet::agent_sizes_test {

using namespace lagnet::test;

namespace {

enum class How { sum, mix, exchange, pieces };

/// Rounds of exchanges of one body; each agent computes for a time of its own. Every sum that comes goes to `sums`.
Task<> repeat(Agent& me, Payload body, How how, const GossipRow& row, std::vector<Vector>& sums) {
  auto use = [&](Index, VectorView, VectorView piece) { sums.emplace_back(piece); };
  std::vector<Message> messages;
  Vector sum;
  for (Round t = 0; t < 5; t = me.next_round(t)) {
    if (how == How::sum) sum = co_await me.neighbor_sum(body);
    if (how == How::mix) sum = co_await me.neighbor_mix(body, row);
    if (how == How::pieces) co_await me.stream_neighbor_sum(body, &row, use);
    if (how == How::exchange) messages = co_await me.exchange(body);
    if (how == How::sum || how == How::mix) sums.push_back(sum);
    co_await me.compute(Cost(10 * me.id() + 1));
    me.report(t);
  }
}

struct Result {
  std::uint64_t hash = 0;
  std::vector<Vector> sums;
};

Result run(const Payload& body, How how, const MissingNeighbor& missing) {
  WorldModel model;
  model.missing = missing;
  if (missing.kind != MissingNeighborKind::wait) model.faults.push_back(std::make_shared<IndependentLoss>(0.3));
  World world(5, ring({5, 70, 30, 11, 200}), {.model = model});
  const GossipRow row{.own = 0.5, .neighbors = {0.25, 0.25}};
  Result result;
  for (AgentId a = 0; a < 5; ++a) world.spawn(a, repeat(world.agent(a), body, how, row, result.sums));
  world.run();
  result.hash = world.trace.hash();
  return result;
}

}  // namespace

TEST_CASE("Exchanges of bodies without numbers are those of bodies with numbers, and their sums have none") {
  const Vector numbers = Vector::Ones(300);
  for (const MissingNeighborKind kind :
       {MissingNeighborKind::wait, MissingNeighborKind::skip, MissingNeighborKind::reuse_last}) {
    const MissingNeighbor missing{.kind = kind, .deadline = span(150)};
    for (const How how : {How::sum, How::mix, How::exchange}) {
      CAPTURE(static_cast<int>(kind), static_cast<int>(how));
      const Result with = run(numbers, how, missing), without = run(Payload::of_size(300), how, missing);
      CHECK(with.hash == without.hash);
      CHECK(with.sums.size() == without.sums.size());
      for (const Vector& sum : without.sums) CHECK(sum.size() == 0);
      if (how == How::sum) CHECK(run(numbers, How::pieces, missing).hash == without.hash);
    }
  }
}

TEST_CASE("Without neighbors there is no sum of bodies without numbers either") {
  World world(1, {});
  std::vector<Vector> sums;
  const GossipRow row;
  const auto program = [&](Agent& me) -> Task<> {
    Vector sum = co_await me.neighbor_sum(Payload::of_size(3));
    sums.push_back(sum);
    sum = co_await me.neighbor_mix(Payload::of_size(3), row);
    sums.push_back(sum);
  };
  world.spawn(0, program(world.agent(0)));
  world.run();
  CHECK(sums == std::vector<Vector>{Vector(), Vector()});
}

}  // namespace lagnet::agent_sizes_test
