#include "algorithms/federated/c_fed_da.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

Task<> CFedDa::serve(Agent& me) const {
  StateVector w = clients().start(me);  // the model                                                        (d)
  StateVector w_0 = w;                  // start of the stage                                               (d)
  StateVector g = me.vector(d());       // cumulative weighted gradient, or v = g - (mu E / 2) s            (d)
  StateVector s = me.vector(d());       // cumulative weighted iterates; with lean messages 0               (d)
  StateVector z;                        // g - (mu E / 2) s                                                 (d)
  WeightedMean published;               // of the stage's w
  Round made_in = 0;                    // w is the model at the start of that round of the stage
  Flops extra = 0;                      // of a ball that binds
  std::vector<Message> answers;         // g_k, or v_k                                                      (d each)
  // The stage that each client is known to have the start of: all have the first one, and who answers has the present.
  std::vector<std::size_t> has_start_of(static_cast<std::size_t>(agents()), 0);
  StageRound at;

  auto begin_stage = [&] {
    if (at.stage > 0) w_0 = stage_output_ == StagedOutput::average ? published.or_else(w) : Vector(w);
    w = w_0;
    g.setZero();
    s.setZero();
    if (!is_lean_) s += alpha(0) * w_0;
    published = {};
    made_in = 0;
  };
  auto average = [&] {
    if (!clients().have_weight(answers)) return;
    extra = 0;
    g.setZero();
    clients().add_mean(answers, 1, g);
    z = g - half_mu_E(at) * s;
    w = prox(at, z, w_0, extra);
    if (!is_lean_) s += alpha(at.r + 1) * w;
    published.add(alpha(at.r), w);
  };

  begin_stage();
  me.report(0, w, w);
  for (Round t = 1; t <= std::min(rounds(), ends_.back()); ++t) {
    at = stage_round(t);
    if (at.r == 0 && t > 1) begin_stage();
    const Cohort S = me.cohort(t);
    const Payload plain = is_lean_ ? Payload(g) : joined_payload(g, s, w);
    const Payload with_start = is_lean_ ? joined_payload(g, w_0) : joined_payload(g, s, w, w_0);
    for (const AgentId k : S.members)
      me.send(k, t, at.stage == 0 || has_start_of[k] == at.stage ? plain : with_start, missed_rounds(at.r - made_in));
    answers = co_await me.collect(t, S);
    for (const AgentId k : S.members) has_start_of[k] = 0;
    for (const Message& answer : answers) has_start_of[answer.from] = at.stage;
    const Index m = std::ssize(answers);
    if (m > 0) co_await me.compute(vector_work(2 * m * d() + prox_flops(at), m + 6), average);
    if (m > 0 && extra > 0) co_await me.compute(Cost(extra));
    if (clients().have_weight(answers)) made_in = at.r + 1;
    me.report(t, w, published.or_else(w));
  }
}

Task<> CFedDa::train(Agent& me) const {
  const RowBlock& samples = clients().samples(me.id());
  const Index plain = is_lean_ ? 1 : 3;   // vectors of a request without a stage's start
  std::size_t has_start_of = 0;           // the stage whose start it has
  StateVector w_0 = clients().start(me);  // that start                        (d)
  StateVector g = me.vector(d());         // own g_k, or v_k                   (d)
  StateVector s, z;                       // s, frozen; g - (mu E / 2) s       (d)
  Vector x;                               // own model                         (d)
  Flops extra = 0;                        // of balls that bind
  Message request;                        // g, s and w, or v; and perhaps w_0
  for (;;) {
    request = co_await next_request(me);
    const StageRound at = stage_round(request.round);
    const bool brings_start = request.body.size() > plain * d();
    if (brings_start) has_start_of = at.stage;
    if (has_start_of != at.stage) continue;  // its silence makes the server send the start again
    const Index E = stage(at).E;
    const Minibatches batches = minibatches(me, request.round, E);
    auto take_up = [&] {  // g, s and the server's w
      g = part_of(request.body, 0, d());
      if (!is_lean_) {
        s = part_of(request.body, 1, d());
        x = part_of(request.body, 2, d());
        return;
      }
      const StageRound before{at.stage, at.r - 1 - missed_rounds(request)};  // the round that w comes from
      s = Vector::Zero(d());
      x = before.r < 0 ? w_0 : prox(before, g, w_0, extra);
      g -= half_mu_E(at) * alpha(before.r + 1) * x;
    };
    auto local_steps = [&] {
      extra = 0;
      if (brings_start) w_0 = part_of(request.body, plain, d());
      take_up();
      for (Index j = 0; j < E; ++j) {
        g += alpha(at.r) * samples.gradient(loss(), x, batches.of_step(j));
        if (j == E - 1) break;
        z = g - half_mu_E(at) * s;
        x = prox(at, z, w_0, extra);
      }
    };
    co_await me.compute(gradients_work(me.id(), batches) + updates_work(at), local_steps);
    if (extra > 0) co_await me.compute(Cost(extra));
    me.answer(request, g);
  }
}

