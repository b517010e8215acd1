#include "algorithms/dual/dispa.hpp"

namespace lagnet {

// The machines' part, phases 1 and 2, is SaddleMethod::machine.
Task<> Dispa::center(Agent& me, SharedDuals duals) const {
  Vector x = start();                                                           // primal iterate (d)
  Vector v = Vector::Zero(d());                                                 // sum_i y_i a_i  (d)
  const Vector z = Vector::Zero(d());                                           // counts for nothing, since vt = 0
  std::vector<Payload> v_of(static_cast<std::size_t>(given().network.agents));  // v_k, by agent (d each)
  Known known = all_known();
  std::vector<Message> answers;

  auto combine = [&] {
    v = sum(v_of);         // phase 3
    x = central(x, v, z);  // (6)
  };

  co_await set_up(me, v_of, v);
  me.report(0, x, duals->seen);
  for (Round t = 1; t <= given().rounds; ++t) {
    const Cohort S = me.cohort(t);
    send_state(me, t, S.members, x, v, z, known);  // phase 4 of t - 1
    answers = co_await me.collect(t, S);
    for (const Message& answer : answers) v_of[answer.from] = answer.body;
    co_await me.compute(central_work(), combine);
    see(*duals, answers);
    note_answers(known, answers);
    me.report(t, x, duals->seen);
  }
}

Dispa::Dispa(const DispaOptions& options, MethodInput assignment)
    : SaddleMethod(DispaOptions::kind, options, 0, std::move(assignment)) {}

}  // namespace lagnet
