#include "scenarios/assembly/make_agents.hpp"

#include <catch2/catch.hpp>

#include "scenarios/assembly/assemble.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::participation_options_test {

namespace {

constexpr AgentId agents = 5;

/// What a section of a scenario says, without its surroundings.
ParticipationOptions read(const std::string& text, Diagnostics& problems) {
  const Json json = Json::parse(text);
  ParticipationOptions options;
  ObjectReader reader(json, "/participation", problems);
  reader.read(options);
  reader.finish();
  return options;
}

/// All problems of a section for 5 agents.
std::string problems_of_section(const std::string& text) {
  Diagnostics problems("f");
  const ParticipationOptions options = read(text, problems);
  if (problems.empty()) {
    make_availability(options, agents, 1, problems);
    make_participation(options, agents, agents, 1, problems);
  }
  return problems.text();
}

ParticipationOptions good(const std::string& text) {
  Diagnostics problems("f");
  const ParticipationOptions options = read(text, problems);
  REQUIRE(problems.text().empty());
  return options;
}

std::shared_ptr<const Participation> clients(const std::string& text) {
  Diagnostics problems("f");
  const auto made = make_participation(good(R"({"clients": )" + text + "}"), agents, agents, 1, problems);
  REQUIRE(problems.text().empty());
  return made;
}

std::shared_ptr<const Availability> availability(const std::string& list, std::uint64_t seed = 1) {
  Diagnostics problems("f");
  const auto made = make_availability(good(R"({"availability": )" + list + "}"), agents, seed, problems);
  REQUIRE(problems.text().empty());
  return made;
}

Time seconds(double s) { return Time() + Duration::seconds(s); }

const std::vector<AgentId> candidates{1, 2, 3, 4};

}  // namespace

TEST_CASE("by default a server asks and awaits all clients, and no agent fails") {
  const ParticipationOptions options = good("{}");
  CHECK(write_fields(options).dump() ==
        R"({"clients":{"kind":"full"},"deadline_ms":null,"enough":null,"availability":[],)"
        R"("missing_neighbor":{"kind":"wait"}})");
  Diagnostics problems("f");
  CHECK(make_availability(options, agents, 1, problems) == nullptr);
  CHECK(make_participation(options, agents, agents, 1, problems)->chosen(1, candidates) == candidates);
  const Cohort cohort = make_round_rule(options).cohort(candidates, Time());
  CHECK(cohort.enough == 4);
  CHECK(cohort.deadline == Time::never());
  CHECK(options.missing_neighbor.make().kind == MissingNeighborKind::wait);
}

TEST_CASE("every kind of choosing clients is made with its options and the seed") {
  CHECK(clients(R"({"kind": "full"})")->chosen(1, candidates) == candidates);
  CHECK(clients(R"({"kind": "random_subset", "size": 2})")->chosen(3, candidates) ==
        RandomSubset::of_size(1, 2).chosen(3, candidates));
  CHECK(clients(R"({"kind": "random_subset", "fraction": 0.7})")->chosen(3, candidates) ==
        RandomSubset::of_fraction(1, 0.7).chosen(3, candidates));
  CHECK(clients(R"({"kind": "independent", "probability": 0.4})")->chosen(3, candidates) ==
        IndependentParticipation(1, 0.4).chosen(3, candidates));
  CHECK(clients(R"({"kind": "cyclic", "groups": 2})")->chosen(2, candidates) == std::vector<AgentId>{2, 4});
  CHECK(clients(R"({"kind": "listed", "rounds": [[4, 1], [2]]})")->chosen(3, candidates) == std::vector<AgentId>{1, 4});
}

TEST_CASE("a fraction to the nearest number, contiguous sets, and rounds without anybody are made when asked for") {
  CHECK(clients(R"({"kind": "random_subset", "fraction": 0.6, "rounding": "nearest"})")->chosen(1, candidates).size() ==
        2);
  CHECK(clients(R"({"kind": "cyclic", "groups": 2, "sets": "contiguous"})")->chosen(2, candidates) ==
        std::vector<AgentId>{3, 4});
  CHECK(clients(R"({"kind": "independent", "probability": 1e-9, "nobody_allowed": true})")
            ->chosen(1, candidates)
            .empty());
  CHECK(problems_of_section(R"({"clients": {"kind": "random_subset", "size": 2, "rounding": "nearest"}})") ==
        "f: /participation/clients/rounding: expected up without a fraction, found nearest");
}

