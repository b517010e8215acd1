#include "algorithms/hybrid/hyfdca.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <set>

#include "algorithms/hybrid/hybrid_fed_avg.hpp"
#include "algorithms/objectives/losses/hinge.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/smoothed_hinge.hpp"
#include "algorithms/objectives/losses/squared.hpp"
#include "algorithms/objectives/regularizers/l2.hpp"
#include "tests/unit/algorithms/hybrid/cell_bench.hpp"
#include "tests/unit/algorithms/hybrid/hybrid_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"
#include "tests/unit/sim/world.hpp"

namespace lagnet::hyfdca_test {

using namespace lagnet::test;

namespace {

constexpr double lambda = 0.05;
constexpr std::int64_t ms = 1'000'000;
using Lists = std::vector<std::vector<AgentId>>;

std::vector<std::shared_ptr<const Loss>> four_losses() {
  return {make_loss(HingeOptions{}), make_loss(SmoothedHingeOptions{}), make_loss(LogisticOptions{}),
          make_loss(SquaredOptions{})};
}

/// Rows of norm about 1, labels -1 and +1, one row of zeros.
Problem problem_with(std::shared_ptr<const Loss> loss, Index N = 12, Index M = 6) {
  Draws draws(5, Purpose{"hyfdca test"});
  Matrix X(N, M);
  for (double& x : X.reshaped()) x = draws.normal() / 2;
  X.row(3).setZero();
  Vector y(N);
  for (Index i = 0; i < N; ++i) y[i] = X(i, 0) + X(i, M - 1) > 0 ? 1 : -1;
  return {.X = std::make_shared<const DataMatrix>(X),
          .y = y,
          .samples = N,
          .loss = std::move(loss),
          .regularizer = make_regularizer(L2Options{.weight = lambda})};
}

struct Run : Recorder {
  std::vector<std::vector<Vector>> parts;  // by round
  Ledger ledger{0, 0};
  double ended_s = 0;
  void reported(AgentId agent, Round, std::span<const VectorView> of_round) override {
    CHECK(agent == 0);
    parts.emplace_back(of_round.begin(), of_round.end());
  }
};

Run run(const Algorithm& method, AgentId agents, const Lists& listed = {}, double speed = 1e9) {
  WorldModel rules;
  if (!listed.empty()) rules.participation = std::make_shared<const ListedParticipation>(listed);
  WireFormat wire;
  wire.ciphertext_bytes = 512;
  Simulation world(Network(agents, star(std::vector<std::int64_t>(agents - 1, ms))),
                   ComputeModel(std::vector<double>(agents, speed)), {.wire = wire, .rules = rules});
  Run result;
  result.ledger = Ledger(agents, world.network().links());
  world.listen(result.ledger);
  world.record(result);
  method.spawn(world);
  result.ended_s = (world.run().last_report - Time()).in_seconds();
  return result;
}

template <class Options>
Run run(const Options& options, const MethodInput& given, const Lists& listed = {}) {
  return run(*make_algorithm(options, given), static_cast<AgentId>(given.network.agents), listed);
}

HyfdcaOptions cyclic(std::int64_t H) {
  HyfdcaOptions options;
  options.local_steps = H;
  options.picker = SamplePicker::cyclic;
  return options;
}

double round_trips(const HyfdcaOptions& options, Index K, Index Q, const Lists& listed) {
  const Round rounds = 8;
  const Run got = run(options, divided(problem_with(make_loss(HingeOptions{})), K, Q, rounds), listed);
  return static_cast<double>(got.ledger.total().hops) / 2 / static_cast<double>(rounds);
}

}  // namespace

TEST_CASE("one client with one step an iteration is serial dual coordinate ascent") {
  for (const auto& loss : four_losses()) {
    const Problem problem = problem_with(loss);
    const Round rounds = 40;
    const Run got = run(cyclic(1), divided(problem, 1, 1, rounds));
    const Matrix X = problem.X->dense();
    const double scale = lambda * 12;
    Vector a = Vector::Zero(12);
    for (Round t = 1; t <= rounds; ++t) {
      const Index i = (t - 1) % 12;
      const double p = X.row(i).dot(X.transpose() * a) / scale, q = X.row(i).squaredNorm() / scale;
      a[i] = q > 0 ? loss->dual_step(a[i], p, problem.y[i], q) : -loss->derivative(p, problem.y[i]);
      // Sums of 12 products in another order, in 40 steps whose errors do not grow.
      CHECK((got.parts[static_cast<std::size_t>(t)][1] - a).norm() < 1e-12);
    }
  }
}

TEST_CASE("the dual objective of the safe method never falls, and the gap is never below zero") {
  for (const auto& loss : four_losses()) {
    const MethodInput given = divided(problem_with(loss), 3, 2, 60);
    HyfdcaOptions options = cyclic(4);
    options.local_method = LocalDualMethod::safe;
    const auto method = make_algorithm(options, given);
    const Run got = run(*method, 7);
    double before = -1;
    for (std::size_t t = 0; t < got.parts.size(); ++t) {
      const std::vector<std::vector<Vector>> report{got.parts[t]};
      const Evaluation value = method->evaluate(static_cast<Round>(t), report, {});
      CHECK(*value.metrics[1] >= before - 1e-14);  // the rounding of sums of 12 terms of at most 1
      CHECK(*value.metrics[2] >= -1e-12);
      before = *value.metrics[1];
    }
    CHECK(before > 0.01);
  }
}

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

TEST_CASE("encryptions are counted, billed and take time by the sheet's formulas") {
  const Lists listed{{1, 2}, {3, 1}, {1, 2, 3, 4}, {2, 4}, {1, 3}};
  const Index K = 2, Q = 2, n = 6, H = 4;
  const Round rounds = 10;
  const Run got = run(cyclic(H), divided(problem_with(make_loss(HingeOptions{})), K, Q, rounds), listed);
  std::vector<Round> touched(12, 0), took_part(5, 0);
  std::vector<Index> visits(5, 0);
  double enc = 0, dec = 0, add = 0, parallel_s = 0;
  for (Round t = 1; t <= rounds; ++t) {
    const auto& members = listed[static_cast<std::size_t>((t - 1) % 5)];
    std::set<Index> S;
    for (const AgentId k : members) {
      const Index first = (k - 1) / Q * n;
      for (Index h = 0; h < H; ++h) S.insert(first + (visits[k] * H + h) % n);
    }
    double most_stale = 0, most_active = 0;
    for (const AgentId k : members) {
      const Index first = (k - 1) / Q * n;
      double stale = 0;
      const auto mine = std::ranges::count_if(S, [&](Index i) { return i / n == first / n; });
      const bool is_new = took_part[k] < t - 1;
      for (Index i = first; is_new && i < first + n; ++i) stale += touched[static_cast<std::size_t>(i)] > took_part[k];
      dec += stale;
      most_stale = std::max(most_stale, stale);
      most_active = std::max(most_active, static_cast<double>(mine));
      enc += static_cast<double>(mine + H);
      dec += static_cast<double>(mine + H);
      add += static_cast<double>(H);
    }
    add += static_cast<double>(S.size()) * static_cast<double>(Q - 1);
    parallel_s += 18.882e-3 * (most_active + static_cast<double>(H)) +
                  18.865e-3 * (most_stale + static_cast<double>(H) + most_active);
    for (const Index i : S) touched[static_cast<std::size_t>(i)] = t;
    for (const AgentId k : members) took_part[k] = t, ++visits[k];
    // Sums of whole nanoseconds, read as seconds.
    const Vector& ciphers = got.parts[static_cast<std::size_t>(t)][2];
    CHECK(ciphers.head(3) == Vector{{enc, dec, add}});
    CHECK(ciphers[3] == Approx(18.882e-3 * enc + 18.865e-3 * dec + 54e-6 * add).epsilon(1e-12));
    CHECK(ciphers[4] == Approx(parallel_s + 54e-6 * add).epsilon(1e-12));
  }
  CHECK(got.ledger.total().encrypting.in_seconds() ==
        Approx(18.882e-3 * enc + 18.865e-3 * dec + 54e-6 * add).epsilon(1e-12));
}

TEST_CASE("a second exchange of all inner products counts those of chosen samples alone") {
  const MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 2, 2, 5);
  HyfdcaOptions options = cyclic(2);
  const Run first = run(options, given);
  options.second_sip = true;  // in place of the first one, as all clients take part
  const Run second = run(options, given);
  const auto ciphers = [](const Run& of, std::size_t t) -> const Vector& { return of.parts[t][2]; };
  // Iteration 1 has both.
  CHECK(ciphers(second, 5) - ciphers(second, 1) == ciphers(first, 5) - ciphers(first, 1));
  CHECK(second.ledger.total().encrypting.in_seconds() == Approx(ciphers(second, 5)[3]).epsilon(1e-12));
}