Vector CFedDa::prox(StageRound at, VectorRef z, const Vector& w_0, Flops& extra) const {
  const double E = static_cast<double>(stage(at).E), A = this->A(at.r);
  const double B = (mu_ * A / 2 + gamma_) * E;
  const StateVector v = (gamma_ * E * w_0 - z) / B;
  const Regularizer& r = *stage(at).r;
  if (stage(at).epsilon == no_ball) return prox_in_ball(r, v, A * E / B, rho_);
  BallProx found = prox_in_balls(*r.as_norm(), v, A * E / B, {w_0, stage(at).epsilon}, rho_, ball_);
  if (!found.is_found)
    throw WorldLimit(fmt::format(
        "the minimizer within the ball of radius {:.3g} was not found in {} steps: the regularizer's weight times the "
        "step, {:.3g}, is too large for so small a ball (epsilon)",
        stage(at).epsilon, found.iterations, A * E / B * r.as_norm()->weight()));
  extra += found.extra;
  return std::move(found.w);
}

Flops CFedDa::prox_flops(StageRound at) const {
  const Regularizer& r = *stage(at).r;
  const ScaledNorm* const norm = r.as_norm();
  return norm ? prox_in_balls_flops(*norm, d(), rho_) : prox_in_ball_flops(r, d(), rho_) + 2 * d();
}

CFedDa::StageRound CFedDa::stage_round(Round round) const {
  const auto end = std::ranges::lower_bound(ends_, round);
  LAGNET_CHECK(round >= 1 && end != ends_.end(), "round {} of {}", round, ends_.back());
  const auto index = static_cast<std::size_t>(end - ends_.begin());
  return {index, round - 1 - (index > 0 ? ends_[index - 1] : 0)};
}

Cost CFedDa::updates_work(StageRound at) const {
  const Index E = stage(at).E;
  const Cost gradients = times(E, vector_work(2 * d(), 3));
  if (!is_lean_) return gradients + times(E - 1, vector_work(5 * d() + prox_flops(at), 8));
  const Index proxes = at.r == 0 ? E - 1 : E;
  return gradients + vector_work(2 * d(), 3) + times(proxes, vector_work(3 * d() + prox_flops(at), 6));
}

CFedDa::CFedDa(const CFedDaOptions& options, MethodInput given)
    : CFedDa{CFedDaOptions::kind,
             options,
             {{.r = given.problem.regularizer, .epsilon = options.epsilon.value_or(no_ball), .E = options.local_steps}},
             StagedOutput::average,
             std::move(given)} {}

CFedDa::CFedDa(std::string_view kind, const StagedOptions& options, std::vector<FedDaStage> stages,
               StagedOutput stage_output, MethodInput given)
    : DualAveragingMethod(kind, options,
                          {.E = stages.front().E,
                           .batch = options.batch,
                           .weights = options.weights,
                           .longest_message = options.messages == Messages::lean ? 2 : 4,
                           .output = static_cast<std::size_t>(options.output)},
                          std::move(given), stages.front().E),
      stages_(std::move(stages)),
      stage_output_(stage_output),
      ball_(options.ball) {
  Round end = 0;
  for (const FedDaStage& stage : stages_) {
    end += std::min(stage.rounds, std::numeric_limits<Round>::max() - end);
    ends_.push_back(end);
    if (stage.epsilon != no_ball && !stage.r->as_norm())
      throw Diagnosed("epsilon", "none, since the regularizer is no multiple of a norm",
                      fmt::format("{}", stage.epsilon));
  }
  add_constant("stages", static_cast<double>(stages_.size()));
}

}  // namespace lagnet
