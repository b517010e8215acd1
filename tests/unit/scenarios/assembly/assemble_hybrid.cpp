#include <catch2/catch.hpp>

#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::assemble_hybrid_test {

namespace {

/// The small scenario as a classification over four clients that differ in samples and features.
ScenarioFile hybrid(const std::string& changes = "{}", const std::filesystem::path& folder = "/nowhere") {
  ScenarioFile file = small_scenario(R"({
    "data": {"source": "gaussian_classification"}, "topology": {"kind": "star"},
    "problem": {"loss": {"kind": "hinge"}, "regularizer": {"kind": "l2", "weight": 0.1}},
    "partition": {"kind": "blocks", "feature_groups": 2},
    "algorithm": {"kind": "hyfdca", "local_steps": 2}})",
                                     folder);
  file.document.merge_patch(Json::parse(changes));
  return file;
}

std::string problems_with(const std::string& changes) {
  return scenario_problems([&] { assembled(hybrid(changes)); });
}

/// The scenario with this algorithm in the place of its own.
std::string problems_of_algorithm(const std::string& algorithm) {
  return problems_with(R"({"algorithm": )" + algorithm + "}");
}

}  // namespace

TEST_CASE("every number of a hybrid method that is out of its range is named, all at once") {
  CHECK(problems_of_algorithm(R"({"local_steps": 0, "damping": 0.5, "gamma": 0, "c": 1.5})") ==
        "small.json: /algorithm/local_steps: expected an integer at least 1, found 0\n"
        "small.json: /algorithm/damping: expected a number at least 1, found 0.5\n"
        "small.json: /algorithm/gamma: expected a number above 0 and at most 1, found 0\n"
        "small.json: /algorithm/c: expected a number above 0 and at most 1, found 1.5");
  CHECK(problems_of_algorithm(R"({"gamma": 1.5, "c": 0})") ==
        "small.json: /algorithm/gamma: expected a number above 0 and at most 1, found 1.5\n"
        "small.json: /algorithm/c: expected a number above 0 and at most 1, found 0");
  CHECK(problems_of_algorithm(R"({"local_steps": null, "iic": 0})") ==
        "small.json: /algorithm/iic: expected a number above 0, found 0");
  CHECK(problems_of_algorithm(R"({"iic": 0.1})") ==
        "small.json: /algorithm/iic: expected exactly one of local_steps and iic, found 0.1");
  CHECK(problems_of_algorithm(R"({"local_steps": null})") ==
        "small.json: /algorithm: expected exactly one of local_steps and iic, found neither");
}

TEST_CASE("learning rates that would be infinite or below 0, and a negative pull, are refused") {
  for (const std::string kind : {"hybrid_fed_avg", "hyfem"}) {
    const std::string mu = kind == "hyfem" ? R"(, "mu": -1)" : "";
    const std::string of_mu = "\nsmall.json: /algorithm/mu: expected a number at least 0, found -1";
    CHECK(problems_of_algorithm(R"({"kind": ")" + kind + R"(", "a": 0, "b": -1)" + mu + "}") ==
          "small.json: /algorithm/a: expected a number above 0, or theory, found 0\n"
          "small.json: /algorithm/b: expected a number above -1, found -1" +
              (mu.empty() ? "" : of_mu));
  }
  CHECK(problems_of_algorithm(R"({"kind": "hybrid_fed_avg", "a": 0.1, "b": -0.5})").empty());
}

