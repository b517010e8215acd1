#include <catch2/catch.hpp>

#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::assemble_federated_test {

namespace {

/// The small scenario with a server and four clients.
ScenarioFile federated(const std::string& changes = "{}") {
  ScenarioFile file = small_scenario(
      R"({"topology": {"kind": "star"}, "algorithm": {"kind": "fed_avg", "local_steps": 2, "client_step": 0.1}})");
  file.document.merge_patch(Json::parse(changes));
  return file;
}

std::string problems_with(const std::string& changes) {
  return scenario_problems([&] { assembled(federated(changes)); });
}

}  // namespace

TEST_CASE("without a partition the samples are divided among the clients, or the features, as the algorithm does it") {
  const Experiment made = assembled(federated());
  CHECK(made.scenario.partition.kind() == "samples");
  CHECK(made.partition.starts == std::vector<Index>{0, 5, 10, 15, 20});
  CHECK(read_scenario(small_scenario()).partition.kind() == "features");
  CHECK(write_scenario(made.scenario, "/nowhere")["partition"] == Json{{"kind", "samples"}});
}

TEST_CASE("a shuffled partition of samples changes the order of rows and labels, and not the objective") {
  const Experiment plain = assembled(federated());
  const Experiment shuffled = assembled(federated(R"({"partition": {"kind": "shuffled_samples"}})"));
  CHECK(shuffled.problem.y != plain.problem.y);
  CHECK(shuffled.optimum->value == plain.optimum->value);
  const Vector theta = Vector::LinSpaced(7, -1, 1);
  // A sum of 20 squares in another order.
  CHECK(shuffled.problem.objective(theta) == Approx(plain.problem.objective(theta)).epsilon(1e-14));
}

TEST_CASE("an algorithm refuses partitions of things that it does not divide") {
  CHECK(problems_with(R"({"partition": {"kind": "shuffled_features"}})") ==
        "small.json: /partition/kind: expected a partition of samples (samples, shuffled_samples, sample_blocks, "
        "by_label, dirichlet, quantity_skew), found shuffled_features");
  CHECK(scenario_problems([] { assembled(small_scenario(R"({"partition": {"kind": "by_label"}})")); }) ==
        "small.json: /partition/kind: expected a partition of features (features, shuffled_features, "
        "feature_blocks), found by_label");
}

TEST_CASE("clients without samples are refused") {
  CHECK(problems_with(R"({"data": {"samples": 3}})") ==
        "small.json: /partition: expected at least one sample for each agent that holds data, found none for agent 4");
  CHECK(problems_with(R"({"data": {"samples": 1}})") ==
        "small.json: /partition: expected at least one sample for each agent that holds data, found none for agent 2 "
        "and 2 others");
}

TEST_CASE("reduced data refuse a partition by samples") {
  CHECK(problems_with(R"({"data": {"source": "rotated_regression", "samples": 50}})") ==
        "small.json: /data: expected data with one row for each sample, for an algorithm that divides the samples, "
        "found 8 rows that stand for 50 samples");
}

TEST_CASE("a server needs a link to every other agent, and a client") {
  CHECK(problems_with(R"({"topology": {"kind": "ring"}})") ==
        "small.json: /topology: expected a link from the server, agent 0, to each other agent, found none to agent 2 "
        "and 1 other; a star around agent 0 has all of them");
  CHECK(problems_with(R"({"topology": {"kind": "star", "center": 4}})") ==
        "small.json: /topology: expected a link from the server, agent 0, to each other agent, found none to agent 1 "
        "and 2 others; a star around agent 0 has all of them");
  CHECK(problems_with(R"({"topology": {"agents": 1}})") ==
        "small.json: /topology: expected at least 2 agents, a server and a client, found 1");
}

TEST_CASE("a choice of clients that the server's neighbors do not allow is refused") {
  CHECK(problems_with(R"({"participation": {"clients": {"kind": "cyclic", "groups": 5}}})") ==
        "small.json: /participation/clients/groups: expected at most 4, the number of candidates, found 5");
  CHECK(problems_with(R"({"participation": {"clients": {"kind": "listed", "rounds": [[1, 2], [0]]}}})") ==
        "small.json: /participation/clients/rounds/1: expected agents that can be asked, found 0");
  CHECK(problems_with(R"({"participation": {"clients": {"kind": "listed", "rounds": [[1, 2, 1], [], [9]]}}})") ==
        "small.json: /participation/clients/rounds/0: expected one agent or more, each once, found [1,2,1]\n"
        "small.json: /participation/clients/rounds/1: expected one agent or more, each once, found []");
  CHECK(problems_with(R"({"participation": {"clients": {"kind": "listed", "rounds": [[1], [9]]}}})") ==
        "small.json: /participation/clients/rounds/1/0: expected an agent below 5, the number of agents, found 9");
  CHECK(problems_with(R"({"participation": {"clients": {"kind": "listed", "rounds": []}}})") ==
        "small.json: /participation/clients/rounds: expected the list of at least one round, found []");
  CHECK(problems_with(R"({"participation": {"clients": {"kind": "random_subset", "size": 0}}})") ==
        "small.json: /participation/clients/size: expected an integer at least 1, found 0");
  CHECK(problems_with(R"({"participation": {"clients": {"kind": "random_subset", "size": 5}}})") ==
        "small.json: /participation/clients/size: expected at most 4, the number of candidates, found 5");
  CHECK(problems_with(R"({"participation": {"clients": {"kind": "random_subset", "size": 4}}})").empty());
}

TEST_CASE("rows of a server's run count the answers that came as participants") {
  const Experiment made =
      assembled(federated(R"({"participation": {"clients": {"kind": "random_subset", "size": 3}, "enough": 2}})"));
  const Outcome outcome = run(made);
  REQUIRE(outcome.rows.size() == 4);  // rounds 0, 4, 8, 12
  for (std::size_t k = 1; k < 4; ++k) CHECK(outcome.rows[k].participants == 2);
  CHECK(outcome.ledger.total().dropped == 12);
  CHECK(outcome.remarks.size() == 1);
  CHECK(outcome.rows.back().relative_error.value() < outcome.rows.front().relative_error.value());
}

TEST_CASE("a lost message ends a run in a deadlock, unless rounds have a deadline") {
  const std::string loss = R"("network": {"loss_probability": 0.2})";
  const Outcome waiting = run(assembled(federated("{" + loss + "}")));
  CHECK(waiting.stop == StopReason::deadlock);
  CHECK_THAT(waiting.deadlock, Catch::Contains("agent 0 waits for round "));
  const Outcome closing = run(assembled(federated("{" + loss + R"(, "participation": {"deadline_ms": 20}})")));
  CHECK(closing.stop == StopReason::rounds);
  CHECK(closing.ledger.total().dropped > 0);
}

TEST_CASE("a client that is down is a missing answer, and the run goes on without it") {
  const std::string down = R"({"kind": "schedule", "down": [{"agent": 2, "from_s": 0.01, "until_s": 0.1}]})";
  const Outcome outcome =
      run(assembled(federated(R"({"participation": {"deadline_ms": 20, "availability": [)" + down + "]}}")));
  CHECK(outcome.stop == StopReason::rounds);
  CHECK(outcome.ledger.total().dropped > 0);
  CHECK(outcome.rows.back().participants == 4);
}

}  // namespace lagnet::assemble_federated_test
