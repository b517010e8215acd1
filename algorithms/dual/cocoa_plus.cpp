#include "algorithms/dual/cocoa_plus.hpp"

#include <fmt/format.h>

#include "algorithms/interface/flush_subnormals.hpp"
#include "algorithms/interface/rounds.hpp"

namespace lagnet {

Task<> CocoaPlus::center(Agent& me, SharedDuals duals) const {
  Vector w = Vector::Zero(d());  // primal iterate  (d)
  std::vector<Message> answers;  // dw_k            (d each)

  auto add = [&] {
    Vector sum = Vector::Zero(d());
    for (const Message& answer : answers) sum += answer.body.view();
    w += nu_ * sum;
  };

  me.report(0, w, duals->seen);
  for (Round t = 1; t <= given().rounds; ++t) {
    const Cohort S = me.cohort(t);
    send_to_all(me, S.members, t, w);
    answers = co_await me.collect(t, S);
    if (!answers.empty()) co_await me.compute(vector_work((std::ssize(answers) + 2) * d(), 3), add);
    see(*duals, answers);
    me.report(t, w, duals->seen);
  }
}

Task<> CocoaPlus::machine(Agent& me, SharedDuals duals) const {
  const RowBlock& A_k = samples(me.id());
  Vector y = Vector::Zero(A_k.rows());  // -alpha_[k]             (n_k)
  Vector dw;                            // dw_k                   (d)
  Message request;                      // w
  Cost more;                            // what the local solver took besides
  for (;;) {
    request = co_await next_request(me);
    const std::vector<Index> steps = step_order(order_, H_, A_k.rows(), me.draws(local_step_purpose, request.round));
    auto local = [&] {
      const Vector w = request.body.view();
      const LocalProblem problem{
          .samples = A_k, .loss = loss(), .n = n(), .M = lambda() / sigma_prime_, .eps = eps(), .start = w, .x0 = w};
      Vector found = y;
      more = solver_->solve(problem, steps, found);
      dw = A_k.transpose_times(found - y) / -(lambda() * n());
      y = nu_ == 1 ? found : Vector(((1 - nu_) * y + nu_ * found).unaryExpr(&without_dust));
    };
    co_await me.compute(local_work(me.id(), steps), local);
    if (more.flops > 0) co_await me.compute(more);
    duals->of_machine[me.id()] = y;
    me.send(server_agent, request.round, dw);
  }
}

Cost CocoaPlus::local_work(AgentId machine, std::span<const Index> order) const {
  return solver_->work(samples(machine), order) + pull_back_work(samples(machine)) + vector_work(d(), 1);
}

CocoaPlus::CocoaPlus(std::string_view kind, const CocoaPlusOptions& options, MethodInput assignment)
    : DualMethod(kind, std::move(assignment), options.eps),
      nu_(options.nu),
      sigma_prime_(options.sigma_prime.value_or(options.nu * K())),
      solver_(make_local_solver(options.local_solver, R(), gamma(), options.eps)),
      H_(options.local_steps),
      order_(options.order) {
  if (!start().isZero(0))
    throw OptionError("kind", "an algorithm that may start anywhere: the start of this one belongs to dual variables 0",
                      std::string(kind));
}

std::vector<std::pair<std::string, double>> CocoaPlus::constants() const {
  return {{"nu", nu_}, {"sigma_prime", sigma_prime_}, {"R", R()}, {"gamma", gamma()}};
}

std::vector<std::string> CocoaPlus::warnings() const {
  std::vector<std::string> all;
  if (H_ == 0 && solver_->takes_order())
    all.push_back("local_steps is 0: the dual variables stay where they are, and so does x");
  if (sigma_prime_ < nu_ * K() * (1 - 1e-12))
    all.push_back(fmt::format("sigma_prime, {:.6g}, is below nu K = {:.6g}: the iterates can oscillate", sigma_prime_,
                              nu_ * K()));
  return all;
}

std::vector<std::string> CocoaPlus::remarks(std::int64_t missing) const {
  if (missing == 0) return {};
  return {
      fmt::format("{} answers of machines were not there when their rounds were closed: w lacks what these have "
                  "changed in their dual variables",
                  missing)};
}

void CocoaPlus::spawn(Host& host) const {
  const SharedDuals all = duals(Vector::Zero(samples_of_all()));
  host.spawn(server_agent, [this, all](Agent& me) { return center(me, all); });
  for (const AgentId k : machines())
    host.spawn(
        k, [this, all](Agent& me) { return machine(me, all); }, Host::Role::daemon);
}

namespace {

CocoaPlusOptions averaging(const CocoaOptions& options, const NetworkFacts& network) {
  CocoaPlusOptions averaging;
  averaging.nu = 1 / static_cast<double>(network.agents - 1);
  averaging.sigma_prime = 1;
  averaging.local_solver = options.local_solver;
  averaging.local_steps = options.local_steps;
  averaging.order = options.order;
  averaging.eps = options.eps;
  return averaging;
}

}  // namespace

Cocoa::Cocoa(const CocoaOptions& options, MethodInput assignment)
    : CocoaPlus{CocoaOptions::kind, averaging(options, assignment.network), std::move(assignment)} {}

}  // namespace lagnet
