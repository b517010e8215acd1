#include "algorithms/federated/compressed/ef21.hpp"

#include <cmath>
#include <utility>

namespace lagnet {

Task<> Ef21::train(Agent& me) const {
  const SmoothPart f_k = part_of_client(me.id());
  StateVector g = me.vector(d());  // own estimate of grad f_k         (d)
  StateVector c = g;               // what is sent                     (d)
  Message request;                 // x                                (d)
  CompressionDraws u;
  auto difference = [&] {
    c = f_k.gradient(request.body.view()) - g;
    Q_(c, u);  // (1)
    g += c;    // (1)
  };
  const Cost work = f_k.gradient_work() + vector_work(d(), 3) + compression_work() + vector_work(Q_.kept(), 3);
  for (;;) {
    request = co_await next_request(me);
    u = Q_.draws(me, request.round);
    co_await me.compute(work, difference);
    me.answer(request, Q_.payload(me, c));
  }
}

double Ef21::step_of_theory(std::optional<double> L) {
  const double rest = std::sqrt(1 - Q_.compressor().delta()), L_tilde = mean_curvature(L), L_f = curvature_of_mean(L);
  add_constant("L_f", L_f);
  add_constant("L_tilde", L_tilde);
  return 1 / (L_f + L_tilde * rest / (1 - rest));
}

Ef21::Ef21(const Ef21Options& options, MethodInput given)
    : Ef21(Ef21Options::kind, Ef21Options::traits, options, std::move(given)) {}

Ef21::Ef21(std::string_view kind, const AlgorithmTraits& traits, const Ef21Options& options, MethodInput given)
    : EstimateMethod(kind, traits, options.compressor, std::move(given), 2) {
  need_contractive(Q_.compressor(), options.compressor);
  if (options.step)
    s_ = *options.step;
  else if (has_numbers())
    s_ = step_of_theory(options.L);
  if (s_ > 0) add_constant("step", s_);
  add_constants(Q_.constants());
}

}  // namespace lagnet
