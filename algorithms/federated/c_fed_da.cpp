#include "algorithms/federated/c_fed_da.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

/// Which clients have the start of the present stage.
class StartHolders {
 public:
  explicit StartHolders(Index agents) : stage_(static_cast<std::size_t>(agents), 0) {}
  bool has(AgentId k, std::size_t stage) const { return stage == 0 || stage_[k] == stage; }
  /// Those who answered have it; of the others nothing is known.
  void note(std::span<const AgentId> asked, std::span<const Message> answers, std::size_t stage) {
    for (const AgentId k : asked) stage_[k] = 0;
    for (const Message& answer : answers) stage_[answer.from] = stage;
  }

 private:
  std::vector<std::size_t> stage_;
};

}  // namespace

Task<> CFedDa::serve(Agent& me) const {
  ServerState state;
  std::vector<Message> answers;  // g_k, or v_k (d each)
  StartHolders holders(agents());
  Place at;

  auto average = [&] {
    if (has_numbers()) aggregate(state, answers, at);
  };

  begin_stage(state, at);
  report(me, 0, state);
  for (Round t = 1; t <= std::min(rounds(), ends_.back()); ++t) {
    at = place(t);
    if (at.r == 0 && t > 1) begin_stage(state, at);
    const Cohort S = me.cohort(t);
    const Payload plain = request(state, false), full = request(state, true);
    const MessageTag missed = static_cast<MessageTag>(at.r - state.done);
    for (const AgentId k : S.members) me.send(k, t, holders.has(k, at.stage) ? plain : full, missed);
    answers = co_await me.collect(t, S);
    holders.note(S.members, answers, at.stage);
    if (!answers.empty()) {
      co_await me.compute(server_work(answers.size(), at), average);
      if (state.extra > 0) co_await me.compute(Cost(state.extra));
    }
    report(me, t, state);
  }
}

void CFedDa::begin_stage(ServerState& state, Place at) const {
  if (!has_numbers()) return;
  const bool from_average = setup_.stage_output == StagedOutput::average && state.weight > 0;
  if (at.stage == 0)
    state.w0 = clients().start();
  else
    state.w0 = from_average ? Vector(state.sum / state.weight) : state.w;
  state.w = state.w0;
  state.g = Vector::Zero(d());
  state.s = setup_.alpha.alpha(0) * state.w0;
  state.v = Vector::Zero(d());
  state.sum = Vector::Zero(d());
  state.weight = 0;
  state.done = 0;
}

Payload CFedDa::request(const ServerState& state, bool with_start) const {
  if (!has_numbers()) return Payload::of_size((request_vectors() + (with_start ? 1 : 0)) * d());
  if (setup_.messages == Messages::lean) return with_start ? joined_payload(state.v, state.w0) : Payload(state.v);
  return with_start ? joined_payload(state.g, state.s, state.w, state.w0) : joined_payload(state.g, state.s, state.w);
}

void CFedDa::aggregate(ServerState& state, std::span<const Message> answers, Place at) const {
  if (!clients().have_weight(answers)) return;
  const double half_mu_E = setup_.mu * static_cast<double>(stage(at).E) / 2;
  const std::vector<double> q = clients().weights(answers);
  Vector mean = Vector::Zero(d());  // g, or v
  for (std::size_t k = 0; k < answers.size(); ++k) mean += q[k] * answers[k].body.view();
  state.extra = 0;
  if (setup_.messages == Messages::literal) {
    state.g = mean;
    state.w = prox(at, state.g - half_mu_E * state.s, state.w0, state.extra);
    state.s += setup_.alpha.alpha(at.r + 1) * state.w;
  } else {
    state.v = mean;
    state.w = prox(at, state.v, state.w0, state.extra);
  }
  state.sum += setup_.alpha.alpha(at.r) * state.w;
  state.weight += setup_.alpha.alpha(at.r);
  state.done = at.r + 1;
}

void CFedDa::report(Agent& me, Round round, const ServerState& state) const {
  if (!has_numbers()) {
    me.report(round);
    return;
  }
  const Vector average = state.weight > 0 ? Vector(state.sum / state.weight) : state.w;
  me.report(round, state.w, average);
}

Task<> CFedDa::train(Agent& me) const {
  Message request;
  ClientState state;
  state.w0 = clients().start();
  for (;;) {
    request = co_await next_request(me);
    if (!take_start(state, request)) continue;  // its silence makes the server send the start again
    const Minibatches batches = minibatches(me, request.round);
    auto steps = [&] {
      if (has_numbers()) local_steps(state, request, me.id(), batches);
    };
    co_await me.compute(client_work(me.id(), batches, request.round), steps);
    if (state.extra > 0) co_await me.compute(Cost(state.extra));
    me.send(server_agent, request.round, has_numbers() ? Payload(state.g) : Payload::of_size(d()));
  }
}

bool CFedDa::take_start(ClientState& state, const Message& request) const {
  const std::size_t stage = place(request.round).stage;
  if (request.body.size() > request_vectors() * d()) {
    state.stage = stage;
    if (has_numbers()) state.w0 = part_of(request.body, request_vectors(), d());
  }
  return state.stage == stage;
}

