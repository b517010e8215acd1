#include "scenarios/run/outcome.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>

#include "algorithms/peers/bases/alike_agents.hpp"

namespace lagnet::outcome_test {

TEST_CASE("a missing optimum is explained, a certified or unwanted one is not") {
  const Optimum good{Vector::Zero(1), 1, {CertificateKind::duality_gap, 1e-12, ""}},
      rough{Vector::Zero(1), 1, {CertificateKind::duality_gap, 1e-3, ""}};
  const Optimum none{Vector::Zero(1), 0, {CertificateKind::no_minimizer, INFINITY, ""}};
  CHECK(!missing_optimum(nullptr));
  CHECK(!missing_optimum(&good));
  CHECK(missing_optimum(&rough)->text == "no certified optimum (duality_gap: 0.001): relative_error is empty");
  const Optimum unknown{Vector::Zero(1), 0, {CertificateKind::none, INFINITY, "too large for a factor"}};
  CHECK(missing_optimum(&unknown)->text == "no certified optimum (too large for a factor): relative_error is empty");
  CHECK(missing_optimum(&none)->text == "no minimizer exists (separable data): relative_error is empty");
}

namespace {

std::vector<Row> rows_of(const std::vector<double>& errors) {
  std::vector<Row> rows;
  for (std::size_t k = 0; k < errors.size(); ++k) {
    Row row;
    row.round = static_cast<Round>(10 * k);
    row.objective = 1 + errors[k];
    row.relative_error = errors[k];
    rows.push_back(row);
  }
  return rows;
}

/// To 1e-4 in 160 rounds, by the same factor in each.
std::vector<Row> falling_rows() {
  std::vector<double> errors;
  for (int k = 0; k <= 16; ++k) errors.push_back(std::pow(10, -k / 4.0));
  return rows_of(errors);
}

}  // namespace

TEST_CASE("a missed tolerance is reported with the rounds left at the rate of the last half") {
  // It falls tenfold in 40 rounds, so 1e-8 is 160 rounds further than 1e-4.
  CHECK(missed_tolerance(falling_rows(), 1e-8)->text ==
        "relative error 1e-08 was not reached: it is 0.0001 after 160 rounds; at this rate about 160 more");
  // Few rows tell no rate.
  CHECK(missed_tolerance(rows_of({1, 0.5, 1e-2, 1e-3, 1e-4}), 1e-8)->text ==
        "relative error 1e-08 was not reached: it is 0.0001 after 40 rounds");
  CHECK(
      missed_tolerance(rows_of({1, 0.5, 0.500001}), 1e-3)->text ==
      "relative error 0.001 was not reached: it is 0.5 after 20 rounds; it has not fallen since round 10: more rounds "
      "will not help");
  CHECK(
      missed_tolerance(rows_of({1, 0.1, 0.1}), 1e-3)->text ==
      "relative error 0.001 was not reached: it is 0.1 after 20 rounds; it has not fallen since round 10: more rounds "
      "will not help");
  CHECK(!missed_tolerance(rows_of({1, 0.1, 1e-3}), 1e-3));
  CHECK(!missed_tolerance(rows_of({1, 0.1}), std::nullopt));
  CHECK(!missed_tolerance({}, 1e-3));
}

TEST_CASE("no number of rounds is given if none would suffice") {
  const auto told = [](const std::function<double(double)>& error, double wanted) {
    std::vector<double> rounds, errors;
    for (double t = 0; t <= 200; ++t) {
      rounds.push_back(t);
      errors.push_back(error(t));
    }
    return outlook(rounds, errors, wanted);
  };
  // Linear: 0.9^t is 1e-12 at t = 262.25, which is 62.25 rounds after 200.
  CHECK(told([](double t) { return std::pow(0.9, t); }, 1e-12).more_rounds == 63);
  // As 1/t^2, by 0.71 slower in each quarter than in the one before: no rate holds, and no limit is known.
  const Outlook slower = told([](double t) { return 1 / (1 + t) / (1 + t); }, 1e-6);
  CHECK_FALSE(slower.more_rounds);
  CHECK(slower.why_not.empty());
  const Outlook floor = told([](double t) { return 1e-3 + std::pow(0.9, t); }, 1e-4);
  CHECK_FALSE(floor.more_rounds);
  CHECK(floor.why_not == "it levels off near 0.001: more rounds will not help");
  CHECK(told([](double t) { return 1e-3 + std::pow(t / 100 - 1, 2); }, 1e-4).why_not ==
        "it was 0.001 in round 100, and more rounds made it worse");
  CHECK(told([](double t) { return 1 - 1e-6 * t; }, 1e-4).why_not ==
        "at this rate it takes more than 1000 times as many");
}

TEST_CASE("no number of rounds is given if the limit may be another one") {
  CHECK(missed_tolerance(falling_rows(), 1e-8, true)->text ==
        "relative error 1e-08 was not reached: it is 0.0001 after 160 rounds");
  CHECK(has_other_limit({{"no_smoothness", {}, "a"}, {std::string(messages_missing_code), {{"messages", 3}}, "b"}}));
  CHECK(has_other_limit({{std::string(states_lost_code), {{"crashes", 1}}, "c"}}));
  CHECK_FALSE(has_other_limit({{"no_smoothness", {}, "the limit need not be a minimizer"}}));
  CHECK_FALSE(has_other_limit({}));
}

TEST_CASE("a run that ended worse than it began is reported") {
  CHECK(worse_than_start(rows_of({1, 4}), 2)->text ==
        "ended worse than it began: the objective is 5, and was 2 at the start");
  CHECK(!worse_than_start(rows_of({1, 0.5}), 2));
  CHECK(!worse_than_start(rows_of({1}), 2));
  CHECK(!worse_than_start({}, 2));
}

TEST_CASE("a run that computed without billing, or without waiting for it, is reported") {
  const std::string free = "agents never wait for what they compute";
  CHECK(free_computation(rows_of({1, 0.5}), 0, false)->text.starts_with(free));
  CHECK(free_computation(rows_of({1, 0.5}), 7, true)->text.starts_with(free));
  CHECK(!free_computation(rows_of({1, 0.5}), 7, false));
  CHECK(!free_computation(rows_of({1, 1}), 0, false));
  CHECK(!free_computation({}, 0, true));
}

TEST_CASE("times of all agents together that are longer than can be counted are named") {
  AgentAccount total;
  total.computing = Duration::longest() + Duration::nanoseconds(-1);
  CHECK(longest_sums(total) == std::nullopt);
  total.idle = Duration::longest();
  CHECK(longest_sums(total)->text ==
        "idle_s of all agents together ends at 9.22337204e+09 s, the longest time that is counted "
        "(292 years)");
  total.away = Duration::longest();
  CHECK(longest_sums(total)->text.starts_with("idle_s, away_s of all agents together end at"));
}

}  // namespace lagnet::outcome_test
