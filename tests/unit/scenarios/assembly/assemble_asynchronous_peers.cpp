#include <catch2/catch.hpp>
#include <string>

#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"

namespace lagnet::assemble_asynchronous_peers_test {

namespace {

const char* const ad_psgd = R"({"kind": "ad_psgd", "step": 0.1})";
const char* const locked = R"({"kind": "pairwise_gossip", "protocol": "locked"})";

/// Six peers on a ring, whose agents have clocks.
ScenarioFile ring_of_peers(const std::string& algorithm, const std::string& changes = "{}") {
  ScenarioFile file = small_scenario(R"({"problem": {"regularizer": {"kind": "none", "weight": null}},
      "data": {"samples": 60, "features": 3}, "topology": {"agents": 6},
      "compute": {"clock": {"kind": "poisson", "mean_ms": 20}},
      "stop": {"rounds": null, "updates": 200}, "record": {"every": null, "every_updates": 50}})");
  file.document["algorithm"] = Json::parse(algorithm);
  file.document.merge_patch(Json::parse(changes));
  return file;
}

std::string problems_of(const std::string& algorithm, const std::string& changes) {
  return scenario_problems([&] { assembled(ring_of_peers(algorithm, changes)); });
}

}  // namespace

TEST_CASE("peers that wait for answers refuse whatever loses messages for good unless it is repaired") {
  const std::string losses = R"("loss_probability": 0.1, "burst_loss": {"enter": 0.1, "leave": 0.5},
      "partitions": [{"from_s": 1, "until_s": 2, "groups": [[0, 1]]}],
      "outages": [{"from_s": 1, "until_s": 2, "links": [[0, 1]]}])";
  for (const std::string algorithm : {ad_psgd, locked}) {
    const std::string why = ", or retransmit, since an agent of " + Json::parse(algorithm)["kind"].get<std::string>() +
                            " waits forever for an answer that is lost for good, found ";
    const std::string text = problems_of(algorithm, R"({"network": {)" + losses + "}}");
    CHECK(text.find("small.json: /network/loss_probability: expected 0" + why + "0.1") != std::string::npos);
    CHECK(text.find("small.json: /network/burst_loss: expected null" + why) != std::string::npos);
    CHECK(text.find("small.json: /network/partitions: expected none" + why) != std::string::npos);
    CHECK(text.find("small.json: /network/outages: expected none" + why) != std::string::npos);
    const std::string repaired = R"({"network": {"retransmit": {"timeout_ms": 30}, )" + losses + "}}";
    CHECK(problems_of(algorithm, repaired).empty());
    CHECK(run(assembled(ring_of_peers(algorithm, repaired))).stop == StopReason::updates);
  }
  CHECK(problems_of(R"({"kind": "pairwise_gossip"})", R"({"network": {)" + losses + "}}").empty());
  CHECK(problems_of(ad_psgd, R"({"network": {"duplicate_probability": 0.1}})").empty());
}

TEST_CASE("peers that wait for answers warn where neighbors are away and end in a deadlock if none is left") {
  const std::string gone = R"("participation": {"availability": [
      {"kind": "crash", "agent": 1, "at_s": 0.1}, {"kind": "crash", "agent": 3, "at_s": 0.1},
      {"kind": "crash", "agent": 5, "at_s": 0.1}]})";
  for (const std::string algorithm : {ad_psgd, locked}) {
    const Experiment alone = assembled(ring_of_peers(algorithm, "{" + gone + "}"));
    REQUIRE(alone.warnings.size() == 1);
    CHECK(alone.warnings[0].text.find("who waits for their answer waits for ever") != std::string::npos);
    CHECK(run(alone).stop == StopReason::deadlock);
    CHECK(assembled(ring_of_peers(algorithm)).warnings.empty());
  }
  CHECK(assembled(ring_of_peers(R"({"kind": "pairwise_gossip"})", "{" + gone + "}")).warnings.empty());
}

TEST_CASE("peers that keep sums of sent values refuse crashes that lose state") {
  const std::string crash = R"({"participation": {"availability": [
      {"kind": "crash", "agent": 2, "at_s": 0.1, "recovers_after_s": 0.1, "state": "lost"}]}})";
  for (const std::string algorithm :
       {locked, R"({"kind": "pairwise_gossip"})", R"({"kind": "asy_sonata", "step": 0.1})"})
    CHECK(problems_of(algorithm, crash)
              .find("/participation/availability/0/state: expected \"kept\", since agents of ") != std::string::npos);
  for (const std::string algorithm : {ad_psgd, R"({"kind": "edge_admm", "penalty": 1})"})
    CHECK(problems_of(algorithm, crash).empty());
}

}  // namespace lagnet::assemble_asynchronous_peers_test
