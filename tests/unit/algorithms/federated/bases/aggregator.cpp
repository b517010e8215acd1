#include "algorithms/federated/bases/aggregator.hpp"

#include <catch2/catch.hpp>

#include "algorithms/federated/distributed_proximal_gradient.hpp"
#include "algorithms/federated/fed_avg.hpp"
#include "algorithms/federated/fed_nova.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"

namespace lagnet::aggregator_test {

using namespace lagnet::test;

namespace {

FedAvgOptions averaging(AggregationOptions rule, AnswerWeights weights = AnswerWeights::pi) {
  FedAvgOptions options;
  options.local_steps = RoundCounts(2);
  options.client_step = 0.1;
  options.server.aggregation = std::move(rule);
  options.server.answer_weights = weights;
  return options;
}

Bench five_clients(Round rounds) {
  return {.problem = random_problem(50, 3, 0, 0.1), .sizes = {5, 15, 8, 12, 10}, .rounds = rounds};
}

/// The run of a bench with attackers.
Result attacked(const Bench& bench, const FedAvgOptions& options, std::vector<AttackOptions> attacks) {
  MethodInput given = bench.assignment();
  given.attackers = Attackers(std::move(attacks), given.network.agents, 1);
  return simulate(bench, *make_algorithm(options, std::move(given)));
}

AttackOptions sign_flip(double scale, std::vector<std::int64_t> agents) {
  SignFlipAttack attack{.scale = scale};
  attack.agents = std::move(agents);
  return attack;
}

}  // namespace

TEST_CASE("rules that leave nothing out move the server as the mean does") {
  const Bench bench = five_clients(10);
  const auto last = [&](const FedAvgOptions& options) { return simulate(bench, options).w.back(); };
  const Vector mean = last(averaging({})), even = last(averaging({}, AnswerWeights::equal));
  CHECK((mean - even).norm() > 1e-3);
  CHECK((last(averaging(TrimmedMeanRule{.trim = 0, .weighted = true})) - mean).norm() < 1e-14);
  CHECK((last(averaging(TrimmedMeanRule{.trim = 0})) - even).norm() < 1e-14);
  CHECK((last(averaging(KrumRule{.attackers = 0, .keep = 5})) - even).norm() < 1e-14);
}

TEST_CASE("the median of changes with attackers is that of a plain loop, and the honest objective that of the others") {
  const Bench bench = five_clients(4);
  MethodInput given = bench.assignment();
  given.attackers = Attackers({sign_flip(3, {2, 5})}, 6, 1);
  const auto method = make_algorithm(averaging(CoordinateMedianRule()), given);
  const Result result = simulate(bench, *method);
  const Matrix X = bench.problem.X->dense();
  Vector w = Vector::Zero(3);
  for (std::size_t t = 1; t <= 4; ++t) {
    Answered all{Matrix(3, 5), Vector::Constant(5, 0.2)};
    Index first = 0;
    for (Index k = 0; k < 5; ++k) {
      const Index n = bench.sizes[static_cast<std::size_t>(k)];
      Vector x = w;
      for (int step = 0; step < 2; ++step) {
        const Vector residuals = X.middleRows(first, n) * x - bench.problem.y.segment(first, n);
        x -= 0.1 * (X.middleRows(first, n).transpose() * residuals / static_cast<double>(n) + 0.1 * x);
      }
      all.v.col(k) = (k == 1 || k == 4 ? -3 : 1) * (x - w);
      first += n;
    }
    Vector z;
    w += CoordinateMedianRule().combine(all, z).a;
    CHECK((result.w[t] - w).norm() < 1e-14);
  }
  CHECK(method->metric_names() == std::vector<std::string>{"honest_objective"});
  double honest = 0, samples = 0;
  Index first = 0;
  for (std::size_t k = 0; k < 5; ++k) {
    const Index n = bench.sizes[k];
    if (k != 1 && k != 4) {
      honest += (X.middleRows(first, n) * w - bench.problem.y.segment(first, n)).squaredNorm() / 2;
      samples += static_cast<double>(n);
    }
    first += n;
  }
  const std::vector<std::vector<Vector>> report{{w}};
  CHECK(method->evaluate(4, report, {}).metrics.at(0).value() ==
        Approx(honest / samples + 0.05 * w.squaredNorm()).epsilon(1e-13));
}

TEST_CASE("attackers send, and bill, what honest clients do") {
  const Bench bench = five_clients(3);
  const FedAvgOptions options = averaging(CoordinateMedianRule());
  const Result honest = simulate(bench, options), result = attacked(bench, options, {sign_flip(2, {1})});
  CHECK(result.ledger.total().flops == honest.ledger.total().flops);
  CHECK(result.ledger.total().bytes_sent == honest.ledger.total().bytes_sent);
  CHECK(result.w.back() != honest.w.back());
}

TEST_CASE("the mean goes where one attacker wants, and a robust rule does not") {
  const Bench bench = five_clients(40);
  ConstantAttack attack{.value = 100};
  attack.agents = {3};
  CHECK(attacked(bench, averaging({}), {attack}).w.back().norm() > 100);
  CHECK(attacked(bench, averaging(CoordinateMedianRule()), {attack}).w.back().norm() < 10);
}

TEST_CASE("a round with fewer answers than krum takes changes nothing, and costs nothing") {
  Bench bench = five_clients(2);
  bench.model.participation =
      std::make_shared<const ListedParticipation>(std::vector<std::vector<AgentId>>{{1, 2, 3, 4}, {1, 2, 3, 4, 5}});
  const Result result = simulate(bench, averaging(KrumRule{.attackers = 1}));
  CHECK(result.w[1] == result.w[0]);
  CHECK(result.w[2] != result.w[1]);
  CHECK(result.ledger.agent(0).flops == KrumRule{.attackers = 1}.flops(5, 3) + 2 * 3);
}

TEST_CASE("krum is refused if a round cannot have as many answers as it takes") {
  MethodInput given = five_clients(2).assignment();
  const auto refusal = [&](std::int64_t f) -> std::string {
    try {
      make_algorithm(averaging(KrumRule{.attackers = f}), given);
    } catch (const Diagnosed& error) {
      return error.what();
    }
    return "";
  };
  CHECK(refusal(1).empty());
  CHECK(refusal(2) ==
        "/algorithm/aggregation/attackers: expected at most (n - 3)/2 of the n clients asked, of 5, found 2");
  given.most_asked = 4;
  CHECK(refusal(1) ==
        "/algorithm/aggregation/attackers: expected at most (n - 3)/2 of the n clients asked, of 4, found 1");
}

TEST_CASE("rules other than mean are refused where half of the clients or more attack") {
  const auto refusal = [](const AggregationOptions& rule, std::vector<std::int64_t> agents) -> std::string {
    MethodInput given = five_clients(2).assignment();
    given.attackers = Attackers({sign_flip(1, std::move(agents))}, 6, 1);
    try {
      make_algorithm(averaging(rule), given);
    } catch (const Diagnosed& error) {
      return error.what();
    }
    return "";
  };
  CHECK(refusal(CoordinateMedianRule(), {2, 5}).empty());
  CHECK(refusal(MeanRule(), {2, 3, 5}).empty());
  CHECK(refusal(CoordinateMedianRule(), {2, 3, 5}) ==
        "/attackers: expected fewer than half of the clients, as coordinate_median needs, found 3 of 5");
}

TEST_CASE("rules that do nothing of what they are for are remarked on") {
  const auto warnings = [](AggregationOptions rule) {
    return make_algorithm(averaging(std::move(rule)), five_clients(2).assignment())->warnings();
  };
  CHECK(warnings(TrimmedMeanRule{.trim = 0.1}).at(0).code == "trims_nothing");
  CHECK(warnings(TrimmedMeanRule{.trim = 0.2}).empty());
  CHECK(warnings(KrumRule{.attackers = 1, .keep = 5}).at(0).code == "keeps_attackers");
  CHECK(warnings(KrumRule{.attackers = 1, .keep = 4}).empty());
}

TEST_CASE("answers that are no numbers are left out by robust rules, and remarked on") {
  const Bench bench = five_clients(3);
  ConstantAttack attack{.value = std::numeric_limits<double>::quiet_NaN()};
  attack.agents = {3};
  MethodInput given = bench.assignment();
  given.attackers = Attackers({attack}, 6, 1);
  const auto method = make_algorithm(averaging(CoordinateMedianRule()), given);
  const Result result = simulate(bench, *method);
  Bench without = bench;
  without.model.participation =
      std::make_shared<const ListedParticipation>(std::vector<std::vector<AgentId>>{{1, 2, 4, 5}});
  CHECK(result.w.back() == simulate(without, averaging(CoordinateMedianRule())).w.back());
  const Remarks remarks = method->remarks({});
  REQUIRE(remarks.size() == 1);
  CHECK(remarks[0].code == "answers_not_finite");
  CHECK(remarks[0].numbers.at(0).second == 3);
}

TEST_CASE("fed_nova takes the rule of normalized changes, and gradient descent that of gradients") {
  const Bench bench = five_clients(5);
  FedNovaOptions nova;
  nova.local_steps = RoundCounts(2);
  nova.client_step = 0.1;
  nova.server.aggregation = CoordinateMedianRule();
  const Vector of_changes = simulate(bench, averaging(CoordinateMedianRule())).w.back();
  CHECK((simulate(bench, nova).w.back() - of_changes).norm() < 1e-14);  // all a_k are 2
  // One local step along a gradient with that of the regularizer; here that is left to the prox, of the same step.
  Bench plain = bench;
  plain.problem = random_problem(50, 3);
  FedAvgOptions steps = averaging(CoordinateMedianRule());
  steps.local_steps = RoundCounts(1);
  DistributedProximalGradientOptions descent{{.step = 0.1}};
  descent.aggregation = CoordinateMedianRule();
  CHECK((simulate(plain, descent).w.back() - simulate(plain, steps).w.back()).norm() < 1e-14);
}

TEST_CASE("a late attacker's answer comes just before the deadline, and counts") {
  Bench bench = five_clients(2);
  bench.speeds.assign(6, infinite);
  const Vector known = simulate(bench, averaging({})).w.back();
  bench.model.round_rule.deadline = Duration::milliseconds(50);
  bench.model.faults.push_back(std::make_shared<const HeldAnswers>(
      std::vector<HeldAnswers::Held>{{2, Duration::milliseconds(1), [](Bytes) { return Duration::milliseconds(1); }}},
      Duration::milliseconds(50)));
  const Result result = simulate(bench, averaging({}));
  CHECK(result.log.times(EventKind::reported, 0) == std::vector<Time>{at(0), at(49'000'000), at(98'000'000)});
  CHECK(result.w.back() == known);
}

TEST_CASE("only what depends on numbers keeps a rule from timing-only runs") {
  CHECK(averaging(GeometricMedianRule()).traits().timing_only);
  CHECK_FALSE(averaging(GeometricMedianRule{.accuracy = 1e-3}).traits().timing_only);
  CHECK(averaging({}).traits().takes_attackers);
}

}  // namespace lagnet::aggregator_test
