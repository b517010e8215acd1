#include "algorithms/hybrid/hyfdca_phases.hpp"

#include <catch2/catch.hpp>

#include "algorithms/hybrid/hybrid_fed_avg.hpp"
#include "tests/unit/algorithms/hybrid/hybrid_bench.hpp"
#include "tests/unit/algorithms/hybrid/hyfdca_bench.hpp"

namespace lagnet::hyfdca_phases_test {

using namespace lagnet::test;
using namespace lagnet::test::hyfdca_bench;

namespace {

double round_trips(const HyfdcaOptions& options, Index K, Index Q, const Lists& listed) {
  const Round rounds = 8;
  const Run got = run(options, divided(problem_with(make_loss(HingeOptions{})), K, Q, rounds), listed);
  return static_cast<double>(got.ledger.total().hops) / 2 / static_cast<double>(rounds);
}

}  // namespace

TEST_CASE("round trips are those of the phases that take place") {
  const Lists halves{{1, 3, 5}, {2, 4, 6}}, everybody{{1, 2, 3, 4, 5, 6}};
  HyfdcaOptions twice = cyclic(2);
  twice.second_sip = true;
  HyfdcaOptions all = cyclic(2);
  all.phases = Phases::all;
  CHECK(round_trips(cyclic(2), 3, 2, halves) == 4.5);
  CHECK(round_trips(all, 3, 2, halves) == 4.5);
  CHECK(round_trips(twice, 3, 2, halves) == 5.5);
  CHECK(round_trips(cyclic(2), 3, 2, everybody) == 3);
  CHECK(round_trips(twice, 3, 2, everybody) == 3);
  CHECK(round_trips(cyclic(2), 6, 1, halves) == 2.5);
  CHECK(round_trips(cyclic(2), 6, 1, everybody) == 2);
  CHECK(round_trips(cyclic(2), 1, 6, halves) == 4.5);
  HybridFedAvgOptions averaging;
  averaging.local_steps = 2;
  averaging.a = 0.1;
  const auto average = run(averaging, divided(problem_with(make_loss(HingeOptions{})), 3, 2, 8), halves);
  CHECK(average.ledger.total().hops == 16);
}

TEST_CASE("a client without samples costs no round trip") {
  const Round rounds = 8;
  const MethodInput given =
      hybrid(Matrix{{1, 2}, {3, 4}}, Vector{{1, -1}}, lambda, {{{0}, {0, 1}}, {{1}, {0, 1}}, {{}, {0, 1}}}, rounds);
  const Run got = run(cyclic(1), given);
  CHECK(got.ledger.total().hops == 2 * 2 * rounds);  // D and E, as if it were not there
}

TEST_CASE("phases that are left out change no iterate") {
  const Lists listed{{1, 2}, {1}, {1, 2, 3, 4, 5, 6}, {2, 3, 4}, {5}, {6, 1}};
  for (const bool second : {false, true})
    for (const SipMode sip_mode : {SipMode::full, SipMode::selected})
      for (const SendW send_w : {SendW::active, SendW::newcomers}) {
        HyfdcaOptions options = cyclic(2);
        options.second_sip = second;
        options.sip_mode = sip_mode;
        options.send_w = send_w;
        const MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 3, 2, 30);
        const Run needed = run(options, given, listed);
        options.phases = Phases::all;
        const Run all = run(options, given, listed);
        for (std::size_t t = 0; t <= 30; ++t) {
          CHECK(needed.parts[t][0] == all.parts[t][0]);
          CHECK(needed.parts[t][1] == all.parts[t][1]);
        }
      }
}

TEST_CASE("who stays gets no w at the start of an iteration where newcomers alone do") {
  const Lists listed{{1, 2, 3, 4}, {1, 4}, {1, 3}, {1, 2}};  // 3 brings news of the features of 1
  HyfdcaOptions options = cyclic(2);
  const MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 2, 2, 4);
  const Run everybody = run(options, given, listed);
  options.send_w = SendW::newcomers;
  const Run newcomers = run(options, given, listed);
  const std::int64_t of_w = 8 * 3;  // bytes, of the features of a client
  for (const AgentId k : {2u, 3u, 4u})
    CHECK(newcomers.ledger.agent(k).bytes_received == everybody.ledger.agent(k).bytes_received);
  CHECK(newcomers.ledger.agent(1).bytes_received == everybody.ledger.agent(1).bytes_received - 2 * of_w);
  CHECK(newcomers.parts.back()[0] != everybody.parts.back()[0]);
}

TEST_CASE("bytes and flops of an iteration with all clients are those of the sheet") {
  const Index n = 6, m = 3, H = 2;
  const Round rounds = 5;
  const Run got = run(cyclic(H), divided(problem_with(make_loss(HingeOptions{})), 2, 2, rounds));
  for (AgentId k = 1; k <= 4; ++k) {
    CHECK(got.ledger.agent(k).flops == rounds * (2 * n * m + 2 * n * m + 9 * H));       // C, E, D
    CHECK(got.ledger.agent(k).bytes_sent == rounds * (512 * n + 512 * H + 8 * m));      // C1, D1, E1
    CHECK(got.ledger.agent(k).bytes_received == rounds * (512 * n + 512 * H + 8 * m));  // C2, D2, E2
  }
  CHECK(got.ledger.agent(0).flops == rounds * (4 * m + 6 + 4 * H));  // sum of m_k, M scalings, dual adds
}

TEST_CASE("exchanged norms give the iterates of known ones after one more round trip") {
  const MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 2, 2, 6);
  HyfdcaOptions options = cyclic(2);
  const Run known = run(options, given);
  options.row_norms = RowNorms::exchanged;
  const Run exchanged = run(options, given);
  CHECK(exchanged.parts.back()[0] == known.parts.back()[0]);
  CHECK(exchanged.ledger.total().hops == known.ledger.total().hops + 2);
}

}  // namespace lagnet::hyfdca_phases_test
