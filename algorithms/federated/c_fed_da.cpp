#include "algorithms/federated/c_fed_da.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

/// What requests carry of g, s and w. z = g - (mu E / 2) s is all that matters of the sums.
class CFedDa::Codec {
 public:
  explicit Codec(const CFedDa& method) : of_(method) {}
  virtual ~Codec() = default;

  virtual Index vectors() const = 0;  // of a request without a stage's start
  virtual void add_iterate(StateVector& s, double alpha, const Vector& w) const = 0;
  /// `w_0`, the start of a stage, goes last where the client lacks it; else null.
  virtual Payload encode(const StateVector& g, const StateVector& s, const StateVector& w,
                         const StateVector* w_0) const = 0;
  /// g, s and w as a client takes them up that has the stage's start w_0; adds to `extra` as prox() does.
  virtual void decode(const Message& request, const Vector& w_0, StateVector& g, StateVector& s, Vector& w,
                      Flops& extra) const = 0;
  bool has_start(const Message& request) const { return request.body.size() > vectors() * of_.d(); }
  VectorView start_of(const Message& request) const { return part_of(request.body, vectors(), of_.d()); }

 protected:
  const CFedDa& of_;
};

/// As the paper has them.
class CFedDa::Literal final : public Codec {
 public:
  using Codec::Codec;
  Index vectors() const override { return 3; }
  void add_iterate(StateVector& s, double alpha, const Vector& w) const override { s += alpha * w; }
  Payload encode(const StateVector& g, const StateVector& s, const StateVector& w,
                 const StateVector* w_0) const override {
    return w_0 ? joined_payload(g, s, w, *w_0) : joined_payload(g, s, w);
  }
  void decode(const Message& request, const Vector&, StateVector& g, StateVector& s, Vector& w, Flops&) const override {
    g = part_of(request.body, 0, of_.d());
    s = part_of(request.body, 1, of_.d());
    w = part_of(request.body, 2, of_.d());
  }
};

/// v = g - (mu E / 2) s alone, in the place of g, s without the present iterate: the client finds w itself. s stays 0.
class CFedDa::Lean final : public Codec {
 public:
  using Codec::Codec;
  Index vectors() const override { return 1; }
  void add_iterate(StateVector&, double, const Vector&) const override {}  // the client does
  Payload encode(const StateVector& v, const StateVector&, const StateVector&, const StateVector* w_0) const override {
    return w_0 ? joined_payload(v, *w_0) : Payload(v);
  }
  void decode(const Message& request, const Vector& w_0, StateVector& v, StateVector& s, Vector& w,
              Flops& extra) const override {
    const StageRound at = of_.stage_round(request.round);
    const StageRound before{at.stage, at.r - 1 - missed_rounds(request)};  // the round that w comes from
    v = part_of(request.body, 0, of_.d());
    s = StateVector::zeros(of_.d());
    w = before.r < 0 ? w_0 : of_.prox(before, v, w_0, extra);
    v -= of_.half_mu_E(at) * of_.weights_.alpha(before.r + 1) * w;
  }
};

namespace {

/// Which clients have the start of the present stage. All have the first one.
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
  StateVector w = clients().start(me);  // the model                                                        (d)
  StateVector w_0 = w;                  // start of the stage                                               (d)
  StateVector g = me.vector(d());       // cumulative weighted gradient, or v = g - (mu E / 2) s            (d)
  StateVector s = me.vector(d());       // cumulative weighted iterates, or 0                               (d)
  StateVector z;                        // g - (mu E / 2) s                                                 (d)
  WeightedMean published;               // of the stage's w
  Round made_in = 0;                    // w is the model at the start of that round of the stage
  Flops extra = 0;                      // of a ball that binds
  std::vector<Message> answers;         // g_k, or v_k                                                      (d each)
  StartHolders holders(agents());
  StageRound at;

  auto begin_stage = [&] {
    if (at.stage > 0) w_0 = setup_.stage_output == StagedOutput::average ? published.or_else(w) : Vector(w);
    w = w_0;
    g.setZero();
    s.setZero();
    codec_->add_iterate(s, weights_.alpha(0), w_0);
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
    codec_->add_iterate(s, weights_.alpha(at.r + 1), w);
    published.add(weights_.alpha(at.r), w);
  };

  begin_stage();
  me.report(0, w, w);
  for (Round t = 1; t <= std::min(rounds(), ends_.back()); ++t) {
    at = stage_round(t);
    if (at.r == 0 && t > 1) begin_stage();
    const Cohort S = me.cohort(t);
    const Payload plain = codec_->encode(g, s, w, nullptr), with_start = codec_->encode(g, s, w, &w_0);
    for (const AgentId k : S.members)
      me.send(k, t, holders.has(k, at.stage) ? plain : with_start, missed_rounds(at.r - made_in));
    answers = co_await me.collect(t, S);
    holders.note(S.members, answers, at.stage);
    if (!answers.empty()) co_await me.compute(server_work(answers.size(), at), average);
    if (!answers.empty() && extra > 0) co_await me.compute(Cost(extra));
    if (clients().have_weight(answers)) made_in = at.r + 1;
    me.report(t, w, published.or_else(w));
  }
}

