#include <catch2/catch.hpp>
#include <string>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::assemble_asynchronous_test {

using namespace nlohmann::literals;

namespace {

ScenarioFile asynchronous_scenario(const std::string& changes) {
  ScenarioFile file = small_scenario(R"({"topology": {"kind": "star", "agents": 5}, "stop": {"rounds": 40}})");
  const Json merged = Json::parse(changes);
  file.document["algorithm"] = {{"kind", "async_gradient"}, {"step", 0.05}};
  if (merged.contains("/algorithm/kind"_json_pointer)) file.document.erase("algorithm");
  file.document.merge_patch(merged);
  return file;
}

Experiment made_of(const std::string& changes) {
  const ScenarioFile file = asynchronous_scenario(changes);
  ExperimentCache cache;
  return assemble(read_scenario(file), file.shown, cache);
}

/// The errors for a wrong scenario.
std::string told(const std::string& changes) {
  try {
    made_of(changes);
  } catch (const Diagnosed& error) {
    return error.what();
  }
  return "";
}

std::string deadlock_of(const std::string& changes) {
  const Experiment experiment = made_of(changes);
  const Outcome outcome = run(experiment);
  CHECK(outcome.stop == StopReason::deadlock);
  return outcome.deadlock;
}

}  // namespace

TEST_CASE("An asynchronous method refuses all that is waited for, with one reason, all at once") {
  const std::string text = told(R"({"participation": {"deadline_ms": 5, "enough": 2,
      "clients": {"kind": "random_subset", "size": 2}, "missing_neighbor": {"kind": "skip", "deadline_ms": 9}}})");
  const std::string why = "since an asynchronous method does not wait";
  CHECK(text.find("/participation/deadline_ms: expected null, " + why + ", found 5") != std::string::npos);
  CHECK(text.find("/participation/enough: expected null, " + why + ", found 2") != std::string::npos);
  CHECK(text.find("/participation/clients/kind: expected full, " + why) != std::string::npos);
  CHECK(text.find("/participation/missing_neighbor/kind: expected wait, " + why) != std::string::npos);
}

TEST_CASE("Invalid options of asynchronous methods are refused with their limits, all at once") {
  const auto options = [](const std::string& algorithm) { return told(R"({"algorithm": )" + algorithm + "}"); };
  const std::string mixing = options(R"({"kind": "fed_async", "client_step": 0.1, "mixing": 1.5,
      "staleness": {"kind": "polynomial", "a": -1, "b": 2}, "resend_ms": 0})");
  CHECK(mixing.find("/algorithm/mixing: expected") != std::string::npos);
  CHECK(mixing.find("above 0 and at most 1") != std::string::npos);
  CHECK(mixing.find("/algorithm/staleness/a: expected") != std::string::npos);
  CHECK(mixing.find("/algorithm/resend_ms: expected") != std::string::npos);
  CHECK(options(R"({"kind": "fed_async"})").find("/algorithm: expected key \"client_step\"") != std::string::npos);
  CHECK(options(R"({"kind": "fed_buff", "buffer": 0})").find("/algorithm/buffer: expected") != std::string::npos);
  CHECK(options(R"({"kind": "piag", "rule": "fixed"})").find("/algorithm/step: expected") != std::string::npos);
  CHECK(options(R"({"kind": "dave_pg", "repetitions": 0})").find("/algorithm/repetitions") != std::string::npos);
  CHECK(options(R"({"kind": "async_admm", "penalty": 1, "least": 5})")
            .find("/algorithm/least: expected at most 4, the number of clients, found 5") != std::string::npos);
  CHECK(options(R"({"kind": "async_admm", "penalty": 1, "max_delay": 0})").find("/algorithm/max_delay") !=
        std::string::npos);
  CHECK(told(R"({"algorithm": {"kind": "async_blocks"}, "partition": {"kind": "samples"}})")
            .find("/partition/kind: expected a partition of features") != std::string::npos);
}

TEST_CASE("The server of an asynchronous method must not forget") {
  const auto crash = [](int agent) {
    return R"({"participation": {"availability": [{"kind": "crash", "agent": )" + std::to_string(agent) +
           R"(, "at_s": 1, "recovers_after_s": 1, "state": "lost"}]}})";
  };
  CHECK(told(crash(0)).find("/participation/availability/0/state: expected \"kept\"") != std::string::npos);
  CHECK(told(crash(1)).empty());
}

TEST_CASE("Where messages can be lost for good, asynchronous methods warn unless clients send again") {
  const auto warnings = [](const std::string& changes) { return made_of(changes).warnings.size(); };
  CHECK(warnings("{}") == 0);
  CHECK(warnings(R"({"network": {"loss_probability": 0.1}})") == 1);
  CHECK(warnings(R"({"network": {"loss_probability": 0.1, "retransmit": {}}})") == 0);
  CHECK(warnings(R"({"network": {"loss_probability": 0.1}, "algorithm": {"resend_ms": 50}})") == 0);
}

TEST_CASE("A bound on delays makes asynchronous ADMM wait for a client that is gone, and the run says so") {
  const std::string gone = R"("participation": {"availability": [{"kind": "crash", "agent": 2, "at_s": 0.1}]})";
  const std::string admm = R"({"kind": "async_admm", "penalty": 0.1, "least": 1)";
  const std::string text =
      deadlock_of(R"({"stop": {"rounds": 4000}, "algorithm": )" + admm + R"(, "max_delay": 3}, )" + gone + "}");
  CHECK(text.find("with algorithm.max_delay the server waits for clients") != std::string::npos);
  const Experiment without = made_of(R"({"stop": {"rounds": 4000}, "algorithm": )" + admm + "}, " + gone + "}");
  CHECK(run(without).stop == StopReason::rounds);
}

TEST_CASE("A run whose clients are all silenced by losses names the remedy") {
  const std::string text = deadlock_of(R"({"stop": {"rounds": 4000}, "network": {"loss_probability": 0.2}})");
  CHECK(text.find("network.retransmit sends them again, algorithm.resend_ms sends answers again") != std::string::npos);
}

}  // namespace lagnet::assemble_asynchronous_test
