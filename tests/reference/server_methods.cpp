#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/federated/bases/local_work.hpp"
#include "algorithms/interface/rounds.hpp"
#include "algorithms/problem/weighted_loss.hpp"
#include "scenarios/format/kinds/algorithm_kinds.hpp"
#include "scenarios/json/fields.hpp"
#include "tests/reference/server_case.hpp"

/// Cases of methods of a server whose clients hold samples that a formula gives. Their draws come from a formula, too,
/// and in a second set of numbers from the seed.
namespace lagnet::reference {

namespace server_cases {
namespace {

constexpr Tolerance whole_numbers{.absolute = 0.25, .relative = 0, .floor = 0};
constexpr Tolerance of_late_rounds{.absolute = 1e-12, .relative = 1e-8, .floor = 1e-3};  // from round 100 on

/// What is compared: numbers of a case, and a run.
struct Compared {
  const Json& item;
  const CompressedCase& made;
  const CompressedRun& run;
  Verdict& verdict;
  DrawnBy drawn_by = DrawnBy::formula;
  std::string whose = "";  // before the names of what is compared

  Index clients() const { return std::ssize(item["sizes"]); }
  void numbers_of(const std::string& what, const std::vector<double>& got, const std::vector<double>& want,
                  Round round) const {
    if (round < 100) return verdict.compare(whose + what, got, want);
    verdict.compare(whose + what, got, want, of_late_rounds);
  }
  void counts(const std::string& what, const std::vector<double>& got, const std::vector<double>& want) const {
    verdict.compare(whose + what, got, want, whole_numbers);
  }
  Evaluation at(Round round) const { return made.algorithm->evaluate(round, run.reports.at(round), {}); }
  /// After the last round. Of a client of a tier: after the last one of the tier, since it goes on at once.
  std::vector<AgentAccount> at_end() const {
    if (!item.contains("order")) return run.accounts.at(size_at(item, "after_rounds"));
    const Round end = size_at(item, "after_updates");
    std::vector<AgentAccount> accounts = run.accounts.at(end);
    const Json& order = item["order"];
    if (std::ssize(order) != end) throw std::runtime_error("not understood: an order of other than all updates");
    AgentAccount& server = accounts.at(server_agent);
    server.messages_sent = server.bytes_sent = 0;
    for (Round t = 1; t <= end; ++t)
      for (const Json& k : item.at("tiers").at(order[static_cast<std::size_t>(t - 1)].get<std::size_t>()))
        accounts.at(k.get<AgentId>()) = run.accounts.at(t).at(k.get<AgentId>());
    for (std::size_t k = 1; k < accounts.size(); ++k) {  // requests are as many, and as long, as answers
      server.messages_sent += accounts[k].messages_sent;
      server.bytes_sent += accounts[k].bytes_sent;
    }
    return accounts;
  }
};

void compare_objective(const Compared& all, const std::string&, const Json& want) {
  for (const auto& [text, number] : want.items()) {
    const Round round = std::stoll(text);
    all.numbers_of("objective of round " + text, {all.at(round).objective}, {number.get<double>()}, round);
  }
}

void compare_honest_objective(const Compared& all, const std::string& key, const Json& want) {
  if (all.made.algorithm->metric_names() != std::vector<std::string>{key}) return all.verdict.fail("no " + key);
  for (const auto& [text, number] : want.items()) {
    const Round round = std::stoll(text);
    all.numbers_of(key + " of round " + text, {all.at(round).metrics.at(0).value()}, {number.get<double>()}, round);
  }
}

/// Whom the server asked for a loss, and to train, in the first rounds.
void compare_chosen(const Compared& all, const std::string& key, const Json& want) {
  const auto* power = std::get_if<PowerOfChoiceOptions>(&all.made.given.selection);
  const bool lists_candidates = key == "candidates";
  if (lists_candidates && !power) throw std::runtime_error("not understood: " + key + " without power_of_choice");
  for (std::size_t t = 1; t <= want.size(); ++t) {
    std::vector<double> got;
    const std::int64_t other_answers = power && !power->stale && !lists_candidates ? 1 : 0;
    for (AgentId k = 1; k < all.made.given.network.agents; ++k)
      if (all.run.of_round(k, static_cast<Round>(t)).messages_sent > other_answers)
        got.push_back(static_cast<double>(k));
    if (lists_candidates && power->stale) got = drawn_candidates(all.made, static_cast<Round>(t));
    all.counts(key + " of round " + std::to_string(t), got, numbers(want[t - 1]));
  }
}

void compare_iterate(const Compared& all, const std::string& key, const Json& want) {
  const Round round = std::stoll(key.substr(key.find('_') + 1));
  all.numbers_of(key, as_list(all.at(round).iterate), numbers(want), round);
}

/// The problem that the clients solve, with weights of their own if the case has them.
Problem weighted(const Json& item, const MethodInput& given) {
  const Json& parameters = item.at("parameters");
  if (!item.contains("weights") && !parameters.contains("weights")) return given.problem;
  const std::vector<double> pi = numbers(item.contains("weights") ? item["weights"] : parameters["weights"]);
  const auto sizes = item.at("sizes").get<std::vector<Index>>();
  Vector of_rows(given.problem.samples);
  Index first = 0;
  for (std::size_t k = 0; k < sizes.size(); first += sizes[k], ++k)
    of_rows.segment(first, sizes[k])
        .setConstant(std::max(pi.at(k), 1e-300) * static_cast<double>(given.problem.samples) /
                     static_cast<double>(sizes[k]));  // as good as 0
  Problem problem = given.problem;
  problem.loss = std::make_shared<const WeightedLoss>(given.problem.loss, std::move(of_rows));
  return problem;
}

void compare_optimum(const Compared& all, const std::string& key, const Json& want) {
  check_keys(want, "optimum/", {"F", "x"});
  const Optimum optimum = solve_centrally(weighted(all.item, all.made.given));
  all.verdict.compare(key, {optimum.value}, {want.at("F").get<double>()});
  // Of a minimizer half as many digits are known as of its value.
  all.verdict.compare(key, as_list(optimum.theta), numbers(want.at("x")),
                      {.absolute = 1e-12, .relative = 1e-6, .floor = 1e-3});
}

void compare_total(const Compared& all, const std::string& key, const Json& want) {
  double sum = 0;
  for (const AgentAccount& one : all.at_end())
    sum += static_cast<double>(key == "messages" ? one.messages_sent : one.bytes_sent);
  all.counts(key, {sum}, {want.get<double>()});
}

void compare_flops(const Compared& all, const std::string& key, const Json& want) {
  const std::vector<AgentAccount> accounts = all.at_end();
  if (key == "flops_server")
    return all.counts(key, {static_cast<double>(accounts.at(server_agent).flops)}, {want.get<double>()});
  if (key == "flops_edges") {
    std::vector<double> edges;
    for (std::size_t l = 1; l + static_cast<std::size_t>(all.clients()) < accounts.size(); ++l)
      edges.push_back(static_cast<double>(accounts[l].flops));
    if (want.is_array()) return all.counts(key, edges, numbers(want));
    return all.counts(key, {std::accumulate(edges.begin(), edges.end(), 0.0)}, {want.get<double>()});
  }
  std::vector<double> got;
  for (std::size_t k = accounts.size() - static_cast<std::size_t>(all.clients()); k < accounts.size(); ++k)
    got.push_back(static_cast<double>(accounts[k].flops));
  all.counts(key, got, numbers(want));
}

/// Looks at what clients would do in the first rounds.
class LookAtWork final : public Algorithm {
 public:
  explicit LookAtWork(const CompressedCase& made, const Json& item)
      : given_(made.given), clients_(given_), work_(options_of(item.at("parameters")), given_, clients_) {
    for (const AgentId k : clients_.agents()) seen_[k] = {};
  }
  void spawn(Host& host) const override {
    spawn_server_and(
        host, clients_.agents(), [this](Agent& me) { return serve(me); }, [this](Agent& me) { return look(me); });
  }
  std::vector<AgentId> reporters() const override { return {server_agent}; }
  Evaluation evaluate(Round, RoundReport, const ErrorScale&) const override { return {}; }

