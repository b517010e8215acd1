#include "scenarios/tune/tuning_metrics.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "scenarios/files/result_folder.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::tuning_metrics_test {

namespace {

/// Whole numbers, so that every metric but the square root is exact.
ProgressCurve curve_of(std::vector<double> losses) {
  ProgressCurve curve{.losses = std::move(losses)};
  for (std::size_t i = 0; i < curve.losses.size(); ++i) {
    curve.rounds.push_back(static_cast<double>(2 * i));
    curve.seconds.push_back(static_cast<double>(3 * i));
  }
  return curve;
}

}  // namespace

TEST_CASE("The metrics of a curve are as by hand") {
  const ProgressCurve curve = curve_of({20, 12, 10, 2, 4, 0, 4});
  CHECK(seconds_per_round(curve) == 1.5);
  CHECK(final_loss(curve) == 4);  // (10 + 2 + 4 + 0 + 4) / 5
  // Differences -8, -2, -8, 2, -4, 4: their mean is -16/6, the sum of squares 168.
  const double variance = 168.0 / 6 - (16.0 / 6) * (16.0 / 6);
  CHECK(volatility(curve) ==
        Approx(std::sqrt(variance)).epsilon(1e-15));  // the order of the sums rounds the last digit
  CHECK(rounds_to_descend(curve) == 6);               // 20 - 2 >= 0.9 (20 - 0), in the row of round 6
  CHECK(final_loss(curve_of({8, 4})) == 6);
  CHECK(volatility(curve_of({9, 7, 5, 3})) == 0);
}

TEST_CASE("A run without a round or without descent has no metrics that would favor it") {
  CHECK(std::isnan(seconds_per_round(curve_of({1}))));
  CHECK(std::isnan(seconds_per_round({})));
  CHECK(std::isnan(volatility(curve_of({1}))));
  CHECK(std::isnan(rounds_to_descend(curve_of({1, 1, 2}))));
  CHECK(std::isnan(rounds_to_descend({})));
  CHECK(std::isnan(best_accuracy({})));
  CHECK(best_accuracy({.accuracies = {0.5, 0.75, 0.25}}) == 0.75);
  const double none = std::nan("");
  CHECK(best_accuracy({.accuracies = {none, 0.5, none, 0.75}}) == 0.75);
  CHECK(std::isnan(best_accuracy({.accuracies = {none, none}})));
}

TEST_CASE("Rows of progress.csv become a curve, and cells without a number none") {
  const TestFolder place;
  place.write("progress.csv",
              "round,simulated_s,objective,relative_error,test_accuracy\n"
              "0,0,4,1,0.5\n5,1.5,nan,,0.75\n10,3,1,0.25,0.625\n");
  const ProgressCurve curve = read_curve(place.path() / "progress.csv");
  CHECK(curve.rounds == std::vector<double>{0, 5, 10});
  CHECK(curve.seconds == std::vector<double>{0, 1.5, 3});
  CHECK((curve.losses[0] == 4 && std::isnan(curve.losses[1]) && curve.losses[2] == 1));
  CHECK(curve.accuracies == std::vector<double>{0.5, 0.75, 0.625});
  CHECK((curve.relative_error == 0.25 && !curve.relative_loss));
}

TEST_CASE("A run cannot be chosen because of its status, too few rounds, or its losses") {
  const TestFolder place;
  const auto why = [&](const std::string& status, const ProgressCurve& curve) {
    place.write("summary.json", "{\"status\": \"" + status + "\"}");
    return why_not_chosen(place.path(), curve);
  };
  CHECK(why("done", curve_of({3, 4, 2})).empty());
  CHECK(why("diverged", curve_of({3, 2})) == "diverged");
  CHECK(why("deadlock", curve_of({3, 2})) == "deadlock");
  CHECK(why("done", curve_of({3})) == "no complete round");
  CHECK(why("done", curve_of({3, std::nan(""), 2})) == "loss not finite");
  CHECK(why("done", curve_of({3, 2, 3})).empty());
  CHECK(why("done", curve_of({3, 2, 3.5})) == "last loss above the first");
  place.write("error.txt", "broken");
  CHECK(why("done", curve_of({3, 2})) == "error");
}

}  // namespace lagnet::tuning_metrics_test