TEST_CASE("dual suboptimality is what the dual objective lacks of the optimum") {
  const auto method = make_algorithm(cyclic(2), divided(problem_with(make_loss(HingeOptions{})), 2, 2, 5));
  const Run got = run(*method, 5);
  const std::vector<std::vector<Vector>> report{got.parts.back()};
  const auto place = [names = method->metric_names()](const char* name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  };
  const auto without = method->evaluate(5, report, {}).metrics,
             with = method->evaluate(5, report, {.optimum = 0.75}).metrics;
  CHECK(without.at(place("dual_suboptimality")) == std::nullopt);
  CHECK(with.at(place("dual_suboptimality")) == 0.75 - with.at(place("dual_objective")).value());
  CHECK(with.at(place("encryption_serial_s")) == got.parts.back()[2][3]);
  CHECK(with.at(place("encryption_parallel_s")) == got.parts.back()[2][4]);
}

TEST_CASE("H is reported as the most samples that a client uses") {
  const auto H_of = [](Index local_steps) {
    const auto method = make_algorithm(cyclic(local_steps), divided(problem_with(make_loss(HingeOptions{})), 2, 2, 5));
    for (const auto& [name, value] : method->constants())
      if (name == "H") return value;
    return 0.0;
  };
  CHECK(H_of(4) == 4);
  CHECK(H_of(50) == 6);  // 12 samples in 2 groups
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

TEST_CASE("a client that never takes part is told of after the run") {
  const MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 3, 2, 4);
  const auto method = make_algorithm(cyclic(1), given);
  CHECK(method->remarks_on(run(*method, 7).ledger).empty());
  CHECK(method->remarks_on(run(*method, 7, {{1, 2, 4}, {5, 6}}).ledger) ==
        std::vector<std::string>{"1 of 6 clients never took part (agents 3): the run solves the problem without their "
                                 "samples and features"});
}

