#include <catch2/catch.hpp>

#include "tests/unit/scenarios/assembly/assembled.hpp"

namespace lagnet::assemble_local_work_test {

namespace {

/// The problems of a scenario with a server, four clients, and this algorithm; without "small.json: /algorithm".
std::string problems_with(const std::string& algorithm, const std::string& changes = "{}") {
  ScenarioFile file = small_scenario(R"({"topology": {"kind": "star"}, "problem": {"regularizer": {"kind": "l2"}}})");
  file.document["algorithm"] = Json::parse(algorithm);
  file.document.merge_patch(Json::parse(changes));
  std::string text = scenario_problems([&] { assembled(file); });
  for (const std::string start = "small.json: /algorithm"; text.find(start) != std::string::npos;)
    text.erase(text.find(start), start.size());
  return text;
}

std::string of_fed_avg(const std::string& options) {
  return problems_with(R"({"kind": "fed_avg", "client_step": 0.1, )" + options + "}");
}

}  // namespace

TEST_CASE("local work is given in one way, with an entry for each client, and in whole numbers") {
  CHECK(of_fed_avg(R"("local_steps": 2, "local_epochs": 3)") ==
        "/local_epochs: expected one of local_steps and local_epochs, found 3");
  CHECK(of_fed_avg(R"("local_steps": [1, 2, 3])") == "/local_steps: expected 4 entries, one for each client, found 3");
  CHECK(of_fed_avg(R"("local_epochs": [1, 2, 3, [1, 2], 3])") ==
        "/local_epochs: expected 4 entries, one for each client, found 5");
  CHECK(of_fed_avg(R"("local_steps": [1, 2, 0, [1, -1]])") ==
        "/local_steps/2: expected an integer at least 1, found 0\n"
        "/local_steps/3/1: expected an integer at least 1, found -1");
  CHECK(of_fed_avg(R"("local_steps": {"kind": "uniform", "low": 3, "high": 2})") ==
        "/local_steps/low: expected at most high, found 3");
  CHECK(of_fed_avg(R"("batch_order": "reshuffle")") == "/batch_order: expected none without batch, found reshuffle");
  CHECK(of_fed_avg(R"("batch": 2, "batch_order": "reshuffle", "local_steps": [[1, 2], 1, 1, 3])").empty());
  CHECK(problems_with(R"({"kind": "fed_mid", "client_step": 0.1, "local_steps": [1, 2, 3, 4]})") ==
        "/local_steps: expected an integer at least 1, found [1,2,3,4]");
}

TEST_CASE("server optimizers have their limits, and adaptive ones need a client step") {
  CHECK(of_fed_avg(R"("server_optimizer": {"kind": "adam", "beta1": 1, "beta2": -0.1, "tau": 0, "v0": -1})") ==
        "/server_optimizer/beta1: expected a number at least 0 and below 1, found 1\n"
        "/server_optimizer/tau: expected a number above 0, found 0\n"
        "/server_optimizer/v0: expected a number at least 0, found -1\n"
        "/server_optimizer/beta2: expected a number at least 0 and below 1, found -0.1");
  CHECK(of_fed_avg(R"("server_optimizer": {"kind": "adam", "momentum": 0.9})")
            .starts_with("/server_optimizer/momentum: expected one of the keys kind, "));
  CHECK(of_fed_avg(R"("server_optimizer": {"kind": "sgd", "beta1": 0.9})")
            .starts_with("/server_optimizer/beta1: expected one of the keys kind, "));
  CHECK(of_fed_avg(R"("server_optimizer": {"kind": "adagrad", "beta2": 0.9})")
            .starts_with("/server_optimizer/beta2: expected one of the keys kind, "));
  CHECK(of_fed_avg(R"("server_optimizer": {"kind": "sgd", "momentum": 1})") ==
        "/server_optimizer/momentum: expected a number at least 0 and below 1, found 1");
  CHECK(of_fed_avg(R"("server_optimizer": {"kind": "adamw"})")
            .starts_with("/server_optimizer/kind: expected one of sgd, adagrad, adam, yogi, found \"adamw\""));
  for (const char* kind : {"fed_avg", "fed_nova"})
    CHECK(problems_with(R"({"kind": ")" + std::string(kind) + R"(", "server_optimizer": {"kind": "yogi"}})") ==
          "/client_step: expected a number with server_optimizer yogi, found theory");
  CHECK(problems_with(R"({"kind": "fed_avg", "server_optimizer": {"kind": "sgd", "momentum": 0.9}})").empty());
  CHECK(problems_with(R"({"kind": "scaffold", "server_optimizer": {"kind": "adam"}})")
            .starts_with("/server_optimizer: expected"));
}

TEST_CASE("fed_nova and fed_dyn have their limits") {
  CHECK(problems_with(R"({"kind": "fed_nova", "client_step": 0.1, "momentum": 1, "mu": -1, "effective_steps": 0})") ==
        "/momentum: expected a number at least 0 and below 1, found 1\n"
        "/mu: expected a number at least 0, found -1\n"
        "/effective_steps: expected a number above 0, found 0");
  CHECK(problems_with(R"({"kind": "fed_nova", "client_step": 0.1, "mu": 10})") ==
        "/mu: expected below 1 / client_step = 10, found 10");
  CHECK(problems_with(R"({"kind": "fed_dyn"})").starts_with(": expected key \"alpha\""));
  CHECK(problems_with(R"({"kind": "fed_dyn", "alpha": 0})") == "/alpha: expected a number above 0, found 0");
  CHECK(problems_with(R"({"kind": "fed_dyn", "alpha": 0.1, "weights": [0.5, 0.5, 0, 0]})") ==
        "/weights: expected above 0 for fed_dyn, found 0");
  CHECK(problems_with(R"({"kind": "fed_dyn", "alpha": 0.1, "local_minimizer": "exact", "local_steps": 2,
                          "accuracy": 1e-9, "client_step": 0.1})") ==
        "/accuracy: expected none unless local_minimizer is gradient, found 1e-09\n"
        "/local_steps: expected none unless local_minimizer is steps, found 2\n"
        "/client_step: expected none unless local_minimizer is steps, found 0.1");
  CHECK(problems_with(R"({"kind": "fed_dyn", "alpha": 0.1, "server_step": 1})").starts_with("/server_step: expected"));
  CHECK_FALSE(
      problems_with(R"({"kind": "fed_dyn", "alpha": 0.1})", R"({"problem": {"regularizer": {"kind": "l1"}}})").empty());
  CHECK(problems_with(R"({"kind": "fed_dyn", "alpha": 0.1})", R"({"participation": {"availability": [
                          {"kind": "crash", "agent": 1, "at_s": 1, "recovers_after_s": 1, "state": "lost"}]}})")
            .starts_with("small.json: /participation/availability/0/state: expected \"kept\", since"));
}

}  // namespace lagnet::assemble_local_work_test