TEST_CASE("deadline, over-selection and missing neighbors are read in their units") {
  const ParticipationOptions options = good(R"({
    "clients": {"kind": "random_subset", "size": 4}, "deadline_ms": 250, "enough": 3,
    "missing_neighbor": {"kind": "reuse_last", "deadline_ms": 1.5}})");
  const Cohort cohort = make_round_rule(options).cohort(candidates, seconds(1));
  CHECK(cohort.enough == 3);
  CHECK(cohort.deadline == seconds(1.25));
  CHECK(options.missing_neighbor.make().kind == MissingNeighborKind::reuse_last);
  CHECK(options.missing_neighbor.make().deadline == Duration::nanoseconds(1'500'000));
  const MissingNeighbor skip =
      good(R"({"missing_neighbor": {"kind": "skip", "deadline_ms": 2}})").missing_neighbor.make();
  CHECK(skip.kind == MissingNeighborKind::skip);
  CHECK(skip.deadline == Duration::nanoseconds(2'000'000));
}

TEST_CASE("all entries of availability hold together") {
  const auto up = availability(R"([
    {"kind": "schedule", "down": [{"agent": 1, "from_s": 1, "until_s": 2}, {"agent": 1, "from_s": 2, "until_s": 3}]},
    {"kind": "crash", "agent": 2, "at_s": 4, "recovers_after_s": 1},
    {"kind": "crash", "agent": 3, "at_s": 4, "recovers_after_s": 1, "state": "kept"},
    {"kind": "crash", "agent": 4, "at_s": 5},
    {"kind": "diurnal", "period_s": 10, "up_share": 0.4, "random_phase": false, "agents": [0, 1]}])");
  CHECK(up->next_up(1, seconds(1)) == seconds(3));
  CHECK(up->next_up(1, seconds(4)) == seconds(10));
  CHECK(up->next_up(0, seconds(2)) == seconds(2));
  CHECK(up->next_up(0, seconds(4)) == seconds(10));
  CHECK(up->next_up(2, seconds(4)) == seconds(5));
  CHECK(up->gone_for_good(4, seconds(5)));
  CHECK(up->restarts() == std::vector<Availability::Restart>{{2, seconds(4), seconds(5)}});
}

TEST_CASE("two entries of one random kind draw on their own, and another seed draws otherwise") {
  const std::string one = R"({"kind": "on_off", "mean_up_s": 1, "mean_down_s": 1, "agents": [0]})";
  const std::string two = R"({"kind": "on_off", "mean_up_s": 1, "mean_down_s": 1, "agents": [1]})";
  const auto both = availability("[" + one + ", " + two + "]"), single = availability("[" + two + "]");
  CHECK(both->at(1, Time()).until != single->at(1, Time()).until);
  CHECK(both->at(0, Time()).until == availability("[" + one + "]")->at(0, Time()).until);
  CHECK(single->at(1, Time()).until != availability("[" + two + "]", 2)->at(1, Time()).until);
  const std::string day = R"({"kind": "diurnal", "agents": [2]})";
  CHECK(availability("[" + day + "]")->at(2, Time()).until != availability("[" + day + "]", 2)->at(2, Time()).until);
}

TEST_CASE("keys and values of the section are checked") {
  CHECK(problems_of_section(R"({"clients": {"kind": "random_subset"}})") ==
        "f: /participation/clients: expected exactly one of size and fraction, found neither");
  CHECK(problems_of_section(R"({"clients": {"kind": "random_subset", "size": 3, "fraction": 0.5}, "enough": 4})") ==
        "f: /participation/clients/fraction: expected exactly one of size and fraction, found 0.5");
  CHECK(problems_of_section(R"({"clients": {"kind": "random_subset", "size": 3}, "enough": 4})") ==
        "f: /participation/enough: expected at most clients/size, 3, found 4");
  CHECK(problems_of_section(R"({"clients": {"kind": "listed", "rounds": [[1], [], [2, 3, 2]]}})") ==
        "f: /participation/clients/rounds/1: expected one agent or more, each once, found []\n"
        "f: /participation/clients/rounds/2: expected one agent or more, each once, found [2,3,2]");
  CHECK(problems_of_section(R"({"clients": {"kind": "listed", "rounds": []}})") ==
        "f: /participation/clients/rounds: expected the list of at least one round, found []");
  CHECK(problems_of_section(R"({"clients": {"kind": "independent", "probability": 0}, "deadline_ms": 0})") ==
        "f: /participation/clients/probability: expected a number above 0 and at most 1, found 0\n"
        "f: /participation/deadline_ms: expected a number above 0 and at most 9000000000000, found 0");
  CHECK(problems_of_section(R"({"availability": [{"kind": "on_off", "mean_up_s": 0, "mean_down_s": 1}]})") ==
        "f: /participation/availability/0/mean_up_s: expected a number from 1e-06 to 9000000000, found 0");
}

