#include "algorithms/asynchronous/jobs.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "algorithms/asynchronous/async_gradient.hpp"
#include "algorithms/asynchronous/piag.hpp"
#include "tests/unit/algorithms/asynchronous/answers_in_order.hpp"

namespace lagnet::jobs_test {

using namespace lagnet::test;

namespace {

/// Loses the listed transmissions over each link, counted from 0.
class LosesNth final : public FaultRule {
 public:
  explicit LosesNth(std::map<std::pair<AgentId, AgentId>, std::vector<int>> lost) : lost_(std::move(lost)) {}
  void judge(const Transmission& what, Fate& fate) const override {
    const std::pair link(what.from, what.to);
    const int n = sent_[link]++;
    const auto found = lost_.find(link);
    if (found != lost_.end() && std::ranges::find(found->second, n) != found->second.end()) fate.lost = Cause::loss;
  }

 private:
  std::map<std::pair<AgentId, AgentId>, std::vector<int>> lost_;
  mutable std::map<std::pair<AgentId, AgentId>, int> sent_;
};

std::vector<AgentId> receivers(const Log& log) {
  std::vector<AgentId> all;
  for (const SimEvent& what : log.all)
    if (what.what == EventKind::sent && what.agent == 0) all.push_back(what.peer);
  return all;
}

/// How often the server used answers of a client.
std::int64_t uses(const Result& result, AgentId client) {
  std::int64_t all = 0;
  for (const auto& [age, count] : result.ledger.staleness_of(client)) all += count;
  return all;
}

AsyncGradientOptions gradients(Assignment assignment, std::optional<double> resend_ms = {}) {
  return {.step = 0.05, .assignment = assignment, .resend_ms = resend_ms};
}

}  // namespace

TEST_CASE("all clients get a first job and then the one that answered or the next in turn or one at random gets one") {
  const Bench bench = three_clients(random_problem(40, 4), 30);
  const auto to = [&](Assignment assignment) { return receivers(simulate(bench, gradients(assignment)).log); };
  const std::vector<AgentId> first{1, 2, 3};
  std::vector<AgentId> same = first, cyclic = first, random = first;
  for (const auto& [k, version] : answers_in_order(three_latencies, 30)) same.push_back(k);
  for (AgentId c = 0; c < 30; ++c) {
    cyclic.push_back(c % 3 + 1);
    random.push_back(static_cast<AgentId>(Draws(1, Purpose{"assignment"}, 0, c).below(3)) + 1);
  }
  CHECK(to(Assignment::same) == same);
  CHECK(to(Assignment::cyclic) == cyclic);
  CHECK(to(Assignment::random) == random);
}

TEST_CASE("under cyclic assignment as many jobs as clients are under way, and each client answers equally often") {
  const Bench bench = three_clients(random_problem(40, 4), 300);
  const Result result = simulate(bench, gradients(Assignment::cyclic));
  for (AgentId k = 1; k <= 3; ++k) CHECK(std::abs(uses(result, k) - 100) <= 3);  // but for what is under way
}

TEST_CASE("a far client of many has a long queue under cyclic assignment and each of its answers is used once") {
  std::vector<std::int64_t> latencies;
  for (std::int64_t k = 0; k < 40; ++k) latencies.push_back(k == 39 ? 500'000'003 : 1'000'003 + 1'009 * k);
  const Round rounds = 2000;
  const Bench bench = free_computation(random_problem(40, 2), std::vector<Index>(40, 1), rounds, latencies);
  const Result result = simulate(bench, gradients(Assignment::cyclic));
  std::int64_t handed = 0;
  std::map<AgentId, std::int64_t> most, open;  // jobs of each client
  for (const SimEvent& what : result.log.all) {
    if (what.what == EventKind::sent && what.agent == 0) {
      ++handed;
      most[what.peer] = std::max(most[what.peer], ++open[what.peer]);
    }
    if (what.what == EventKind::delivered && what.agent == 0) --open[what.peer];
  }
  CHECK(most[40] > 32);
  CHECK(handed == 40 + rounds);  // none is handed again
  std::int64_t used = 0;
  for (AgentId k = 1; k <= 40; ++k) used += uses(result, k);
  CHECK(used == rounds);
  CHECK(std::abs(uses(result, 40) - rounds / 40) <= 40);
}

TEST_CASE("a lost model and a lost answer are made up for when the client sends again, and no job is done twice") {
  Bench bench = three_clients(random_problem(40, 4), 60);
  bench.model.faults.push_back(std::make_shared<const LosesNth>(std::map<std::pair<AgentId, AgentId>, std::vector<int>>{
      {{0, 1}, {0, 3}}, {{1, 0}, {4}}, {{0, 2}, {2}}, {{2, 0}, {0, 1}}, {{0, 3}, {1}}}));
  const Result result = simulate(bench, gradients(Assignment::same, 20));
  CHECK(result.w.size() == 61);
  CHECK(result.ledger.total().messages_lost == 7);
  std::map<AgentId, std::int64_t> computed;
  for (const SimEvent& what : result.log.all)
    if (what.what == EventKind::computed && what.agent != 0) ++computed[what.agent];
  for (AgentId k = 1; k <= 3; ++k) {
    CHECK(uses(result, k) > 0);
    CHECK(computed[k] >= uses(result, k));
    CHECK(computed[k] <= uses(result, k) + 1);  // one under way
  }
}

TEST_CASE("without sending again a run dies out with its lost messages") {
  Bench bench = three_clients(random_problem(40, 4), 60);
  bench.model.faults.push_back(std::make_shared<const LosesNth>(
      std::map<std::pair<AgentId, AgentId>, std::vector<int>>{{{0, 1}, {3}}, {{2, 0}, {1}}, {{0, 3}, {0}}}));
  CHECK_THROWS_AS(simulate(bench, gradients(Assignment::same)), Deadlock);
  MethodInput given = bench.assignment();
  given.may_lose_messages = true;
  CHECK(make_algorithm(gradients(Assignment::same), given)->warnings().size() == 1);
  CHECK(make_algorithm(gradients(Assignment::same, 20), given)->warnings().empty());
}

TEST_CASE("patience that is too short costs messages and nothing else") {
  const Bench bench = three_clients(random_problem(40, 4), 60);
  const Result patient = simulate(bench, gradients(Assignment::same));
  const Result hasty = simulate(bench, gradients(Assignment::same, 0.7));
  CHECK(hasty.w == patient.w);
  CHECK(hasty.ledger.total().messages_sent > 2 * patient.ledger.total().messages_sent);
}

TEST_CASE("a client that lost its state asks by an empty message and gets the model") {
  Bench bench = three_clients(random_problem(40, 4), 80);
  const CrashPlan crash{.agent = 2, .at = at(8'000'000), .recovers_after = Duration::milliseconds(5)};
  bench.model.availability = available(4, std::make_shared<Crash>(crash));
  const Result result = simulate(bench, gradients(Assignment::same));
  bool has_asked = false;
  for (const SimEvent& what : result.log.all)
    has_asked |= what.what == EventKind::sent && what.agent == 2 && what.amount == 0;
  CHECK(has_asked);
  CHECK(result.w.size() == 81);
  CHECK(uses(result, 2) > 5);  // of about 20, before and after
}

}  // namespace lagnet::jobs_test
