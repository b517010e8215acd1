#include "algorithms/federated/fed_at.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace lagnet {

namespace {
constexpr MessageTag of_profile = 1;
}  // namespace

Task<> FedAt::serve(Agent& me) const {
  StateVector w = clients().start(me);  // the model  (d)
  std::vector<Tier> tiers;
  std::optional<Message> came;
  std::size_t ended = 0;  // the tier whose round has just ended
  Round T = 0;

  auto move = [&] { absorb(tiers, ended, w); };

  me.report(0, w);
  Tiers members = members_;
  if (members.empty()) co_await profile(me, w, members);
  for (const auto& of_tier : members) {
    tiers.emplace_back().members = of_tier;
    tiers.back().z = w;
  }
  for (Tier& tier : tiers) begin(me, tier, w, T);
  while (T < rounds()) {
    came = co_await me.receive_until(std::ranges::min(tiers, {}, &Tier::deadline).deadline);
    if (came && !keeps(tiers, *came)) continue;
    for (ended = 0; ended < tiers.size() && T < rounds(); ++ended) {
      Tier& tier = tiers[ended];
      if (tier.answers.size() < tier.enough && me.now() < tier.deadline) continue;
      if (!tier.answers.empty()) {
        for (const Message& answer : tier.answers) me.used(answer.from, T - tier.began_at);
        co_await me.compute(mean_work(tier.answers.size(), 2 * M_ * d(), M_ + 3), move);
        me.report(++T, w);
      }
      if (T < rounds()) begin(me, tier, w, T);
    }
  }
}

Task<> FedAt::profile(Agent& me, const StateVector& w, Tiers& tiers) const {
  std::vector<std::int64_t> answers(static_cast<std::size_t>(agents()), 0);
  std::vector<double> seconds(answers.size(), 0);
  me.time_answers();
  for (Round t = 1; t <= profile_rounds_; ++t) {
    const std::vector<AgentId> all(clients().agents().begin(), clients().agents().end());
    send_to_all(me, all, t, w, of_profile);
    const Time asked = me.now();
    Cohort cohort = me.cohort_of(all);
    co_await me.collect(t, std::move(cohort), of_profile);
    for (const auto& [k, when] : me.answer_times()) {
      seconds[k] += (when - asked).in_seconds();
      ++answers[k];
    }
  }
  std::vector<std::pair<double, AgentId>> times;
  for (const AgentId k : clients().agents())
    times.emplace_back(
        answers[k] > 0 ? seconds[k] / static_cast<double>(answers[k]) : std::numeric_limits<double>::infinity(), k);
  tiers = tiers_of(std::move(times), M_);
}

void FedAt::begin(Agent& me, Tier& tier, const StateVector& w, Round T) const {
  const Cohort cohort = me.cohort_of(tier.members);
  tier.enough = cohort.enough;
  tier.deadline = cohort.deadline;
  tier.answers.clear();
  tier.from = w;
  tier.began_at = T;
  send_to_all(me, tier.members, ++tier.round, w);
}

bool FedAt::keeps(std::vector<Tier>& tiers, Message& m) const {
  if (m.tag == of_profile) return false;
  for (Tier& tier : tiers) {
    if (!std::ranges::binary_search(tier.members, m.from)) continue;
    if (m.round != tier.round || std::ranges::count(tier.answers, m.from, &Message::from) > 0) return false;
    const auto place = std::ranges::lower_bound(tier.answers, m.from, {}, &Message::from);
    tier.answers.insert(place, std::move(m));
    return true;
  }
  return false;
}

void FedAt::absorb(std::vector<Tier>& tiers, std::size_t a, StateVector& w) const {
  Tier& ended = tiers[a];
  ended.z = ended.from;
  clients().add_mean(ended.answers, 1, ended.z);
  ++ended.rounds;
  double T = 0;
  for (const Tier& tier : tiers) T += static_cast<double>(tier.rounds);
  w.setZero();
  for (std::size_t b = 0; b < tiers.size(); ++b)
    w += static_cast<double>(tiers[tiers.size() - 1 - b].rounds) / T * tiers[b].z;  // (8.1)
}

Task<> FedAt::train(Agent& me) const {
  StateVector x = me.vector(d());  // own model, and then its change  (d)
  Message request;                 // w, the server's model           (d)
  for (std::int64_t n = 0;; ++n) {
    request = co_await next_request(me);
    const Minibatches batches = minibatches(me, request.round);
    auto take_steps = [&] { local_steps(me.id(), request.body.view(), batches, x); };
    co_await me.update(n, steps_work(me.id(), batches, update_work()), take_steps);
    me.answer(request, x, request.tag);
  }
}

Remarks FedAt::warnings() const {
  Remarks all = ProximalSteps::warnings();
  if (given().may_lose_messages && !given().may_lack_answers)
    all.push_back({"lost_messages_stop_tiers",
                   {},
                   "messages can be lost for good, and a tier waits for its answers forever: network.retransmit sends "
                   "messages again, participation.deadline_ms goes on without them"});
  return all;
}

FedAt::FedAt(const FedAtOptions& options, MethodInput given)
    : ProximalSteps(FedAtOptions::kind, options, {}, options.mu, std::move(given)),
      M_(options.tiers),
      profile_rounds_(options.profile_rounds) {
  const std::span<const AgentId> all = clients().agents();
  if (M_ > std::ssize(all))
    throw Diagnosed("tiers", fmt::format("at most {}, the number of clients", all.size()), fmt::format("{}", M_));
  std::vector<AgentId> listed;
  for (const auto& of_tier : options.members) {
    members_.emplace_back(of_tier.begin(), of_tier.end());
    std::ranges::sort(members_.back());
    listed.insert(listed.end(), members_.back().begin(), members_.back().end());
  }
  std::ranges::sort(listed);
  if (!members_.empty() && !std::ranges::equal(listed, all))
    throw Diagnosed("members", "every client in one tier", fmt::format("{} clients of {}", listed.size(), all.size()));
  add_constant("M", static_cast<double>(M_));
}

}  // namespace lagnet
