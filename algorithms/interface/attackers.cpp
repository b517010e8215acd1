#include "algorithms/interface/attackers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/interface/algorithm_traits.hpp"
#include "sim/base/diagnostic.hpp"
#include "sim/base/draws.hpp"

namespace lagnet {

namespace {

/// Of some vectors, one a column: their mean and standard deviation by entry, divided by how many they are  (d)
struct Moments {
  Vector mean, deviation;
  explicit Moments(const Matrix& v) : mean(Vector::Zero(v.rows())), deviation(mean) {
    for (Index k = 0; k < v.cols(); ++k) mean += v.col(k);
    mean /= static_cast<double>(v.cols());
    for (Index k = 0; k < v.cols(); ++k) deviation += (v.col(k) - mean).cwiseAbs2();
    deviation = (deviation / static_cast<double>(v.cols())).cwiseSqrt();
  }
};

/// What an attack looks at.
struct Seen {
  const Moments* honest;  // null: there are none
  Index n, alie;          // answers, and those of such attackers
};

void attack(const SignFlipAttack& it, const Seen&, Eigen::Ref<Vector> v) { v *= -it.scale; }
void attack(const ConstantAttack& it, const Seen&, Eigen::Ref<Vector> v) { v.setConstant(it.value); }
void attack(const LabelFlipAttack&, const Seen&, Eigen::Ref<Vector>) {}
void attack(const LateAttack&, const Seen&, Eigen::Ref<Vector>) {}
void attack(const AlieAttack& it, const Seen& seen, Eigen::Ref<Vector> v) {
  if (seen.honest) v = seen.honest->mean - (it.z ? *it.z : alie_z(seen.n, seen.alie)) * seen.honest->deviation;
}
void attack(const IpmAttack& it, const Seen& seen, Eigen::Ref<Vector> v) {
  if (seen.honest) v = -it.epsilon * seen.honest->mean;
}

/// A problem of an entry of the section.
Diagnostic at_entry(std::size_t entry, std::string_view place, std::string expected, std::string found) {
  return {fmt::format("/attackers/{}{}", entry, place), std::move(expected), std::move(found),
          Diagnostic::Place::pointer};
}

bool is_alie(const AttackOptions* one) { return one && one->kind() == AlieAttack::kind; }

}  // namespace

double alie_z(Index n, Index b) {
  const Index s = n / 2 + 1 - b;
  const auto others = static_cast<double>(n - b), below = static_cast<double>(n - b - s);
  return normal_quantile(std::clamp(below / others, 0.5 / others, 1 - 0.5 / others));
}

Attackers::Attackers(std::vector<AttackOptions> attacks, Index agents, std::uint64_t seed)
    : attacks_(std::move(attacks)), attack_of_(static_cast<std::size_t>(agents), -1) {
  std::vector<Diagnostic> found;
  const auto refuse = [&](std::size_t entry, const std::string& place, std::string expected, std::string what) {
    found.push_back(at_entry(entry, place, std::move(expected), std::move(what)));
  };
  const auto named = [](const AttackOptions& one) { return one.visit([](const AttackingAgents& it) { return it; }); };
  for (std::size_t i = 0; i < attacks_.size(); ++i) {
    const AttackingAgents those = named(attacks_[i]);
    for (std::size_t k = 0; k < those.agents.size(); ++k) {
      const std::int64_t agent = those.agents[k];
      const std::string place = fmt::format("/agents/{}", k);
      if (agent == std::int64_t{server_agent})
        refuse(i, place, "a client", "agent 0, the server");
      else if (agent < 0 || agent >= agents)
        refuse(i, place, fmt::format("an agent below {}, the number of agents", agents), fmt::format("{}", agent));
      else if (attack_of_[static_cast<std::size_t>(agent)] >= 0)
        refuse(i, place, "each agent once", fmt::format("{} again", agent));
      else
        attack_of_[static_cast<std::size_t>(agent)] = static_cast<int>(i);
    }
  }
  for (std::size_t i = 0; i < attacks_.size(); ++i) {
    const auto fraction = named(attacks_[i]).fraction;
    if (!fraction) continue;
    std::vector<AgentId> free;
    for (AgentId k = server_agent + 1; k < attack_of_.size(); ++k)
      if (is_honest(k)) free.push_back(k);
    const auto wanted = static_cast<std::size_t>(std::llround(*fraction * static_cast<double>(agents - 1)));
    if (wanted > free.size()) {
      refuse(i, "/fraction", fmt::format("at most the {} clients that no other entry has", free.size()),
             fmt::format("{} clients", wanted));
      continue;
    }
    Draws draws(seed, Purpose{"attackers"}, server_agent, static_cast<Round>(i));
    for (const std::uint32_t k :
         draws.distinct(static_cast<std::uint32_t>(free.size()), static_cast<std::uint32_t>(wanted)))
      attack_of_[free[k]] = static_cast<int>(i);
  }
  if (found.empty() && any() && std::ranges::count(attack_of_, -1) <= 1)
    found.push_back({"/attackers", "a client that does not attack", "attackers alone", Diagnostic::Place::pointer});
  if (!found.empty()) throw Diagnosed(std::move(found));
}

void Attackers::replace(std::span<const AgentId> senders, Matrix& v) const {
  std::vector<Index> honest;
  Index alie = 0;
  for (std::size_t k = 0; k < senders.size(); ++k) {
    const AttackOptions* const one = attack_of(senders[k]);
    if (!one) honest.push_back(static_cast<Index>(k));
    if (is_alie(one)) ++alie;
  }
  if (honest.size() == senders.size()) return;
  std::optional<Moments> moments;
  if (!honest.empty()) moments.emplace(v(Eigen::all, honest));
  const Seen seen{moments ? &*moments : nullptr, v.cols(), alie};
  for (std::size_t k = 0; k < senders.size(); ++k)
    if (const AttackOptions* const one = attack_of(senders[k]))
      one->visit([&](const auto& it) { attack(it, seen, v.col(static_cast<Index>(k))); });
}

Vector Attackers::labels_held(const Loss& loss, const Vector& y, std::span<const Index> starts) const {
  Vector held = y;
  for (AgentId agent = 0; agent < attack_of_.size() && y.size() > 0; ++agent) {
    const AttackOptions* const one = attack_of(agent);
    if (!one || one->kind() != LabelFlipAttack::kind) continue;
    for (Index i = starts[agent]; i < starts[agent + 1]; ++i) {
      const bool is_sign = y[i] == 1 || y[i] == -1;
      if (loss.outputs() > 1)
        held[i] = static_cast<double>(loss.outputs()) - 1 - y[i];
      else if (is_sign || loss.is_squared())
        held[i] = -y[i];
      else
        throw Diagnosed({at_entry(static_cast<std::size_t>(attack_of_[agent]), "/kind",
                                  "another attack, since these labels have no opposite: they are neither -1 or 1, nor "
                                  "classes, nor those of a squared loss",
                                  std::string(LabelFlipAttack::kind))});
    }
  }
  return held;
}

std::vector<std::pair<AgentId, double>> Attackers::late() const {
  std::vector<std::pair<AgentId, double>> all;
  for (AgentId k = 0; k < attack_of_.size(); ++k)
    if (const AttackOptions* const one = attack_of(k))
      one->visit([&](const auto& it) {
        if constexpr (requires { it.margin_ms; }) all.emplace_back(k, it.margin_ms);
      });
  return all;
}

Remarks Attackers::warnings(Index clients) const {
  Index alie = 0;
  bool by_rule = false;
  for (AgentId k = 0; k < attack_of_.size(); ++k) {
    const AttackOptions* const one = attack_of(k);
    if (!is_alie(one)) continue;
    ++alie;
    one->visit([&](const auto& it) {
      if constexpr (requires { it.z; }) by_rule = by_rule || !it.z;
    });
  }
  if (!by_rule) return {};
  const double z = alie_z(clients, alie);
  if (z > 0) return {};
  return {{"attack_harmless",
           {{"z", z}},
           fmt::format("alie with {} of {} answers has z = {:.3g}: it moves them to where honest ones are, and does no "
                       "harm; more attackers or a z of its own would",
                       alie, clients, z)}};
}

}  // namespace lagnet
