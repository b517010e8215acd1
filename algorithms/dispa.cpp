#include "algorithms/dispa.hpp"

#include "algorithms/clients.hpp"

namespace lagnet {

namespace {

/// Whether the machine has got all that was sent before this round: its answer of the round before came in time.
std::vector<bool> up_to_date(std::span<const Message> answers, std::size_t agents) {
  std::vector<bool> is(agents, false);
  for (const Message& answer : answers) is[answer.from] = true;
  return is;
}

}  // namespace

Task<> Dispa::center(Agent& me, SharedDuals duals) const {
  Vector x = start();                                                           // primal iterate (d)
  Vector v = Vector::Zero(d());                                                 // sum_i y_i a_i  (d)
  std::vector<Payload> v_of(static_cast<std::size_t>(given().network.agents));  // v_k, by agent (d each)
  std::vector<bool> knows_x(v_of.size(), true);                                 // what lean ones need
  std::vector<Message> answers;

  auto combine = [&] {
    v = sum(v_of);                         // phase 3
    x = central(x, v, Vector::Zero(d()));  // (6)
  };

  if (starts_warm()) {
    answers = co_await me.collect(0, machines());
    for (const Message& answer : answers) v_of[answer.from] = answer.body;
    v = sum(v_of);
  }
  me.report(0, x, duals->seen);
  for (Round t = 1; t <= given().rounds; ++t) {
    const Cohort S = me.cohort(t);
    const Payload both = joined_payload(x, v), lean(v);
    for (const AgentId k : S.members) me.send(k, t, is_lean() && knows_x[k] ? lean : both);  // phase 4 of t - 1
    answers = co_await me.collect(t, S);
    for (const Message& answer : answers) v_of[answer.from] = answer.body;
    co_await me.compute(central_work(), combine);
    see(*duals, answers);
    knows_x = up_to_date(answers, v_of.size());
    me.report(t, x, duals->seen);
  }
}

Task<> Dispa::machine(Agent& me, SharedDuals duals) const {
  const RowBlock& A_k = samples(me.id());
  const Vector none = Vector::Zero(d());  // z
  Vector x = start();                     // x^{t-1}                    (d)
  Vector y = dual_start(me.id());         // own dual block             (n_k)
  Vector v_k;                             // A_k'y                      (d)
  Message request;                        // x^{t-1}, v^{t-1}
  Work more;                              // what the local solver took besides

  auto pull_back = [&] { v_k = A_k.transpose_times(y); };
  if (starts_warm()) {
    co_await me.compute(pull_back_work(A_k), pull_back);
    me.send(server_agent, 0, v_k);
  }
  for (;;) {
    request = co_await next_request(me);
    const std::vector<Index> steps = order(me, request.round);
    const bool has_x = request.body.size() == 2 * d();
    auto local = [&] {
      const VectorView v = part_of(request.body, has_x ? 1 : 0, d());
      if (has_x)
        x = part_of(request.body, 0, d());
      else if (request.round > 1)
        x = central(x, v, none);                          // (6), which the center has solved too
      more = local_dispa(me.id(), x, v, none, steps, y);  // phase 1
      v_k = A_k.transpose_times(y);                       // phase 2
    };
    const Work found = has_x ? Work() : vector_work(5 * d(), 3);
    co_await me.compute(local_work(me.id(), steps) + found, local);
    if (more.flops > 0) co_await me.compute(more);
    duals->of_machine[me.id()] = y;
    me.send(server_agent, request.round, v_k);
  }
}

Dispa::Dispa(const DispaOptions& options, Assignment assignment)
    : SaddleMethod(DispaOptions::kind, options, 0, std::move(assignment)) {}

void Dispa::spawn(Simulation& simulation) const {
  const SharedDuals all = duals(dual_start());
  simulation.spawn(server_agent, [this, all](Agent& me) { return center(me, all); });
  for (const AgentId k : machines())
    simulation.spawn(
        k, [this, all](Agent& me) { return machine(me, all); }, Simulation::Role::daemon);
}

std::unique_ptr<Algorithm> make_algorithm(const DispaOptions& options, Assignment assignment) {
  return std::make_unique<Dispa>(options, std::move(assignment));
}

}  // namespace lagnet