Task<> CFedDa::train(Agent& me) const {
  const RowBlock& samples = clients().samples(me.id());
  std::size_t has_start_of = 0;           // the stage whose start it has
  StateVector w_0 = clients().start(me);  // that start                  (d)
  StateVector g = me.vector(d());         // own g_k, or v_k             (d)
  StateVector s, z;                       // s, frozen; g - (mu E / 2) s (d)
  Vector x;                               // own model                   (d)
  Flops extra = 0;                        // of balls that bind
  Message request;
  for (;;) {
    request = co_await next_request(me);
    const StageRound at = stage_round(request.round);
    const bool has_start = codec_->has_start(request);
    if (has_start) has_start_of = at.stage;
    if (has_start_of != at.stage) continue;  // its silence makes the server send the start again
    const Minibatches batches = minibatches(me, request.round);
    auto local_steps = [&] {
      extra = 0;
      if (has_start) w_0 = codec_->start_of(request);
      codec_->decode(request, w_0, g, s, x, extra);
      for (Index j = 0; j < stage(at).E; ++j) {
        g += weights_.alpha(at.r) * samples.gradient(loss(), x, batches.of_step(j));
        if (j == stage(at).E - 1) break;
        z = g - half_mu_E(at) * s;
        x = prox(at, z, w_0, extra);
      }
    };
    co_await me.compute(client_work(me.id(), batches, request.round), local_steps);
    if (extra > 0) co_await me.compute(Cost(extra));
    me.send(server_agent, request.round, g);
  }
}

Vector CFedDa::prox(StageRound at, VectorRef z, const Vector& w_0, Flops& extra) const {
  const double E = static_cast<double>(stage(at).E), A = weights_.A(at.r);
  const double B = (mu_ * A / 2 + gamma_) * E;
  const StateVector v = (gamma_ * E * w_0 - z) / B;
  const Regularizer& r = *stage(at).r;
  if (stage(at).epsilon == no_ball) return prox_in_ball(r, v, A * E / B, rho_);
  BallProx found = prox_in_balls(*r.as_norm(), v, A * E / B, {w_0, stage(at).epsilon}, rho_, setup_.options.ball);
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

Evaluation CFedDa::evaluate(Round, RoundReport report, const ErrorScale&) const {
  const Vector& w = report[server_agent][static_cast<std::size_t>(setup_.options.output)];
  return {.iterate = w, .objective = clients().objective(problem(), w), .metrics = {}};
}

Cost CFedDa::own_work(Round round) const {
  const StageRound at = stage_round(round);
  const Index E = stage(at).E;
  const Cost gradients = times(E, vector_work(2 * d(), 3));
  if (codec_->vectors() == 3) return gradients + times(E - 1, vector_work(5 * d() + prox_flops(at), 8));
  const Index proxes = at.r == 0 ? E - 1 : E;
  return gradients + vector_work(2 * d(), 3) + times(proxes, vector_work(3 * d() + prox_flops(at), 6));
}

Cost CFedDa::server_work(std::size_t answers, StageRound at) const {
  const auto m = static_cast<Index>(answers);
  return vector_work(2 * m * d() + prox_flops(at), m + 6);
}

namespace {

CFedDa::Setup setup_of(const CFedDaOptions& options, const Problem& problem) {
  FedDaStage only{.r = problem.regularizer,
                  .epsilon = options.epsilon.value_or(no_ball),
                  .rounds = std::numeric_limits<Round>::max(),
                  .E = options.local_steps};
  return {.kind = CFedDaOptions::kind, .options = options, .stages = {std::move(only)}};
}

}  // namespace

CFedDa::CFedDa(const CFedDaOptions& options, MethodInput assignment)
    : CFedDa{setup_of(options, assignment.problem), std::move(assignment)} {}

CFedDa::CFedDa(Setup setup, MethodInput assignment)
    : FederatedMethod(setup.kind, {setup.stages.front().E, setup.options.batch, setup.options.weights},
                      std::move(assignment)),
      setup_(std::move(setup)),
      mu_(setup_.options.mu),
      gamma_(setup_.options.gamma),
      rho_(checked_radius(setup_.options.rho)),
      weights_(setup_.options.alpha, setup_.options.a) {
  Round end = 0;
  for (const FedDaStage& stage : setup_.stages) {
    end += std::min(stage.rounds, std::numeric_limits<Round>::max() - end);
    ends_.push_back(end);
    if (stage.epsilon != no_ball && !stage.r->as_norm())
      throw OptionError("epsilon", "none, since the regularizer is no multiple of a norm",
                        fmt::format("{}", stage.epsilon));
  }
  if (setup_.options.messages == Messages::lean)
    codec_ = std::make_unique<Lean>(*this);
  else
    codec_ = std::make_unique<Literal>(*this);
}

CFedDa::~CFedDa() = default;

FederatedMethod::Vectors CFedDa::vectors() const { return {.request = codec_->vectors() + 1, .answer = 1}; }

std::vector<Constant> CFedDa::constants() const {
  return {{"E", static_cast<double>(E())},
          {"mu", mu_},
          {"gamma", gamma_},
          {"alpha_0", weights_.alpha(0)},
          {"stages", static_cast<double>(setup_.stages.size())}};
}

}  // namespace lagnet
