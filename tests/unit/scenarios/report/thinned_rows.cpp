#include "scenarios/report/thinned_rows.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "sim/base/draws.hpp"

namespace lagnet::thinned_rows_test {

using Rows = std::vector<std::size_t>;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

TEST_CASE("a table with room for all rows keeps all") {
  const ProgressTable table{{"round", "error"}, {{0, 1, 2, 3, 4}, {5, 4, 3, 2, 1}}};
  CHECK(thinned_rows(table, 5) == Rows{0, 1, 2, 3, 4});
  CHECK(thinned_rows({{"round"}, {{}}}, 5).empty());
}

TEST_CASE("the first and the last row and the extremes of each span are kept") {
  // Two spans of four rows: their extremes are rows 1 and 2, then 5 and 6.
  const ProgressTable table{{"error"}, {{5, 9, 1, 5, 5, 0, 7, 3}}};
  CHECK(thinned_rows(table, 6) == Rows{0, 1, 2, 5, 6, 7});
  // One span is left when even its extremes and both ends are too many.
  CHECK(thinned_rows(table, 1) == Rows{0, 1, 5, 7});
}

TEST_CASE("cells without a number are no extremes") {
  const ProgressTable table{{"a", "b"},
                            {{nothing, 2, 1, nothing, 3, 2}, {nothing, nothing, nothing, nothing, nothing, nothing}}};
  CHECK(thinned_rows(table, 4) == Rows{0, 2, 4, 5});
}

TEST_CASE("a thinned table keeps the extremes of every column within the limit of rows") {
  Draws draws(7, Purpose{"thinned_rows"});
  ProgressTable table{{"round", "noise", "spike"}, std::vector<std::vector<double>>(3)};
  constexpr std::size_t count = 10'000, at_most = 500, spike = 6'789;
  for (std::size_t row = 0; row < count; ++row) {
    table.values[0].push_back(static_cast<double>(row));
    table.values[1].push_back(draws.normal());
    table.values[2].push_back(row == spike ? 1 : 0);
  }
  const auto rows = thinned_rows(table, at_most);
  CHECK(rows.size() <= at_most);
  // Three columns give each span six rows at most, so that the limit leaves room for more than half as many.
  CHECK(rows.size() > at_most / 2);
  CHECK(std::ranges::is_sorted(rows));
  CHECK(std::ranges::adjacent_find(rows) == rows.end());
  CHECK(rows.front() == 0);
  CHECK(rows.back() == count - 1);
  const auto is_kept = [&](std::size_t row) { return std::ranges::binary_search(rows, row); };
  CHECK(is_kept(spike));
  const auto& noise = table.values[1];
  CHECK(is_kept(static_cast<std::size_t>(std::ranges::max_element(noise) - noise.begin())));
  CHECK(is_kept(static_cast<std::size_t>(std::ranges::min_element(noise) - noise.begin())));
}

TEST_CASE("at every row the last kept error is less than a small step away, on any axis") {
  // Falls as 1/k^2: most of it within the first hundredth of the rows.
  constexpr std::size_t count = 20'000, at_most = 200;
  ProgressTable table{{"round", "relative_error"}, std::vector<std::vector<double>>(2)};
  for (std::size_t row = 0; row < count; ++row) {
    const double k = static_cast<double>(row);
    table.values[0].push_back(k);
    table.values[1].push_back(1 / (k + 1) / (k + 1));
  }
  const auto rows = thinned_rows(table, at_most);
  CHECK(rows.size() <= at_most);
  const auto& errors = table.values[1];
  // A curve that falls all the way passes so many steps, one for each row that half of the room has. The first
  // ten rows are further apart than a step, and all kept.
  const double decades = -std::log10(errors.back()), step = decades / (at_most / 2 - 10);
  std::size_t last = 0;
  for (std::size_t row = 0; row < count; ++row) {
    if (std::ranges::binary_search(rows, row)) last = row;
    CHECK(std::log10(errors[last] / errors[row]) < step);
  }
}

}  // namespace lagnet::thinned_rows_test
