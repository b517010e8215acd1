#include "sim/world/compute.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

namespace lagnet::compute_test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Time at_ns(std::int64_t ns) { return Time::nanoseconds(ns); }

/// One agent: 1 flop a nanosecond, still from 100 ns on, 4 flops a nanosecond from 150 ns on.
ComputeModel trace() {
  return ComputeModel(ComputeSpec{.speed = {{{at_ns(0), 1e9}, {at_ns(100), 0}, {at_ns(150), 4e9}}},
                                  .memory_bandwidth_bytes_per_s = {},
                                  .straggler = {}});
}

ComputeModel with_stragglers(Straggler straggler, AgentId agents, std::uint64_t seed = 1) {
  ComputeSpec spec{.speed = {}, .memory_bandwidth_bytes_per_s = {}, .straggler = straggler, .seed = seed};
  spec.speed.assign(agents, {{Time(), 1e9}});
  return ComputeModel(spec);
}

}  // namespace

TEST_CASE("A computation takes flops/speed of its agent, to the nearest nanosecond") {
  const ComputeModel model({1e9, 4e9, 3e9});
  CHECK(model.time(0, 1000).ns() == 1000);
  CHECK(model.time(1, 1000).ns() == 250);
  CHECK(model.time(2, 1000).ns() == 333);  // 333.3
  CHECK(model.time(2, 2000).ns() == 667);  // 666.7
  CHECK(model.time(0, 0).ns() == 0);
}

TEST_CASE("An infinite speed makes computation free") {
  const ComputeModel model({std::numeric_limits<double>::infinity()});
  CHECK(model.time(0, std::int64_t{1} << 60) == Duration());
}

TEST_CASE("A speed that is not above 0 is refused with its agent and value") {
  CHECK_THROWS_WITH(ComputeModel({1.0, 0.0}), "agent 1: expected a speed above 0 flops per second, found 0");
  CHECK_THROWS_WITH(ComputeModel({-2.5}), "agent 0: expected a speed above 0 flops per second, found -2.5");
  CHECK_THROWS_AS(ComputeModel({std::numeric_limits<double>::quiet_NaN()}), std::invalid_argument);
}

TEST_CASE("Over a speed that changes, the flops are integrated piece by piece") {
  const ComputeModel model = trace();
  const auto ns = [&](std::int64_t start, Flops flops) { return model.time(0, 3, at_ns(start), flops).ns(); };
  CHECK(ns(0, 60) == 60);      // within the first piece
  CHECK(ns(0, 100) == 100);    // up to its very end
  CHECK(ns(0, 101) == 150);    // 100 flops, 50 ns of standing still, 1 flop in a quarter of a nanosecond
  CHECK(ns(0, 180) == 170);    // 100 flops, 50 ns, 80 flops in 20 ns
  CHECK(ns(40, 100) == 120);   // 60 flops in 60 ns, 50 ns, 40 flops in 10 ns
  CHECK(ns(100, 4) == 51);     // what begins with a piece has its speed
  CHECK(ns(120, 4) == 31);     // 30 ns of standing still, 1 ns
  CHECK(ns(150, 400) == 100);  // the last piece has no end
  CHECK(ns(1'000'000, 4) == 1);
  CHECK(ns(120, 0) == 0);  // no work takes no time, even for an agent whose speed is 0
  CHECK(model.time(0, 180).ns() == 170);
}

TEST_CASE("Work in two parts takes as long as in one, wherever the speed changes") {
  const ComputeModel model = trace();
  for (Flops first = 0; first <= 400; first += 20) {  // whole multiples of 4 flops end on whole nanoseconds
    const Duration one = model.time(0, 0, at_ns(0), first);
    const Duration two = model.time(0, 0, at_ns(0) + one, 400 - first);
    CHECK((one + two).ns() == 225);  // 100 + 50 + 300/4
  }
}

TEST_CASE("Work takes the longer of its flops and its bytes") {
  const ComputeModel model(ComputeSpec{
      .speed = {{{Time(), 2e9}}, {{Time(), 2e9}}}, .memory_bandwidth_bytes_per_s = {1e9, infinity}, .straggler = {}});
  CHECK(model.time(0, 0, Time(), Cost(1000, 200)).ns() == 500);
  CHECK(model.time(0, 0, Time(), Cost(1000, 800)).ns() == 800);
  CHECK(model.time(0, 0, Time(), Cost(0, 30)).ns() == 30);
  CHECK(model.time(1, 0, Time(), Cost(1000, 800)).ns() == 500);
}

TEST_CASE("A slow round takes factor times as long, memory included, and the others as long as ever") {
  ComputeSpec spec{.speed = {{{Time(), 1e9}}},
                   .memory_bandwidth_bytes_per_s = {1e9},
                   .straggler = Straggler{.probability = 0.4, .factor = 2.5, .mean_rounds = 3}};
  const ComputeModel model(spec);
  int slow = 0;
  for (Round t = 0; t < 100; ++t) {
    slow += model.is_slow(0, t);
    CHECK(model.time(0, t, Time(), Cost(1000, 0)).ns() == (model.is_slow(0, t) ? 2500 : 1000));
    CHECK(model.time(0, t, Time(), Cost(0, 1000)).ns() == (model.is_slow(0, t) ? 2500 : 1000));
  }
  CHECK((slow > 0 && slow < 100));
  CHECK(model.time(0, 1000).ns() == 1000);
}

TEST_CASE("A slow agent of changing speed has factor times as many flops to do") {
  const ComputeSpec spec{.speed = {{{at_ns(0), 1e9}, {at_ns(100), 4e9}}},
                         .memory_bandwidth_bytes_per_s = {},
                         .straggler = Straggler{.probability = 1, .factor = 3}};
  CHECK(ComputeModel(spec).time(0, 0, Time(), 100).ns() == 150);  // 300 flops: 100 ns and 200/4 ns
}

