#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/run/run.hpp"

namespace lagnet::run_simultaneous_test {

namespace {

constexpr int rounds = 400;

Outcome outcome_of(double jitter_ms, unsigned threads = 1) {
  Json document = Json::parse(R"({
    "lagnet": 1, "data": {"source": "gaussian_classification", "samples": 400, "features": 5},
    "problem": {"loss": {"kind": "logistic"}, "regularizer": {"kind": "l2", "weight": 0.1}},
    "partition": {"kind": "dirichlet", "concentration": 0.5},
    "topology": {"kind": "star", "agents": 11}, "network": {"latency_ms": 20},
    "compute": {"update_ms": 100}, "participation": {"enough": 8},
    "algorithm": {"kind": "fed_avg", "client_step": 0.05, "local_steps": 1}, "record": {"every": 100}
  })");
  document["stop"] = {{"rounds", rounds}};
  if (jitter_ms > 0) document["network"]["jitter_ms"] = {{"kind", "uniform"}, {"low", 0}, {"high", jitter_ms}};
  ExperimentCache cache;
  return run(assemble(read_scenario({"star.json", "/nowhere", document}), "star.json", cache), {.threads = threads});
}

}  // namespace

TEST_CASE("clients that answer at one instant are counted alike, and the error is that of clients with jitter") {
  const Outcome tied = outcome_of(0), apart = outcome_of(0.001);
  // A count is binomial: 400 draws with probability 8 in 10, within 5 standard deviations of 8 each.
  const AgentId clients = tied.ledger.agents() - 1;
  const double mean = rounds * 8.0 / clients, deviation = std::sqrt(mean * (1 - 8.0 / clients));
  const std::vector<std::int64_t> answers = tied.ledger.answers();
  for (AgentId k = 1; k <= clients; ++k) {
    CAPTURE(k);
    CHECK(std::abs(static_cast<double>(answers[k]) - mean) < 5 * deviation);
  }
  // Both end near the minimizer with noise of their own; where agents' numbers choose, the error is 100 times that.
  CHECK(*tied.rows.back().relative_error < 10 * *apart.rows.back().relative_error);
  CHECK(outcome_of(0, 3).trace_hash == tied.trace_hash);
}

}  // namespace lagnet::run_simultaneous_test
