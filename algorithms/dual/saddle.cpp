#include "algorithms/dual/saddle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "algorithms/interface/rounds.hpp"

namespace lagnet {

namespace {

// Tags of messages to machines: what they bring beside v.
constexpr MessageTag brings_x = 1, brings_z = 2;

Vector checked_dual_start(const std::vector<double>& y0, const Problem& problem) {
  const Index n = problem.X->rows();
  if (y0.empty()) return Vector::Zero(n);
  if (std::ssize(y0) != n)
    throw OptionError("dual_start", fmt::format("{} numbers, one for each sample", n), fmt::format("{}", y0.size()));
  for (Index i = 0; i < n; ++i) {
    const double y = y0[static_cast<std::size_t>(i)];
    if (std::isfinite(problem.loss->conjugate(y, problem.y[i]))) continue;
    throw OptionError("dual_start", "numbers in the domain of the loss's conjugate",
                      fmt::format("{} for sample {} with the label {}", y, i, problem.y[i]));
  }
  return VectorView(y0.data(), n);
}

}  // namespace

SaddleMethod::SaddleMethod(std::string_view kind, const SaddleOptions& options, std::optional<double> vt,
                           MethodInput assignment)
    : DualMethod(kind, std::move(assignment), options.eps),
      H_(options.local_steps),
      order_(options.order),
      messages_(options.messages),
      y0_(checked_dual_start(options.dual_start, problem())),
      is_warm_(!y0_.isZero(0)) {
  const double strong = gamma() + eps();
  const auto known = [&](const char* key, std::optional<double> value, double otherwise) {
    if (value) return *value;
    if (strong > 0) return otherwise;
    throw OptionError(key, "a number, since the loss is not smooth and eps is 0, which leaves no rule for it", "null");
  };
  tau_ = known("tau", options.tau, strong / (4 * R() * R()));
  sigma_ = known("sigma", options.sigma, 1 / strong);
  vt_ = known("vt", vt, std::max(0.0, 4 * R() * R() / strong - lambda()));
  L_ = lambda() + vt_;
  solver_ = make_local_solver(options.local_solver, R(), gamma(), eps() + K() / sigma_);
  if (is_lean() && given().may_miss_rounds)
    throw OptionError("messages", "paper, since machines may miss messages, without which they do not know x", "lean");
}

// Between the center and the machines

SaddleMethod::Known SaddleMethod::all_known() const {
  const std::vector<bool> all(given().network.agents, true);
  return {.x = all, .z = all};
}

void SaddleMethod::note_answers(Known& known, std::span<const Message> answers) const {
  known.x.assign(known.x.size(), false);
  for (const Message& answer : answers) known.x[answer.from] = known.z[answer.from] = true;
}

void SaddleMethod::send_state(Agent& me, Round t, std::span<const AgentId> members, VectorRef x, VectorRef v,
                              VectorRef z, const Known& known) const {
  std::array<Payload, 4> made;  // by tag
  for (const AgentId k : members) {
    const bool x_too = !is_lean() || !known.x[k], z_too = !known.z[k];
    const MessageTag tag = (x_too ? brings_x : 0) | (z_too ? brings_z : 0);
    Payload& body = made[tag];
    if (!body) {
      if (x_too)
        body = z_too ? joined_payload(v, x, z) : joined_payload(v, x);
      else
        body = z_too ? joined_payload(v, z) : Payload(v);
    }
    me.send(k, t, body, tag);
  }
}

Task<> SaddleMethod::set_up(Agent& me, std::vector<Payload>& v_of, Vector& v) const {
  if (!is_warm_) co_return;
  const std::vector<Message> answers = co_await me.collect(0, machines());
  for (const Message& answer : answers) v_of[answer.from] = answer.body;
  v = sum(v_of);
}

Task<> SaddleMethod::machine(Agent& me, SharedDuals duals) const {
  const RowBlock& A_k = samples(me.id());
  Vector x = start();                                         // x^{t-1}         (d)
  Vector z = x;                                               // extrapolated    (d)
  Vector y = y0_.segment(first_sample(me.id()), A_k.rows());  // own dual block  (n_k)
  Vector v_k;                                                 // A_k'y           (d)
  Message request;                                            // v^{t-1}, and x^{t-1} and z as its tag says
  Cost more;                                                  // what the local solver took besides

  auto pull_back = [&] { v_k = A_k.transpose_times(y); };
  if (is_warm_) {
    co_await me.compute(pull_back_work(A_k), pull_back);
    me.send(server_agent, 0, v_k);
  }
  for (;;) {
    request = co_await next_request(me);
    const std::vector<Index> steps = order(me, request.round);
    const bool has_x = (request.tag & brings_x) != 0, has_z = (request.tag & brings_z) != 0;
    auto local = [&] {
      const VectorView v = part_of(request.body, 0, d());
      if (has_x)
        x = part_of(request.body, 1, d());
      else if (request.round > 1)
        x = central(x, v, z);  // (6), which the center has solved too, with the z of that round
      if (has_z) z = part_of(request.body, has_x ? 2 : 1, d());
      if (has_z && !has_x && starts_at_z()) x = z;
      more = local_dispa(me.id(), x, v, z, steps, y);  // phase 1
      v_k = A_k.transpose_times(y);                    // phase 2
    };
    const Cost found = has_x ? Cost() : vector_work(5 * d(), 3);
    co_await me.compute(local_work(me.id(), steps) + found, local);
    if (more.flops > 0) co_await me.compute(more);
    duals->of_machine[me.id()] = y;
    me.send(server_agent, request.round, v_k);
  }
}

void SaddleMethod::spawn(Host& host) const {
  const SharedDuals all = duals(y0_);
  host.spawn(server_agent, [this, all](Agent& me) { return center(me, all); });
  for (const AgentId k : machines())
    host.spawn(
        k, [this, all](Agent& me) { return machine(me, all); }, Host::Role::daemon);
}

// The two problems

Vector SaddleMethod::central(VectorRef x_old, VectorRef v, VectorRef z) const {
  return (x_old / tau_ - v / n() + vt_ * z) / (L_ + 1 / tau_);
}

Cost SaddleMethod::local_dispa(AgentId machine, const Vector& x, VectorRef v, VectorRef z, std::span<const Index> order,
                               Vector& y) const {
  const Vector x0 = central(x, v, z);  // that of (5) at the old y_[k], where v_{-k} + A_k'y_[k] = v
  const LocalProblem local{.samples = samples(machine),
                           .loss = loss(),
                           .n = n(),
                           .M = L_ + 1 / tau_,
                           .rho = K() / sigma_,
                           .eps = eps(),
                           .start = x,
                           .x0 = x0};
  return solver_->solve(local, order, y);
}

Cost SaddleMethod::local_work(AgentId machine, std::span<const Index> order) const {
  return solver_->work(samples(machine), order) + pull_back_work(samples(machine));
}

std::vector<Index> SaddleMethod::order(const Agent& me, Round round) const {
  return step_order(order_, H_, samples(me.id()).rows(), me.draws(local_step_purpose, round));
}

Vector SaddleMethod::sum(std::span<const Payload> v) const {
  Vector all = Vector::Zero(d());
  for (const Payload& of_machine : v)
    if (of_machine) all += of_machine.view();
  return all;
}

std::vector<std::pair<std::string, double>> SaddleMethod::constants() const {
  const double strong = gamma() + eps();
  const double dual = 1 / (1 + sigma_ * strong / K() - 1 / (2 * K() * K()));
  std::vector<std::pair<std::string, double>> all{{"tau", tau_}, {"sigma", sigma_}, {"R", R()}, {"gamma", gamma()}};
  if (std::isfinite(kappa())) all.emplace_back("kappa", kappa());
  Index largest = 0;
  for (const AgentId k : machines()) largest = std::max(largest, samples(k).rows());
  const bool is_balanced = static_cast<double>(largest) < n() / K() + 1;
  const bool has_steps = sigma_ > 1 / (2 * K() * strong) && tau_ * sigma_ * 4 * R() * R() < 1 + 1e-12;
  if (strong > 0 && has_steps && is_balanced)
    all.emplace_back("Theta", std::max(dual, 1 / (1 + tau_ * L_)));  // Lemma 1
  return all;
}

std::vector<std::string> SaddleMethod::warnings() const {
  if (H_ != 0 || !solver_->takes_order()) return {};
  return {"local_steps is 0: the dual variables stay where they are, and only x moves"};
}

}  // namespace lagnet
