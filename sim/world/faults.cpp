#include "sim/world/faults.hpp"

#include <algorithm>
#include <utility>

namespace lagnet {

namespace {
void lose(Fate& fate, Cause cause) {
  if (fate.lost == Cause::none) fate.lost = cause;
}
}  // namespace

void Jitter::judge(const Transmission& what, Fate& fate) const {
  fate.delay += Duration::milliseconds(draw_ms_(what.draws(Purpose{"jitter"})));
}

HeldAnswers::HeldAnswers(std::vector<Held> held, Duration deadline)
    : held_(std::move(held)), deadline_(deadline), asked_(held_.size()) {}

void HeldAnswers::judge(const Transmission& what, Fate& fate) const {
  for (std::size_t k = 0; k < held_.size(); ++k) {
    if (what.to == held_[k].agent) asked_[k] = what.at;
    if (what.from != held_[k].agent) continue;
    const Time due = saturated(asked_[k], deadline_ - held_[k].margin);
    const Time arrives = saturated(what.at, held_[k].travel_time(what.bytes) + fate.delay);
    if (due > arrives) fate.delay += due - arrives;
  }
}

void IndependentLoss::judge(const Transmission& what, Fate& fate) const {
  const double probability = schedule_ ? schedule_->at(what.at) : probability_;
  if (what.draws(Purpose{"loss"}).bernoulli(probability)) lose(fate, Cause::loss);
}

BurstLoss::BurstLoss(LinkId links, Options options)
    : options_(options), chain_(options.enter, options.leave), states_(links) {}

void BurstLoss::judge(const Transmission& what, Fate& fate) const {
  if (std::exchange(seed_, what.seed) != what.seed) std::ranges::fill(states_, RoundChainState());
  bool bad = chain_.is_bad(what.seed, Purpose{"burst"}, what.from, what.to, what.round, states_[what.link]);
  for (std::uint32_t k = 1; k <= what.attempt; ++k) {
    Transmission earlier = what;
    earlier.attempt = k;
    const double u = earlier.draws(Purpose{"burst step"}).uniform();
    bad = bad ? u >= options_.leave : u < options_.enter;
  }
  const double probability = bad ? options_.loss_when_bad : options_.loss_when_good;
  if (what.draws(Purpose{"burst loss"}).bernoulli(probability)) lose(fate, bad ? Cause::burst : Cause::loss);
}

void Duplication::judge(const Transmission& what, Fate& fate) const {
  fate.twice = fate.twice || what.draws(Purpose{"duplication"}).bernoulli(probability_);
}

void Reordering::judge(const Transmission& what, Fate& fate) const {
  if (what.draws(Purpose{"reordering"}).bernoulli(probability_)) fate.held_back += delay_;
}

void Partition::judge(const Transmission& what, Fate& fate) const {
  if (at_arrival(what, what.at) != Cause::none) lose(fate, Cause::partition);
}

Cause Partition::at_arrival(const Transmission& what, Time at) const {
  return window_.contains(at) && group_[what.from] != group_[what.to] ? Cause::partition : Cause::none;
}

void LinkOutages::judge(const Transmission& what, Fate& fate) const {
  if (at_arrival(what, what.at) != Cause::none) lose(fate, Cause::link_down);
}

Cause LinkOutages::at_arrival(const Transmission& what, Time at) const {
  const auto down = [at](const Window& window) { return window.contains(at); };
  return std::ranges::any_of(windows_[what.link], down) ? Cause::link_down : Cause::none;
}

Duration Repair::timeout_of(std::uint32_t attempt) const {
  Duration waited = *timeout;
  for (std::uint32_t k = 0; k < attempt && waited < longest; ++k) waited += waited;
  return std::max(*timeout, std::min(waited, longest));
}

}  // namespace lagnet
