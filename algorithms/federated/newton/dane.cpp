#include "algorithms/federated/newton/dane.hpp"

#include <utility>
#include <vector>

#include "algorithms/local/dane_step.hpp"

namespace lagnet {

Task<> Dane::serve(Agent& me) const {
  StateVector x = clients().start(me);  // the model        (d)
  StateVector g = me.vector(d());       // mean gradient    (d)
  std::vector<Message> gradients, minimizers;

  auto average = [&] { take_mean(gradients, g); };  // (1)
  auto move = [&] { take_mean(minimizers, x); };    // (3)

  me.report(0, x);
  for (Round t = 1; t <= rounds(); ++t) {
    gradients = co_await ask(me, t, x, Question::gradient);
    co_await me.compute(mean_work(gradients.size(), 0, 1), average);
    minimizers = co_await ask_again(me, t, g, Question::local_solution);
    co_await me.compute(mean_work(minimizers.size(), 0, 1), move);
    me.report(t, x);
  }
}

Task<> Dane::train(Agent& me) const {
  const SmoothPart part = part_of_client(me.id());
  DaneStep local(function_of_client(me.id()), mu_);
  StateVector x = me.vector(d());  // the model                        (d)
  StateVector g = x;               // grad f_k(x)                      (d)
  StateVector w = x;               // minimizer of the own problem     (d)
  Message request;                 // x, or the mean g
  Cost more;                       // of Newton's steps

  auto factor = [&] { local.factor(); };
  auto gradient = [&] {
    x = request.body.view();
    g = part.gradient(x);
  };
  auto minimize = [&] { more = local.solve(x, g, eta_ * request.body.view(), w); };  // (2)

  if (local.is_direct()) co_await me.compute(local.factor_work(), factor);
  for (;;) {
    request = co_await next_request(me);
    if (request.tag == Question::gradient) {
      co_await me.compute(part.gradient_work(), gradient);
      me.answer(request, g, Question::gradient);
      continue;
    }
    co_await me.compute(local.solve_work(), minimize);
    if (!local.is_direct()) co_await me.compute(more);
    me.answer(request, w, Question::local_solution);
  }
}

Dane::Dane(const DaneOptions& options, MethodInput given)
    : SecondOrderMethod(DaneOptions::kind, DaneOptions::traits, std::move(given), {}),
      mu_(options.mu),
      eta_(options.eta) {
  need_curved_parts(DaneOptions::kind, b() + mu_);
  if (!has_numbers() && !loss().is_squared())
    throw Diagnosed("kind", "the squared loss with numerics off, since Newton's steps depend on the numbers",
                    std::string(loss().kind()));
  add_constants({{"mu", mu_}, {"eta", eta_}});
}

std::optional<Bytes> Dane::memory() const {
  return *SecondOrderMethod::memory() + (agents() - 1) * DaneStep::memory(d());
}

}  // namespace lagnet
