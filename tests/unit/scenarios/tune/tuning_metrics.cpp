#include "scenarios/tune/tuning_metrics.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "scenarios/files/result_folder.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::tuning_metrics_test {

namespace {

/// Rows with a cell in each column.
ProgressTable table_of(std::vector<std::string> columns, std::vector<std::vector<double>> values) {
  return {.columns = std::move(columns), .values = std::move(values), .empty = {}};
}

/// Whole numbers, so that every metric but the square root is exact.
ProgressTable rows_of(const std::vector<double>& losses) {
  std::vector<double> rounds, seconds;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    rounds.push_back(static_cast<double>(2 * i));
    seconds.push_back(static_cast<double>(3 * i));
  }
  return table_of({"round", "simulated_s", "objective"}, {rounds, seconds, losses});
}

ProgressTable accuracies(const std::vector<double>& values) { return table_of({"test_accuracy"}, {values}); }

}  // namespace

TEST_CASE("The metrics of a curve are as by hand") {
  const ProgressTable rows = rows_of({20, 12, 10, 2, 4, 0, 4});
  CHECK(seconds_per_round(rows) == 1.5);
  CHECK(final_loss(rows) == 4);  // (10 + 2 + 4 + 0 + 4) / 5
  // Differences -8, -2, -8, 2, -4, 4: their mean is -16/6, the sum of squares 168.
  const double variance = 168.0 / 6 - (16.0 / 6) * (16.0 / 6);
  CHECK(volatility(rows) == Approx(std::sqrt(variance)).epsilon(1e-15));  // the order of the sums rounds the last digit
  CHECK(rounds_to_descend(rows) == 6);  // 20 - 2 >= 0.9 (20 - 0), in the row of round 6
  CHECK(final_loss(rows_of({8, 4})) == 6);
  CHECK(volatility(rows_of({9, 7, 5, 3})) == 0);
}

TEST_CASE("A run without a round or without descent has no metrics that would favor it") {
  CHECK(std::isnan(seconds_per_round(rows_of({1}))));
  CHECK(std::isnan(seconds_per_round({})));
  CHECK(std::isnan(volatility(rows_of({1}))));
  CHECK(std::isnan(rounds_to_descend(rows_of({1, 1, 2}))));
  CHECK(std::isnan(rounds_to_descend({})));
  CHECK(std::isnan(best_accuracy({})));
  CHECK(best_accuracy(accuracies({0.5, 0.75, 0.25})) == 0.75);
  const double none = std::nan("");
  CHECK(best_accuracy(accuracies({none, 0.5, none, 0.75})) == 0.75);
  CHECK(std::isnan(best_accuracy(accuracies({none, none}))));
}

TEST_CASE("The last number of a column is that of the last row, if it is finite") {
  const ProgressTable rows = table_of({"relative_error", "objective"}, {{1, 0.25}, {4, std::nan("")}});
  CHECK(last_number(rows, "relative_error") == 0.25);
  CHECK(!last_number(rows, "objective"));
  CHECK(!last_number(rows, "relative_loss"));
}

TEST_CASE("A run cannot be chosen because of its status, too few rounds, or its losses") {
  const TestFolder place;
  const auto why = [&](const std::string& status, const ProgressTable& rows) {
    place.write("summary.json", "{\"status\": \"" + status + "\"}");
    return why_not_chosen(place.path(), rows);
  };
  CHECK(why("done", rows_of({3, 4, 2})).empty());
  CHECK(why("diverged", rows_of({3, 2})) == "diverged");
  CHECK(why("deadlock", rows_of({3, 2})) == "deadlock");
  CHECK(why("done", rows_of({3})) == "no complete round");
  CHECK(why("done", rows_of({3, std::nan(""), 2})) == "loss not finite");
  CHECK(why("done", rows_of({3, 2, 3})).empty());
  CHECK(why("done", rows_of({3, 2, 3.5})) == "last loss above the first");
  place.write("error.txt", "broken");
  CHECK(why("done", rows_of({3, 2})) == "error");
}

}  // namespace lagnet::tuning_metrics_test
