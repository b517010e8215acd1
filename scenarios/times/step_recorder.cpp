#include "scenarios/times/step_recorder.hpp"

#include <algorithm>

namespace lagnet {

namespace {

/// So many rounds may be unlike the later ones: the first has no messages, and some methods set out with others.
constexpr Round most_first = 3;

/// An agent that takes several messages before it does anything else waits for all of them, whichever it takes first.
Steps in_order_of_senders(Steps steps) {
  const auto is_take = [](const Step& step) { return step.kind == Step::Kind::take; };
  for (auto begin = steps.begin(); begin != steps.end();) {
    begin = std::find_if(begin, steps.end(), is_take);
    const auto end = std::find_if_not(begin, steps.end(), is_take);
    std::sort(begin, end, [](const Step& a, const Step& b) { return a.link < b.link; });
    begin = end;
  }
  return steps;
}

}  // namespace

bool StepRecorder::wants(EventKind what) const {
  switch (what) {
    case EventKind::delivered:
    case EventKind::collected:
    case EventKind::waited:
    case EventKind::counted:
      return false;
    default:
      return true;
  }
}

Steps& StepRecorder::steps_of(const SimEvent& what) {
  Heard& agent = agents_[what.agent];
  agent.round = std::max(agent.round, what.round);
  return agent.steps[agent.round];
}

void StepRecorder::on_event(const SimEvent& what) {
  switch (what.what) {
    case EventKind::computed:
      steps_of(what).push_back({.kind = Step::Kind::compute, .amount = what.amount});
      return;
    case EventKind::encrypted:
    case EventKind::slept:
      steps_of(what).push_back({.kind = Step::Kind::pause, .amount = what.duration.ns()});
      return;
    case EventKind::sent:
      if (what.cause != Cause::none) is_usual_ = false;
      steps_of(what).push_back({.kind = Step::Kind::send, .link = what.link, .amount = what.amount});
      return;
    case EventKind::took:
      steps_of(what).push_back({.kind = Step::Kind::take, .link = network_.find(what.peer, what.agent)});
      return;
    case EventKind::reported: {
      steps_of(what).push_back({.kind = Step::Kind::report});
      Heard& agent = agents_[what.agent];
      agent.round = std::max(agent.round, what.round + 1);
      return;
    }
    default:
      is_usual_ = false;
  }
}

/// The same with one step for what goes to, or comes from, all neighbors.
Steps StepRecorder::joined(AgentId agent, const Steps& steps) const {
  const auto senders = network_.in_neighbors(agent);
  const auto links = network_.links_from(agent, is_rotated_);
  const auto number_of = [&](Step::Kind kind) {  // of the neighbors that it is for
    return kind == Step::Kind::send ? network_.neighbors(agent).size() : senders.size();
  };
  const auto is_all = [&](std::size_t begin) {
    const Step& one = steps[begin];
    if (one.kind != Step::Kind::send && one.kind != Step::Kind::take) return false;
    const std::size_t all = number_of(one.kind);
    if (all < 2 || begin + all > steps.size()) return false;
    for (std::size_t k = 0; k < all; ++k) {
      const LinkId link = one.kind == Step::Kind::send ? links[k] : network_.find(senders[k], agent);
      if (steps[begin + k] != Step{one.kind, link, one.amount}) return false;
    }
    return true;
  };
  Steps short_ones;
  for (std::size_t k = 0; k < steps.size();)
    if (is_all(k)) {
      const bool sends = steps[k].kind == Step::Kind::send;
      short_ones.push_back({.kind = sends ? Step::Kind::broadcast : Step::Kind::take_all, .amount = steps[k].amount});
      k += number_of(steps[k].kind);
    } else {
      short_ones.push_back(steps[k++]);
    }
  return short_ones;
}

std::optional<EventGraph> StepRecorder::graph(Round rounds) const {
  const Round last = rounds - 1;
  if (!is_usual_ || last < 1) return std::nullopt;
  const auto steps = [](const Heard& agent, Round round) {
    const auto found = agent.steps.find(round);
    return found == agent.steps.end() ? Steps() : in_order_of_senders(found->second);
  };
  const auto are_alike_from = [&](Round begin) {
    for (const Heard& agent : agents_)
      for (Round round = begin + 1; round <= last; ++round)
        if (steps(agent, round) != steps(agent, begin)) return false;
    return true;
  };
  Round begin = 0;
  while (begin < std::min(most_first + 1, last) && !are_alike_from(begin)) ++begin;
  if (begin > most_first || begin >= last) return std::nullopt;
  EventGraph graph;
  for (AgentId id = 0; id < agents_.size(); ++id) {
    auto& first = graph.first.emplace_back();
    const auto steps_in = [&](Round round) { return joined(id, steps(agents_[id], round)); };
    for (Round round = 0; round < begin; ++round) first.push_back(steps_in(round));
    graph.every.push_back(steps_in(begin));
    graph.end.push_back({steps_in(rounds), steps_in(rounds + 1)});
  }
  return graph;
}

}  // namespace lagnet