TEST_CASE("a client that only sent its norms, and these several times, never took part") {
  HyfdcaOptions options = cyclic(1);
  options.row_norms = RowNorms::exchanged;
  const auto method = make_algorithm(options, divided(problem_with(make_loss(HingeOptions{})), 3, 2, 4));
  Ledger ledger = run(*method, 7, {{1, 2, 4}, {5, 6}}).ledger;
  CHECK(method->remarks_on(ledger).size() == 1);
  ledger.on_event({.what = EventKind::sent, .agent = 3, .peer = 0, .link = 5});
  CHECK(method->remarks_on(ledger).size() == 1);
}

TEST_CASE("an iteration without anybody leaves the state and the clock as they are") {
  const Problem problem = problem_with(make_loss(HingeOptions{}));
  const Matrix X = problem.X->dense();
  const Vector& y = problem.y;
  std::vector<Index> all(12), none;
  std::iota(all.begin(), all.end(), Index{0});
  const std::vector<Places> places{{all, {0, 1, 2}}, {all, {3, 4, 5}}, {none, {}}};  // client 3 holds nothing
  const HybridRun got = hybrid_run(cyclic(2), hybrid(X, y, lambda, places, 4), {{1, 2}, {3}, {}, {1, 2}});
  for (const std::size_t t : {2u, 3u}) {
    CHECK(got.parts[t] == got.parts[1]);
    CHECK(got.times[t] == got.times[1]);
  }
  const HybridRun without = hybrid_run(cyclic(2), hybrid(X, y, lambda, places, 2), {{1, 2}, {1, 2}});
  CHECK(got.parts[4][0] == without.parts[2][0]);
  CHECK(got.parts[4][1] == without.parts[2][1]);
}

TEST_CASE("any number of iterations without anybody may come before the first client") {
  const Problem problem = problem_with(make_loss(HingeOptions{}));
  const std::vector<Places> places{{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {0, 1, 2, 3, 4, 5}}, {{}, {}}};
  const auto given = [&](Round rounds) { return hybrid(problem.X->dense(), problem.y, lambda, places, rounds); };
  const HybridRun late = hybrid_run(cyclic(2), given(7), {{2}, {}, {2}, {}, {2}, {1}, {1}});  // client 2 holds nothing
  const HybridRun at_once = hybrid_run(cyclic(2), given(2), {{1}, {1}});
  CHECK(late.parts[7][0] == at_once.parts[2][0]);
  CHECK(hybrid_run(cyclic(2), given(5), {{2}, {}, {}, {2}, {}}).parts[5][0].isZero(0));
}