TEST_CASE("Stragglers of one round are independent, with the probability asked for") {
  const double p = 0.2;
  const ComputeModel model = with_stragglers({.probability = p, .factor = 2, .mean_rounds = 1}, 100);
  int slow = 0, twice = 0, pairs = 0;
  for (AgentId a = 0; a < 100; ++a)
    for (Round t = 0; t < 200; ++t) {
      slow += model.is_slow(a, t);
      if (t % 2 == 0) continue;
      ++pairs;
      twice += model.is_slow(a, t - 1) && model.is_slow(a, t);
    }
  CHECK(std::abs(slow - 20'000 * p) < 5 * std::sqrt(20'000 * p * (1 - p)));  // five standard deviations
  CHECK(std::abs(twice - pairs * p * p) < 5 * std::sqrt(pairs * p * p * (1 - p * p)));
  const ComputeModel always = with_stragglers({.probability = 1, .factor = 2, .mean_rounds = 1}, 1);
  for (Round t = 0; t < 20; ++t) CHECK(always.is_slow(0, t));
}

TEST_CASE("Which rounds are slow is a function of seed, agent and round, and of no other agent") {
  const Straggler straggler{.probability = 0.3, .factor = 2, .mean_rounds = 2};
  const ComputeModel few = with_stragglers(straggler, 3), many = with_stragglers(straggler, 50);
  const ComputeModel other = with_stragglers(straggler, 50, 2);
  int differences = 0;
  for (Round t = 39; t >= 0; --t)
    for (AgentId a = 0; a < 3; ++a) {
      CHECK(few.is_slow(a, t) == many.is_slow(a, t));
      differences += many.is_slow(a, t) != other.is_slow(a, t);
    }
  CHECK(differences > 0);
}

TEST_CASE("A lasting straggler stays slow") {
  const ComputeModel model = with_stragglers({.probability = 0.05, .factor = 2, .mean_rounds = infinity}, 50);
  int at_first = 0, at_last = 0;
  for (AgentId a = 0; a < 50; ++a) {
    at_first += model.is_slow(a, 0);
    for (Round t = 1; t < 100; ++t) CHECK((model.is_slow(a, t) || !model.is_slow(a, t - 1)));
    at_last += model.is_slow(a, 99);
  }
  // Means 2.5 and 50 (1 - 0.95^100) = 49.7; both bounds are beyond five standard deviations of the binomial.
  CHECK(at_first < 12);
  CHECK(at_last > 45);
}

TEST_CASE("All problems of a compute model are reported at once") {
  const ComputeSpec spec{.speed = {{},
                                   {{at_ns(5), 1}},
                                   {{at_ns(0), 1}, {at_ns(3), 1}, {at_ns(3), 1}},
                                   {{at_ns(0), -1}, {at_ns(3), 1}},
                                   {{at_ns(0), 1}, {at_ns(3), 0}}},
                         .memory_bandwidth_bytes_per_s = {1, 0},
                         .straggler = Straggler{.probability = 2, .factor = 0.5, .mean_rounds = 1}};
  CHECK_THROWS_WITH(ComputeModel(spec),
                    "agent 0: expected a speed from time 0 on, found none\n"
                    "agent 1: expected a speed from time 0 on, found none\n"
                    "agent 2: expected speeds from ascending times, found 3 ns after 3 ns\n"
                    "agent 3: expected a speed of at least 0 flops per second, found -1\n"
                    "agent 4: expected a speed above 0 flops per second, found 0\n"
                    "expected a memory bandwidth for each of 5 agents, found 2\n"
                    "agent 1: expected a memory bandwidth above 0 bytes per second, found 0\n"
                    "stragglers: expected a probability from 0 to 1, a factor and mean_rounds of at least 1, "
                    "found 2, 0.5 and 1");
}

TEST_CASE("Given times are those of updates, one after the other, and no other event takes time") {
  const ComputeModel model(
      ComputeSpec{.speed = {{{at_ns(0), 1}}, {{at_ns(0), 1}}},
                  .update_times = {{Duration::nanoseconds(7)}, {Duration::nanoseconds(20), Duration::nanoseconds(30)}},
                  .has_rounds = false});
  CHECK(model.time(0, 5, at_ns(0), 1000, true) == Duration::nanoseconds(7));
  CHECK(model.time(1, 0, at_ns(0), 1000, true) == Duration::nanoseconds(20));
  CHECK(model.time(1, 3, at_ns(0), 1000, true) == Duration::nanoseconds(30));
  CHECK(model.time(1, 3, at_ns(0), 1000) == Duration());
}

TEST_CASE("Where there are rounds, the first computation of an agent's round is its update") {
  const ComputeModel model(ComputeSpec{.speed = {{{at_ns(0), 1}}}, .update_times = {{Duration::nanoseconds(7)}}});
  std::vector<std::int64_t> times;
  for (const Round round : {0, 0, 1, 1, 1, 2}) times.push_back(model.time(0, round, at_ns(0), 10).ns());
  CHECK(times == std::vector<std::int64_t>{7, 0, 7, 0, 0, 7});
}

TEST_CASE("Stragglers multiply given times") {
  const ComputeModel model(ComputeSpec{.speed = {{{at_ns(0), 1}}},
                                       .straggler = Straggler{.probability = 1, .factor = 10},
                                       .update_times = {{Duration::nanoseconds(7)}},
                                       .has_rounds = false});
  CHECK(model.time(0, 0, at_ns(0), 10, true) == Duration::nanoseconds(70));
}

}  // namespace lagnet::compute_test
