#include "algorithms/hybrid_fed_avg.hpp"

#include <cmath>
#include <utility>

#include "algorithms/clients.hpp"

namespace lagnet {

Task<> HybridFedAvg::descend(Agent& me) const {
  const CellBlock& own = cells().of(me.id());
  if (own.n() == 0) co_return;
  Message request;   // w0 on M_k               (m_k)
  Vector w;          // own model               (m_k)
  Index visits = 0;  // iterations taken part in
  std::vector<Index> picks;
  auto local_steps = [&] {
    const double lr = a_ / (b_ + std::sqrt(static_cast<double>(request.round)));
    w = request.body.view();
    for (const Index i : picks) {
      const double slope = loss().derivative(own.slices.score(i, w), own.slices.label(i));  // -u of the partial product
      w *= 1 - lr * lambda();
      own.slices.add(i, -lr * slope, w);
    }
  };
  for (;;) {
    request = co_await next_request(me);
    picks = pick_samples(picker(), own.n(), H(), visits++, me.draws(Purpose{"hybrid.samples"}, request.round));
    const Work work(4 * own.entries_of(picks) + H() * (2 * own.m() + 5));
    co_await me.compute(work, local_steps);
    me.send(server_agent, request.round, w);
  }
}

HybridFedAvg::HybridFedAvg(const HybridFedAvgOptions& options, Assignment assignment)
    : HybridMethod(HybridFedAvgOptions::kind, {options.local_steps, options.iic, options.picker},
                   std::move(assignment)),
      a_(options.a),
      b_(options.b) {}

void HybridFedAvg::spawn(Simulation& simulation) const {
  simulation.spawn(server_agent, [this](Agent& me) { return average_by_feature(me, cells(), rounds()); });
  for (const AgentId k : simulation.agent(server_agent).neighbors())
    simulation.spawn(
        k, [this](Agent& me) { return descend(me); }, Simulation::Role::daemon);
}

std::vector<std::pair<std::string, double>> HybridFedAvg::constants() const {
  return {{"lambda", lambda()}, {"H", static_cast<double>(H())}, {"a", a_}, {"b", b_}};
}

std::unique_ptr<Algorithm> make_algorithm(const HybridFedAvgOptions& options, Assignment assignment) {
  return std::make_unique<HybridFedAvg>(options, std::move(assignment));
}

}  // namespace lagnet