  struct Seen {
    Json batches_of_round_2 = Json::array();
    Index steps_of_round_1 = 0;
  };
  const std::map<AgentId, Seen>& seen() const { return seen_; }

 private:
  static LocalWorkOptions options_of(const Json& parameters) {
    LocalWorkOptions options;
    Diagnostics diagnostics("");
    const auto read = [&](const char* key, auto& value) {
      if (parameters.contains(key)) read_value(parameters[key], value, {}, key, diagnostics);
    };
    read("local_steps", options.local_steps);
    read("local_epochs", options.local_epochs);
    read("batch", options.batch);
    read("batch_order", options.batch_order);
    diagnostics.throw_if_any();
    return options;
  }
  Task<> serve(Agent& me) const {
    co_await me.sleep(Duration::milliseconds(1));
    me.report(0, Vector());
  }
  Task<> look(Agent& me) const {
    Seen& seen = seen_.at(me.id());
    seen.steps_of_round_1 = work_.steps(me, 1);
    const Minibatches batches = work_.minibatches(me, 2);
    for (Index j = 0; j < batches.steps(); ++j) seen.batches_of_round_2.push_back(Json(batches.of_step(j)));
    co_return;
  }

  MethodInput given_;
  Clients clients_;
  LocalWork work_;
  mutable std::map<AgentId, Seen> seen_;  // each agent has its own entry
};

/// What clients do in the first rounds, by client.
struct FirstWork {
  std::vector<double> steps_of_round_1;
  Json batches_of_round_2 = Json::array();
};

/// `made` is not used otherwise, as its draws may be counted.
FirstWork first_work(const Json& item, const CompressedCase& made) {
  CompressedCase looked{.kind = server_kind, .given = made.given, .links = made.links, .seed = made.seed};
  auto method = std::make_unique<LookAtWork>(made, item);
  const LookAtWork& at_work = *method;
  looked.algorithm = std::move(method);
  looked.run();
  FirstWork work;
  for (const auto& [client, seen] : at_work.seen()) {
    work.steps_of_round_1.push_back(static_cast<double>(seen.steps_of_round_1));
    work.batches_of_round_2.push_back(seen.batches_of_round_2);
  }
  return work;
}

/// Which of both ways to count the formula's draws a case has, by the batches that it lists; it matters where a client
/// draws more than batches in a round.
DrawnBy way_of_formula(const Json& item) {
  if (!item.contains("uniforms") || !item.contains("batches_of_round_2")) return DrawnBy::formula;
  Verdict unused(tolerance_of(item));
  const CompressedCase made = made_case(item, DrawnBy::formula, unused);
  return first_work(item, made).batches_of_round_2 == item["batches_of_round_2"] ? DrawnBy::formula
                                                                                 : DrawnBy::formula_that_goes_on;
}

void compare_work(const Compared& all, const std::string& key, const Json& want) {
  const FirstWork work = first_work(all.item, made_case(all.item, all.drawn_by, all.verdict));
  if (key == "local_steps_of_round_1") return all.counts(key, work.steps_of_round_1, numbers(want));
  if (work.batches_of_round_2 != want)
    all.verdict.fail(all.whose + key + ": other samples, " + work.batches_of_round_2.dump());
}

void compare_schedule(const Compared& all, const std::string& key, const Json&) {
  if (key == "assignments" || !all.item.contains("assignments")) compare_compass_schedule(all.item, all.verdict);
}

void compare_product_draws(const Compared& all, const std::string& key, const Json& want);

/// Keys of results, each with what compares it; those that begin so where the key ends with a star.
struct Handler {
  std::string_view key;
  void (*compare)(const Compared& all, const std::string& key, const Json& want);
};
constexpr Handler handlers[]{{"objective", compare_objective},     {"honest_objective", compare_honest_objective},
                             {"candidates", compare_chosen},       {"selected", compare_chosen},
                             {"iterate_*", compare_iterate},       {"optimum", compare_optimum},
                             {"messages", compare_total},          {"bytes", compare_total},
                             {"flops_clients", compare_flops},     {"flops_server", compare_flops},
                             {"flops_edges", compare_flops},       {"assignments", compare_schedule},
                             {"aggregations", compare_schedule},   {"local_steps_of_round_1", compare_work},
                             {"batches_of_round_2", compare_work}, {"with_product_draws", compare_product_draws}};

const Handler* handler_of(std::string_view key) {
  for (const Handler& one : handlers)
    if (one.key == key || (one.key.ends_with('*') && key.starts_with(one.key.substr(0, one.key.size() - 1))))
      return &one;
  return nullptr;
}

/// The same with draws of the seed.
void compare_product_draws(const Compared& all, const std::string& key, const Json& want) {
  const CompressedCase made = made_case(all.item, DrawnBy::seed, all.verdict);
  const CompressedRun run = made.run();
  const Compared drawn{all.item, made, run, all.verdict, DrawnBy::seed, "with the seed's draws: "};
  for (const auto& [inner, value] : want.items()) {
    if (inner == "seed") continue;
    const Handler* handler = handler_of(inner);
    if (!handler || inner == key) throw std::runtime_error("not understood: " + key + "/" + inner);
    handler->compare(drawn, inner, value);
  }
}

/// What a case is made of.
constexpr std::string_view inputs[]{"id",         "public",        "algorithm",
                                    "note",       "sizes",         "d",
                                    "data",       "loss",          "l1",
                                    "l2",         "agents",        "participation",
                                    "uniforms",   "after_rounds",  "answers_too_late",
                                    "parameters", "weights",       "topology",
                                    "attackers",  "tiers",         "order",
                                    "latency_ms", "after_updates", "seconds_per_step"};

bool is_case(const Json& item) {
  const std::string name = item.value("algorithm", "");
  const std::vector<std::string> kinds = AlgorithmFamily::catalogue().kinds();
  return item.contains("sizes") &&
         (item.contains("after_rounds") || item.contains("after_updates") || item.contains("seconds_per_step")) &&
         std::ranges::find(kinds, name) != kinds.end();
}

Verdict checked(const Json& item, DrawnBy drawn_by) {
  Verdict verdict(tolerance_of(item));
  const CompressedCase made = made_case(item, drawn_by, verdict);
  const CompressedRun run = made.run();
  const Compared all{item, made, run, verdict, drawn_by};
  for (const auto& [key, value] : item.items())
    if (const Handler* handler = handler_of(key)) handler->compare(all, key, value);
  return verdict;
}

Verdict check(const Json& item) {
  for (const auto& [key, value] : item.items())
    if (!handler_of(key) && std::ranges::find(inputs, key) == std::end(inputs))
      throw std::runtime_error("not understood: " + key + " = " + value.dump());
  const DrawnBy drawn_by = way_of_formula(item);
  Verdict verdict = checked(item, drawn_by);
  if (verdict.passed() || !item.contains("uniforms") || item.contains("batches_of_round_2")) return verdict;
  Verdict other = checked(item, DrawnBy::formula_that_goes_on);  // without batches, both are tried
  return other.passed() ? other : verdict;
}

}  // namespace
}  // namespace server_cases

bool is_server_method(const Json& item) { return server_cases::is_case(item); }
Verdict check_server_method(const Json& item) { return server_cases::check(item); }

}  // namespace lagnet::reference
