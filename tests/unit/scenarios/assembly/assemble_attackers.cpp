#include <catch2/catch.hpp>

#include "tests/unit/scenarios/assembly/assembled.hpp"

namespace lagnet::assemble_attackers_test {

namespace {

/// The problems of a scenario with a server and four clients, with these changes; without "small.json: ".
std::string problems_with(const std::string& algorithm, const std::string& changes) {
  ScenarioFile file = small_scenario(R"({"topology": {"kind": "star"}, "problem": {"regularizer": {"kind": "l2"}}})");
  file.document["algorithm"] = Json::parse(algorithm);
  file.document.merge_patch(Json::parse(changes));
  std::string text = scenario_problems([&] { assembled(file); });
  for (const std::string start = "small.json: "; text.find(start) != std::string::npos;)
    text.erase(text.find(start), start.size());
  return text;
}

const std::string fed_avg = R"({"kind": "fed_avg", "client_step": 0.1})";

std::string of_attackers(const std::string& list, const std::string& more = "") {
  return problems_with(fed_avg, R"({"attackers": )" + list + more + "}");
}

}  // namespace

TEST_CASE("attackers are clients, each once, and not all of them") {
  CHECK(of_attackers(R"([{"kind": "sign_flip", "agents": [1]}, {"kind": "ipm", "fraction": 0.3}])").empty());
  CHECK(of_attackers(R"([{"kind": "sign_flip", "agents": [0, 9]}])") ==
        "/attackers/0/agents/0: expected a client, found agent 0, the server\n"
        "/attackers/0/agents/1: expected an agent below 5, the number of agents, found 9");
  CHECK(of_attackers(R"([{"kind": "sign_flip", "agents": [1, 2, 3, 4]}])") ==
        "/attackers: expected a client that does not attack, found attackers alone");
  CHECK(of_attackers(R"([{"kind": "sign_flip"}])") ==
        "/attackers/0: expected one of agents and fraction, found neither");
  CHECK(of_attackers(R"([{"kind": "sign_flip", "agents": [1], "fraction": 0.2}])") ==
        "/attackers/0/fraction: expected one of agents and fraction, found 0.2");
}

TEST_CASE("late attackers need a deadline") {
  const std::string late = R"([{"kind": "late", "agents": [2]}])";
  CHECK(of_attackers(late) ==
        "/participation/deadline_ms: expected a time, which answers of late attackers come just before, found null");
  CHECK(of_attackers(late, R"(, "participation": {"deadline_ms": 500})").empty());
}

TEST_CASE("attackers are for methods whose server has rules against them") {
  const std::string some = R"({"attackers": [{"kind": "sign_flip", "agents": [1]}]})";
  for (const char* kind : {"fed_nova", "distributed_proximal_gradient"})
    CHECK(problems_with(R"({"kind": ")" + std::string(kind) + R"("})", some).empty());
  CHECK(problems_with(R"({"kind": "scaffold", "client_step": 0.1})", some)
            .starts_with("/attackers: expected none, since scaffold takes no attackers (these take it: "));
}

TEST_CASE("rules have their limits") {
  const auto of_rule = [](const std::string& rule) {
    return problems_with(R"({"kind": "fed_avg", "client_step": 0.1, "aggregation": )" + rule + "}", "{}");
  };
  CHECK(of_rule(R"({"kind": "krum", "attackers": 0})").empty());
  CHECK(of_rule(R"({"kind": "krum", "attackers": 1})") ==
        "/algorithm/aggregation/attackers: expected at most (n - 3)/2 of the n clients asked, of 4, found 1");
  CHECK(of_rule(R"({"kind": "trimmed_mean", "trim": 0.5})") ==
        "/algorithm/aggregation/trim: expected a number at least 0 and below 0.5, found 0.5");
  CHECK(of_rule(R"({"kind": "centered_clipping"})").starts_with("/algorithm/aggregation: expected key \"radius\""));
}

TEST_CASE("a server chooses clients by their answers in methods that let it, and with numbers") {
  const auto choosing = [](const std::string& algorithm, const std::string& clients, const std::string& more = "") {
    return problems_with(algorithm, R"({"participation": {"clients": )" + clients + "}" + more + "}");
  };
  const std::string power = R"({"kind": "power_of_choice", "candidates": 3, "size": 2})";
  CHECK(choosing(fed_avg, power).empty());
  CHECK(choosing(R"({"kind": "scaffold", "client_step": 0.1})", power)
            .starts_with("/participation/clients/kind: expected a choice that does not depend on answers, for scaffold "
                         "(these take it: "));
  CHECK(choosing(fed_avg, R"({"kind": "power_of_choice", "candidates": 2, "size": 3})") ==
        "/participation/clients/size: expected at most candidates, 2, found 3");
  CHECK(choosing(fed_avg, R"({"kind": "power_of_choice", "candidates": 5, "size": 3})") ==
        "/participation/clients/candidates: expected at most 4, the number of candidates, found 5");
  CHECK(choosing(fed_avg, power, R"(, "network": {"loss_probability": 0.1}, "stop": {"rounds": 2})")
            .find("/participation/clients/candidate_deadline_ms: expected a time, since a loss that does not arrive is "
                  "waited for forever, found null") != std::string::npos);
  CHECK(choosing(fed_avg, power, R"(, "numerics": "off")").find("with numerics off") != std::string::npos);
}

TEST_CASE("hier_avg takes trees of two levels alone") {
  const std::string hier = R"({"kind": "hier_avg", "client_step": 0.1, "edge_rounds": 2})";
  CHECK(problems_with(hier, "{}") ==
        "/topology/kind: expected two_level_tree: agent 0, edge servers, and below each of them its clients, found "
        "another topology");
  const auto tree = [&](const std::string& options) {
    return problems_with(hier, R"({"topology": {"kind": "two_level_tree", "agents": null, )" + options + "}}");
  };
  CHECK(tree(R"("clients": [2, 2])").empty());
  CHECK(tree(R"("edges": 2, "clients_per_edge": 1)").empty());
  CHECK(tree(R"("edges": 2)") == "/topology/clients: expected a list, or edges and clients_per_edge, found neither");
  CHECK(tree(R"("clients": [2, 0])") == "/topology/clients/1: expected an integer at least 1, found 0");
  CHECK(problems_with(hier, R"({"topology": {"kind": "two_level_tree", "agents": null, "clients": [1, 2]},
                                "participation": {"clients": {"kind": "listed", "rounds": [[1]]}}})") ==
        "/participation/clients/rounds/0: expected agents that can be asked, found 1");
}

}  // namespace lagnet::assemble_attackers_test
