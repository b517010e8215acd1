#include "algorithms/a_dispa.hpp"

#include <cmath>

#include "algorithms/clients.hpp"

namespace lagnet {

Task<> ADispa::center(Agent& me, SharedDuals duals) const {
  Vector x = start();                                                           // primal iterate           (d)
  Vector v = Vector::Zero(d());                                                 // sum_i y_i a_i            (d)
  Vector z = x;                                                                 // z^{s-1}, extrapolated    (d)
  Vector x_stage = x;                                                           // x^{s-1}                  (d)
  double alpha = alpha_0_;                                                      // alpha_{s-1}
  std::vector<Payload> v_of(static_cast<std::size_t>(given().network.agents));  // v_k, by agent (d each)
  std::vector<bool> knows_x(v_of.size(), true), knows_z(v_of.size(), false);
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
    if (start_at_ == StageStart::z) x = z;
  };

  if (starts_warm()) {
    answers = co_await me.collect(0, machines());
    for (const Message& answer : answers) v_of[answer.from] = answer.body;
    v = sum(v_of);
  }
  me.report(0, x, duals->seen);
  for (Round t = 1; t <= given().rounds; ++t) {
    if (t > 1 && begins_stage(t)) {
      me.enter(t);
      co_await me.compute(vector_work(3 * d(), 4), extrapolate);
      knows_z.assign(knows_z.size(), false);
    }
    const Cohort S = me.cohort(t);
    for (const AgentId k : S.members)
      me.send(k, t, message(x, v, z, {.has_x = !is_lean() || !knows_x[k], .has_z = !knows_z[k]}));
    answers = co_await me.collect(t, S);
    for (const Message& answer : answers) v_of[answer.from] = answer.body;
    co_await me.compute(central_work(), combine);
    see(*duals, answers);
    knows_x.assign(knows_x.size(), false);
    for (const Message& answer : answers) knows_x[answer.from] = knows_z[answer.from] = true;
    me.report(t, x, duals->seen);
  }
}

Task<> ADispa::machine(Agent& me, SharedDuals duals) const {
  const RowBlock& A_k = samples(me.id());
  Vector x = start();              // x^{t-1}         (d)
  Vector z = x;                    // z^{s-1}         (d)
  Vector y = dual_start(me.id());  // own dual block  (n_k)
  Vector v_k;                      // A_k'y           (d)
  Message request;                 // x^{t-1}, v^{t-1}, z^{s-1}
  Work more;                       // what the local solver took besides

  auto pull_back = [&] { v_k = A_k.transpose_times(y); };
  if (starts_warm()) {
    co_await me.compute(pull_back_work(A_k), pull_back);
    me.send(server_agent, 0, v_k);
  }
  for (;;) {
    request = co_await next_request(me);
    const std::vector<Index> steps = order(me, request.round);
    const Update came = parts_of(request.body);
    auto local = [&] {
      const VectorView v = part_of(request.body, came.has_x ? 1 : 0, d());
      if (came.has_x)
        x = part_of(request.body, 0, d());
      else if (request.round > 1)
        x = central(x, v, z);  // (6), which the center has solved too, with the z of that round
      if (came.has_z) z = part_of(request.body, came.has_x ? 2 : 1, d());
      if (came.has_z && !came.has_x && start_at_ == StageStart::z) x = z;
      more = local_dispa(me.id(), x, v, z, steps, y);  // phase 1
      v_k = A_k.transpose_times(y);                    // phase 2
    };
    const Work found = came.has_x ? Work() : vector_work(5 * d(), 3);
    co_await me.compute(local_work(me.id(), steps) + found, local);
    if (more.flops > 0) co_await me.compute(more);
    duals->of_machine[me.id()] = y;
    me.send(server_agent, request.round, v_k);
  }
}

ADispa::Update ADispa::parts_of(const Payload& body) const {
  const Index parts = body.size() / d();
  return {.has_x = parts == 3 || (parts == 2 && !is_lean()), .has_z = parts == 3 || (parts == 2 && is_lean())};
}

Payload ADispa::message(VectorRef x, VectorRef v, VectorRef z, Update what) const {
  // A machine that has missed a round of lean ones gets all, since two parts then stand for v and z.
  if (what.has_x && (what.has_z || is_lean())) return joined_payload(x, v, z);
  if (what.has_x) return joined_payload(x, v);
  return what.has_z ? joined_payload(v, z) : Payload(v);
}

ADispa::ADispa(const ADispaOptions& options, Assignment assignment)
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

void ADispa::spawn(Simulation& simulation) const {
  const SharedDuals all = duals(dual_start());
  simulation.spawn(server_agent, [this, all](Agent& me) { return center(me, all); });
  for (const AgentId k : machines())
    simulation.spawn(
        k, [this, all](Agent& me) { return machine(me, all); }, Simulation::Role::daemon);
}

std::unique_ptr<Algorithm> make_algorithm(const ADispaOptions& options, Assignment assignment) {
  return std::make_unique<ADispa>(options, std::move(assignment));
}

}  // namespace lagnet
