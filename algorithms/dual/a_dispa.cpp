#include "algorithms/dual/a_dispa.hpp"

#include <cmath>

namespace lagnet {

Task<> ADispa::center(Agent& me, SharedDuals duals) const {
  Vector x = start();                                                           // primal iterate           (d)
  Vector v = Vector::Zero(d());                                                 // sum_i y_i a_i            (d)
  Vector z = x;                                                                 // z^{s-1}, extrapolated    (d)
  Vector x_stage = x;                                                           // x^{s-1}                  (d)
  double alpha = alpha_0_;                                                      // alpha_{s-1}
  std::vector<Payload> v_of(static_cast<std::size_t>(given().network.agents));  // v_k, by agent (d each)
  Known known = all_known();
  std::vector<Message> answers;

  auto combine = [&] {
    v = sum(v_of);         // phase 3
    x = central(x, v, z);  // (6)
  };
  auto extrapolate = [&] {
    const double old = q_ - alpha * alpha;
    const double next = (old + std::sqrt(old * old + 4 * alpha * alpha)) / 2;  // alpha_s
    const double beta = alpha * (1 - alpha) / (alpha * alpha + next);          // beta_s
    z = x + beta * (x - x_stage);                                              // z^s
    x_stage = x;
    alpha = next;
    if (starts_at_z()) x = z;
  };

  co_await set_up(me, v_of, v);
  me.report(0, x, duals->seen);
  for (Round t = 1; t <= given().rounds; ++t) {
    if (t > 1 && begins_stage(t)) {
      me.enter(t);
      co_await me.compute(vector_work(3 * d(), 4), extrapolate);
    }
    if (begins_stage(t)) known.z.assign(known.z.size(), false);
    const Cohort S = me.cohort(t);
    send_state(me, t, S.members, x, v, z, known);
    answers = co_await me.collect(t, S);
    for (const Message& answer : answers) v_of[answer.from] = answer.body;
    co_await me.compute(central_work(), combine);
    see(*duals, answers);
    note_answers(known, answers);
    me.report(t, x, duals->seen);
  }
}

ADispa::ADispa(const ADispaOptions& options, MethodInput assignment)
    : SaddleMethod(ADispaOptions::kind, options, options.vt, std::move(assignment)),
      T_s_(options.rounds_per_stage),
      start_at_(options.start),
      q_(lambda() / (lambda() + vt())),
      alpha_0_(options.alpha_0.value_or(std::sqrt(q_))) {}

std::vector<std::pair<std::string, double>> ADispa::constants() const {
  auto all = SaddleMethod::constants();
  all.insert(all.end(), {{"vt", vt()}, {"q", q_}, {"alpha_0", alpha_0_}, {"T_s", static_cast<double>(T_s_)}});
  return all;
}

}  // namespace lagnet
