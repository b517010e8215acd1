#include "algorithms/federated/bases/aggregator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "algorithms/interface/rounds.hpp"
#include "sim/base/diagnostic.hpp"

namespace lagnet {

AlgorithmTraits with_aggregation(AlgorithmTraits traits, const AggregationOptions& rule) {
  traits.takes_attackers = true;
  if (rule.visit([](const auto& chosen) { return chosen.works_by_numbers(); })) traits.timing_only = false;
  return traits;
}

Aggregator::Aggregator(AggregationOptions rule, const Clients& clients, const MethodInput& given)
    : rule_(std::move(rule)),
      attackers_(given.attackers),
      most_(std::min(given.most_asked, std::ssize(clients.agents()))),
      d_(given.problem.dim()) {
  std::vector<Diagnostic> found;
  if (least_answers() > most_)
    found.push_back({"/algorithm/aggregation/attackers",
                     fmt::format("at most (n - 3)/2 of the n clients asked, of {}", most_),
                     fmt::format("{}", (least_answers() - 3) / 2), Diagnostic::Place::pointer});
  const auto all = clients.agents();
  const auto attacking = std::ranges::count_if(all, [this](AgentId k) { return !attackers_.is_honest(k); });
  if (!rule_.is_mean() && 2 * attacking >= std::ssize(all))
    found.push_back({"/attackers", fmt::format("fewer than half of the clients, as {} needs", rule_.kind()),
                     fmt::format("{} of {}", attacking, std::ssize(all)), Diagnostic::Place::pointer});
  if (!found.empty()) throw Diagnosed(std::move(found));
}

Index Aggregator::least_answers() const {
  return rule_.visit([](const auto& chosen) { return chosen.least_answers(); });
}

bool Aggregator::takes(std::span<const Message> answers) const { return std::ssize(answers) >= least_answers(); }

Aggregate Aggregator::combine(std::span<const Message> answers, const std::vector<double>& q, Vector& kept) const {
  Answered all{Matrix(d_, std::ssize(answers)), Vector(std::ssize(answers))};
  std::vector<AgentId> senders;
  std::vector<Index> finite;
  for (std::size_t k = 0; k < answers.size(); ++k) {
    all.v.col(static_cast<Index>(k)) = part_of(answers[k].body, 0, d_);
    all.q[static_cast<Index>(k)] = q[k];
    senders.push_back(answers[k].from);
  }
  if (!(all.q.sum() > 0)) return {};
  attackers_.replace(senders, all.v);
  for (Index k = 0; k < all.n(); ++k)
    if (rule_.is_mean() || all.v.col(k).allFinite()) finite.push_back(k);
  if (std::ssize(finite) < all.n()) {
    *left_out_ += all.n() - std::ssize(finite);
    all = {Matrix(all.v(Eigen::all, finite)), Vector(all.q(finite))};
    if (all.n() < least_answers() || !(all.q.sum() > 0)) return {};
    all.q /= all.q.sum();
  }
  if (kept.size() == 0) kept = Vector::Zero(d_);
  return rule_.visit([&](const auto& chosen) { return chosen.combine(all, kept); });
}

Cost Aggregator::work(std::size_t answers) const {
  const auto n = static_cast<Index>(answers);
  return {rule_.visit([&](const auto& chosen) { return chosen.flops(n, d_); }), Bytes{sizeof(double)} * (n + 2) * d_};
}

Remarks Aggregator::warnings() const {
  const Index n = most_;
  const auto doubts = [n](const auto& chosen) -> Remarks {
    if constexpr (requires { chosen.trim; }) {
      if (chosen.trim > 0 && chosen.left_out(n) == 0)
        return {{"trims_nothing",
                 {{"answers", static_cast<double>(n)}},
                 fmt::format("aggregation.trim {} of {} answers is less than one: nothing is left out, and the mean of "
                             "all is taken",
                             chosen.trim, n)}};
    }
    if constexpr (requires { chosen.keep; }) {
      if (chosen.keep > n - chosen.attackers)
        return {{"keeps_attackers",
                 {{"keep", static_cast<double>(chosen.keep)}},
                 fmt::format("aggregation.keep {} of {} answers has room for some of the {} attackers reckoned with",
                             chosen.keep, n, chosen.attackers)}};
    }
    return {};
  };
  return rule_.visit(doubts);
}

Remarks Aggregator::remarks() const {
  if (*left_out_ == 0) return {};
  return {{"answers_not_finite",
           {{"answers", static_cast<double>(*left_out_)}},
           fmt::format("{} answers had entries that are no finite numbers, and were left out as if they had not come",
                       *left_out_)}};
}

}  // namespace lagnet
