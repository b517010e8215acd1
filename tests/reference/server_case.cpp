#include "tests/reference/server_case.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>

#include "algorithms/central/gram.hpp"
#include "algorithms/federated/bases/clients.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "scenarios/assembly/make_agents.hpp"
#include "scenarios/assembly/make_topology.hpp"
#include "scenarios/format/kinds/algorithm_kinds.hpp"
#include "scenarios/format/kinds/problem_kinds.hpp"
#include "scenarios/format/kinds/topology_kinds.hpp"
#include "scenarios/format/participation_options.hpp"
#include "tests/unit/algorithms/known_reference.hpp"
#include "topologies/structure.hpp"

namespace lagnet::reference::server_cases {

namespace {

/// Answers of a round that come after its deadline, of edges in rounds of the cloud, of their clients in edge rounds.
class LateAnswers final : public FaultRule {
 public:
  /// `parents` by agent, or nothing for clients of the server.
  LateAnswers(const Json& listed, std::vector<AgentId> parents, Duration of_cloud)
      : parents_(std::move(parents)), of_cloud_(of_cloud) {
    for (const auto& [round, agents] : listed.items()) late_[std::stoll(round)] = agents.get<std::vector<AgentId>>();
  }
  static Duration deadline() { return Duration::milliseconds(1000); }
  void judge(const Transmission& what, Fate& fate) const override {
    const auto of_round = late_.find(what.round);
    if (of_round == late_.end() || what.from == server_agent) return;
    if (!parents_.empty() && parents_.at(what.from) != what.to) return;  // an edge's request
    if (std::ranges::find(of_round->second, what.from) == of_round->second.end()) return;
    fate.delay = !parents_.empty() && what.to == server_agent ? of_cloud_ : deadline();
  }
  bool loses() const override { return false; }

