#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "algorithms/federated/compressed/locodl.hpp"
#include "algorithms/federated/compressed/marina.hpp"
#include "algorithms/federated/compressed/tamuna.hpp"
#include "scenarios/json/fields.hpp"
#include "scenarios/json/one_of.hpp"
#include "tests/reference/compressed_case.hpp"
#include "tests/reference/listed_steps.hpp"

/// Cases of compressed server methods with full rounds, cohorts, or masks. What their keys say of bytes and flops is of
/// a round in which the agent takes part, if a key names none: from the second one on, and one with compression.
namespace lagnet::reference {

namespace {

/// A cohort in place of one that the seed gives: the front of a Fisher-Yates shuffle.
class GivenCohorts final : public Participation {
 public:
  GivenCohorts(std::size_t size, CompressionDraws::Given uniforms) : size_(size), uniforms_(std::move(uniforms)) {}
  std::vector<AgentId> chosen(Round round, std::span<const AgentId> candidates) const override {
    std::vector<AgentId> front(candidates.begin(), candidates.end());
    CompressionDraws u(uniforms_, server_agent, round);
    if (size_ < front.size())
      for (std::size_t i = 0; i < size_; ++i)
        std::swap(front[i], front[i + static_cast<std::size_t>(u.uniform() * static_cast<double>(front.size() - i))]);
    front.resize(size_);
    std::ranges::sort(front);
    return front;
  }
  std::optional<std::size_t> asked_each_round(std::size_t) const override { return size_; }

 private:
  std::size_t size_;
  CompressionDraws::Given uniforms_;
};

std::shared_ptr<const Participation> cohorts_of(const Json& item) {
  const Json& parameters = item.at("parameters");
  if (!parameters.contains("cohort")) return nullptr;
  return std::make_shared<const GivenCohorts>(parameters["cohort"].get<std::size_t>(), uniforms_of(item));
}

/// The "parameters" but some, and the compressors, as options.
template <class Options>
Options options_of(const Json& item, const std::vector<std::string>& but) {
  Json section = section_of(item, "", but);
  section.erase("kind");
  Options options;
  Diagnostics diagnostics("");
  read_value(section, options, {}, "", diagnostics);
  diagnostics.throw_if_any();
  return options;
}

/// The coin in place of one that the seed gives.
class GivenCoin final : public Marina {
 public:
  GivenCoin(const MarinaOptions& options, const MethodInput& given)
      : Marina(options, given), uniforms_(given.compression_draws) {}

 private:
  bool is_full(const Agent&, Round t) const override { return t == 1 || uniforms_(server_agent, t, 0) < p(); }

  CompressionDraws::Given uniforms_;
};

std::unique_ptr<Algorithm> marina_of(const Json& item, MethodInput given) {
  if (!given.compression_draws) throw std::runtime_error("not understood: a coin without uniforms");
  return std::make_unique<GivenCoin>(options_of<MarinaOptions>(item, {}), given);
}

/// Places of clients in place of those that the seed gives: drawn after the cohort, if that is.
class GivenPlaces final : public ListedSteps<Tamuna> {
 public:
  GivenPlaces(const TamunaOptions& options, const MethodInput& given, const Json& steps)
      : ListedSteps(options, given, steps), uniforms_(given.compression_draws) {}

 private:
  void shuffle(const Agent&, Round round, std::vector<Index>& clients) const override {
    const Index c = std::ssize(clients);
    Index taken = c < agents() - 1 ? c : 0;
    shuffle_from_back(clients, [&] { return uniforms_(server_agent, round, taken++); });
  }

