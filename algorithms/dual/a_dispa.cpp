#include "algorithms/dual/a_dispa.hpp"

#include <cmath>

namespace lagnet {

Task<> ADispa::center(Agent& me, SharedReveal revealed) const {
  Center at = center_at_start(me);  // x, and z^{s-1}
  at.z = at.x;
  StateVector x_stage = at.x;  // x^{s-1}                  (d)
  double alpha = alpha_0_;     // alpha_{s-1}

  auto extrapolate = [&] {
    const double old = q_ - alpha * alpha;
    const double next = (old + std::sqrt(old * old + 4 * alpha * alpha)) / 2;  // alpha_s
    const double beta = alpha * (1 - alpha) / (alpha * alpha + next);          // beta_s
    at.z = at.x + beta * (at.x - x_stage);                                     // z^s
    x_stage = at.x;
    alpha = next;
    if (starts_at_z()) at.x = at.z;
  };

  co_await begin(me, at);
  for (Round t = 1, last = 0; t <= given().rounds; t = last + 1) {  // a stage
    if (t > 1) {
      me.enter(t);
      co_await me.compute(vector_work(3 * d(), 4), extrapolate);
    }
    at.view.new_z();
    last = T_s_ <= given().rounds - t ? t + T_s_ - 1 : given().rounds;
    co_await rounds(me, at, revealed, t, last);
  }
}

ADispa::ADispa(const ADispaOptions& options, MethodInput given)
    : SaddleMethod(ADispaOptions::kind, options, options.vt, std::move(given)),
      T_s_(options.rounds_per_stage),
      start_at_(options.start),
      q_(lambda() / (lambda() + vt())),
      alpha_0_(options.alpha_0.value_or(std::sqrt(q_))) {}

std::vector<Constant> ADispa::constants() const {
  auto all = SaddleMethod::constants();
  all.insert(all.end(), {{"vt", vt()}, {"q", q_}, {"alpha_0", alpha_0_}, {"T_s", static_cast<double>(T_s_)}});
  return all;
}

}  // namespace lagnet
