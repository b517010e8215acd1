#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/kernels/minibatches.hpp"
#include "algorithms/peers/bases/alike_agents.hpp"
#include "algorithms/peers/bases/mixing.hpp"
#include "algorithms/peers/compressed/difference_exchange.hpp"
#include "algorithms/peers/directed/push_sum.hpp"
#include "algorithms/problem/weighted_loss.hpp"
#include "scenarios/json/one_of.hpp"
#include "tests/reference/compressed_case.hpp"

namespace lagnet::reference {

namespace {

const CompressedKind* compressed_kind(const Json& item) {
  if (!item.contains("parameters")) return nullptr;
  const std::string name = item.value("algorithm", "");
  for (const auto* kinds :
       {&compressed_peer_kinds(), &compressed_server_kinds(), &one_way_kinds(), &optimal_peer_kinds(),
        &more_peer_kinds(), &more_local_kinds(), &more_server_kinds(), &second_order_kinds()})
    if (const auto found = std::ranges::find(*kinds, name, &CompressedKind::name); found != kinds->end())
      return &*found;
  return nullptr;
}

/// That of a case, for d entries.
std::shared_ptr<const Compressor> compressor_of(const Json& item, Index d) {
  CompressorOptions options;
  Diagnostics diagnostics("");
  OneOfJson<CompressorOptions>::read(item.at("compressor"), options, "", diagnostics);
  diagnostics.throw_if_any();
  return make_compressor(options, d);
}

void compare_values(const Compared& all, const std::string& key, const Json& want) {
  for (const auto& [text, number] : want.items()) {
    const Round round = std::stoll(text);
    const Evaluation value = all.made.algorithm->evaluate(round, all.run.reports.at(round), {});
    const double got = key == "objective" ? value.objective : value.metrics.at(0).value();
    all.numbers_of(key + " of round " + text, {got}, {number.get<double>()}, round);
  }
}

void compare_reported(const Compared& all, const std::string& key, const Json& want) {
  const Round round = std::stoll(key.substr(key.find('_') + 1));
  const auto& report = all.run.reports.at(round);
  if (!want.at(0).is_array())
    return all.numbers_of(key, as_list(all.made.algorithm->evaluate(round, report, {}).iterate), numbers(want), round);
  if (std::ssize(want) != all.agents()) return all.verdict.fail(key + " has not as many rows as there are agents");
  for (std::size_t i = 0; i < want.size(); ++i)
    all.numbers_of(key + " of agent " + std::to_string(i), as_list(report.at(i).at(0)), numbers(want[i]), round);
}

Bytes bytes_of_message(const Compared& all, AgentId agent) {
  const AgentAccount done = all.in_round_2(agent);
  return done.messages_sent > 0 ? done.bytes_sent / done.messages_sent : 0;
}

void compare_accounts(const Compared& all, const std::string& key, const Json& want) {
  const auto agents = static_cast<AgentId>(all.agents());
  const auto flops = [&](AgentId k) { return static_cast<double>(all.in_round_2(k).flops); };
  const auto before = [&](AgentId k) { return static_cast<double>(all.run.of_round(k, 1).flops) - flops(k); };
  const auto total = [&](AgentId k) { return static_cast<double>(all.run.accounts.rbegin()->second.at(k).flops); };
  if (key == "flops_per_agent_per_round") return all.counts(key, 0, agents, want, flops);
  if (key == "flops_per_agent_before_round_1") return all.counts(key, 0, agents, want, before);
  if (key == "flops_per_client_per_round") return all.counts(key, 1, agents, want, flops);
  if (key == "flops_per_client_total") return all.counts(key, 1, agents, want, total);
  if (key == "flops_server_per_round") return all.one_count(key, all.in_round_2(server_agent).flops, want);
  if (key == "bytes_down_per_message") return all.one_count(key, bytes_of_message(all, server_agent), want);
  if (key == "bytes_per_round") {
    Bytes sum = 0;
    Bytes message = 0;
    for (AgentId k = 0; k < agents; ++k) {
      sum += all.in_round_2(k).bytes_sent;
      message = std::max(message, bytes_of_message(all, k));
    }
    return all.one_count(key, sum + all.lost_in_round_2() * message, want);
  }
  const bool some_are_silent = all.item.contains("rounds") || all.lost_in_round_2() > 0;
  for (AgentId k = all.made.kind.has_server ? 1 : 0; k < agents; ++k)  // bytes_per_message, bytes_up_per_message
    if (!some_are_silent || all.in_round_2(k).messages_sent > 0) all.one_count(key, bytes_of_message(all, k), want);
}

/// What agents send in a round over each link that it has: messages, or the numbers of one.
void compare_exchanges(const Compared& all, const std::string& key, const Json& want) {
  std::int64_t messages = all.lost_in_round_2();
  for (AgentId k = 0; k < static_cast<AgentId>(all.agents()); ++k) {
    messages += all.in_round_2(k).messages_sent;
    if (key == "numbers_per_message" && all.in_round_2(k).messages_sent > 0)
      all.one_count(key, bytes_of_message(all, k) / 8, want);
  }
  if (key == "numbers_per_message") return;
  const std::int64_t links = all.item.contains("rounds") ? messages_of_round(all.item, 2) : std::ssize(all.made.links);
  all.one_count(key, links > 0 ? messages / links : 0, want);
}

/// Whom a token visits; those that are listed.
void compare_walk(const Compared& all, const std::string& key, const Json&) {
  std::vector<double> got, want;
  for (const AgentId agent : walk_listed(all.item)) {
    const auto visit = all.run.reports.find(std::ssize(want) + 1);
    if (visit == all.run.reports.end()) break;
    want.push_back(agent);
    for (AgentId k = 0; k < static_cast<AgentId>(all.agents()); ++k)
      if (!visit->second.at(k).empty()) got.push_back(k);
  }
  all.verdict.compare(key, got, want, whole_numbers);
}

/// The rows of each agent's gradients in some rounds, one gradient's after the other's.
void compare_batches(const Compared& all, const std::string& key, const Json& want) {
  const Index b = size_at(all.item.at("parameters"), "batch");
  for (const auto& [round, agents] : want.items())
    for (std::size_t i = 0; i < agents.size(); ++i) {
      std::vector<double> rows;
      for (const Json& of_step : agents[i].at(0).is_array() ? agents[i] : Json::array({agents[i]}))
        std::ranges::copy(numbers(of_step), std::back_inserter(rows));
      const Index n = all.made.given.sample_starts.at(i + 1) - all.made.given.sample_starts.at(i);
      const Index steps = std::ssize(rows) / std::min(b, n);
      const Minibatches drawn(n, b, steps,
                              {all.made.seed, Purpose{"minibatch"}, static_cast<AgentId>(i), std::stoll(round)});
      std::vector<double> got;
      for (Index k = 0; k < steps; ++k)
        for (const Index row : drawn.of_step(k)) got.push_back(static_cast<double>(row));
      all.verdict.compare(key + " of round " + round, got, rows, whole_numbers);
    }
}

/// From one report of a token to the next: the bytes of all agents, or the flops of a visit, of each agent or of all.
void compare_visits(const Compared& all, const std::string& key, const Json& want) {
  if (key == "flops_per_visit") {
    for (Round t = 2; t <= std::min<Round>(all.made.given.rounds, 2 * all.agents()); ++t)
      for (AgentId k = 0; k < static_cast<AgentId>(all.agents()); ++k)
        if (!all.run.reports.at(t).at(k).empty())
          all.one_count(key, all.run.of_round(k, t).flops, want.is_array() ? want.at(k) : want);
    return;
  }
  Bytes sum = 0;
  for (AgentId k = 0; k < static_cast<AgentId>(all.agents()); ++k) sum += all.in_round_2(k).bytes_sent;
  all.one_count(key, sum, want);
}

/// Of each graph that rounds run on in turn.
void compare_rounds_in_turn(const Compared& all, const std::string& key, const Json& want) {
  const auto agents = static_cast<AgentId>(all.agents());
  for (std::size_t k = 0; k < want.size(); ++k) {
    const auto round = static_cast<Round>(want.size() + k + 1);
    Bytes sum = 0;
    for (AgentId i = 0; i < agents; ++i) sum += all.run.of_round(i, round).bytes_sent;
    if (key == "bytes_of_rounds")
      all.one_count(key, sum, want[k]);
    else
      all.counts(key, 0, agents, want[k],
                 [&](AgentId i) { return static_cast<double>(all.run.of_round(i, round).flops); });
  }
}

void compare_spectrum(const Compared& all, const std::string& key, const Json& want) {
  double got = 0;
  for (const auto& [largest, least] : all.made.given.network.graphs)
    got = std::max(got, key == "lambda_max" ? largest : key == "lambda_min_plus" ? least : largest / least);
  all.verdict.compare(key, {got}, {want.get<double>()});
}

void compare_central_optimum(const Compared& all, const std::string& key, const Json& want) {
  const MethodInput& given = all.made.given;
  check_keys(want, "optimum/", {"F", "x"});
  std::vector<Index> starts = given.sample_starts;
  const Optimum optimum = solve_centrally(pooled(given.problem, given.agent_weights, starts));
  all.verdict.compare(key, {optimum.value}, {want.at("F").get<double>()});
  // Of a minimizer half as many digits are known as of its value.
  all.verdict.compare(key, as_list(optimum.theta), numbers(want.at("x")),
                      {.absolute = 1e-12, .relative = 1e-6, .floor = 1e-3});
}

/// Mixes a start once.
class MixedOnce final : public AlikeAgents {
 public:
  MixedOnce(const Compared& all, Index rounds)
      : AlikeAgents(all.made.given),
        starts_(all.run.reports.at(0)),
        mixing_({.rounds = rounds, .acceleration = GossipAcceleration::chebyshev}, given().network) {}
  Evaluation evaluate(Round, RoundReport, const ErrorScale&) const override { return {}; }
  const Mixing& mixing() const { return mixing_; }

