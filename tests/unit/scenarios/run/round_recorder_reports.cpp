#include "scenarios/run/round_recorder.hpp"

#include <catch2/catch.hpp>

namespace lagnet::round_reports_test {

namespace {

void add(RoundReports& reports, AgentId agent, const std::vector<Vector>& parts) {
  reports.add(agent, std::span<const Vector>(parts));
}

}  // namespace

TEST_CASE("reports read back part by part, in any order and with any sizes") {
  const Vector one = Vector::LinSpaced(3, 1, 3), two = Vector::LinSpaced(2, 4, 5), none;
  RoundReports reports;
  add(reports, 2, {one, none, two});
  add(reports, 0, {two});
  add(reports, 3, {});
  std::vector<std::vector<Vector>> parts(4);
  parts[1] = {one};  // belongs to an agent that reports nothing
  parts[3] = {one};
  reports.copy_to(parts);
  CHECK(parts == std::vector<std::vector<Vector>>{{two}, {one}, {one, none, two}, {}});
}

TEST_CASE("an agent that reports a round once more has its last report, and an emptied round has none") {
  const Vector one = Vector::Constant(2, 1.0), two = Vector::Constant(3, 2.0);
  RoundReports reports;
  add(reports, 0, {one});
  add(reports, 1, {one});
  add(reports, 0, {two});
  std::vector<std::vector<Vector>> parts(2);
  reports.copy_to(parts);
  CHECK(parts == std::vector<std::vector<Vector>>{{two}, {one}});

  reports.clear();
  add(reports, 1, {two});
  reports.copy_to(parts);
  CHECK(parts == std::vector<std::vector<Vector>>{{two}, {two}});
}

}  // namespace lagnet::round_reports_test
