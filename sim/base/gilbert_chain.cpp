#include "sim/base/gilbert_chain.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "sim/base/errors.hpp"

namespace lagnet {

GilbertChain::GilbertChain(double enter_probability, double leave_probability)
    : enter_(enter_probability),
      stay_(1 - leave_probability),
      start_(leave_probability > 0 ? enter_probability / (enter_probability + leave_probability) : enter_probability) {
  const auto is_probability = [](double p) { return p >= 0 && p <= 1; };
  if (!is_probability(enter_probability) || !is_probability(leave_probability))
    throw std::invalid_argument(fmt::format("expected probabilities from 0 to 1, found {} to enter and {} to leave",
                                            enter_probability, leave_probability));
}

bool GilbertChain::is_bad(std::uint64_t seed, Purpose purpose, AgentId agent, Round round,
                          RoundChainState& state) const {
  LAGNET_CHECK(round >= 0, "round {} is before the start", round);
  if (state.round > round) state = {};
  while (state.round < round) {
    const double bad = state.round < 0 ? start_ : state.bad ? stay_ : enter_;
    ++state.round;
    state.bad = Draws(seed, purpose, agent, state.round).bernoulli(bad);
  }
  return state.bad;
}

bool GilbertChain::is_bad(std::uint64_t seed, Purpose purpose, AgentId from, AgentId to, Round round,
                          RoundChainState& state) const {
  if (state.round == round) return state.bad;
  constexpr Round no_round = -1;  // what the pair's seed is drawn with, which no round of a run is
  return is_bad(Draws(seed, purpose, to, no_round).bits(), purpose, from, round, state);
}

}  // namespace lagnet
