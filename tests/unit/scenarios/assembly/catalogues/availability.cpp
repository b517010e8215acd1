#include <catch2/catch.hpp>

#include "scenarios/assembly/make_agents.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::availability_test {

namespace {

constexpr AgentId agents = 3;

std::shared_ptr<const Availability> load(const std::filesystem::path& path, Diagnostics& problems) {
  ParticipationOptions options;
  options.availability.emplace_back(AvailabilityTraceOptions{.path = path.string()});
  return make_availability(options, agents, 1, problems);
}

std::shared_ptr<const Availability> read(std::string_view text) {
  const TestFolder folder;
  folder.write("up.csv", text);
  Diagnostics problems("f");
  const auto made = load(folder.path() / "up.csv", problems);
  CHECK(problems.empty());
  return made;
}

Texts problems(std::string_view text) {
  const TestFolder folder;
  folder.write("up.csv", text);
  Diagnostics others("f");
  return problems_of(folder.path(), [&] { load(folder.path() / "up.csv", others); });
}

Time seconds(double s) { return Time() + Duration::seconds(s); }

}  // namespace

TEST_CASE("a row of a trace holds until the next one of its agent") {
  for (const char* header : {"", "agent,from_s,up\n"}) {
    const auto up = read(std::string(header) + "0,1.5,0\n2,0,0\n0,3,1\n\n 0 , 4e0 ,1\r\n0,5,0\n0,6,0\n2,7,1\n");
    CHECK(up->at(0, seconds(0)).until == seconds(1.5));
    CHECK(up->next_up(0, seconds(1.5)) == seconds(3));
    CHECK(up->at(0, seconds(3)).until == seconds(5));
    CHECK(up->gone_for_good(0, seconds(5)));
    CHECK(up->at(1, seconds(0)).until == Time::never());
    CHECK(up->next_up(2, seconds(0)) == seconds(7));
  }
}

TEST_CASE("a trace without outages leaves everybody up") { CHECK(read("agent,from_s,up\n1,0,1\n")->up(1, seconds(1))); }

TEST_CASE("a trace without rows is wrong") {
  const Texts none{"up.csv: expected at least one row agent,from_s,up, found none"};
  CHECK(problems("") == none);
  CHECK(problems("agent,from_s,up\n") == none);
}

TEST_CASE("everything that is wrong in a trace is named with its line") {
  CHECK(problems("agent,time,up\n0,1,0\n3,1,0\nx,-1,2\n0,1,1\n0,1e300,1\n1,2\n1,nan,\"0\n") ==
        Texts{"up.csv:1: expected an agent from 0 to 2, found \"agent\"",
              "up.csv:1: expected a time from 0 to 9000000000 s, found \"time\"",
              "up.csv:1: expected 0 or 1 for up, found \"up\"", "up.csv:3: expected an agent from 0 to 2, found \"3\"",
              "up.csv:4: expected an agent from 0 to 2, found \"x\"",
              "up.csv:4: expected a time from 0 to 9000000000 s, found \"-1\"",
              "up.csv:4: expected 0 or 1 for up, found \"2\"",
              "up.csv:5: expected a time after 1 s, that of agent 0's row before, found 1 s",
              "up.csv:6: expected a time from 0 to 9000000000 s, found \"1e300\"",
              "up.csv:7: expected 3 fields, agent,from_s,up, found 2",
              "up.csv:8: expected a closing quote, found no quote up to the end of the file",
              "up.csv:8: expected a time from 0 to 9000000000 s, found \"nan\"",
              "up.csv:8: expected 0 or 1 for up, found \"\""});
}

TEST_CASE("problems of several traces come together, after those of other entries") {
  const TestFolder folder;
  folder.write("a.csv", "0,0,2\n");
  folder.write("b.csv", "9,0,0\n");
  ParticipationOptions options;
  options.availability.emplace_back(AvailabilityTraceOptions{.path = (folder.path() / "a.csv").string()});
  options.availability.emplace_back(CrashOptions{.agent = 7});
  options.availability.emplace_back(AvailabilityTraceOptions{.path = (folder.path() / "b.csv").string()});
  Diagnostics others("f");
  CHECK(problems_of(folder.path(), [&] { make_availability(options, agents, 1, others); }) ==
        Texts{"a.csv:1: expected 0 or 1 for up, found \"2\"", "b.csv:1: expected an agent from 0 to 2, found \"9\""});
  CHECK(others.count() == 1);
}

}  // namespace lagnet::availability_test
