#include "scenarios/sweep/point_schedule.hpp"

#include <catch2/catch.hpp>
#include <limits>

namespace lagnet::point_schedule_test {

namespace {

constexpr Bytes no_limit = std::numeric_limits<Bytes>::max();

std::vector<MemoryNeed> own(const std::vector<Bytes>& bytes) {
  std::vector<MemoryNeed> needs;
  for (std::size_t i = 0; i < bytes.size(); ++i) needs.push_back({.own = bytes[i], .shared_thing = i});
  return needs;
}

/// All that start now.
std::vector<std::size_t> started(PointSchedule& schedule) {
  std::vector<std::size_t> points;
  while (const auto point = schedule.start()) points.push_back(*point);
  return points;
}

using Points = std::vector<std::size_t>;

}  // namespace

TEST_CASE("points start in their order, as many as there are jobs") {
  PointSchedule schedule(own({1, 1, 1, 1, 1}), 2, no_limit);
  CHECK(started(schedule) == Points{0, 1});
  schedule.finish(1);
  CHECK(started(schedule) == Points{2});
  schedule.finish(0);
  schedule.finish(2);
  CHECK(started(schedule) == Points{3, 4});
  CHECK_FALSE(schedule.done());
  schedule.finish(4);
  schedule.finish(3);
  CHECK(schedule.done());
  CHECK(PointSchedule({}, 1, 1).done());
}

TEST_CASE("running points fit into the budget, to the last byte") {
  PointSchedule schedule(own({6, 4, 1}), 3, 10);
  CHECK(started(schedule) == Points{0, 1});
  CHECK(schedule.used() == 10);
  schedule.finish(1);
  CHECK(started(schedule) == Points{2});
  CHECK(schedule.used() == 7);
}

TEST_CASE("a point that needs more than the budget runs alone") {
  PointSchedule schedule(own({3, 11, 3}), 3, 10);
  CHECK(started(schedule) == Points{0, 2});  // nothing fits beside the big one, so it waits for both
  schedule.finish(2);
  CHECK(started(schedule).empty());
  schedule.finish(0);
  CHECK(started(schedule) == Points{1});
  schedule.finish(1);
  CHECK(schedule.done());

  PointSchedule big_first(own({11, 1}), 2, 10);
  CHECK(started(big_first) == Points{0});
  big_first.finish(0);
  CHECK(started(big_first) == Points{1});
}

TEST_CASE("a point that does not fit is overtaken a limited number of times") {
  std::vector<Bytes> bytes{6, 5};
  bytes.resize(100, 1);
  PointSchedule schedule(own(bytes), 2, 10);
  CHECK(started(schedule) == Points{0, 2});
  std::size_t overtaken = 1;
  for (std::size_t small = 2;; ++small) {
    schedule.finish(small);
    const Points next = started(schedule);
    if (next.empty()) break;
    REQUIRE(next == Points{small + 1});
    ++overtaken;
  }
  CHECK(overtaken == PointSchedule::patience);
  schedule.finish(0);
  CHECK(started(schedule) == Points{1, 2 + PointSchedule::patience});
}

TEST_CASE("shared memory of points is counted once while any of them runs") {
  const MemoryNeed a{.own = 1, .shared = 6, .shared_thing = 0}, b{.own = 1, .shared = 6, .shared_thing = 1};
  PointSchedule schedule({a, a, b, a}, 4, 10);
  CHECK(started(schedule) == Points{0, 1, 3});
  CHECK(schedule.used() == 9);
  schedule.finish(0);
  schedule.finish(3);
  CHECK(schedule.used() == 7);
  CHECK(started(schedule).empty());
  schedule.finish(1);
  CHECK(started(schedule) == Points{2});
  CHECK(schedule.used() == 7);
}

TEST_CASE("after a failure earlier points still start and later ones do not") {
  PointSchedule schedule(own({6, 6, 1, 1}), 2, 10);
  CHECK(started(schedule) == Points{0, 2});
  schedule.drop_behind(2);
  schedule.finish(2);
  CHECK(started(schedule).empty());
  schedule.finish(0);
  CHECK(started(schedule) == Points{1});
  schedule.finish(1);
  CHECK(schedule.done());
}

TEST_CASE("for any needs every point starts once, after a bounded number of later ones") {
  // Needs from a fixed congruence: small, large and too large ones in a row without pattern.
  std::vector<Bytes> bytes;
  for (std::size_t i = 0; i < 200; ++i) bytes.push_back(static_cast<Bytes>(i * 7919 % 23));
  for (const unsigned jobs : {1u, 2u, 3u, 7u}) {
    PointSchedule schedule(own(bytes), jobs, 20);
    std::vector<unsigned> overtaken(bytes.size()), starts(bytes.size());
    while (!schedule.done()) {
      for (const std::size_t point : started(schedule)) {
        ++starts[point];
        for (std::size_t before = 0; before < point; ++before)
          if (starts[before] == 0) ++overtaken[before];
      }
      CHECK(schedule.running().size() <= jobs);
      CHECK((schedule.used() <= 20 || schedule.running().size() == 1));
      // Those that run end in an order unlike that of their starts.
      REQUIRE_FALSE(schedule.running().empty());
      schedule.finish(schedule.running()[schedule.running().size() / 2]);
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      CHECK(starts[i] == 1);
      CHECK(overtaken[i] <= PointSchedule::patience);
    }
  }
}

}  // namespace lagnet::point_schedule_test
