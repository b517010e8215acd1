#include <catch2/catch.hpp>

#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"

/// The errors for a scenario whose clients answer with compressed vectors, or skip communications.
namespace lagnet::assemble_compressed_servers_test {

namespace {

std::string problems_of_server(const std::string& kind, const std::string& changes) {
  ScenarioFile file =
      small_scenario(R"({"topology": {"kind": "star"}, "problem": {"regularizer": {"kind": "l2", "weight": 0.1}}})");
  file.document["algorithm"] = {{"kind", kind}};
  file.document.merge_patch(Json::parse(changes));
  return scenario_problems([&] { assembled(file); });
}

const char* const kinds_of_servers[]{"diana", "ef21", "ef_sgd", "prox_skip", "marina", "dasha", "locodl"};

bool tells(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("methods whose sums need every answer refuse whatever may lose one, and say why") {
  const std::map<std::string, std::string> why{{"diana", "since diana sends differences that must arrive once"},
                                               {"ef21", "since ef21 sends differences that must arrive once"},
                                               {"ef_sgd", "since ef_sgd sends differences that must arrive once"},
                                               {"prox_skip", "since the h_k must add up"},
                                               {"marina", "since marina sends differences that must arrive once"},
                                               {"dasha", "since dasha sends differences that must arrive once"},
                                               {"locodl", "since locodl sends differences that must arrive once"}};
  for (const std::string kind : kinds_of_servers) {
    CAPTURE(kind);
    CHECK(problems_of_server(kind, "{}").empty());
    const auto refuses = [&](const std::string& changes, const std::string& pointer) {
      const std::string text = problems_of_server(kind, changes);
      CAPTURE(text);
      CHECK(tells(text, pointer));
      CHECK(tells(text, why.at(kind)));
    };
    refuses(R"({"network": {"loss_probability": 0.1}})", "/network/loss_probability: expected 0, or retransmit, since");
    refuses(R"({"network": {"burst_loss": {"enter": 0.1, "leave": 0.5}}})", "/network/burst_loss");
    refuses(R"({"participation": {"clients": {"kind": "random_subset", "size": 2}}})", "/participation/clients");
    refuses(R"({"participation": {"deadline_ms": 50}})", "/participation/deadline_ms");
    refuses(R"({"participation": {"enough": 2}})", "/participation/enough");
    refuses(R"({"participation": {"availability": [{"kind": "on_off", "mean_up_s": 1, "mean_down_s": 1}]}})",
            "/participation/availability");
    CHECK(problems_of_server(kind, R"({"network": {"loss_probability": 0.1, "retransmit": {"timeout_ms": 50},
                                       "duplicate_probability": 0.1, "jitter_ms": 3}})")
              .empty());
  }
}

TEST_CASE("compressors that a server method cannot use are refused, with those that it can") {
  const auto with = [](const std::string& kind, const std::string& compressor) {
    return problems_of_server(kind, R"({"algorithm": {"compressor": )" + compressor + "}}");
  };
  CHECK(with("diana", R"({"kind": "top_k", "k": 2})") ==
        "small.json: /algorithm/compressor: expected an unbiased one (identity, rand_k scaled, dithering, natural) for "
        "diana, found top_k, which is biased");
  CHECK(tells(with("diana", R"({"kind": "dithering", "contractive": true})"), "for diana"));
  for (const std::string kind : {"ef21", "ef_sgd"}) {
    CHECK(tells(with(kind, R"({"kind": "natural"})"), R"(a contractive one; add "contractive": true)"));
    CHECK(tells(with(kind, R"({"kind": "rand_k", "k": 2})"), R"("scaled": false)"));
    CHECK(with(kind, R"({"kind": "rand_k", "k": 2, "scaled": false})").empty());
    CHECK(with(kind, R"({"kind": "natural", "contractive": true})").empty());
  }
  CHECK(tells(with("prox_skip", R"({"kind": "identity"})"), "/algorithm"));
}

TEST_CASE("options of compressed server methods keep to their limits, all at once") {
  const std::string diana =
      problems_of_server("diana", R"({"algorithm": {"step": 0, "alpha": 1.5, "momentum": 1, "L": -1}})");
  for (const char* key : {"step", "alpha", "momentum", "L"}) CHECK(tells(diana, std::string("/algorithm/") + key));
  CHECK(
      problems_of_server("diana", R"({"algorithm": {"step": "theory", "alpha": "theory", "momentum": 0.9}})").empty());
  CHECK(tells(problems_of_server("ef21", R"({"algorithm": {"step": -1}})"), "/algorithm/step"));
  CHECK(tells(problems_of_server("ef_sgd", R"({"algorithm": {"compress_down": 1}})"), "/algorithm/compress_down"));
  CHECK(tells(problems_of_server("ef_sgd", R"({"problem": {"regularizer": {"kind": "l1", "weight": 0.1}}})"), "l2"));
  CHECK(tells(problems_of_server("prox_skip", R"({"algorithm": {"p": 0}})"), "/algorithm/p"));
  CHECK(tells(problems_of_server("prox_skip", R"({"algorithm": {"p": 1.5}})"), "/algorithm/p"));
  CHECK(tells(problems_of_server("prox_skip", R"({"algorithm": {"p": 1e-320}})"), "/algorithm/p: expected at least"));
  CHECK(tells(problems_of_server("prox_skip", R"({"algorithm": {"mu": 1e-14}})"), "1/sqrt(kappa)"));
  CHECK(problems_of_server("prox_skip", R"({"algorithm": {"mu": 2, "L": 1}})") ==
        "small.json: /algorithm/L: expected at least mu, found 1.0");
  // Seven features, five samples a client.
  CHECK(problems_of_server("prox_skip", R"({"problem": {"regularizer": {"weight": 0}}})") ==
        "small.json: /algorithm/mu: expected above 0; agent 1's part has least curvature 0: give mu, or an l2 "
        "regularizer, found null");
  CHECK(
      problems_of_server("prox_skip", R"({"numerics": "off"})") ==
      "small.json: /algorithm: expected p, or mu and L with numerics off, since what agents do depends on them, found "
      "none of them");
  CHECK(problems_of_server("prox_skip", R"({"numerics": "off", "algorithm": {"mu": 0.1, "L": 2}})").empty());
  CHECK(problems_of_server("prox_skip", R"({"numerics": "off", "algorithm": {"p": 0.3}})").empty());
}

TEST_CASE("methods with cohorts take those that they can, and refuse all else that keeps an answer away") {
  const std::map<std::string, std::string> with{
      {"ef21_pp", R"({"step": 0.1})"}, {"dasha_pp", R"({"step": 0.1})"}, {"tamuna", R"({"p": 0.3})"}};
  const std::string even = R"({"problem": {"agent_weights": "even"}})";
  for (const auto& [kind, options] : with) {
    CAPTURE(kind);
    const auto problems = [&](const std::string& participation) {
      Json changes{{"algorithm", Json::parse(options)}, {"participation", Json::parse(participation)}};
      if (kind != "ef21_pp") changes.merge_patch(Json::parse(even));
      return problems_of_server(kind, changes.dump());
    };
    CHECK(problems("{}").empty());
    CHECK(problems(R"({"clients": {"kind": "random_subset", "size": 2}})").empty());
    CHECK(problems(R"({"clients": {"kind": "random_subset", "fraction": 0.5}})").empty());
    CHECK(tells(problems(R"({"deadline_ms": 50})"), "/participation/deadline_ms: expected null, since"));
    CHECK(
        tells(problems(R"({"clients": {"kind": "random_subset", "size": 2}, "enough": 1})"), "/participation/enough"));
    for (const char* choice :
         {R"({"kind": "independent", "probability": 0.5})", R"({"kind": "cyclic", "groups": 2})"}) {
      const std::string found = problems(R"({"clients": )" + std::string(choice) + "}");
      if (kind == "ef21_pp")
        CHECK(found.empty());
      else
        CHECK(tells(found, "/participation/clients/kind: expected full or random_subset, since " + kind +
                               " needs as many clients in every round, found "));
    }
  }
  CHECK(problems_of_server("ef21_pp", R"({"algorithm": {"step": 0.1}, "participation": {"clients":
        {"kind": "independent", "probability": 0.5, "nobody_allowed": true}}})") ==
        "small.json: /participation/clients/nobody_allowed: expected false, since a round of ef21_pp needs an answer, "
        "found true");
}

