#include "algorithms/federated/bases/federated.hpp"

#include <fmt/format.h>

#include "algorithms/interface/curvature.hpp"

namespace lagnet {

FederatedMethod::FederatedMethod(std::string_view kind, Basics basics, MethodInput given)
    : given_(std::move(given)),
      basics_(std::move(basics)),
      clients_(given_, basics_.weights),
      d_(given_.problem.dim()) {
  if (given_.problem.constraint && !basics_.keeps_constraint)
    throw Diagnosed("kind", "an algorithm that keeps to the problem's constraint", std::string(kind));
  if (!given_.attackers.any()) return;
  for (const AgentId k : clients_.agents())
    if (given_.attackers.is_honest(k)) honest_.push_back(k);
  add_warnings(given_.attackers.warnings(agents() - 1));
}

void FederatedMethod::need_gradient(std::string_view kind) const { lagnet::need_gradient(loss(), kind); }

void FederatedMethod::need_subgradient(std::string_view kind) const {
  if (!regularizer().subgradient(Vector::Zero(d_)))
    throw Diagnosed("kind", "an algorithm that needs no subgradient, which this regularizer does not offer",
                    std::string(kind));
}

void FederatedMethod::need_even_clients(std::string_view kind) const {
  if (clients_.weigh_alike()) return;
  throw Diagnosed({{"/problem/agent_weights",
                    fmt::format("even, since {} weighs clients alike, which hold different numbers of samples", kind),
                    "samples", Diagnostic::Place::pointer}});
}

void FederatedMethod::spawn(Host& host) const {
  spawn_server_and(
      host, clients_.agents(), [this](Agent& me) { return serve(me); }, [this](Agent& me) { return train(me); });
}

Minibatches FederatedMethod::minibatches(const Agent& me, Round round, Index steps) const {
  const RowBlock& samples = clients_.samples(me.id());
  const bool matter = !me.timing_only() || samples.is_sparse();  // the rows of a sparse batch make its work
  if (!matter) return {samples.rows(), basics_.batch, steps, Minibatches::Below()};
  return {samples.rows(), basics_.batch, steps, me.draws(Purpose{"minibatch"}, round)};
}

double FederatedMethod::largest_curvature_of_clients(const char* key) const {
  return largest_shard_curvature(key, given_) + curvature_of(regularizer());
}

double FederatedMethod::checked_radius(std::optional<double> rho) const {
  constexpr double slack = 1e-11;  // a norm that was rounded, or is written to 12 digits, is that of the start
  const double size = clients_.start().norm();
  if (rho && size > *rho * (1 + slack))
    throw Diagnosed("rho", fmt::format("at least {:.12g}, the norm of the start", size), fmt::format("{}", *rho));
  return rho.value_or(no_ball);
}

Evaluation FederatedMethod::evaluate(Round, RoundReport report, const ErrorScale&) const {
  const Vector& w = report[server_agent][basics_.output];
  Evaluation evaluation{.iterate = w, .objective = clients_.objective(given_.problem, w), .metrics = {}};
  if (!honest_.empty()) evaluation.metrics = {clients_.objective_of(given_.problem, w, honest_)};
  return evaluation;
}

std::vector<std::string> FederatedMethod::metric_names() const {
  if (honest_.empty()) return {};
  return {"honest_objective"};
}

std::optional<Bytes> FederatedMethod::memory() const {
  const DataMatrix& X = *given_.problem.X;
  return X.bytes() + Bytes{sizeof(double)} * ((3 + basics_.longest_message) * agents() * d_ + 2 * X.rows());
}

Remarks FederatedMethod::remarks(const RunCounts& counts) const {
  return remark_on_missing(counts.missing, "clients", without_answers());
}

}  // namespace lagnet