  CompressionDraws::Given uniforms_;
};

std::unique_ptr<Algorithm> tamuna_of(const Json& item, MethodInput given) {
  const auto options = options_of<TamunaOptions>(item, {"local_steps", "cohort"});
  return std::make_unique<GivenPlaces>(options, given, item.at("parameters").at("local_steps"));
}

std::unique_ptr<Algorithm> locodl_of(const Json& item, MethodInput given) {
  const auto options = options_of<LocodlOptions>(item, {"local_steps"});
  return std::make_unique<ListedSteps<Locodl>>(options, std::move(given), item.at("parameters").at("local_steps"));
}

Json without_cohort(const Json& item) { return section_of(item, item["algorithm"].get<std::string>(), {"cohort"}); }

Json with_compressor_down(const Json& item) {
  Json section = section_of(item, "ef21_bc");
  if (item.contains("compressor_down")) section["compressor_down"] = item["compressor_down"];
  return section;
}

/// Whether the key speaks of something, as "full" in "flops_client_full".
bool says(const std::string& key, std::string_view words) { return key.find(words) != std::string::npos; }

struct OfRounds : Compared {
  AgentId agents() const { return static_cast<AgentId>(made.given.network.agents); }
  bool takes_part(AgentId k, Round t) const { return run.of_round(k, t).messages_sent > 0; }
  bool is_full(Round t) const {
    const std::vector<Round> full = item.value("full_rounds", std::vector<Round>());
    return std::ranges::find(full, t) != full.end();
  }
  /// The round of agent k that a key speaks of.
  Round round_of(const std::string& key, AgentId k) const {
    if (says(key, "round_1")) return 1;
    for (Round t = 2; t <= made.given.rounds; ++t)
      if (takes_part(k, t) && (says(key, "_down_") || is_full(t) == says(key, "full"))) return t;
    throw std::runtime_error("no such round: " + key);
  }
  AgentAccount account(const std::string& key, AgentId k) const { return run.of_round(k, round_of(key, k)); }
  void count(const std::string& what, std::int64_t got, const Json& want) const {
    verdict.compare(what, {static_cast<double>(got)}, {want.get<double>()}, whole_numbers);
  }
};

/// Flops of which files may leave out 3 d of the prox of an l1 norm, as those of ef21_pp do at the server.
Flops flops_as_told(const OfRounds& all, const AgentAccount& done, const Json& want) {
  const Flops prox = all.item.value("l1", 0.0) > 0 ? 3 * all.made.given.problem.dim() : 0;
  return done.flops - want.get<Flops>() == prox ? done.flops - prox : done.flops;
}

void compare_flops_of_clients(const OfRounds& all, const std::string& key, const Json& want) {
  std::vector<double> got;
  for (AgentId k = 1; k < all.agents(); ++k)
    got.push_back(static_cast<double>(flops_as_told(all, all.account(key, k), want.at(k - 1))));
  all.verdict.compare(key, got, numbers(want), whole_numbers);
}

void compare_bytes_of_messages(const OfRounds& all, const std::string& key, const Json& want) {
  const bool is_up = says(key, "_up_");
  for (AgentId k = is_up ? 1 : 0; k < (is_up ? all.agents() : 1); ++k) {
    const AgentAccount done = all.account(key, k);
    all.count(key, done.bytes_sent / done.messages_sent, want);
  }
}

Bytes bytes_of_clients(const OfRounds& all, Round t) {
  Bytes sum = 0;
  for (AgentId k = 1; k < all.agents(); ++k) sum += all.run.of_round(k, t).bytes_sent;
  return sum;
}

/// The clients that take part in a round, counted from 0.
std::vector<double> cohort(const OfRounds& all, Round t) {
  std::vector<double> members;
  for (AgentId k = 1; k < all.agents(); ++k)
    if (all.takes_part(k, t)) members.push_back(k - 1.0);
  return members;
}

void compare_cohorts(const OfRounds& all, const std::string& key, const Json& want) {
  for (const auto& [text, told] : want.items()) {
    const Round t = std::stoll(text);
    const std::string what = key + " of round " + text;
    all.verdict.compare(what, cohort(all, t), numbers(told.is_array() ? told : told.at("clients")));
    if (told.is_array()) continue;
    check_keys(told, key, {"clients", "entries"});
    for (std::size_t place = 0; place < told.at("clients").size(); ++place) {
      const auto client = static_cast<AgentId>(told["clients"][place].get<Index>() + 1);
      all.count(what + ", bytes of a mask", all.run.of_round(client, t).bytes_sent,
                8 * std::ssize(told.at("entries").at(place)));
    }
  }
}

void compare_full_rounds(const OfRounds& all, const std::string& key, const Json& want) {
  std::vector<double> got;  // a difference and its compression are billed beside the gradient
  for (Round t = 1; t <= all.made.given.rounds; ++t)
    if (all.run.of_round(1, t).flops == all.run.of_round(1, 1).flops) got.push_back(static_cast<double>(t));
  all.verdict.compare(key, got, numbers(want), whole_numbers);
}

/// Of methods that move along an estimate.
bool compare_estimates(const Compared& given, const std::string& key, const Json& want) {
  const OfRounds all{given};
  if (key == "cohorts_note" || key == "compressor_down") return true;
  if (key == "cohorts")
    compare_cohorts(all, key, want);
  else if (key == "full_rounds")
    compare_full_rounds(all, key, want);
  else if (key == "bytes_total") {
    Bytes sum = 0;
    for (const AgentAccount& account : all.run.accounts.rbegin()->second) sum += account.bytes_sent;
    all.count(key, sum, want);
  } else if (key.starts_with("bytes_") && key.ends_with("_per_message"))
    compare_bytes_of_messages(all, key, want);
  else if (key.starts_with("flops_client"))
    compare_flops_of_clients(all, key, want);
  else if (key.starts_with("flops_server") && want.is_number())
    all.count(key, flops_as_told(all, all.account(key, server_agent), want), want);
  else
    return false;
  return true;
}

/// Where not all clients are asked, what they do after the server's report belongs to the round, too: 3 flops for each
/// entry of their masks.
void compare_masked_flops(const OfRounds& all, const std::string& key, const Json& want) {
  const std::vector<double> members = cohort(all, 1);
  const Json& entries = all.item.at("cohorts_and_masks").at("1").at("entries");
  for (std::size_t k = 0; k < members.size(); ++k) {
    const auto client = static_cast<AgentId>(members[k] + 1);
    const std::size_t place = want.size() == members.size() ? k : client - 1;
    const Index after = std::ssize(members) + 1 < std::ssize(all.run.accounts.at(1)) ? 3 * std::ssize(entries[k]) : 0;
    const Flops before = all.run.of_round(client, 1).flops;
    const bool is_before = want.at(place).get<Flops>() == before;
    all.count(key, before + (is_before ? 0 : after), want[place]);
  }
}

bool compare_masks(const Compared& given, const std::string& key, const Json& want) {
  const OfRounds all{given};
  const Json down_after = all.item.value("bytes_down_after", Json(0));
  if (key == "cohorts_and_masks")
    compare_cohorts(all, key, want);
  else if (key == "bytes_up_per_round")
    all.count(key, bytes_of_clients(all, 2), want);
  else if (key == "bytes_down_per_round" || key == "bytes_down_after")
    all.count(key, all.run.of_round(server_agent, 2).bytes_sent,
              all.item.at("bytes_down_per_round").get<Bytes>() + down_after.get<Bytes>());
  else if (key == "flops_client_round_1")
    compare_masked_flops(all, key, want);
  else
    return false;
  return true;
}

bool compare_local_steps(const Compared& given, const std::string& key, const Json& want) {
  const OfRounds all{given};
  if (key == "flops_client_round_1") {
    compare_flops_of_clients(all, key, want);
  } else if (key == "flops_server_per_round_of_T_steps") {
    if (want != "4 d T + 2 m nz + 4 d") throw std::runtime_error("not understood: " + key + " = " + want.dump());
    const auto options = options_of<LocodlOptions>(all.item, {"local_steps"});
    const Index d = all.made.given.problem.dim(), nz = make_compressor(options.compressor, d)->kept();
    const Index T = all.item["parameters"]["local_steps"].at(1).get<Index>(), m = Index{all.agents()} - 1;
    all.count(key, all.run.of_round(server_agent, 2).flops, 4 * d * T + 2 * m * nz + 4 * d);
  } else {
    return false;
  }
  return true;
}

}  // namespace

const std::vector<CompressedKind>& more_server_kinds() {
  static const std::vector<CompressedKind> all{
      {.name = "marina", .has_server = true, .make = marina_of, .compare = compare_estimates},
      {.name = "dasha", .has_server = true, .compare = compare_estimates},
      {.name = "dasha_pp",
       .has_server = true,
       .section = without_cohort,
       .participation = cohorts_of,
       .compare = compare_estimates},
      {.name = "ef21_pp",
       .has_server = true,
       .section = without_cohort,
       .participation = cohorts_of,
       .compare = compare_estimates},
      {.name = "ef21_bc", .has_server = true, .section = with_compressor_down, .compare = compare_estimates},
      {.name = "tamuna", .has_server = true, .make = tamuna_of, .participation = cohorts_of, .compare = compare_masks},
      {.name = "locodl", .has_server = true, .make = locodl_of, .compare = compare_local_steps}};
  return all;
}

}  // namespace lagnet::reference
