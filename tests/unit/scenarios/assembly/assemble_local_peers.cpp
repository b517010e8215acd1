#include <catch2/catch.hpp>
#include <string>

#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"

/// Where peers with local steps, with models relayed along a tree, and with a token may run.
namespace lagnet::assemble_local_peers_test {

namespace {

/// What is said against the small scenario with this method on five agents.
std::string problems_of(const std::string& kind, const std::string& changes = "{}") {
  ScenarioFile file = small_scenario(R"({"problem": {"regularizer": {"kind": "l2", "weight": 0.1}}})");
  file.document["topology"] = {{"kind", kind == "relay_sgd" ? "path" : "ring"}, {"agents", 5}};
  file.document["algorithm"] = {{"kind", kind}};
  if (kind == "walkman") {
    file.document["stop"] = {{"updates", 20}};
    file.document["record"] = {{"every_updates", 5}};
  }
  file.document.merge_patch(Json::parse(changes));
  return scenario_problems([&] { assembled(file); });
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const char* const skip = R"({"participation": {"missing_neighbor": {"kind": "skip", "deadline_ms": 20}}})";
const char* const reuse = R"({"participation": {"missing_neighbor": {"kind": "reuse_last", "deadline_ms": 20}}})";
const char* const losses = R"({"network": {"loss_probability": 0.1}})";
const char* const sent_again = R"({"network": {"loss_probability": 0.1, "retransmit": {"timeout_ms": 30}}})";
const char* const turns = R"({"topology": {"kind": "sequence", "agents": null, "graphs": [{"kind": "ring", "agents": 5},
                                                                      {"kind": "star", "agents": 5}]}})";

}  // namespace

TEST_CASE("methods whose sums must add up need every message, and say so") {
  for (const auto& [kind, why] : {std::pair<std::string, std::string>{"k_gt", "k_gt's c must add up"},
                                  {"led", "led's y must add up"},
                                  {"relay_sgd", "relay_sgd needs every model once"}}) {
    CAPTURE(kind);
    CHECK(problems_of(kind).empty());
    CHECK(problems_of(kind, sent_again).empty());
    CHECK(problems_of(kind, losses) ==
          "small.json: /network/loss_probability: expected 0, or retransmit, since " + why + ", found 0.1");
    for (const char* missing : {skip, reuse})
      CHECK(says(problems_of(kind, missing),
                 "small.json: /participation/missing_neighbor/kind: expected wait, since " + why));
  }
}

TEST_CASE("lt_admm goes on without messages that are lost, and takes no last values for them") {
  for (const char* world : {losses, skip, sent_again}) CHECK(problems_of("lt_admm", world).empty());
  CHECK(problems_of("lt_admm", reuse) ==
        "small.json: /participation/missing_neighbor/kind: expected wait or skip, since lt_admm takes each message in "
        "once, found reuse_last");
}

TEST_CASE("walkman needs its token, which is sent again where messages are lost") {
  CHECK(problems_of("walkman").empty());
  CHECK(problems_of("walkman", sent_again).empty());
  CHECK(problems_of("walkman", losses) ==
        "small.json: /network/loss_probability: expected 0, or retransmit, since the token must arrive, found 0.1");
  CHECK(says(problems_of("walkman", R"({"participation": {"availability": [
            {"kind": "on_off", "mean_up_s": 1, "mean_down_s": 1}]}})"),
             "since the token must arrive"));
  CHECK(says(problems_of("walkman", R"({"topology": {"kind": "path"}})"), "/algorithm/walk: expected random, or a"));
  CHECK(problems_of("walkman", R"({"topology": {"kind": "path"}, "algorithm": {"walk": "random"}})").empty());
}

TEST_CASE("of methods with local steps those that mix run on graphs in turn") {
  CHECK(problems_of("k_gt", turns).empty());
  CHECK(problems_of("led", turns).empty());
  CHECK(says(problems_of("lt_admm", turns), "since each z of lt_admm belongs to a link that stays, found sequence"));
  CHECK(problems_of("lt_admm", R"({"topology": {"changes": {"kind": "random_matchings"}}})") ==
        "small.json: /topology/changes: expected null, since each z of lt_admm belongs to a link that stays, found "
        "random_matchings");
  CHECK(says(problems_of("relay_sgd", turns),
             "/topology/kind: expected a graph that does not change, since relay_sgd needs every model once"));
}

TEST_CASE("methods with local steps that mix reach the optimum by the weights of graphs in turn alone") {
  for (const char* kind : {"k_gt", "led"})
    for (const char* graphs :
         {R"({"kind": "one_peer_exponential", "agents": 5})", R"({"kind": "hypercube_matchings", "agents": 4})",
          R"({"kind": "base_graph", "agents": 5, "k": 1})"}) {
      CAPTURE(kind, graphs);
      ScenarioFile file = small_scenario(R"({"problem": {"regularizer": {"kind": "l2", "weight": 0.1}},
          "data": {"samples": 100, "features": 3}, "stop": {"rounds": 2000}, "record": {"every": 500}})");
      file.document["topology"] = Json::parse(graphs);
      file.document["algorithm"] = {{"kind", kind}, {"local_steps", 2}, {"step", 0.03}};
      CHECK(*run(assembled(file)).rows.back().relative_error < 1e-12);  // linear convergence
    }
  const char* const random = R"({"topology": {"kind": "epidemic", "s": 1}})";
  for (const char* kind : {"k_gt", "led"})
    CHECK(says(problems_of(kind, random), "W^t of every round doubly stochastic, which random out-neighbors are not"));
}

TEST_CASE("constants that cannot be are refused") {
  for (const char* kind : {"k_gt", "led", "lt_admm", "relay_sgd"}) {
    CAPTURE(kind);
    CHECK(says(problems_of(kind, R"({"algorithm": {"step": 0}})"), "/algorithm/step: expected a number above 0"));
    CHECK(says(problems_of(kind, R"({"algorithm": {"batch": 0}})"), "/algorithm/batch: expected"));
    if (std::string(kind) != "relay_sgd")
      CHECK(says(problems_of(kind, R"({"algorithm": {"local_steps": 0}})"), "/algorithm/local_steps: expected"));
  }
  CHECK(says(problems_of("k_gt", R"({"algorithm": {"server_step": 0}})"), "/algorithm/server_step: expected"));
  for (const char* beta : {"0", "1.5"})
    CHECK(says(problems_of("led", std::string(R"({"algorithm": {"beta": )") + beta + "}}"),
               "/algorithm/beta: expected a number above 0 and at most 1"));
  CHECK(says(problems_of("lt_admm", R"({"algorithm": {"rho": 0}})"), "/algorithm/rho: expected a number above 0"));
  CHECK(says(problems_of("lt_admm", R"({"algorithm": {"beta": 0}})"), "/algorithm/beta: expected a number above 0"));
  CHECK(says(problems_of("walkman", R"({"algorithm": {"beta": 0}})"), "/algorithm/beta: expected a number above 0"));
}

}  // namespace lagnet::assemble_local_peers_test
