#include "algorithms/dual/saddle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "algorithms/interface/rounds.hpp"
#include "algorithms/objectives/soft_threshold.hpp"

namespace lagnet {

namespace {

// What a message brings beside v.
constexpr MessageTag x_too = 1, z_too = 2;

Vector checked_dual_start(const std::vector<double>& y0, const Problem& problem) {
  const Index n = problem.X->rows();
  if (y0.empty()) return Vector::Zero(n);
  if (std::ssize(y0) != n)
    throw Diagnosed("dual_start", fmt::format("{} numbers, one for each sample", n), fmt::format("{}", y0.size()));
  for (Index i = 0; i < n; ++i) {
    const double y = y0[static_cast<std::size_t>(i)];
    if (std::isfinite(problem.loss->conjugate(y, problem.y[i]))) continue;
    throw Diagnosed("dual_start", "numbers in the domain of the loss's conjugate",
                    fmt::format("{} for sample {} with the label {}", y, i, problem.y[i]));
  }
  return VectorView(y0.data(), n);
}

}  // namespace

void MachineView::answered(std::span<const Message> answers) {
  has_x_.assign(has_x_.size(), false);
  for (const Message& answer : answers) has_x_[answer.from] = has_z_[answer.from] = true;
}

MessageTag MachineView::brings(AgentId machine) const {
  return (!lean_ || !has_x_[machine] ? x_too : 0) | (has_z_[machine] ? 0 : z_too);
}

Payload MachineView::encode(MessageTag brings, const StateVector& v, const StateVector& x, const StateVector& z) {
  if (brings == (x_too | z_too)) return joined_payload(v, x, z);
  if (brings == x_too) return joined_payload(v, x);
  return brings == z_too ? joined_payload(v, z) : Payload(v);
}

void MachineView::send(Agent& me, Round t, std::span<const AgentId> machines, const StateVector& v,
                       const StateVector& x, const StateVector& z) const {
  std::array<Payload, 4> made;  // by tag
  for (const AgentId k : machines) {
    const MessageTag tag = brings(k);
    if (!made[tag]) made[tag] = encode(tag, v, x, z);
    me.send(k, t, made[tag], tag);
  }
}

bool MachineView::brings_x(const Message& request) { return (request.tag & x_too) != 0; }

MachineView::State MachineView::decode(const Message& request, Index d) {
  State state{.v = part_of(request.body, 0, d), .x = {}, .z = {}};
  if (brings_x(request)) state.x.emplace(part_of(request.body, 1, d));
  if ((request.tag & z_too) != 0) state.z.emplace(part_of(request.body, state.x ? 2 : 1, d));
  return state;
}

SaddleMethod::SaddleMethod(std::string_view kind, const SaddleOptions& options, std::optional<double> vt,
                           std::optional<Stages> stages, MethodInput given)
    : DualMethod(kind, options, true, std::move(given)),
      stages_(stages),
      is_lean_(options.messages == SaddleMessages::lean),
      y0_(checked_dual_start(options.dual_start, problem())),
      is_warm_(!y0_.isZero(0)) {
  const double strong = gamma() + eps();
  const auto known = [&](const char* key, std::optional<double> value, double otherwise) {
    if (value) return *value;
    if (strong > 0) return otherwise;
    throw Diagnosed(key, "a number, since the loss is not smooth and eps is 0, which leaves no rule for it", "null");
  };
  tau_ = known("tau", options.tau, strong / (4 * R() * R()));
  sigma_ = known("sigma", options.sigma, 1 / strong);
  vt_ = known("vt", vt, std::max(0.0, 4 * R() * R() / strong - lambda()));
  L_ = lambda() + vt_;
  if (stages_) {
    stages_->q = lambda() / L_;
    stages_->alpha_0 = stages->alpha_0.value_or(std::sqrt(stages_->q));
  }
  make_solver(K() / sigma_);
  if (is_lean_ && DualMethod::given().may_miss_rounds)
    throw Diagnosed("messages", "paper, since machines may miss messages, without which they do not know x", "lean");
  add_constants({{"tau", tau_}, {"sigma", sigma_}, {"R", R()}, {"gamma", gamma()}});
  if (std::isfinite(kappa())) add_constant("kappa", kappa());
  Index largest = 0;
  for (const AgentId k : machines()) largest = std::max(largest, samples(k).rows());
  const bool is_balanced = static_cast<double>(largest) < n() / K() + 1;
  const bool has_steps = sigma_ > 1 / (2 * K() * strong) && tau_ * sigma_ * 4 * R() * R() < 1 + 1e-12;
  const double dual = 1 / (1 + sigma_ * strong / K() - 1 / (2 * K() * K()));
  if (strong > 0 && has_steps && is_balanced) add_constant("Theta", std::max(dual, 1 / (1 + tau_ * L_)));  // Lemma 1
  if (stages_)
    add_constants({{"vt", vt_},
                   {"q", stages_->q},
                   {"alpha_0", *stages_->alpha_0},
                   {"T_s", static_cast<double>(stages_->rounds)}});
  if (stands_still())
    add_warning(
        {"dual_stands_still", {}, "local_steps is 0: the dual variables stay where they are, and only x moves"});
}

Task<> SaddleMethod::center(Agent& me, SharedReveal revealed) const {
  StateVector x = start();                                                      // primal iterate                (d)
  StateVector v = me.vector(d());                                               // sum_i y_i a_i                 (d)
  StateVector z = stages_ ? x : v;                                              // extrapolated; else 0          (d)
  StateVector x_stage = x;                                                      // x^{s-1}, where a stage starts (d)
  double alpha = stages_ ? *stages_->alpha_0 : 0;                               // alpha_{s-1}
  std::vector<Payload> v_of(static_cast<std::size_t>(given().network.agents));  // v_k = A_k'y_[k], by agent  (d each)
  MachineView view(given().network.agents, is_lean_);                           // what machines have of x and z
  Vector y = y0_;                                                               // the duals, as revealed        (n)
  std::vector<Message> answers;                                                 // v_k of a round

  auto keep = [&] {
    for (const Message& answer : answers) v_of[answer.from] = answer.body;
  };
  auto add_up = [&] {  // what the machines sent last: K d flops
    v.setZero();
    for (const Payload& v_k : v_of)
      if (v_k) v += v_k.view();
  };
  auto combine = [&] {
    add_up();              // phase 3
    x = central(x, v, z);  // (6)
    take_revealed(y, answers, *revealed);
  };
  auto extrapolate = [&] {
    const double old = stages_->q - alpha * alpha;
    const double next = (old + std::sqrt(old * old + 4 * alpha * alpha)) / 2;  // alpha_s
    const double beta = alpha * (1 - alpha) / (alpha * alpha + next);          // beta_s
    z = x + beta * (x - x_stage);                                              // z^s
    x_stage = x;
    alpha = next;
    if (stages_->starts_at_z) x = z;
  };

  if (is_warm_) {
    answers = co_await me.collect(0, machines());
    keep();
    add_up();
  }
  me.report(0, x, y);
  for (Round t = 1; t <= given().rounds; ++t) {
    if (stages_ && (t - 1) % stages_->rounds == 0) {
      if (t > 1) {
        me.enter(t);
        co_await me.compute(vector_work(3 * d(), 4), extrapolate);
      }
      view.new_z();
    }
    const Cohort S = me.cohort(t);
    view.send(me, t, S.members, v, x, z);  // phase 4 of t - 1
    answers = co_await me.collect(t, S);
    keep();
    co_await me.compute(vector_work(std::ssize(machines()) * d() + central_flops(), 4), combine);
    view.answered(answers);
    me.report(t, x, y);
  }
}

Task<> SaddleMethod::machine(Agent& me, SharedReveal revealed) const {
  const RowBlock& A_k = samples(me.id());
  Vector x = start();                                         // x^{t-1}         (d)
  Vector z = x;                                               // extrapolated    (d)
  Vector y = y0_.segment(first_sample(me.id()), A_k.rows());  // own dual block  (n_k)
  StateVector v_k = me.vector(d());                           // A_k'y           (d)
  Message request;                                            // v^{t-1}, and x^{t-1} and z as its tag says
  Cost more;                                                  // what the local solver took besides

  auto pull_back = [&] { v_k = A_k.transpose_times(y); };
  if (is_warm_) {
    co_await me.compute(pull_back_work(A_k), pull_back);
    me.send(server_agent, 0, v_k);
  }
  for (;;) {
    request = co_await next_request(me);
    const std::vector<Index> order = steps(me, request.round);
    auto local = [&] {
      const MachineView::State state = MachineView::decode(request, d());
      if (state.x)
        x = *state.x;
      else if (request.round > 1)
        x = central(x, state.v, z);  // (6), which the center has solved too, with the z of that round
      if (state.z) z = *state.z;
      if (state.z && !state.x && stages_->starts_at_z) x = z;
      const Vector x0 = smooth_central(x, state.v, z);  // that of (5) at the old y_[k], where v_{-k} + A_k'y_[k] = v
      const LocalProblem problem{.samples = A_k,
                                 .loss = loss(),
                                 .n = n(),
                                 .M = L_ + 1 / tau_,
                                 .rho = K() / sigma_,
                                 .eps = eps(),
                                 .start = x,
                                 .x0 = x0,
                                 .l1 = l1()};
      more = solver().solve(problem, order, y);  // phase 1
      v_k = A_k.transpose_times(y);              // phase 2
      revealed->show(me.id(), y);
    };
    const Cost finding_x = MachineView::brings_x(request) ? Cost() : vector_work(central_flops(), 3);
    co_await me.compute(local_work(me.id(), order) + finding_x, local);
    if (more.flops > 0) co_await me.compute(more);
    me.answer(request, v_k);
  }
}

StateVector SaddleMethod::smooth_central(VectorRef x_old, VectorRef v, VectorRef z) const {
  return (x_old / tau_ - v / n() + vt_ * z) / (L_ + 1 / tau_);
}

StateVector SaddleMethod::central(VectorRef x_old, VectorRef v, VectorRef z) const {
  StateVector x = smooth_central(x_old, v, z);
  if (l1() > 0) x = soft_threshold(x, l1() / (L_ + 1 / tau_));
  return x;
}

}  // namespace lagnet
