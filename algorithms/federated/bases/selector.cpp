#include "algorithms/federated/bases/selector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "sim/base/draws.hpp"

namespace lagnet {

namespace {

constexpr MessageTag tell_loss = 1, go = 2;  // a training request, and its answer, have none

/// The clients of largest loss, of equal ones the lower agents; ascending.
std::vector<AgentId> largest(std::vector<std::pair<double, AgentId>> losses, std::int64_t size) {
  std::ranges::stable_sort(losses, std::greater(), &std::pair<double, AgentId>::first);
  std::vector<AgentId> best;
  for (const auto& [loss, agent] : losses)
    if (std::ssize(best) < size) best.push_back(agent);
  std::ranges::sort(best);
  return best;
}

}  // namespace

Selector::Selector(const MethodInput& given, const Clients& clients) : given_(given), clients_(clients) {}

bool Selector::measures() const {
  const auto* power = std::get_if<PowerOfChoiceOptions>(&given_.selection);
  return std::holds_alternative<OortOptions>(given_.selection) || (power && power->stale);
}

std::vector<double> Selector::losses(AgentId client, VectorRef w) const {
  const RowBlock& samples = clients_.samples(client);
  const Loss& loss = *given_.problem.loss;
  const Index c = loss.outputs();
  const Vector scores = samples.scores(w, c), labels = samples.labels();
  std::vector<double> all;
  for (Index i = 0; i < samples.rows(); ++i) all.push_back(loss.total(scores.segment(i * c, c), labels.segment(i, 1)));
  return all;
}

double Selector::measure(AgentId client, VectorRef w) const {
  const std::vector<double> all = losses(client, w);
  const auto n = static_cast<double>(all.size());
  if (!std::holds_alternative<OortOptions>(given_.selection)) return std::accumulate(all.begin(), all.end(), 0.0) / n;
  double squares = 0;
  for (const double loss : all) squares += loss * loss;
  return n * std::sqrt(squares / n);
}

Cost Selector::measure_work(AgentId client) const { return measures() ? losses_work(client) : Cost(); }

Cost Selector::losses_work(AgentId client) const {
  const RowBlock& samples = clients_.samples(client);
  const Index c = given_.problem.loss->outputs();
  Index b = samples.rows(), entries = samples.all_entries();
  const auto* power = std::get_if<PowerOfChoiceOptions>(&given_.selection);
  if (power && power->loss_samples && *power->loss_samples < b) {
    entries = entries * *power->loss_samples / b;
    b = *power->loss_samples;
  }
  return {2 * entries * c + 2 * b * c, Bytes{sizeof(double)} * (entries + b + samples.cols() * c)};
}

double Selector::mean_loss(const Agent& me, Round t, VectorRef w) const {
  const auto& options = std::get<PowerOfChoiceOptions>(given_.selection);
  std::vector<double> all = losses(me.id(), w);
  const auto n = static_cast<std::int64_t>(all.size()), b = std::min(options.loss_samples.value_or(n), n);
  const Uniforms u = uniforms(me, Purpose{"loss"}, t);
  Draws draws = me.draws(Purpose{"loss"}, t);
  const auto below = [&](std::uint64_t bound) {
    return given_.compression_draws ? static_cast<std::uint64_t>(u() * static_cast<double>(bound)) : draws.below(bound);
  };
  for (std::int64_t i = 0; i < b && b < n; ++i) {  // the front of a shuffle
    const std::int64_t other = i + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(n - i)));
    std::swap(all[static_cast<std::size_t>(i)], all[static_cast<std::size_t>(other)]);
  }
  return std::accumulate(all.begin(), all.begin() + b, 0.0) / static_cast<double>(b);
}

Uniforms Selector::uniforms(const Agent& me, Purpose purpose, Round t) const {
  if (given_.compression_draws)
    return [of = given_.compression_draws, agent = me.id(), t, index = Index{0}]() mutable {
      return of(agent, t, index++);
    };
  return [draws = me.draws(purpose, t)]() mutable { return draws.uniform(); };
}

std::vector<AgentId> Selector::drawn_candidates(const Agent& me, Round t, const PowerOfChoiceOptions& options) const {
  std::vector<double> weights;
  for (const AgentId k : clients_.agents()) weights.push_back(clients_.pi(k));
  std::vector<AgentId> candidates;
  for (const std::size_t k :
       drawn_by_weight(weights, static_cast<std::size_t>(options.candidates), uniforms(me, Purpose{"candidates"}, t)))
    candidates.push_back(clients_.agents()[k]);
  return candidates;
}

std::vector<AgentId> Selector::chosen_by_oort(const Agent& me, Round t, const OortOptions& options,
                                              const Learnt& learnt) const {
  std::vector<OortRecord> known;
  Unexplored unexplored;
  for (const AgentId k : clients_.agents()) {
    if (learnt.answers[k] > 0) {
      known.push_back(
          {.agent = k, .utility = learnt.measures[k], .duration_s = learnt.seconds[k], .last = learnt.last[k]});
    } else {
      unexplored.agents.push_back(k);
      unexplored.speeds.push_back(given_.speeds.empty() ? 1 : given_.speeds[k]);
    }
  }
  OortChoice choice = oort_choice(options, t, known, unexplored, uniforms(me, Purpose{"oort"}, t));
  std::vector<AgentId> all = std::move(choice.exploited);
  all.insert(all.end(), choice.explored.begin(), choice.explored.end());
  std::ranges::sort(all);
  return all;
}

