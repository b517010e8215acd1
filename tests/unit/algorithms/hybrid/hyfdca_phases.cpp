#include "algorithms/hybrid/hyfdca_phases.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

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

TEST_CASE("at the start of an iteration only newcomers get w") {
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
  struct Form {
    Encrypt encrypt;
    Index of_C, of_D, of_E;  // bytes of a number
  };
  for (const Form& form :
       {Form{Encrypt::none, 8, 8, 8}, Form{Encrypt::primal, 512, 8, 512}, Form{Encrypt::dual, 512, 512, 8}}) {
    HyfdcaOptions options = cyclic(H);
    options.encrypt = form.encrypt;
    const Run got = run(options, divided(problem_with(make_loss(HingeOptions{})), 2, 2, rounds));
    const Index bytes = form.of_C * n + form.of_D * H + form.of_E * m;
    for (AgentId k = 1; k <= 4; ++k) {
      CHECK(got.ledger.agent(k).flops == rounds * (2 * n * m + 2 * n * m + 9 * H));  // C, E, D
      CHECK(got.ledger.agent(k).bytes_sent == rounds * bytes);                       // C1, D1, E1
      CHECK(got.ledger.agent(k).bytes_received == rounds * bytes);                   // C2, D2, E2
    }
    CHECK(got.ledger.agent(0).flops == rounds * (4 * m + 6 + 4 * H));  // sum of m_k, M scalings, dual adds
  }
}

TEST_CASE("encryption changes no iterate and no round trip") {
  const Lists listed{{1, 2}, {1}, {1, 2, 3, 4}, {2, 3}, {4, 1}};
  HyfdcaOptions options = cyclic(2);
  options.row_norms = RowNorms::exchanged;
  const MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 2, 2, 10);
  const Run dual = run(options, given, listed);
  for (const Encrypt encrypt : {Encrypt::none, Encrypt::primal}) {
    options.encrypt = encrypt;
    const Run got = run(options, given, listed);
    CHECK(got.ledger.total().hops == dual.ledger.total().hops);
    for (std::size_t t = 0; t <= 10; ++t) {
      CHECK(got.parts[t][0] == dual.parts[t][0]);
      CHECK(got.parts[t][1] == dual.parts[t][1]);
    }
    CHECK((got.ledger.total().encrypting > Duration()) == (encrypt == Encrypt::primal));
  }
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

// Answers that are missing

namespace {

/// Loses messages of clients by their number in a round, and of the server as well: a function of who, when and which.
class SomeLost final : public FaultRule {
 public:
  SomeLost(std::uint64_t seed, double probability) : seed_(seed), probability_(probability) {}
  bool lost(AgentId from, AgentId to, Round t, std::uint32_t which) const {
    return Draws::between(seed_, Purpose{"lost"}, from, to, t, which).uniform() < probability_;
  }
  void judge(const Transmission& what, Fate& fate) const override {
    if (lost(what.from, what.to, what.round, what.ordinal)) fate.lost = Cause::loss;
  }

 private:
  std::uint64_t seed_;
  double probability_;
};

constexpr std::int64_t deadline_ms = 5;  // a round trip takes 2

/// Rounds of which each phase is closed after 5 ms; all clients are asked, or those listed.
Run run_with_deadline(const HyfdcaOptions& options, MethodInput given, const Lists& listed,
                      const std::shared_ptr<const FaultRule>& faults) {
  given.may_lack_answers = true;
  const auto agents = static_cast<AgentId>(given.network.agents);
  WorldModel model;
  if (!listed.empty()) model.participation = std::make_shared<const ListedParticipation>(listed);
  if (faults) model.faults = {faults};
  model.round_rule.deadline = Duration::nanoseconds(deadline_ms * ms);
  model.ciphers = {.encrypt = {}, .decrypt = {}, .add = {}};
  Simulation world(Network(agents, star(std::vector<std::int64_t>(agents - 1, ms))),
                   ComputeModel(std::vector<double>(agents, 1e9)), {.model = model});
  Run result;
  result.ledger = Ledger(agents, world.network().links());
  world.listen(result.ledger);
  world.record(result);
  const auto method = make_algorithm(options, given);
  method->spawn(world);
  world.run();
  return result;
}

/// HyFDCA without messages, for H samples in turn and squared norms known: what the sheet says when some answers of
/// some clients are missing. All copies that a client uses are the server's.
class PlainHyfdca {
 public:
  PlainHyfdca(const MethodInput& given, Index H)
      : given_(given), H_(H), w0(Vector::Zero(X().cols())), a0(Vector::Zero(X().rows())) {
    for (AgentId k = 1; k < given.network.agents; ++k) {
      hat_[k] = Vector::Zero(cells().of(k).m());
      ip_[k] = Vector::Zero(cells().of(k).n());
    }
  }

