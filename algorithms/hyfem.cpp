#include "algorithms/hyfem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "algorithms/clients.hpp"

namespace lagnet {

Task<> Hyfem::match(Agent& me) const {
  const CellBlock& own = cells().of(me.id());
  if (own.n() == 0) co_return;
  Message request;                   // w0 on M_k               (m_k)
  Vector w = Vector::Zero(own.m());  // own model, which stays  (m_k)
  Index visits = 0;                  // iterations taken part in
  std::vector<Index> picks;
  auto local_steps = [&] {
    const double lr = a_ / (b_ + std::sqrt(static_cast<double>(request.round)));
    const VectorView w0 = request.body.view();
    for (const Index i : picks) {
      const double slope = loss().derivative(own.slices.score(i, w), own.slices.label(i));
      w -= lr * (lambda() * w + mu_ * (w - w0));
      own.slices.add(i, -lr * slope, w);
    }
  };
  for (;;) {
    request = co_await next_request(me);
    picks = pick_samples(picker(), own.n(), H(), visits++, me.draws(Purpose{"hybrid.samples"}, request.round));
    const Work work(4 * own.entries_of(picks) + H() * (5 * own.m() + 5));
    co_await me.compute(work, local_steps);
    me.send(server_agent, request.round, w);
  }
}

Hyfem::Hyfem(const HyfemOptions& options, Assignment assignment)
    : HybridMethod(HyfemOptions::kind, {options.local_steps, options.iic, options.picker}, std::move(assignment)),
      a_(options.a),
      b_(options.b),
      mu_(options.mu) {}

void Hyfem::spawn(Simulation& simulation) const {
  simulation.spawn(server_agent, [this](Agent& me) { return average_by_feature(me, cells(), rounds()); });
  for (const AgentId k : simulation.agent(server_agent).neighbors())
    simulation.spawn(
        k, [this](Agent& me) { return match(me); }, Simulation::Role::daemon);
}

std::vector<std::pair<std::string, double>> Hyfem::constants() const {
  return {{"lambda", lambda()}, {"H", static_cast<double>(H())}, {"a", a_}, {"b", b_}, {"mu", mu_}};
}

std::vector<std::string> Hyfem::warnings() const {
  const double first = a_ / (b_ + 1) * (lambda() + mu_);
  if (first < 2) return {};
  return {
      fmt::format("lr_1 (lambda + mu) = {:.4g} is not below 2: the first iterations drive the models apart", first)};
}

std::unique_ptr<Algorithm> make_algorithm(const HyfemOptions& options, Assignment assignment) {
  return std::make_unique<Hyfem>(options, std::move(assignment));
}

}  // namespace lagnet
