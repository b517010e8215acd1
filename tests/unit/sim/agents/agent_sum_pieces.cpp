#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "sim/agents/agent.hpp"
#include "sim/base/draws.hpp"
#include "sim/base/errors.hpp"
#include "tests/unit/sim/world.hpp"

namespace lagnet::agent_sum_pieces_test {

using namespace lagnet::test;

namespace {

constexpr Index size = 2500;  // pieces of agents that add alone are 1024 long: two whole ones and a part

Vector start_of(AgentId agent) {
  Draws draws(1, Purpose("start"), agent);
  return Vector::NullaryExpr(size, [&] { return draws.normal(); });
}

/// What an agent of a diffusion holds after each round; agents differ in the time that they compute.
using History = std::vector<Vector>;

Task<> diffuse(Agent& me, const GossipRow* row, Round rounds, History& history) {
  Vector x = start_of(me.id());
  Vector sum;
  auto step = [&] { x = 0.5 * x + 0.25 * sum; };
  for (Round t = 0; t < rounds; ++t) {
    if (row)
      sum = co_await me.neighbor_mix(x, *row);
    else
      sum = co_await me.neighbor_sum(x);
    co_await me.compute(Cost(10 * me.degree() + 1), step);
    history.push_back(x);
    me.report(t);
  }
}

Task<> diffuse_in_pieces(Agent& me, const GossipRow* row, Round rounds, History& history) {
  Vector x = start_of(me.id());
  Vector next(size), sent_own(size);
  auto use = [&](Index first, VectorView own, VectorView sum) {
    sent_own.segment(first, sum.size()) = own;
    next.segment(first, sum.size()) = 0.5 * own + 0.25 * sum;
  };
  auto step = [&] { x = next; };
  for (Round t = 0; t < rounds; ++t) {
    const Vector sent = x;
    next.setConstant(std::nan(""));
    co_await me.stream_neighbor_sum(x, row, use);
    co_await me.compute(Cost(10 * me.degree() + 1), step);
    if (sent_own != sent) throw std::runtime_error("another vector than the one that was sent");
    history.push_back(x);
    me.report(t);
  }
}

using Program = Task<> (*)(Agent&, const GossipRow*, Round, History&);

struct Result {
  std::vector<History> histories;
  std::uint64_t hash;
};

Result run(const std::vector<LinkSpec>& links, AgentId agents, Program program, const std::vector<GossipRow>& rows,
           unsigned threads) {
  World world(agents, links, {.threads = threads});
  std::vector<History> histories(agents);
  for (AgentId a = 0; a < agents; ++a)
    world.spawn(a, program(world.agent(a), rows.empty() ? nullptr : &rows[a], 6, histories[a]));
  world.run();
  return {histories, world.trace.hash()};
}

std::vector<LinkSpec> complete(AgentId agents) {
  std::vector<LinkSpec> links;
  for (AgentId a = 0; a < agents; ++a)
    for (AgentId b = a + 1; b < agents; ++b) join(links, a, b, 100 + a + b);
  return links;
}

}  // namespace

TEST_CASE("Sums that come in pieces have the bits of whole ones, and the run is the same, on 1 and 3 threads",
          "[threads]") {
  // On the ring agents drift apart, so that sums of different exchanges wait at once.
  const std::vector<std::vector<LinkSpec>> topologies{complete(9), ring({5, 700, 30, 11, 2000, 6, 1, 90, 8}),
                                                      star({1, 1, 1, 1, 1, 1, 1, 1})};
  std::vector<GossipRow> none;
  for (const auto& links : topologies) {
    const Result whole = run(links, 9, diffuse, none, 1);
    for (const unsigned threads : {1u, 3u}) {
      const Result pieces = run(links, 9, diffuse_in_pieces, none, threads);
      CHECK(pieces.histories == whole.histories);
      CHECK(pieces.hash == whole.hash);
    }
  }
}

TEST_CASE("Mixes that come in pieces have the bits of whole ones") {
  const auto links = ring({5, 700, 30, 11});
  std::vector<GossipRow> rows;
  for (AgentId a = 0; a < 4; ++a) rows.push_back({.own = 0.5 - 0.1 * a, .neighbors = {0.25, 0.125 * a}});
  const Result whole = run(links, 4, diffuse, rows, 1);
  CHECK(run(links, 4, diffuse_in_pieces, rows, 1).histories == whole.histories);
}

TEST_CASE("Without neighbors the pieces of a sum are zeros, and those of a mix the own part") {
  World world(1, {});
  Vector sum(3), mix(3);
  const GossipRow row{.own = 0.5, .neighbors = {}};
  auto add = [&](Index first, VectorView, VectorView piece) { sum.segment(first, piece.size()) = piece; };
  auto blend = [&](Index first, VectorView, VectorView piece) { mix.segment(first, piece.size()) = piece; };
  const auto program = [&](Agent& me) -> Task<> {
    co_await me.stream_neighbor_sum(Vector::Ones(3), nullptr, add);
    co_await me.compute(Cost(1));
    co_await me.stream_neighbor_sum(Vector::Ones(3), &row, blend);
    co_await me.compute(Cost(1));
  };
  world.spawn(0, program(world.agent(0)));
  world.run();
  CHECK(sum == Vector::Zero(3));
  CHECK(mix == Vector::Constant(3, 0.5));
}

TEST_CASE("An agent that does anything but compute after it got the pieces of a sum is wrong") {
  auto use = [](Index, VectorView, VectorView) {};
  const auto reporter = [&](Agent& me) -> Task<> {
    co_await me.stream_neighbor_sum(scalar(1), nullptr, use);
    me.report(0);
  };
  const auto sender = [&](Agent& me) -> Task<> {
    co_await me.stream_neighbor_sum(scalar(1), nullptr, use);
    me.broadcast(0, scalar(2));
  };
  const auto receiver = [&](Agent& me) -> Task<> {
    co_await me.stream_neighbor_sum(scalar(1), nullptr, use);
    co_await me.receive();
  };
  const auto sleeper = [&](Agent& me) -> Task<> {
    co_await me.stream_neighbor_sum(scalar(1), nullptr, use);
    co_await me.sleep(span(1));
  };
  const auto encrypter = [&](Agent& me) -> Task<> {
    co_await me.stream_neighbor_sum(scalar(1), nullptr, use);
    co_await me.encrypt(1);
  };
  const auto waiter = [&](Agent& me) -> Task<> {
    co_await me.stream_neighbor_sum(scalar(1), nullptr, use);
    co_await me.arrivals();
  };
  const auto quitter = [&](Agent& me) -> Task<> { co_await me.stream_neighbor_sum(scalar(1), nullptr, use); };
  const std::vector<std::function<Task<>(Agent&)>> programs{reporter,  sender, receiver, sleeper,
                                                            encrypter, waiter, quitter};
  for (const auto& program : programs) {
    World world(2, line({1}));
    for (AgentId a = 0; a < 2; ++a) world.spawn(a, program(world.agent(a)));
    CHECK_THROWS_AS(world.run(), InternalError);
  }
}

TEST_CASE("However a run ends, the pieces of its sums were handed over by then") {
  World world(2, line({1}), {.end = at(50)});
  int pieces = 0;
  auto use = [&](Index, VectorView, VectorView) { ++pieces; };
  auto kernel = [&] { pieces += 10; };
  const auto program = [&](Agent& me) -> Task<> {
    co_await me.stream_neighbor_sum(scalar(1), nullptr, use);
    co_await me.compute(Cost(1000), kernel);
  };
  for (AgentId a = 0; a < 2; ++a) world.spawn(a, program(world.agent(a)));
  CHECK(world.run().reason == EndReason::time_limit);
  CHECK(pieces == 22);
}

TEST_CASE("Pieces are not handed to an agent that threw before it computed with them") {
  World world(2, line({1}));
  const auto program = [&](Agent& me) -> Task<> {
    std::vector<double> kept(1);  // which ends with the coroutine
    auto use = [&kept](Index, VectorView, VectorView sum) { kept.at(0) = sum[0]; };
    co_await me.stream_neighbor_sum(scalar(1), nullptr, use);
    if (me.id() == 1) throw std::runtime_error("no step size");
    co_await me.compute(Cost(1000));
  };
  for (AgentId a = 0; a < 2; ++a) world.spawn(a, program(world.agent(a)));
  CHECK_THROWS_WITH(world.run(), "agent 1 at 1 ns: no step size");
}

TEST_CASE("An exception while pieces are taken ends the computation; of several, the first in the vector",
          "[threads]") {
  for (const unsigned threads : {1u, 3u}) {
    World world(3, complete(3), {.threads = threads});
    std::vector<std::string> caught(3);
    const auto program = [&](Agent& me) -> Task<> {
      auto use = [&me](Index first, VectorView, VectorView sum) {
        if (me.id() == 1 && first + sum.size() > 1500) throw std::domain_error(first > 1500 ? "later" : "earliest");
      };
      int runs = 0;
      auto kernel = [&runs] { ++runs; };
      for (int round = 0; round < 2; ++round) {
        co_await me.stream_neighbor_sum(start_of(me.id()), nullptr, use);
        try {
          co_await me.compute(Cost(1000), kernel);
          caught[me.id()] += "none ";
        } catch (const std::domain_error& error) {
          caught[me.id()] += std::string(error.what()) + " ";
        }
      }
      if (runs != 2) throw std::runtime_error("a kernel did not run");
    };
    for (AgentId a = 0; a < 3; ++a) world.spawn(a, program(world.agent(a)));
    CHECK(world.run().reason == EndReason::finished);
    CHECK(caught == std::vector<std::string>{"none none ", "earliest earliest ", "none none "});
  }
}

}  // namespace lagnet::agent_sum_pieces_test