TEST_CASE("problems that a hybrid method cannot solve are refused") {
  for (const std::string kind : {"hyfdca", "hybrid_fed_avg", "hyfem"}) {
    const std::string algorithm = R"({"kind": ")" + kind + R"(", "local_steps": 2)" +
                                  (kind == "hyfdca" ? "" : R"(, "a": 0.1)") + (kind == "hyfem" ? R"(, "mu": 1})" : "}");
    CHECK(problems_with(R"({"problem": {"regularizer": {"weight": 0}}, "algorithm": )" + algorithm + "}") ==
          "small.json: /algorithm/kind: expected an algorithm that needs no l2 regularizer with a weight above 0, "
          "found " +
              kind);
    CHECK(problems_with(R"({"problem": {"regularizer": {"kind": "l1"}}, "algorithm": )" + algorithm + "}") ==
          "small.json: /algorithm/kind: expected an algorithm that needs no l2 regularizer with a weight above 0, "
          "found " +
              kind);
  }
  CHECK(problems_with(R"({"problem": {"regularizer": {"weight": -1}}})") ==
        "small.json: /problem/regularizer/weight: expected a number at least 0, found -1");
  CHECK(problems_with(R"({"problem": {"constraint": {"kind": "l2_ball", "radius": 1}}})") ==
        "small.json: /problem/constraint/kind: expected none, since hyfdca does not keep iterates in a set (these "
        "take it: block_splitting_admm), found l2_ball");
}

TEST_CASE("FedBCD divides features alone, D3CA a grid, and both need every client") {
  const std::string fed_bcd =
      R"("problem": {"loss": {"kind": "logistic"}}, "algorithm": {"kind": "fed_bcd", "step": 0.1,
      "local_steps": 2})";
  const std::string by_features = R"({"partition": {"kind": "features", "feature_groups": null}, )" + fed_bcd;
  const std::string half = R"("participation": {"clients": {"kind": "random_subset", "fraction": 0.5}}})";
  CHECK(problems_with(by_features + "}").empty());
  CHECK(problems_with("{" + fed_bcd + "}") ==
        "small.json: /partition/kind: expected a partition of features (features, shuffled_features, feature_blocks), "
        "found blocks");
  CHECK(problems_with(by_features + ", " + half) ==
        "small.json: /participation/clients/kind: expected full, since fed_bcd needs the scores of all parties, found "
        "random_subset");
  const std::string d3ca = R"("algorithm": {"kind": "d3ca", "local_steps": 2})";
  CHECK(problems_with("{" + d3ca + "}").empty());
  CHECK(problems_with("{" + d3ca + ", " + half) ==
        "small.json: /participation/clients/kind: expected full, since d3ca averages over all clients, found "
        "random_subset");
  CHECK(problems_with(R"({"data": {"samples": 4, "features": 2}, "topology": {"agents": 4}, "partition": {
            "kind": "cell_lists", "feature_groups": null, "samples": [[0, 1, 2, 3], [0, 1], [2, 3]],
            "features": [[0], [1], [1]]}, )" +
                      d3ca + "}") ==
        "small.json: /algorithm/kind: expected an algorithm for clients whose cells form no grid of groups of samples "
        "x groups of features, found d3ca");
}

TEST_CASE("data that a hybrid method cannot use are refused") {
  const TestFolder folder;
  const auto problems_of = [&](const std::string& text) {
    folder.write("d.libsvm", text);
    ScenarioFile file = hybrid("{}", folder.path());
    file.document["data"] = Json::parse(R"({"source": "libsvm", "path": "d.libsvm"})");
    return scenario_problems([&] { assembled(file); });
  };
  const std::string d = (folder.path() / "d.libsvm").string();
  CHECK(problems_of("1 1:1\n2 1:2 2:1\n") ==
        "small.json: /data: y: sample 2 of 2: expected -1 or +1, found 2; /data/labels=sign maps 1 and 2 to -1 and +1");
  CHECK(problems_of("1 1:nan\n-1 1:2 2:1\n") ==
        "small.json: /data: " + d + ":1: expected a finite number as the value of index 1, found \"nan\"");
  CHECK(problems_of("") == "small.json: /data: " + d + ": expected at least one sample, found none");
}