TEST_CASE("windows of a schedule that are empty or overlap are named by their place") {
  CHECK(problems_of_section(R"({"availability": [{"kind": "schedule", "down": [
          {"agent": 1, "from_s": 5, "until_s": 8}, {"agent": 2, "from_s": 5, "until_s": 8},
          {"agent": 1, "from_s": 7, "until_s": 7}, {"agent": 1, "from_s": 4, "until_s": 5.5}]}]})") ==
        "f: /participation/availability/0/down/2/until_s: expected at least a nanosecond after from_s, found 7.0\n"
        "f: /participation/availability/0/down/0: expected a window that overlaps no other of its agent, "
        "found one that overlaps down/3");
}

TEST_CASE("all agents that do not exist, and too large numbers of agents, are reported") {
  CHECK(problems_of_section(R"({
          "clients": {"kind": "listed", "rounds": [[1], [2, 7]]}, "enough": 6,
          "availability": [{"kind": "crash", "agent": 5, "at_s": 1},
                           {"kind": "on_off", "mean_up_s": 1, "mean_down_s": 1, "agents": [4, 9, 4]},
                           {"kind": "schedule", "down": [{"agent": 8, "from_s": 1, "until_s": 2}]}]})") ==
        "f: /participation/availability/0/agent: expected an agent below 5, the number of agents, found 5\n"
        "f: /participation/availability/1/agents/1: expected an agent below 5, the number of agents, found 9\n"
        "f: /participation/availability/1/agents/2: expected an agent that is not listed before, found 4\n"
        "f: /participation/availability/2/down/0/agent: expected an agent below 5, the number of agents, found 8\n"
        "f: /participation/enough: expected at most 5, the number of agents, found 6\n"
        "f: /participation/clients/rounds/1/1: expected an agent below 5, the number of agents, found 7");
  CHECK(problems_of_section(R"({"clients": {"kind": "random_subset", "size": 6}})") ==
        "f: /participation/clients/size: expected at most 5, the number of agents, found 6");
  CHECK(problems_of_section(R"({"clients": {"kind": "cyclic", "groups": 6}})") ==
        "f: /participation/clients/groups: expected at most 5, the number of agents, found 6");
}

TEST_CASE("a scenario with participation is read, written, read back and assembled") {
  const ScenarioFile file = small_scenario(R"({"topology": {"kind": "star"},
    "algorithm": {"kind": "fed_avg", "client_step": 0.1}, "participation": {
    "clients": {"kind": "random_subset", "size": 3}, "enough": 2, "deadline_ms": 40,
    "availability": [{"kind": "on_off", "mean_up_s": 10, "mean_down_s": 1}, {"kind": "crash", "agent": 2, "at_s": 3}],
    "missing_neighbor": {"kind": "skip", "deadline_ms": 5}}})");
  const Scenario scenario = read_scenario(file);
  const Json written = write_scenario(scenario, "/nowhere");
  CHECK(write_scenario(read_scenario({"again.json", "/nowhere", written}), "/nowhere") == written);
  ExperimentCache cache;
  const Experiment made = assemble(scenario, file.shown, cache);
  REQUIRE(made.model.availability);
  CHECK(made.model.availability->gone_for_good(2, seconds(3)));
  CHECK(made.model.participation->chosen(1, candidates).size() == 3);
  CHECK(made.model.round_rule.enough == 2u);
  CHECK(made.model.missing.kind == MissingNeighborKind::skip);
}

TEST_CASE("problems of participation come together with those of other sections") {
  const ScenarioFile file = small_scenario(R"({
    "participation": {"clients": {"kind": "cyclic", "groups": 9},
                      "availability": [{"kind": "crash", "agent": 5, "at_s": 1},
                                       {"kind": "trace", "path": "/nowhere/up.csv"}]},
    "network": {"bandwidth_bytes_per_s": 0.5}})");
  ExperimentCache cache;
  CHECK(scenario_problems([&] { assemble(read_scenario(file), file.shown, cache); }) ==
        "small.json: /network/bandwidth_bytes_per_s: expected numbers at least 1, found 0.5\n"
        "small.json: /participation/clients/groups: expected at most 5, the number of agents, found 9\n"
        "small.json: /participation/clients/kind: expected full, since fd_primal_dual has no server that asks clients, "
        "found cyclic\n"
        "small.json: /participation/availability/0/agent: expected an agent below 5, the number of agents, found 5\n"
        "small.json: /participation/availability: /nowhere/up.csv: expected a file, found nothing there");
}

}  // namespace lagnet::participation_options_test
