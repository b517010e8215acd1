#include "scenarios/results/level_rows.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <vector>

#include "tests/unit/scenarios/results/recorded_folder.hpp"

namespace lagnet {

TEST_CASE("a level is reached where a metric stays at it, and touched before") {
  const LevelRows rows = level_rows(std::vector<double>{1, 0.1, 0.5, 0.1, 0.05}, 0.1);
  CHECK(rows.touched == 1);
  CHECK(rows.before == 2);
  CHECK(rows.there == 3);
  const LevelRows rising = level_rows(std::vector<double>{0.1, 0.9, 0.2, 0.9}, 0.9, true);
  CHECK(rising.touched == 1);
  CHECK(rising.there == 3);
}

TEST_CASE("a run that ends short of a level never reaches it, and one that starts there has no row before") {
  const LevelRows dip = level_rows(std::vector<double>{1, 0.1, 0.5}, 0.1);
  CHECK(dip.touched == 1);
  CHECK_FALSE(dip.there);
  CHECK_FALSE(dip.before);
  const LevelRows start = level_rows(std::vector<double>{0.1, 0.05}, 0.1);
  CHECK(start.there == 0);
  CHECK_FALSE(start.before);
  CHECK_FALSE(level_rows(std::vector<double>(), 0.1).touched);
}

TEST_CASE("a run that diverged to no number is short of every level, and an empty cell is not counted") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(level_rows(std::vector<double>{1, 0.1, nan}, 0.1).there);
  const TestFolder place;
  const std::string header = "round,simulated_s,relative_error\n";
  const auto read = [&](const std::string& name, const std::string& last) {
    return read_recorded_run(write_recorded(place, name, {"{}", header + "0,0,1\n1,1,0.1\n2,2," + last + "\n", 2}));
  };
  CHECK(level_rows(read("empty", ""), "relative_error", 0.1).there == 1);
  CHECK_FALSE(level_rows(read("diverged", "nan"), "relative_error", 0.1).there);
}

}  // namespace lagnet
