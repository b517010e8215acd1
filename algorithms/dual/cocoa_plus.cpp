#include "algorithms/dual/cocoa_plus.hpp"

#include <fmt/format.h>

#include "algorithms/interface/flush_subnormals.hpp"
#include "algorithms/interface/rounds.hpp"

namespace lagnet {

Task<> CocoaPlus::center(Agent& me, SharedReveal revealed) const {
  StateVector w = me.vector(d());             // primal iterate           (d)
  Vector y = Vector::Zero(samples_of_all());  // -alpha, as revealed      (n)
  std::vector<Message> answers;               // dw_k                     (d each)

  auto add = [&] {
    StateVector sum = StateVector::zeros(d());
    for (const Message& answer : answers) sum += answer.body.view();
    w += nu_ * sum;
    take_revealed(y, answers, *revealed);
  };

  me.report(0, w, y);
  for (Round t = 1; t <= given().rounds; ++t) {
    answers = co_await ask(me, t, w);
    if (!answers.empty()) co_await me.compute(vector_work((std::ssize(answers) + 2) * d(), 3), add);
    me.report(t, w, y);
  }
}

Task<> CocoaPlus::machine(Agent& me, SharedReveal revealed) const {
  const RowBlock& A_k = samples(me.id());
  Vector y = Vector::Zero(A_k.rows());  // -alpha_[k]             (n_k)
  StateVector dw = me.vector(d());      // dw_k                   (d)
  Message request;                      // w
  Cost more;                            // what the local solver took besides
  for (;;) {
    request = co_await next_request(me);
    const std::vector<Index> order = steps(me, request.round);
    auto local = [&] {
      const Vector w = request.body.view();
      const LocalProblem problem{
          .samples = A_k, .loss = loss(), .n = n(), .M = lambda() / sigma_prime_, .eps = eps(), .start = w, .x0 = w};
      Vector found = y;
      more = solver().solve(problem, order, found);
      dw = A_k.transpose_times(found - y) / -(lambda() * n());
      y = nu_ == 1 ? found : Vector(((1 - nu_) * y + nu_ * found).unaryExpr(&without_dust));
      revealed->show(me.id(), y);
    };
    co_await me.compute(local_work(me.id(), order) + vector_work(d(), 1), local);
    if (more.flops > 0) co_await me.compute(more);
    me.answer(request, dw);
  }
}

CocoaPlus::CocoaPlus(std::string_view kind, const LocalOptions& local, double nu, std::optional<double> sigma_prime,
                     MethodInput given)
    : DualMethod(kind, local, false, std::move(given)), nu_(nu), sigma_prime_(sigma_prime.value_or(nu * K())) {
  make_solver(0);
  if (!start().isZero(0))
    throw Diagnosed("kind", "an algorithm that may start anywhere: the start of this one belongs to dual variables 0",
                    std::string(kind));
  add_constants({{"nu", nu_}, {"sigma_prime", sigma_prime_}, {"R", R()}, {"gamma", gamma()}});
  if (stands_still())
    add_warning({"stands_still", {}, "local_steps is 0: the dual variables stay where they are, and so does x"});
  if (sigma_prime_ < nu_ * K() * (1 - 1e-12))
    add_warning({"sigma_prime_too_small",
                 {{"sigma_prime", sigma_prime_}, {"nu_K", nu_ * K()}},
                 fmt::format("sigma_prime, {:.6g}, is below nu K = {:.6g}: the iterates can oscillate", sigma_prime_,
                             nu_ * K())});
}

}  // namespace lagnet