TEST_CASE("cells held by two clients or by none are refused") {
  const auto problems_of = [](const std::string& samples, const std::string& features) {
    ScenarioFile file = hybrid(R"({"data": {"samples": 4, "features": 2}, "topology": {"agents": 3}})");
    file.document["partition"] =
        Json{{"kind", "cell_lists"}, {"samples", Json::parse(samples)}, {"features", Json::parse(features)}};
    return scenario_problems([&] { assembled(file); });
  };
  CHECK(problems_of("[[0, 1, 2, 3], [0, 1, 2, 3]]", "[[0], [1]]").empty());
  CHECK(problems_of("[[0, 1, 2, 3], [0, 1, 2, 3]]", "[[0, 1], [1]]") ==
        "small.json: /partition: cell_lists: expected every cell held by exactly one agent, found sample 0, feature 1 "
        "held by agents 1 and 2");
  CHECK_THAT(problems_of("[[0, 1, 2, 3], [0, 1, 2]]", "[[0], [1]]"),
             Catch::StartsWith("small.json: /partition: cell_lists: expected an agent for every non-zero cell, "
                               "found no agent for sample 3, feature 1, which is "));
  CHECK(problems_with(R"({"partition": {"feature_groups": 3}})") ==
        "small.json: /partition: blocks: expected feature_groups that divide the 4 clients, found 3");
}

TEST_CASE("clients that a schedule does not know or names twice are refused, and sets of unequal size") {
  CHECK(problems_with(R"({"participation": {"clients": {"kind": "listed", "rounds": [[1, 9]]}}})") ==
        "small.json: /participation/clients/rounds/0/1: expected an agent below 5, the number of agents, found 9");
  CHECK(problems_with(R"({"participation": {"clients": {"kind": "listed", "rounds": [[0, 1]]}}})") ==
        "small.json: /participation/clients/rounds/0: expected agents that can be asked, found 0");
  CHECK(problems_with(R"({"participation": {"clients": {"kind": "listed", "rounds": [[2, 2]]}}})") ==
        "small.json: /participation/clients/rounds/0: expected one agent or more, each once, found [2,2]");
  CHECK(problems_with(R"({"participation": {"clients": {"kind": "cyclic", "groups": 3, "sets": "contiguous"}}})") ==
        "small.json: /participation/clients/groups: expected a divisor of 4, the number of candidates, for contiguous "
        "sets, found 3");
  CHECK(problems_with(R"({"participation": {"clients": {"kind": "cyclic", "groups": 1, "sets": "contiguous"}}})") ==
        "small.json: /participation/clients/groups: expected at least 2 contiguous sets, found 1");
  CHECK(problems_with(R"({"participation": {"clients": {"kind": "cyclic", "groups": 2, "sets": "contiguous"}}})")
            .empty());
  for (const std::string fraction : {"0", "1.5"})
    CHECK(problems_with(R"({"participation": {"clients": {"kind": "random_subset", "fraction": )" + fraction + "}}}") ==
          "small.json: /participation/clients/fraction: expected a number above 0 and at most 1, found " + fraction);
}

TEST_CASE("negative latencies and times of encryption are refused") {
  CHECK(problems_with(R"({"network": {"latency_ms": -1},
                          "compute": {"encryption": {"encrypt_ms": -1, "decrypt_ms": -2, "add_ms": -3}}})") ==
        "small.json: /network/latency_ms: expected a number at least 0, found -1\n"
        "small.json: /compute/encryption/encrypt_ms: expected a number from 0 to 100000, found -1\n"
        "small.json: /compute/encryption/decrypt_ms: expected a number from 0 to 100000, found -2\n"
        "small.json: /compute/encryption/add_ms: expected a number from 0 to 100000, found -3");
}

TEST_CASE("a server of HyFDCA that would come back without its duals is refused, other crashes are not") {
  const auto crash = [](const std::string& of) {
    return R"({"participation": {"deadline_ms": 50, "availability": [{"kind": "crash", "at_s": 1, )" + of + "}]}}";
  };
  CHECK(problems_with(crash(R"("agent": 0, "recovers_after_s": 1)")) ==
        "small.json: /participation/availability/0/state: expected \"kept\", since no other agent has the state of the "
        "server of hyfdca, agent 0, found \"lost\"");
  CHECK(problems_with(crash(R"("agent": 0, "recovers_after_s": 1, "state": "kept")")).empty());
  CHECK(problems_with(crash(R"("agent": 1, "recovers_after_s": 1)")).empty());
  CHECK(problems_with(crash(R"("agent": 0)")).empty());
}

