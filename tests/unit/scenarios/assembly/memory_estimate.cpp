#include "scenarios/assembly/memory_estimate.hpp"

#include <malloc.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <thread>

#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"

namespace lagnet::memory_estimate_test {

namespace {

#if !defined(__SANITIZE_ADDRESS__)
/// What malloc has handed out and not got back.
Bytes in_use() {
  const struct mallinfo2 facts = ::mallinfo2();
  return static_cast<Bytes>(facts.uordblks + facts.hblkhd);
}

/// The most that a run takes in the rounds that are recorded, beside what was there before its data were made. On a
/// thread of its own, since a thread keeps the memory of payloads and frames for its next run.
Bytes measured(const std::string& changes) {
  Bytes most = 0;
  std::jthread([&] {
    const Bytes before = in_use();
    const Experiment assembly = assembled(changes);
    run(assembly, {.row = [&](const Row&) { most = std::max(most, in_use() - before); }});
  }).join();
  return most;
}

Bytes estimated(const std::string& changes) {
  const MemoryEstimate takes = estimate_memory(assembled(changes));
  return takes.data + takes.own;
}
#endif

}  // namespace

TEST_CASE("dense data take 8 bytes an entry, sparse ones 12 and 4 a column, and labels 8") {
  const MemoryEstimate dense = estimate_memory(assembled("{}"));
  CHECK(dense.data == 8 * (20 * 7 + 20 + 7));  // the generator knows the true coefficients
  Matrix X = Matrix::Zero(4, 3);
  X(1, 2) = 5;
  CHECK(DataMatrix(SparseMatrix(X.sparseView())).bytes() == 12 + 4 * (3 + 1));
}

TEST_CASE("without numbers neither data nor vectors are held") {
  const MemoryEstimate with = estimate_memory(assembled("{}"));
  const MemoryEstimate without = estimate_memory(assembled(R"({"numerics": "off"})"));
  CHECK(without.data == 0);
  CHECK(without.own > 0);
  CHECK(without.own <= with.own - 8 * 5 * 20);  // each agent's scores, at the least
}

TEST_CASE("data in another order are a copy of the run's own") {
  const MemoryEstimate plain = estimate_memory(assembled("{}"));
  const MemoryEstimate shuffled = estimate_memory(assembled(R"({"partition": {"kind": "shuffled_features"}})"));
  CHECK(shuffled.data == plain.data);
  CHECK(shuffled.own == plain.own + 8 * 20 * 7);
}

#if !defined(__SANITIZE_ADDRESS__)
TEST_CASE("the estimated memory of a run is within a factor of two of the measured one") {
  // Each where something else takes most: data, an agent's vectors, links, agents, clients' models, rows.
  const std::string data = GENERATE(
      R"({"data": {"samples": 4000, "features": 500}})",
      R"({"data": {"samples": 4000, "features": 64}, "topology": {"agents": 64}})",
      R"({"data": {"samples": 4000, "features": 64}, "topology": {"kind": "complete", "agents": 64}})",
      R"({"data": {"samples": 20, "features": 300}, "topology": {"kind": "complete", "agents": 300}})",
      R"({"data": {"samples": 20, "features": 5000}, "topology": {"agents": 5000}, "record": {"optimum": false},
          "algorithm": {"sigma": 1, "tau": 1}})",
      R"({"data": {"samples": 4000, "features": 500}, "problem": {"regularizer": {"kind": "none", "weight": null}},
          "topology": {"kind": "star", "agents": 11}, "algorithm": {"kind": "fed_avg", "client_step": 0.01}})",
      R"({"data": {"samples": 400, "features": 2000}, "problem": {"regularizer": {"kind": "none", "weight": null}},
          "topology": {"kind": "star", "agents": 201}, "algorithm": {"kind": "fed_avg", "client_step": 0.01}})",
      R"({"stop": {"rounds": 20000}, "record": {"every": 1}})");
  CAPTURE(data);
  const Bytes got = measured(data);
  const double ratio = static_cast<double>(estimated(data)) / static_cast<double>(got);
  CHECK(ratio > 0.5);
  CHECK(ratio < 2);
}
#endif

}  // namespace lagnet::memory_estimate_test