 private:
  Task<> run(Agent& me) const override {
    StateVector u = starts_[me.id()].at(0);
    me.report(0, u);
    co_await mixing_.mix(me, u);
    me.report(1, u);
  }
  const std::vector<std::vector<Vector>>& starts_;
  const Mixing mixing_;
};

void compare_chebyshev(const Compared& all, const std::string&, const Json& want) {
  check_keys(want, "chebyshev/", {"K", "lambda_low", "lambda_high", "factor", "mixed", "bytes", "flops_per_agent"});
  const NetworkFacts& facts = all.made.given.network;
  all.verdict.compare("lambda_low", {facts.gossip_lowest}, {want.at("lambda_low").get<double>()});
  all.verdict.compare("lambda_high", {facts.gossip_second}, {want.at("lambda_high").get<double>()});
  CompressedCase once{.kind = all.made.kind, .given = all.made.given, .links = all.made.links};
  auto method = std::make_unique<MixedOnce>(all, size_at(want, "K"));
  all.verdict.compare("factor", {method->mixing().rho()}, {want.at("factor").get<double>()});
  once.algorithm = std::move(method);
  const CompressedRun run = once.run();
  Bytes bytes = 0;
  for (AgentId k = 0; k < all.agents(); ++k) {
    bytes += run.of_round(k, 1).bytes_sent;
    all.verdict.compare("mixed", as_list(run.reports.at(1).at(k).at(0)), numbers(want.at("mixed").at(k)));
  }
  all.one_count("bytes of mixing", bytes, want.at("bytes"));
  all.counts("flops of mixing", 0, static_cast<AgentId>(all.agents()), want.at("flops_per_agent"),
             [&](AgentId k) { return static_cast<double>(run.of_round(k, 1).flops); });
}

/// Averages of other vectors over the links of the case: minimizers of samples that are the unit vectors.
void compare_push_sum(const Compared& all, const std::string&, const Json& want) {
  check_keys(want, "push_sum/", {"start", "ratios", "bytes_per_round", "flops_per_agent_per_round"});
  if (want.at("start") != "X0[i][j] = sin(1 + 3i + j), 3 columns")
    throw std::runtime_error("not understood: push_sum/start = " + want["start"].dump());
  constexpr Index d = 3;
  const Index m = all.agents();
  CompressedCase averaged{
      .kind = all.made.kind, .given = all.made.given, .links = all.made.links, .directions = all.made.directions};
  MethodInput& given = averaged.given;
  Vector y(m * d);
  given.sample_starts = {0};
  for (Index i = 0; i < m; ++i) given.sample_starts.push_back((i + 1) * d);
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < d; ++j) y[i * d + j] = std::sin(1 + 3 * static_cast<double>(i) + static_cast<double>(j));
  given.problem = unit_samples(std::move(y), d);
  for (const auto& [text, rows] : want.at("ratios").items())
    given.rounds = std::max<Round>(given.rounds, std::stoll(text));
  averaged.algorithm = std::make_unique<PushSum>(PushSumOptions{}, given);
  const CompressedRun run = averaged.run();
  for (const auto& [text, rows] : want["ratios"].items())
    for (std::size_t i = 0; i < rows.size(); ++i)
      all.verdict.compare("ratios of round " + text, as_list(run.reports.at(std::stoll(text)).at(i).at(0)),
                          numbers(rows[i]));
  Bytes bytes = 0;
  for (AgentId k = 0; k < m; ++k) bytes += run.of_round(k, 2).bytes_sent;
  all.one_count("bytes of push-sum", bytes, want.at("bytes_per_round"));
  all.counts("flops of push-sum", 0, static_cast<AgentId>(m), want.at("flops_per_agent_per_round"),
             [&](AgentId k) { return static_cast<double>(run.of_round(k, 2).flops); });
}

constexpr Handler handlers[]{{"objective", compare_values},
                             {"relative_consensus_error", compare_values},
                             {"iterate_*", compare_reported},
                             {"optimum", compare_central_optimum},
                             {"bytes_per_message", compare_accounts},
                             {"bytes_up_per_message", compare_accounts},
                             {"bytes_down_per_message", compare_accounts},
                             {"bytes_per_round", compare_accounts},
                             {"exchanges_per_round", compare_exchanges},
                             {"numbers_per_message", compare_exchanges},
                             {"bytes_per_visit", compare_visits},
                             {"flops_per_visit", compare_visits},
                             {"walk", compare_walk},
                             {"visits", compare_walk},
                             {"batches", compare_batches},
                             {"flops_per_agent_per_round", compare_accounts},
                             {"flops_per_agent_before_round_1", compare_accounts},
                             {"flops_per_client_per_round", compare_accounts},
                             {"flops_per_client_total", compare_accounts},
                             {"flops_server_per_round", compare_accounts},
                             {"bytes_of_rounds", compare_rounds_in_turn},
                             {"flops_per_agent_of_rounds", compare_rounds_in_turn},
                             {"lambda_max", compare_spectrum},
                             {"lambda_min_plus", compare_spectrum},
                             {"chi", compare_spectrum},
                             {"chebyshev", compare_chebyshev},
                             {"push_sum", compare_push_sum}};

const Handler* handler_of(const CompressedKind& kind, std::string_view key) {
  for (const std::span<const Handler> some : {kind.handlers, std::span<const Handler>(handlers)})
    for (const Handler& one : some)
      if (one.key == key || (one.key.ends_with('*') && key.starts_with(one.key.substr(0, one.key.size() - 1))))
        return &one;
  return nullptr;
}

/// What a case is made of.
constexpr std::string_view inputs[]{"id",
                                    "public",
                                    "algorithm",
                                    "note",
                                    "m",
                                    "n_local",
                                    "d",
                                    "data",
                                    "loss",
                                    "l2",
                                    "l1",
                                    "init",
                                    "edges",
                                    "arcs",
                                    "arc_direction",
                                    "gossip",
                                    "start",
                                    "agents",
                                    "weights",
                                    "compressor",
                                    "uniforms",
                                    "parameters",
                                    "matrix",
                                    "graphs",
                                    "graph_of_round",
                                    "seed",
                                    "rounds",
                                    "rounds_are",
                                    "matrix_of_round",
                                    "lost",
                                    "losses",
                                    "lost_messages"};

}  // namespace