  void iterate(Round t, const std::vector<AgentId>& members, const SomeLost& faults) {
    std::vector<AgentId> present = members;
    std::map<AgentId, std::uint32_t> to, from;  // messages of this iteration so far, down and up
    std::map<AgentId, std::vector<Index>> picks;
    std::map<Index, double> holders;
    for (const AgentId k : members)
      for (Index h = 0; h < H_; ++h) picks[k].push_back((visits_[k] * H_ + h) % cells().of(k).n());
    for (const AgentId k : members) ++visits_[k];
    const auto down = [&](AgentId k) { return !faults.lost(0, k, t, to[k]++); };
    const auto up = [&](AgentId k) { return !faults.lost(k, 0, t, from[k]++); };
    const auto round_trip = [&](std::vector<AgentId>& asked) {
      std::erase_if(asked, [&](AgentId k) { return !down(k) || !up(k); });
    };
    const auto aggregate = [&](AgentId k) { hat_[k] = block(k).transpose() * restricted(a0, cells().of(k).samples); };

    const bool all_begin = t == 1 && std::ssize(members) == given_.network.agents - 1;
    for (const AgentId k : members) {
      const bool misses_duals = !finished_.contains(k) && !all_begin && (cells().shares_samples() || is_stale(k));
      if (!misses_duals) continue;
      std::vector<AgentId> alone{k};
      round_trip(alone);
      if (alone.empty())
        std::erase(present, k);
      else
        aggregate(k);
    }
    add_hats();
    const Vector w = w0;
    // B2 and C1: a client that misses w0 does not answer with its products. Without C the next answer is D1.
    const bool has_C = cells().shares_samples();
    round_trip(present);
    if (has_C) {
      for (const AgentId k : present) ip_[k] = block(k) * restricted(w, cells().of(k).features);
      p_ = Vector::Zero(X().rows());
      for (const auto& [k, ip] : ip_) p_(at(cells().of(k).samples)) += ip;
      round_trip(present);  // C2 and D1
    } else {
      p_ = X() * w;  // of every sample its only holder knows all features
    }
    const Vector before = a0;
    for (const AgentId k : present)
      for (const Index row : picks[k]) {
        const Index i = cells().of(k).samples[static_cast<std::size_t>(row)];
        const double q = X().row(i).squaredNorm() / (lambda * static_cast<double>(X().rows()));
        const double u = -given_.problem.loss->derivative(p_[i], given_.problem.y[i]);
        const double best = q > 0 ? given_.problem.loss->dual_step(before[i], p_[i], given_.problem.y[i], q) : u;
        a0[i] += (best - before[i]) / static_cast<double>(std::ssize(cells().holders(i)));
      }
    for (const AgentId k : members)
      for (const Index row : picks[k]) touched_[cells().of(k).samples[static_cast<std::size_t>(row)]] = t;
    round_trip(present);  // D2 and E1
    for (const AgentId k : present) aggregate(k);
    add_hats();
    finished_ = {present.begin(), present.end()};
    for (const AgentId k : present) last_[k] = t;
  }