 private:
  std::map<Round, std::vector<AgentId>> late_;
  std::vector<AgentId> parents_;
  Duration of_cloud_;
};

/// A deadline of the cloud that edges keep although their clients are late.
std::int64_t cloud_deadline_ms(const Json& item) {
  return 2000 * (item.at("parameters").value("edge_rounds", std::int64_t{1}) + 1);
}

/// The formula's numbers, with an index that goes on where a purpose begins at 0 again. Every use needs its own.
CompressionDraws::Given going_on(const CompressionDraws::Given& uniforms) {
  struct Count {
    Index before = 0, taken = 0;
  };
  const auto counts = std::make_shared<std::map<std::pair<AgentId, Round>, Count>>();
  return [uniforms, counts](AgentId agent, Round round, Index index) {
    Count& count = (*counts)[{agent, round}];
    if (index == 0) count.before = count.taken;
    ++count.taken;
    return uniforms(agent, round, count.before + index);
  };
}

/// The last round that is compared, or at least 2.
Round last_round(const Json& item) {
  Round last = 2;
  for (const char* key : {"after_rounds", "after_updates"})
    if (item.contains(key)) last = std::max<Round>(last, size_at(item, key));
  for (const auto& [round, number] : item.at("objective").items()) last = std::max<Round>(last, std::stoll(round));
  for (const auto& [key, value] : item.items())
    if (key.starts_with("iterate_")) last = std::max<Round>(last, std::stoll(key.substr(key.find('_') + 1)));
  return last;
}

/// A choice of the scenario's format; a name stands for its kind.
template <class Family>
Choice<Family> read_choice(Json value) {
  if (value.is_string()) value = Json{{"kind", value}};
  Choice<Family> choice;
  Diagnostics diagnostics("");
  choice.read(value, "", diagnostics);
  diagnostics.throw_if_any();
  return choice;
}

void add_problem(const Json& item, MethodInput& given, Verdict& verdict) {
  const auto sizes = list_at(item, "sizes").get<std::vector<Index>>();
  add_data(item.at("data"), sizes, size_at(item, "d"), given, verdict);
  Problem& problem = given.problem;
  problem.samples = problem.X->rows();
  problem.loss = read_choice<LossFamily>(item.value("loss", Json("squared"))).make(problem.y);
  problem.shape = IterateShape::vector(problem.X->cols());
  problem.regularizer =
      make_regularizer(ElasticNetOptions{.l1_weight = item.value("l1", 0.0), .l2_weight = item.value("l2", 0.0)});
}

/// The agents that are no clients hold no samples; links as the topology has them.
void add_topology(const Json& item, CompressedCase& made) {
  MethodInput& given = made.given;
  Json tree = item.value("topology", Json::object());
  if (!item.contains("topology")) tree = {{"kind", "star"}, {"agents", std::ssize(item["sizes"]) + 1}};
  const Topology topology = read_choice<TopologyFamily>(tree).make().make(1);
  given.network = network_facts(topology, false);
  std::size_t without_samples = 1;
  if (item.contains("topology")) {
    const auto parents = two_level_parents(topology);
    if (!parents) throw std::runtime_error("not understood: topology = " + tree.dump());
    given.network.parents = *parents;
    without_samples += topology.neighbors(server_agent).size();
  }
  given.sample_starts.insert(given.sample_starts.begin(), without_samples, 0);
  for (const Edge& edge : topology.edges()) {
    made.links.push_back({edge.from, edge.to, Duration::milliseconds(1)});
    made.links.push_back({edge.to, edge.from, Duration::milliseconds(2)});
  }
  if (std::ssize(given.sample_starts) != given.network.agents + 1)
    throw std::runtime_error("not understood: topology with other clients than sizes");
  if (size_at(item, "agents") != given.network.agents)
    throw std::runtime_error("not understood: agents = " + item["agents"].dump());
}

/// Who is asked in which round, and whose answers are late.
void add_participation(const Json& item, CompressedCase& made) {
  ParticipationOptions options;
  Diagnostics diagnostics("");
  if (item.contains("participation")) read_value(item["participation"], options, {}, "/participation", diagnostics);
  diagnostics.throw_if_any();
  made.model.participation = options.clients.make(made.seed);
  made.model.round_rule = make_round_rule(options);
  if (item.contains("answers_too_late")) {
    made.model.faults.push_back(std::make_shared<const LateAnswers>(
        item["answers_too_late"], made.given.network.parents, Duration::milliseconds(cloud_deadline_ms(item))));
    made.model.round_rule.deadline = LateAnswers::deadline();
  }
  made.given.may_lack_answers = made.model.round_rule.deadline || made.model.round_rule.enough;
}

/// Clients that attack, and a server that chooses clients by what they answer.
void add_attackers_and_selection(const Json& item, CompressedCase& made) {
  MethodInput& given = made.given;
  ParticipationOptions options;
  std::vector<AttackOptions> attacks;
  Diagnostics diagnostics("");
  if (item.contains("participation")) read_value(item["participation"], options, {}, "/participation", diagnostics);
  if (item.contains("attackers")) read_value(item["attackers"], attacks, {}, "/attackers", diagnostics);
  diagnostics.throw_if_any();
  if (const auto* power = options.clients.options_as<PowerOfChoiceOptions>()) given.selection = *power;
  if (const auto* oort = options.clients.options_as<OortOptions>()) given.selection = *oort;
  if (const auto* tiers = options.clients.options_as<TiersOptions>()) given.selection = *tiers;
  given.most_asked =
      static_cast<Index>(made.model.participation->most(static_cast<std::size_t>(std::ssize(item["sizes"]))));
  if (attacks.empty()) return;
  given.attackers = Attackers(std::move(attacks), given.network.agents, made.seed);
  std::vector<HeldAnswers::Held> held;
  for (const auto& [agent, margin_ms] : given.attackers.late())
    held.push_back(
        {agent, Duration::milliseconds(margin_ms), [](Bytes) { return Duration::milliseconds(2); }});  // as above
  if (held.empty()) return;
  if (!made.model.round_rule.deadline) throw std::runtime_error("not understood: late attackers without a deadline");
  made.model.faults.push_back(std::make_shared<const HeldAnswers>(std::move(held), *made.model.round_rule.deadline));
}

/// Tiers that end their rounds in this order, one second after the other.
void add_order(const Json& item, CompressedCase& made) {
  ComputeSpec spec;
  const auto agents = static_cast<std::size_t>(made.given.network.agents);
  spec.speed.assign(agents, {SpeedPiece{.from = Time(), .flops_per_s = std::numeric_limits<double>::infinity()}});
  spec.has_rounds = false;
  spec.update_times.assign(agents, {});
  spec.update_times[server_agent] = {Duration()};
  const Json& order = list_at(item, "order");
  for (std::size_t a = 0; a < item.at("tiers").size(); ++a) {
    std::vector<Duration> times;
    std::size_t before = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (order[i].get<std::size_t>() != a) continue;
      times.push_back(Duration::seconds(static_cast<double>(i + 1 - before)) - Duration::milliseconds(3));
      before = i + 1;
    }
    times.push_back(Duration::seconds(1e6));  // it has no further round
    for (const Json& k : item["tiers"][a]) spec.update_times.at(k.get<std::size_t>()) = times;
  }
  made.compute.emplace(spec);
}

/// Latencies of clients, either way; nothing else takes any time.
void add_latencies(const Json& item, CompressedCase& made) {
  const std::vector<double> latency_ms = numbers(item["latency_ms"]);
  if (std::ssize(latency_ms) + 1 != made.given.network.agents)
    throw std::runtime_error("not understood: latency_ms with other than a number for each client of the server");
  for (LinkSpec& link : made.links)
    link.latency = Duration::milliseconds(latency_ms.at(std::max(link.from, link.to) - 1));
  made.compute.emplace(std::vector<double>(latency_ms.size() + 1, std::numeric_limits<double>::infinity()));
}

/// Clients that take these times for a step; nothing else takes any.
void add_step_times(const Json& item, CompressedCase& made) {
  const MethodInput& given = made.given;
  const Clients clients(given);
  const std::vector<double> step_s = numbers(item["seconds_per_step"]);
  std::vector<double> speeds(1, std::numeric_limits<double>::infinity());
  const Index d = given.problem.dim();
  for (const AgentId k : clients.agents()) {
    const RowBlock& samples = clients.samples(k);
    const Flops flops =
        samples.dense_gradient_work(samples.rows()).flops + 2 * d + given.problem.regularizer->subgradient_flops(d);
    speeds.push_back(static_cast<double>(flops) / step_s.at(k - 1));
  }
  made.compute.emplace(speeds);
  for (LinkSpec& link : made.links) link.latency = Duration();
}

/// The section "algorithm": its "parameters", and what stands beside them.
Json section(const Json& item) {
  Json all = section_of(item, item.at("algorithm").get<std::string>());
  if (item.contains("weights")) all["weights"] = item["weights"];
  if (item.contains("tiers")) all["members"] = item["tiers"];
  if (item.contains("topology") && item.contains("answers_too_late") && !all.contains("cloud_deadline_ms"))
    all["cloud_deadline_ms"] = cloud_deadline_ms(item);
  return all;
}

}  // namespace