bool is_compressed(const Json& item) { return compressed_kind(item) != nullptr; }

Verdict check_compressed(const Json& item) {
  Verdict verdict(tolerance_of(item));
  if (item.value("init", "all zero") != "all zero") throw std::runtime_error("not understood: init");
  const CompressedKind& kind = *compressed_kind(item);
  const CompressedCase made = compressed_case(item, kind, verdict);
  if (item["parameters"].contains("gamma_theory")) {
    const double delta = compressor_of(item, made.given.problem.dim())->delta();
    verdict.compare("gamma of theory", {choco_gamma(made.given.network, delta)},
                    {item["parameters"]["gamma_theory"].get<double>()});
  }
  const CompressedRun run = made.run();
  const Compared all{item, made, run, verdict};
  for (const auto& [key, value] : item.items()) {
    if (kind.compare && kind.compare(all, key, value)) continue;
    if (const Handler* handler = handler_of(kind, key))
      handler->compare(all, key, value);
    else if (std::ranges::find(inputs, key) == std::end(inputs))
      throw std::runtime_error("not understood: " + key + " = " + value.dump());
  }
  return verdict;
}

bool is_compressors(const Json& item) { return item.value("algorithm", "") == "compressors"; }

/// One vector through every compressor.
Verdict check_compressors(const Json& item) {
  Verdict verdict(tolerance_of(item));
  check_keys(item, "", {"d", "x", "agent", "round", "uniforms", "cases"});
  const std::vector<double> x = numbers(list_at(item, "x"));
  const CompressionDraws::Given uniforms = uniforms_of(item);
  for (const Json& one : list_at(item, "cases")) {
    check_keys(one, "cases/", {"compressor", "result", "bits", "bytes", "flops", "omega", "delta"});
    const auto Q = compressor_of(one, std::ssize(x));
    const std::string what = one["compressor"].dump();
    Vector v = Vector::Map(x.data(), std::ssize(x));
    CompressionDraws draws(uniforms, item.at("agent").get<AgentId>(), item.at("round").get<Round>());
    Q->compress(v, draws);
    verdict.compare(what, as_list(v), numbers(one.at("result")));
    const std::int64_t bits = Q->bits(64);
    const std::vector<double> got{static_cast<double>(bits), static_cast<double>((bits + 7) / 8),
                                  static_cast<double>(Q->flops())};
    verdict.compare(what + ": bits, bytes, flops", got,
                    {one.at("bits").get<double>(), one.at("bytes").get<double>(), one.at("flops").get<double>()},
                    whole_numbers);
    verdict.compare(what + ": delta", {Q->delta()}, {one.at("delta").get<double>()});
    // k >= d is the identity, whose omega is 0; a file may go by the kind, which is biased and has none.
    const bool is_identity = Q->is() == CompressorClass::exact && one["compressor"].at("kind") != "identity";
    if (Q->omega().has_value() == one.at("omega").is_null() && !is_identity)
      verdict.fail(what + ": omega is there or not");
    if (Q->omega() && !one["omega"].is_null())
      verdict.compare(what + ": omega", {*Q->omega()}, {one["omega"].get<double>()});
  }
  return verdict;
}

}  // namespace lagnet::reference