void CFedDa::local_steps(ClientState& state, const Message& request, AgentId client, const Minibatches& batches) const {
  const RowBlock& samples = clients().samples(client);
  const Place at = place(request.round);
  const Index E = stage(at).E;
  const double half_mu_E = setup_.mu * static_cast<double>(E) / 2, alpha = setup_.alpha.alpha(at.r);
  Vector s = Vector::Zero(d());  // what z lacks of s, frozen: all with literal messages, with lean ones nothing (d)
  state.extra = 0;
  state.g = part_of(request.body, 0, d());
  if (setup_.messages == Messages::literal) {
    s = part_of(request.body, 1, d());
    state.x = part_of(request.body, 2, d());
  } else {
    const Place before{at.stage, at.r - 1 - Round{request.tag}};  // the round that the server's w comes from
    state.x = before.r < 0 ? state.w0 : prox(before, state.g, state.w0, state.extra);
    state.g -= half_mu_E * setup_.alpha.alpha(before.r + 1) * state.x;
  }
  for (Index j = 0; j < E; ++j) {
    state.g += alpha * samples.gradient(loss(), state.x, batches.of_step(j));
    if (j < E - 1) state.x = prox(at, state.g - half_mu_E * s, state.w0, state.extra);
  }
}

Vector CFedDa::prox(Place at, VectorRef z, const Vector& w0, Flops& extra) const {
  const double E = static_cast<double>(stage(at).E), A = setup_.alpha.A(at.r);
  const double B = (setup_.mu * A / 2 + setup_.gamma) * E;
  const Vector v = (setup_.gamma * E * w0 - z) / B;
  const Regularizer& r = *stage(at).r;
  if (stage(at).epsilon == no_ball) return prox_in_ball(r, v, A * E / B, rho_);
  BallProx found = prox_in_balls(*r.as_norm(), v, A * E / B, {w0, stage(at).epsilon}, rho_, setup_.ball);
  extra += found.extra;
  return std::move(found.w);
}

Flops CFedDa::prox_flops(Place at) const {
  const Regularizer& r = *stage(at).r;
  const ScaledNorm* const norm = r.as_norm();
  return norm ? prox_in_balls_flops(*norm, d(), rho_) : prox_in_ball_flops(r, d(), rho_) + 2 * d();
}

CFedDa::Place CFedDa::place(Round round) const {
  const auto end = std::ranges::lower_bound(ends_, round);
  LAGNET_CHECK(round >= 1 && end != ends_.end(), "round {} of {}", round, ends_.back());
  const auto index = static_cast<std::size_t>(end - ends_.begin());
  return {index, round - 1 - (index > 0 ? ends_[index - 1] : 0)};
}

Evaluation CFedDa::evaluate(Round, RoundReport report, const ErrorScale&) const {
  const Vector& w = report[server_agent][static_cast<std::size_t>(setup_.output)];
  return {.iterate = w, .objective = clients().objective(problem(), w), .metrics = {}};
}

Cost CFedDa::own_work(Round round) const {
  const Place at = place(round);
  const Index E = stage(at).E;
  const Cost gradients = times(E, vector_work(2 * d(), 3));
  if (setup_.messages == Messages::literal) return gradients + times(E - 1, vector_work(5 * d() + prox_flops(at), 8));
  const Index proxes = at.r == 0 ? E - 1 : E;
  return gradients + vector_work(2 * d(), 3) + times(proxes, vector_work(3 * d() + prox_flops(at), 6));
}

Cost CFedDa::server_work(std::size_t answers, Place at) const {
  const auto m = static_cast<Index>(answers);
  return vector_work(2 * m * d() + prox_flops(at), m + 6);
}

namespace {

CFedDa::Setup setup_of(const CFedDaOptions& options, const Problem& problem) {
  auto setup = CFedDa::Setup::of(options);
  setup.stages.push_back({.r = problem.regularizer,
                          .epsilon = options.epsilon.value_or(no_ball),
                          .rounds = std::numeric_limits<Round>::max(),
                          .E = options.local_steps});
  return setup;
}

}  // namespace

CFedDa::CFedDa(const CFedDaOptions& options, MethodInput assignment)
    : CFedDa{setup_of(options, assignment.problem), std::move(assignment)} {}

CFedDa::CFedDa(Setup setup, MethodInput assignment)
    : FederatedMethod(setup.kind, {setup.stages.front().E, setup.batch, setup.weights}, std::move(assignment)),
      setup_(std::move(setup)),
      rho_(checked_radius(setup_.rho)) {
  Round end = 0;
  for (const FedDaStage& stage : setup_.stages) {
    end += std::min(stage.rounds, std::numeric_limits<Round>::max() - end);
    ends_.push_back(end);
    if (stage.epsilon != no_ball && !stage.r->as_norm())
      throw OptionError("epsilon", "none, since the regularizer is no multiple of a norm",
                        fmt::format("{}", stage.epsilon));
  }
}

std::vector<std::pair<std::string, double>> CFedDa::constants() const {
  return {{"E", static_cast<double>(E())},
          {"mu", setup_.mu},
          {"gamma", setup_.gamma},
          {"alpha_0", setup_.alpha.alpha(0)},
          {"stages", static_cast<double>(setup_.stages.size())}};
}

}  // namespace lagnet