TEST_CASE("an exchange of norms is refused where answers may be missing, and takes place where losses are repaired") {
  const std::string exchanged = R"("algorithm": {"row_norms": "exchanged"})";
  const std::string refusal =
      "small.json: /algorithm/row_norms: expected known, where clients may be away, messages lost or rounds closed "
      "early: the sums of an exchange need every client, found exchanged";
  for (const std::string world : {R"("network": {"loss_probability": 0.05})", R"("participation": {"deadline_ms": 50})",
                                  R"("participation": {"enough": 2})"})
    CHECK(problems_with("{" + exchanged + ", " + world + "}") == refusal);
  const Experiment repaired = assembled(
      hybrid("{" + exchanged + R"(, "network": {"loss_probability": 0.05, "retransmit": {"timeout_ms": 50}}})"));
  const Outcome outcome = run(repaired), plain = run(assembled(hybrid("{" + exchanged + "}")));
  CHECK(outcome.stop == StopReason::rounds);
  CHECK(outcome.rows.back().objective == plain.rows.back().objective);
}

TEST_CASE("without a deadline a lost message is a deadlock, and the message names the remedy") {
  const Outcome outcome = run(assembled(hybrid(R"({"network": {"loss_probability": 0.05}})")));
  CHECK(outcome.stop == StopReason::deadlock);
  CHECK(outcome.deadlock.find("participation.deadline_ms goes on without them") != std::string::npos);
}

TEST_CASE("rounds without anybody leave the objective as it is") {
  const Experiment made = assembled(hybrid(R"({
    "participation": {"clients": {"kind": "independent", "probability": 0.1, "nobody_allowed": true}},
    "record": {"every": 1}, "stop": {"rounds": 40}})"));
  const Outcome outcome = run(made);
  CHECK(outcome.stop == StopReason::rounds);
  REQUIRE(outcome.rows.size() == 41);
  std::size_t empty = 0;
  for (std::size_t t = 1; t <= 40; ++t) {
    if (outcome.rows[t].participants > 0) continue;
    ++empty;
    CHECK(outcome.rows[t].objective == outcome.rows[t - 1].objective);
  }
  CHECK(empty > 10);  // of 40 rounds each is empty with probability 0.9^4 = 0.66
}

TEST_CASE("the summary names a client that never takes part") {
  const Experiment made =
      assembled(hybrid(R"({"participation": {"clients": {"kind": "listed", "rounds": [[1, 2], [3]]}}})"));
  CHECK(texts_of(run(made).remarks) ==
        std::vector<std::string>{"1 of 4 clients never took part (agents 4): the run solves the problem without their "
                                 "samples and features"});
}

TEST_CASE("theory's learning rate of hybrid primal methods is 1 over the curvature of the longest sample") {
  const Experiment made = assembled(hybrid(R"({"problem": {"loss": {"kind": "squared"}}, "algorithm":
      {"kind": "hybrid_fed_avg", "local_steps": 2}})"));
  double longest = 0;
  for (Index i = 0; i < made.problem.X->rows(); ++i)
    longest = std::max(longest, made.problem.X->dense().row(i).squaredNorm());
  for (const auto& [name, value] : made.algorithm->constants()) {
    if (name != "a") continue;
    CHECK(value == Approx(1 / (longest + 0.1)).epsilon(1e-14));  // sums of seven squares in another order
    longest = 0;
  }
  CHECK(longest == 0);  // found
  CHECK(
      problems_with(R"({"algorithm": {"kind": "hybrid_fed_avg", "local_steps": 2}})") ==
      "small.json: /algorithm/a: expected a number above 0, since theory has none for a loss with kinks, found theory");
}

}  // namespace lagnet::assemble_hybrid_test