TEST_CASE("clients of TAMUNA that send no entry send messages all the same, with and without numbers") {
  std::vector<std::string> hashes;
  for (const char* numerics : {"on", "off"}) {
    ScenarioFile file = small_scenario(
        R"({"topology": {"kind": "star"}, "problem": {"regularizer": {"kind": "l2", "weight": 0.1}},
            "data": {"features": 1}})");
    file.document["algorithm"] = {{"kind", "tamuna"}, {"p", 0.3}, {"s", 2}};
    file.document["numerics"] = numerics;
    const Outcome outcome = run(assembled(file));
    CHECK(outcome.ledger.total().messages_sent == 12 * 2 * 4);
    hashes.push_back(outcome.trace_hash);
  }
  CHECK(hashes.front() == hashes.back());
}

TEST_CASE("options of methods with cohorts and full rounds keep to their limits") {
  for (const char* kind : {"ef21_pp", "ef21_bc", "dasha_pp"})
    CHECK(tells(problems_of_server(kind, "{}"), R"(/algorithm: expected key "step")"));
  CHECK(tells(problems_of_server("marina", R"({"algorithm": {"p": 0}})"), "/algorithm/p"));
  CHECK(tells(problems_of_server("dasha", R"({"algorithm": {"a": 1.5}})"), "/algorithm/a"));
  CHECK(tells(problems_of_server("dasha_pp", R"({"algorithm": {"step": 0.1, "b": 0}})"), "/algorithm/b"));
  CHECK(tells(problems_of_server("tamuna", R"({"algorithm": {"p": 0.3, "s": 1}})"), "/algorithm/s: expected"));
  CHECK(tells(problems_of_server("tamuna", R"({"problem": {"agent_weights": "even"}, "algorithm": {"p": 0.3},
                                               "participation": {"clients": {"kind": "random_subset", "size": 1}}})"),
              "/participation/clients: expected 2 clients or more in a round"));
  for (const char* share : {"0", "1"})
    CHECK(tells(problems_of_server("locodl", R"({"algorithm": {"p": 0.3, "share": )" + std::string(share) + "}}"),
                "/algorithm/share"));
  CHECK(tells(problems_of_server("locodl", R"({"problem": {"regularizer": {"weight": 0}}, "algorithm": {"p": 0.3}})"),
              "/problem/regularizer: expected l2 with a weight above 0 for locodl"));
  for (const char* kind : {"tamuna", "locodl"})
    CHECK(tells(problems_of_server(kind, R"({"numerics": "off", "problem": {"agent_weights": "samples"}})"),
                "p, or mu and L with numerics off"));
}

}  // namespace lagnet::assemble_compressed_servers_test