 private:
  const Cells& cells() const { return *given_.cells; }
  Matrix X() const { return given_.problem.X->dense(); }
  Matrix block(AgentId k) const { return X()(at(cells().of(k).samples), at(cells().of(k).features)); }
  bool is_stale(AgentId k) {
    return std::ranges::any_of(cells().of(k).samples, [&](Index i) { return touched_[i] > last_[k]; });
  }
  void add_hats() {
    w0.setZero();
    for (const auto& [k, hat] : hat_) w0(at(cells().of(k).features)) += hat;
    w0 /= lambda * static_cast<double>(X().rows());
  }

  const MethodInput& given_;
  Index H_;
  std::map<AgentId, Vector> hat_, ip_;
  std::map<AgentId, Index> visits_;
  std::map<Index, Round> touched_;
  std::map<AgentId, Round> last_;
  std::set<AgentId> finished_;
  Vector p_;

 public:
  Vector w0, a0;
};

}  // namespace

TEST_CASE("answers that all come in time make the iterates of a run that waits for all") {
  const Lists listed{{1, 2}, {1}, {1, 2, 3, 4, 5, 6}, {2, 3, 4}, {5}, {6, 1}};
  for (const Index Q : {1, 2})
    for (const bool second : {false, true}) {
      HyfdcaOptions options = cyclic(2);
      options.second_sip = second;
      const MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 6 / Q, Q, 30);
      const Run hasty = run_with_deadline(options, given, listed, nullptr), patient = run(options, given, listed);
      for (std::size_t t = 0; t <= 30; ++t) {
        CHECK(hasty.parts[t][0] == patient.parts[t][0]);
        CHECK(hasty.parts[t][1] == patient.parts[t][1]);
      }
    }
}

TEST_CASE("with missing answers each phase follows its specification, and all used copies are right") {
  // Sums over clients are added up in another order here: a few hundred additions of numbers near 1.
  constexpr double rounding = 1e-12;
  const Lists listed{{1, 2}, {1, 2, 3}, {1, 2, 3, 4, 5, 6}, {2, 3, 4}, {5, 6}, {6, 1}, {1, 2, 3, 4, 5, 6}};
  for (const double probability : {0.05, 0.3})
    for (const Index Q : {1, 2, 6})
      for (const auto& loss : four_losses()) {
        const SomeLost faults(static_cast<std::uint64_t>(Q), probability);
        const Round rounds = 60;
        const MethodInput given = divided(problem_with(loss), 6 / Q, Q, rounds);
        const Run got = run_with_deadline(cyclic(1), given, listed, std::make_shared<const SomeLost>(faults));
        REQUIRE(std::ssize(got.parts) == rounds + 1);
        PlainHyfdca plain(given, 1);
        for (Round t = 1; t <= rounds; ++t) {
          plain.iterate(t, listed[static_cast<std::size_t>(t - 1) % listed.size()], faults);
          const auto& parts = got.parts[static_cast<std::size_t>(t)];
          CHECK((parts[0] - plain.w0).norm() <= rounding * (1 + plain.w0.norm()));
          CHECK((parts[1] - plain.a0).norm() <= rounding * (1 + plain.a0.norm()));
        }
        CHECK(got.ledger.total().dropped > 0);
      }
}

TEST_CASE("an iteration without answers changes nothing and takes one deadline per phase") {
  const MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 3, 2, 4);
  const Run got = run_with_deadline(cyclic(1), given, {}, std::make_shared<const SomeLost>(1, 1));
  REQUIRE(got.parts.size() == 5);
  for (const auto& parts : got.parts) {
    CHECK(parts[0] == Vector(Vector::Zero(6)));
    CHECK(parts[1] == Vector(Vector::Zero(12)));
  }
  CHECK(got.ledger.total().dropped == 4 * 6);
}

}  // namespace lagnet::hyfdca_phases_test
