#include "scenarios/tune/gray_relational.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <stdexcept>

namespace lagnet::gray_relational_test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("grades of two metrics are as by hand") {
  // d: (0, 1), (1, 0), (0.25, 0.25); dmin = 0, dmax = 1; zeta = 1: means of 1 / (1 + d).
  const GrayGrades got = gray_relational({{0, 8}, {4, 0}, {1, 2}});
  CHECK(got.kept == std::vector<std::size_t>{0, 1, 2});
  CHECK(got.grades == std::vector<double>{0.75, 0.75, 0.8});
  CHECK(got.selected == 2);
  // zeta = 0.5: 0.5 / (d + 0.5), that is 1, 1/3 and 2/3.
  const GrayGrades classical = gray_relational({{0, 8}, {4, 0}, {1, 2}}, {.zeta = 0.5});
  CHECK(classical.grades[0] == Approx(2.0 / 3).epsilon(1e-15));
  CHECK(classical.grades[2] == Approx(2.0 / 3).epsilon(1e-15));
}

TEST_CASE("a candidate that another one beats is graded only without the Pareto front") {
  const std::vector<std::vector<double>> rows{{1, 1}, {2, 1}, {0, 3}};
  CHECK(gray_relational(rows).kept == std::vector<std::size_t>{0, 2});
  CHECK(gray_relational(rows, {.pareto_front = false}).kept == std::vector<std::size_t>{0, 1, 2});
}

TEST_CASE("a maximized metric turns the order round, and equals are all kept with the first one selected") {
  CHECK(gray_relational({{1}, {2}}).selected == 0);
  CHECK(gray_relational({{1}, {2}}, {.maximized = {0}}).selected == 1);
  const GrayGrades equals = gray_relational({{3, 4}, {3, 4}});
  CHECK(equals.kept == std::vector<std::size_t>{0, 1});
  CHECK(equals.grades == std::vector<double>{1, 1});  // dmax = 0
  CHECK(equals.selected == 0);
}

TEST_CASE("rounding does not decide between equal grades") {
  // The same four numbers d = 0, 1, 1/4, 1/2 in other orders: 1, 1/2, 4/5 and 2/3 do not add up to the same double.
  const GrayGrades got = gray_relational({{0, 4, 1, 2}, {4, 1, 2, 0}, {1, 2, 0, 4}, {2, 0, 4, 1}});
  REQUIRE(got.grades[0] < got.grades[1]);
  CHECK(got.selected == 0);
  CHECK(got.ranked == std::vector<std::size_t>{0, 1, 2, 3});
  CHECK(gray_relational({{0, 8}, {4, 0}, {1, 2}}).ranked == std::vector<std::size_t>{2, 0, 1});
}

TEST_CASE("a metric whose values differ by a rounding error is constant") {
  // As doubles, 0.1 + 0.2 is above 0.3. Taken for the worst of that metric it would leave the first one behind: d is
  // (0, 0, 1) and (0, 1, 0).
  const GrayGrades got = gray_relational({{0.1 + 0.2, 0, 3}, {0.3, 4, 2}});
  CHECK(got.grades == std::vector<double>{2.5 / 3, 2.5 / 3});
  CHECK(got.selected == 0);
  CHECK(gray_relational({{-0.3, 0, 3}, {-(0.1 + 0.2), 4, 2}}).grades == got.grades);
}

TEST_CASE("candidates that diverged are left out, and without any other there is no choice") {
  CHECK(gray_relational({{infinity, 0}, {5, 5}}).selected == 1);
  CHECK_THROWS_WITH(gray_relational({{infinity}, {-infinity}}),
                    "rows: expected at least one candidate with finite metrics, found none of 2");
  CHECK_THROWS_WITH(gray_relational({}), "rows: expected at least one candidate with finite metrics, found none of 0");
  CHECK_THROWS_WITH(gray_relational({{1}, {1, 2}}), "rows: expected equally many metrics, at least 1, found 1 and 2");
  CHECK_THROWS_WITH(gray_relational({{1}}, {.zeta = 0}), "zeta: expected a finite number above 0, found 0");
  CHECK_THROWS_WITH(gray_relational({{1}}, {.maximized = {1}}),
                    "maximized: expected a metric of the rows, from 0, found 1");
}

}  // namespace lagnet::gray_relational_test