TEST_CASE("a sample of zeros that two clients hold gets the dual variable of its loss at 0") {
  MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 1, 2, 1);
  const Run got = run(cyclic(12), given);
  CHECK(got.parts[1][1][3] == given.problem.y[3]);  // a half from each; b = 1
}

TEST_CASE("samples of absent clients keep their dual variables, and features of absent clients stay 0") {
  const Run got = run(cyclic(2), divided(problem_with(make_loss(HingeOptions{})), 3, 2, 9), {{1, 3}});
  const Vector &w0 = got.parts.back()[0], &a0 = got.parts.back()[1];
  CHECK(a0.head(8).norm() > 0);
  CHECK(a0.tail(4) == Vector(Vector::Zero(4)));
  CHECK(w0.head(3).norm() > 0);
  CHECK(w0.tail(3) == Vector(Vector::Zero(3)));
}

TEST_CASE("a dual that only half of its holders take back each time ends at 0, and not among subnormal numbers") {
  Problem problem = problem_with(make_loss(HingeOptions{}));
  problem.regularizer = make_regularizer(L2Options{.weight = 0.01});
  const Run got = run(cyclic(6), divided(problem, 2, 2, 5000), {{1, 3}, {2, 4}});
  const Vector &early = got.parts[20][1], &last = got.parts.back()[1];
  Index ended = 0;
  for (Index i = 0; i < early.size(); ++i) {
    CHECK((last[i] == 0 || std::isnormal(last[i])));
    ended += early[i] != 0 && last[i] == 0;
  }
  CHECK(ended > 0);  // 5,000 halves of 1 are 0 in double precision; see decay.hpp
}

TEST_CASE("a client with fewer samples than local steps uses each of them once") {
  const MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 3, 2, 5);
  const Run many = run(cyclic(100), given), all = run(cyclic(4), given);
  CHECK(many.parts == all.parts);
}

TEST_CASE("what the method cannot do is refused") {
  MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 3, 2, 4);
  given.may_miss_rounds = true;
  CHECK_THROWS_WITH(make_algorithm(cyclic(1), given),
                    "kind: expected an algorithm that goes on without messages that are missing, found hyfdca");
  given.may_miss_rounds = false;
  given.problem.regularizer = make_regularizer(L2Options{.weight = 0});
  CHECK_THROWS_WITH(make_algorithm(cyclic(1), given),
                    "kind: expected an algorithm that needs no l2 regularizer with a weight above 0, found hyfdca");
  given.problem = problem_with(make_loss(HingeOptions{}));
  given.start = Vector::Ones(6);
  CHECK_THROWS_WITH(make_algorithm(cyclic(1), given),
                    "kind: expected an algorithm that may start anywhere: this one starts at 0, found hyfdca");
}

TEST_CASE("options of the local method that is not chosen are warned of") {
  const MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 3, 2, 4);
  HyfdcaOptions options = cyclic(1);
  options.row_norms = RowNorms::exchanged;
  options.damping = 4;
  CHECK(make_algorithm(options, given)->warnings().empty());
  options.c = 0.5;
  CHECK(make_algorithm(options, given)->warnings() ==
        std::vector<std::string>{"c belongs to the safe method: the practical one does not use it"});
  options.local_method = LocalDualMethod::safe;
  CHECK(make_algorithm(options, given)->warnings() ==
        std::vector<std::string>{"damping belongs to the practical method: the safe one does not use it"});
}

TEST_CASE("norms that clients cannot know without an exchange are warned of") {
  Problem problem = problem_with(make_loss(HingeOptions{}));
  const auto warnings = [&](Index Q, const Problem& of) {
    return make_algorithm(cyclic(1), divided(of, 3, Q, 4))->warnings();
  };
  CHECK(
      warnings(2, problem) ==
      std::vector<std::string>{"row_norms known: clients share samples whose norms are not all 1, which they can only "
                               "learn from each other; exchanged also bills that"});
  CHECK(warnings(1, problem).empty());  // each client has whole samples
  Matrix X = problem.X->dense();
  for (auto row : X.rowwise()) row.stableNormalize();  // zeros stay as they are
  problem.X = std::make_shared<const DataMatrix>(X);
  CHECK(warnings(2, problem).empty());
}

}  // namespace lagnet::hyfdca_test