CompressedCase made_case(const Json& item, DrawnBy drawn_by, Verdict& verdict) {
  CompressedCase made{.kind = server_kind};
  MethodInput& given = made.given;
  if (drawn_by == DrawnBy::seed)
    made.seed = item.at("with_product_draws").at("seed").get<std::uint64_t>();
  else
    given.compression_draws = uniforms_of(item);
  if (drawn_by == DrawnBy::formula_that_goes_on) given.compression_draws = going_on(given.compression_draws);
  add_problem(item, given, verdict);
  add_topology(item, made);
  add_participation(item, made);
  add_attackers_and_selection(item, made);
  if (item.contains("order"))
    add_order(item, made);
  else if (item.contains("latency_ms"))
    add_latencies(item, made);
  if (item.contains("seconds_per_step")) add_step_times(item, made);
  given.central = std::make_shared<const test::KnownReference>(spectral_norm(*given.problem.X));
  given.rounds = last_round(item);
  made.algorithm = read_choice<AlgorithmFamily>(section(item)).make().make(given);
  return made;
}

std::vector<double> drawn_candidates(const CompressedCase& made, Round round) {
  const auto& power = std::get<PowerOfChoiceOptions>(made.given.selection);
  const Clients clients(made.given);
  std::vector<double> weights, drawn;
  for (const AgentId k : clients.agents()) weights.push_back(clients.pi(k));
  Draws draws(made.seed, Purpose{"candidates"}, server_agent, round);
  Index index = 0;
  const Uniforms u = [&] {
    return made.given.compression_draws ? made.given.compression_draws(server_agent, round, index++) : draws.uniform();
  };
  for (const std::size_t k : drawn_by_weight(weights, static_cast<std::size_t>(power.candidates), u))
    drawn.push_back(static_cast<double>(clients.agents()[k]));
  return drawn;
}

}  // namespace lagnet::reference::server_cases
