#include <catch2/catch.hpp>

#include "sim/agents/agent.hpp"
#include "tests/unit/sim/world.hpp"

namespace lagnet::agent_timing_only_test {

using namespace lagnet::test;

namespace {

struct Seen {
  int kernels = 0;
  std::vector<Index> sizes;  // of sums
  std::vector<bool> have_numbers;
};

/// One body for both modes: sums, mixes, a draft and a message of two vectors each round.
Task<> method(Agent& me, const GossipRow& row, Seen& seen) {
  StateVector x = me.vector(40), g = me.vector(40), sum;
  Payload::Draft draft;
  const AgentId next = (me.id() + 1) % 4;
  std::vector<Message> answers;
  auto step = [&] {
    ++seen.kernels;
    g = Vector::Constant(40, static_cast<double>(me.id()));
    x += g;
  };
  auto write = [&] { draft.vector() = x; };
  me.report(0, x);
  for (Round t = 1; t <= 4; t = me.next_round(t)) {
    co_await me.compute(Cost(100 + me.id()), step);
    sum = co_await me.neighbor_sum(x);
    seen.sizes.push_back(sum.size());
    seen.have_numbers.push_back(sum.has_numbers());
    sum = co_await me.neighbor_mix(x, row);
    seen.sizes.push_back(sum.size());
    draft = me.draft(40);
    co_await me.compute(Cost(7), write);
    answers = co_await me.exchange(draft.finish());
    me.send(next, t, Payload::joined(x, g));
    co_await me.receive();
    me.report(t, x, g);
  }
}

struct Reports : Recorder {
  std::vector<std::size_t> parts;
  void reported(AgentId, Round, std::span<const VectorView> given) override { parts.push_back(given.size()); }
};

struct Result {
  std::uint64_t hash = 0;
  Seen seen;
  std::vector<std::size_t> parts;
};

Result run(bool timing_only) {
  World world(4, ring({5, 70, 30, 11}), {.timing_only = timing_only});
  const GossipRow row{.own = 0.5, .neighbors = {0.25, 0.25}};
  Result result;
  Reports reports;
  world.sim.record(reports);
  for (AgentId a = 0; a < 4; ++a) world.spawn(a, method(world.agent(a), row, result.seen));
  world.run();
  result.hash = world.trace.hash();
  result.parts = reports.parts;
  return result;
}

Task<> send_once(Agent& me, Payload body) {
  me.send(1, 1, std::move(body));
  co_return;
}

void send_in_timing_only_run(const Payload& body) {
  World world(2, line({1}), {.timing_only = true});
  world.spawn(0, send_once(world.agent(0), body));
  world.run();
}

}  // namespace

TEST_CASE("One body gives the same events in a timing-only run, without kernels, numbers and parts of reports") {
  const Result with = run(false), without = run(true);
  CHECK(with.hash == without.hash);
  CHECK(with.seen.kernels == 16);
  CHECK(without.seen.kernels == 0);
  CHECK(with.seen.sizes == std::vector<Index>(32, 40));
  CHECK(without.seen.sizes == std::vector<Index>(32, 40));
  CHECK(with.seen.have_numbers == std::vector<bool>(16, true));
  CHECK(without.seen.have_numbers == std::vector<bool>(16, false));
  CHECK(with.parts.size() == 20);
  CHECK(with.parts.back() == 2);
  CHECK(without.parts == std::vector<std::size_t>(20, 0));
}

TEST_CASE("A timing-only run refuses bodies with numbers and empty ones, and takes sizes and single numbers") {
  CHECK_THROWS_AS(send_in_timing_only_run(Vector::Ones(2)), InternalError);
  CHECK_THROWS_AS(send_in_timing_only_run(Vector()), InternalError);
  CHECK_THROWS_AS(send_in_timing_only_run(Payload()), InternalError);
  CHECK_THROWS_AS(send_in_timing_only_run(Vector(StateVector::of_size(3))), InternalError);  // sliced
  CHECK_NOTHROW(send_in_timing_only_run(StateVector::of_size(3)));
  CHECK_NOTHROW(send_in_timing_only_run(Vector::Ones(1)));
  CHECK_NOTHROW(send_in_timing_only_run(Payload::Draft::of_size(5).finish(2)));
}

TEST_CASE("Without neighbors a timing-only sum has the size of the body") {
  World world(1, {}, {.timing_only = true});
  Index size = 0;
  const auto program = [&](Agent& me) -> Task<> {
    const StateVector sum = co_await me.neighbor_sum(me.vector(3));
    size = sum.size();
  };
  world.spawn(0, program(world.agent(0)));
  world.run();
  CHECK(size == 3);
}

}  // namespace lagnet::agent_timing_only_test
