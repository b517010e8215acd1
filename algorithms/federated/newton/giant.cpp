#include "algorithms/federated/newton/giant.hpp"

#include <utility>
#include <vector>

namespace lagnet {

Task<> Giant::serve(Agent& me) const {
  StateVector x = clients().start(me);  // the model                (d)
  StateVector g = me.vector(d());       // mean gradient            (d)
  StateVector p = g;                    // mean direction           (d)
  StateVector share = me.vector(1);     // of it, that is taken     (1)
  std::vector<Message> gradients, directions, values;

  auto average = [&] { take_mean(gradients, g); };  // (1)
  auto direct = [&] { take_mean(directions, p); };
  auto move = [&] {
    share[0] = share_of(values, g, p);
    x -= share[0] * p;  // (3)
  };

  report(me, 0, x, share);
  for (Round t = 1; t <= rounds(); ++t) {
    gradients = co_await ask(me, t, x, Question::gradient);
    co_await me.compute(mean_work(gradients.size(), 0, 1), average);
    directions = co_await ask_again(me, t, g, Question::local_solution);
    co_await me.compute(mean_work(directions.size(), 0, 1), direct);
    if (searches()) values = co_await ask_again(me, t, p, Question::values);
    co_await me.compute(vector_work(2 * d(), 3), move);
    report(me, t, x, share);
  }
}

Task<> Giant::train(Agent& me) const {
  const SmoothPart part = part_of_client(me.id());
  const OwnFunction f = function_of_client(me.id());
  StateVector x = me.vector(d());     // the model                        (d)
  StateVector g = x;                  // grad f_k(x)                      (d)
  StateVector p = x;                  // own direction                    (d)
  StateVector at_steps = values(me);  // f_k(x) and along the direction   (1 + 6)
  Message request;                    // x, or the mean g or p

  auto gradient = [&] {
    x = request.body.view();
    g = part.gradient(x);
  };
  auto direct = [&] { p = newton_direction(f.hessian(scores_for_hessian(f, x)), request.body.view()); };  // (2)
  auto evaluate = [&] { at_steps = values_along(f, x, request.body.view()); };
  const Cost of_direction = hessian_work(f) + Cost(cholesky_flops(d()) + solution_flops(d()));

  for (;;) {
    request = co_await next_request(me);
    if (request.tag == Question::gradient) {
      co_await me.compute(part.gradient_work(), gradient);
      me.answer(request, g, Question::gradient);
    } else if (request.tag == Question::local_solution) {
      co_await me.compute(of_direction, direct);
      me.answer(request, p, Question::local_solution);
    } else {
      co_await me.compute(values_work(f), evaluate);
      me.answer(request, at_steps, Question::values);
    }
  }
}

Giant::Giant(const GiantOptions& options, MethodInput given)
    : SecondOrderMethod(GiantOptions::kind, GiantOptions::traits, std::move(given),
                        options.line_search ? StepLadder{.factor = 0.25, .slope = 0.1, .count = 6} : StepLadder{}) {
  need_curved_parts(GiantOptions::kind, b());
}

}  // namespace lagnet
