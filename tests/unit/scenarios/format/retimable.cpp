#include "scenarios/format/retimable.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::retimable_test {

namespace {

Scenario changed(const std::string& changes) { return read_scenario(small_scenario(changes)); }

std::vector<std::string> reasons(const std::string& changes) { return why_not_retimable(changed(changes)); }

}  // namespace

TEST_CASE("Values of a synchronous method do not depend on time without losses and absences") {
  CHECK(reasons("{}").empty());
  CHECK(reasons(R"({"network": {"sharing": "fair", "jitter_ms": 3, "duplicate_probability": 0.1}})").empty());
  CHECK(reasons(R"({"network": {"loss_probability": 0.2, "retransmit": {}}})").empty());
  CHECK(reasons(R"({"compute": {"straggler": {"probability": 0.1, "factor": 9}}})").empty());
  CHECK(reasons(R"({"topology": {"changes": {"kind": "random_matchings"}}})").empty());  // from round to round
}

TEST_CASE("Each feature that makes values depend on time is reported with its key") {
  const auto told = reasons(R"({
    "network": {"loss_probability": 0.2, "burst_loss": {"enter": 0.1, "leave": 0.5}, "index_bytes": 4,
                "partitions": [{"from_s": 1, "groups": [[0, 1]]}], "outages": [{"from_s": 1, "links": [[0, 1]]}]},
    "participation": {"deadline_ms": 5, "enough": 2, "missing_neighbor": {"kind": "skip", "deadline_ms": 9},
                      "availability": [{"kind": "crash", "agent": 3, "at_s": 1}]}})");
  std::vector<std::string> keys;
  for (const std::string& reason : told) keys.push_back(reason.substr(0, reason.find(':')));
  CHECK(keys == std::vector<std::string>{"network.index_bytes", "network.loss_probability", "network.burst_loss",
                                         "network.partitions", "network.outages", "participation.deadline_ms",
                                         "participation.enough", "participation.availability",
                                         "participation.missing_neighbor"});
  CHECK(reasons(R"({"numerics": "off"})") ==
        std::vector<std::string>{"numerics: where they are off there are no values to keep"});
  CHECK(reasons(R"({"topology": {"changes": {"kind": "graphs", "graphs": [
          {"from_s": 1, "topology": {"kind": "complete", "agents": 5}}]}}})") ==
        std::vector<std::string>{"topology.changes: which graph a round runs on is a matter of time"});
  // Their spanning tree is made of those that are heard first.
  CHECK(reasons(R"({"algorithm": {"kind": "fd_primal_dual", "constants": "learned"}})").size() == 1);
}

TEST_CASE("Network, speeds, texts and files beside the rows do not decide values") {
  const Json base = what_decides_values(changed("{}"));
  for (const char* same : {R"({"network": {"latency_ms": 70, "sharing": "none"}})",
                           R"({"compute": {"speed_flops_per_s": 5}})", R"({"name": "other", "description": "text"})",
                           R"({"record": {"trace": true, "timeline": true, "critical_path": true}})",
                           R"({"expect": [{"kind": "bound", "statement": "s", "metric": "objective", "at_most": 1}]})"})
    CHECK(what_decides_values(changed(same)) == base);
  for (const char* other : {R"({"seed": 2})", R"({"topology": {"agents": 6}})", R"({"data": {"samples": 21}})",
                            R"({"stop": {"rounds": 13}})", R"({"record": {"every": 2}})",
                            R"({"problem": {"regularizer": {"weight": 0.1}}})",
                            R"({"algorithm": {"kind": "fd_primal_dual", "sigma": 1, "tau": 1}})"})
    CHECK(what_decides_values(changed(other)) != base);
}

TEST_CASE("Columns that have times of encryption are values of one cost of encryption") {
  const std::string hyfdca =
      R"("topology": {"kind": "star", "agents": 5}, "algorithm": {"kind": "hyfdca", "local_steps": 3},
      "problem": {"regularizer": {"kind": "l2", "weight": 0.01}})";
  const auto decides = [&](const std::string& more) { return what_decides_values(changed("{" + hyfdca + more + "}")); };
  CHECK(decides(R"(, "compute": {"encryption": {"cores": 4}})") != decides(""));
  CHECK(decides(R"(, "compute": {"speed_flops_per_s": 4})") == decides(""));
}

}  // namespace lagnet::retimable_test