std::vector<AgentId> Selector::chosen_tier(const Agent& me, Round t, const TiersOptions& options,
                                           Learnt& learnt) const {
  if (t <= options.profile_rounds) return {clients_.agents().begin(), clients_.agents().end()};
  if (learnt.tiers.empty()) {
    std::vector<std::pair<double, AgentId>> times;
    for (const AgentId k : clients_.agents())
      times.emplace_back(learnt.answers[k] > 0 ? learnt.seconds[k] / static_cast<double>(learnt.answers[k])
                                               : std::numeric_limits<double>::infinity(),
                         k);
    learnt.tiers = tiers_of(std::move(times), options.tiers);
  }
  const Uniforms u = uniforms(me, Purpose{"tiers"}, t);
  const auto* chances = std::get_if<std::vector<double>>(&options.policy);
  const std::vector<double> alike(learnt.tiers.size(), 1);
  const std::vector<AgentId>& tier = learnt.tiers[drawn_by_weight(chances ? *chances : alike, 1, u).front()];
  std::vector<AgentId> members;
  for (const std::size_t k :
       drawn_by_weight(std::vector<double>(tier.size(), 1), static_cast<std::size_t>(options.size), u))
    members.push_back(tier[k]);
  return members;
}

std::vector<AgentId> Selector::chosen(const Agent& me, Round t, Learnt& learnt) const {
  if (const auto* oort = std::get_if<OortOptions>(&given_.selection)) return chosen_by_oort(me, t, *oort, learnt);
  if (const auto* tiers = std::get_if<TiersOptions>(&given_.selection)) return chosen_tier(me, t, *tiers, learnt);
  const auto& power = std::get<PowerOfChoiceOptions>(given_.selection);
  std::vector<std::pair<double, AgentId>> losses;
  for (const AgentId k : drawn_candidates(me, t, power))
    losses.emplace_back(learnt.answers[k] > 0 ? learnt.measures[k] : std::numeric_limits<double>::infinity(), k);
  return largest(std::move(losses), power.size);
}

void Selector::learn(Round t, std::span<const Message> answers, std::span<const std::pair<AgentId, Time>> times,
                     Time asked, Learnt& learnt) const {
  const bool adds = std::holds_alternative<TiersOptions>(given_.selection);
  for (const auto& [k, came] : times) learnt.seconds[k] = (came - asked).in_seconds() + (adds ? learnt.seconds[k] : 0);
  for (const Message& answer : answers) {
    ++learnt.answers[answer.from];
    learnt.last[answer.from] = t;
    if (measures() && answer.body.data()) learnt.measures[answer.from] = answer.body.data()[answer.body.size() - 1];
  }
}

Task<> Selector::ask(Agent& me, Round t, const StateVector& w, Learnt& learnt, std::vector<Message>& answers) const {
  if (learnt.answers.empty()) {
    const auto agents = static_cast<std::size_t>(given_.network.agents);
    learnt = {std::vector<double>(agents),
              std::vector<double>(agents),
              std::vector<Round>(agents),
              std::vector<std::int64_t>(agents),
              {}};
    me.time_answers();
  }
  const auto* power = std::get_if<PowerOfChoiceOptions>(&given_.selection);
  std::vector<AgentId> members;
  if (power && !power->stale) {
    members = drawn_candidates(me, t, *power);
    send_to_all(me, members, t, w, tell_loss);
    Cohort candidates(std::move(members));
    if (power->candidate_deadline_ms)
      candidates.deadline = saturated(me.now(), Duration::milliseconds(*power->candidate_deadline_ms));
    std::vector<Message> told;
    told = co_await me.collect(t, std::move(candidates), tell_loss);
    std::vector<std::pair<double, AgentId>> losses;
    for (const Message& one : told) losses.emplace_back(*one.body.data(), one.from);
    members = largest(std::move(losses), power->size);
    send_to_all(me, members, t, Payload::of_size(0), go);
  } else {
    members = chosen(me, t, learnt);
    send_to_all(me, members, t, w);
  }
  const Time asked = me.now();
  Cohort cohort = me.cohort_of(std::move(members));
  answers = co_await me.collect(t, std::move(cohort));
  learn(t, answers, me.answer_times(), asked, learnt);
}

Task<> Selector::next_work(Agent& me, Message& told, Message& request) const {
  StateVector loss = me.vector(1);
  auto tell = [&] { loss[0] = mean_loss(me, told.round, told.body.view()); };
  for (;;) {
    request = co_await next_request(me);
    if (request.tag == go) {
      if (told.round != request.round) continue;  // its w is lost, with the state of before a crash
      request.body = told.body;
      co_return;
    }
    if (request.tag != tell_loss) co_return;
    told = request;
    co_await me.compute(losses_work(me.id()), tell);
    me.answer(told, loss, tell_loss);
  }
}

}  // namespace lagnet
