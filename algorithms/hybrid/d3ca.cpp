#include "algorithms/hybrid/d3ca.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "algorithms/interface/rounds.hpp"

namespace lagnet {

Task<> D3ca::serve(Agent& me) const {
  const Index n = cells().samples(), M = cells().features();
  StateVector a = me.vector(n), w = me.vector(M);  // dual, primal                            (N, M)
  StateVector sum;                                 // of what came, by sample or by feature   (N, M)
  std::vector<Message> answers;                    // n_p each, m_q each
  const double lambda_N = lambda() * N(), grid = static_cast<double>(P_ * Q_);
  const Cost dual_cost(Q_ * n + 2 * n, Bytes{sizeof(double)} * (Q_ * n + 3 * n));
  const Cost primal_cost(P_ * M + M, Bytes{sizeof(double)} * (P_ * M + 2 * M));
  auto part_of = [](const StateVector& whole, const std::vector<Index>& places) {
    return whole.has_numbers() ? Payload(restricted(whole, places)) : Payload::of_size(std::ssize(places));
  };
  auto average = [&] {
    sum = Vector::Zero(n);
    for (const Message& changes : answers) sum(at(cells().of(changes.from).samples)) += changes.body.view();
    a += sum / grid;  // (3)
  };
  auto aggregate = [&] {
    sum = Vector::Zero(M);
    for (const Message& hat : answers) sum(at(cells().of(hat.from).features)) += hat.body.view();
    w = sum / lambda_N;  // (4)
  };

  me.report(0, w, a);
  for (Round t = 1; t <= rounds(); ++t) {
    me.enter(t);
    answers = co_await me.collect(t, clients(), Time::never(), Sent::duals);
    co_await me.compute(dual_cost, average);
    for (const AgentId k : clients()) me.send(k, t, part_of(a, cells().of(k).samples), Sent::duals);
    answers = co_await me.collect(t, clients(), Time::never(), Sent::primal);
    co_await me.compute(primal_cost, aggregate);
    for (const AgentId k : clients()) me.send(k, t, part_of(w, cells().of(k).features), Sent::primal);
    me.report(t, w, a);
  }
}

Task<> D3ca::ascend(Agent& me) const {
  const CellBlock& own = cells().of(me.id());
  const SampleRows& x = own.slices;
  const double lambda_N = lambda() * N(), Q = static_cast<double>(Q_), scale = Q / lambda_N;
  StateVector a = me.vector(own.n());        // duals                                    (n_p)
  StateVector w = me.vector(own.m());        // primal                                   (m_q)
  StateVector changes = me.vector(own.n());  // of the duals, by the coordinate steps    (n_p)
  StateVector hat = me.vector(own.m());      // sum of a_i x_{q,i}                       (m_q)
  Vector norms;                              // ||x_{q,i}||^2                            (n_p)
  std::vector<Index> picks;                  // samples of the steps, by their rows      (H)
  Message in;
  if (!me.timing_only()) norms = own.squared_norms();

  auto local_dual_method = [&] {
    changes = a;
    for (const Index i : picks) {
      const double q = scale * norms[i], p = Q * x.score(i, w), y = x.label(i);
      const double stepped = q > 0 ? loss().dual_step(changes[i], p, y, q) : -loss().derivative(p, y);
      const double d = stepped - changes[i];  // (1)
      changes[i] = stepped;
      x.add(i, d / lambda_N, w);  // (2)
    }
    changes -= a;
  };
  auto take_duals = [&] {
    a = in.body.view();
    own.sum_into(hat, a);
  };

  for (Round t = 1; t <= rounds(); ++t) {
    me.enter(t);
    picks = pick_samples(picker(), own.n(), H(), t - 1, me.draws(Purpose{"hybrid.samples"}, t));
    const Cost steps(4 * own.entries_of(picks) + 10 * H() + own.n());
    co_await me.compute(steps, local_dual_method);
    me.send(server_agent, t, changes, Sent::duals);
    do in = co_await me.receive_latest();
    while (in.round < t || in.tag != Sent::duals);  // (3)
    co_await me.compute(own.product_work(own.entries), take_duals);
    me.send(server_agent, t, hat, Sent::primal);
    do in = co_await me.receive_latest();
    while (in.round < t || in.tag != Sent::primal);  // (4)
    if (in.body.has_numbers()) w = in.body.view();
  }
}

D3ca::D3ca(const D3caOptions& options, MethodInput input) : HybridMethod(D3caOptions::kind, options, std::move(input)) {
  std::set<std::vector<Index>> of_samples, of_features;
  std::vector<Index> clients_of_feature(static_cast<std::size_t>(cells().features()), 0);
  for (const AgentId k : clients()) {
    const CellBlock& cell = cells().of(k);
    of_samples.insert(cell.samples);
    of_features.insert(cell.features);
    for (const Index j : cell.features) ++clients_of_feature[static_cast<std::size_t>(j)];
  }
  P_ = std::ssize(of_samples);
  Q_ = std::ssize(of_features);
  bool is_grid = P_ * Q_ == std::ssize(clients()) && !of_samples.contains({}) && !of_features.contains({});
  for (Index i = 0; i < cells().samples(); ++i) is_grid = is_grid && std::ssize(cells().holders(i)) == Q_;
  for (const Index holders : clients_of_feature) is_grid = is_grid && holders == P_;
  if (!is_grid)
    throw Diagnosed("kind",
                    "an algorithm for clients whose cells form no grid of groups of samples x groups of features",
                    std::string(D3caOptions::kind));
  add_constants({{"lambda", lambda()}, {"H", static_cast<double>(H())}});
}

Evaluation D3ca::evaluate(Round round, RoundReport report, const ErrorScale& scale) const {
  Evaluation result = HybridMethod::evaluate(round, report, scale);
  const double dual = dual_objective(report[server_agent][1]);
  result.metrics.insert(result.metrics.end(), {dual, result.objective - dual});
  return result;
}

void D3ca::spawn(Host& host) const {
  host.spawn(server_agent, [this](Agent& me) { return serve(me); });
  for (const AgentId k : clients()) host.spawn(k, [this](Agent& me) { return ascend(me); });
}

}  // namespace lagnet
