#include "algorithms/federated/federated.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lagnet {

FederatedMethod::FederatedMethod(std::string_view kind, LocalSteps steps, MethodInput assignment)
    : given_(std::move(assignment)),
      clients_(given_, steps.weights),
      d_(given_.problem.dim()),
      E_(steps.E),
      batch_(steps.batch) {
  if (given_.problem.constraint && !steps.keeps_constraint)
    throw OptionError("kind", "an algorithm that keeps to the problem's constraint", std::string(kind));
}

void FederatedMethod::need_gradient(std::string_view kind) const {
  if (!loss().smoothness())
    throw OptionError("kind", "an algorithm that needs no gradient, which this loss does not have everywhere",
                      std::string(kind));
}

void FederatedMethod::spawn(Host& host) const {
  spawn_server_and(
      host, clients_.agents(), [this](Agent& me) { return serve(me); }, [this](Agent& me) { return train(me); });
}

Minibatches FederatedMethod::minibatches(const Agent& me, Round round) const {
  const RowBlock& samples = clients_.samples(me.id());
  const bool matter = !me.timing_only() || samples.is_sparse();  // the rows of a sparse batch make its work
  const Index steps = matter ? batches_in(round) : 0;
  return {samples.rows(), batch_, steps, me.draws(Purpose{"minibatch"}, round)};
}

Cost FederatedMethod::client_work(AgentId client, const Minibatches& batches, Round round) const {
  const RowBlock& samples = clients_.samples(client);
  if (!samples.is_sparse()) {
    const Index b = std::min(batch_.value_or(samples.rows()), samples.rows());
    return times(batches_in(round), samples.dense_gradient_work(b, loss().outputs())) + own_work(round);
  }
  Cost gradients;
  for (Index j = 0; j < batches_in(round); ++j)
    gradients = gradients + samples.gradient_work(batches.of_step(j), loss().outputs());
  return gradients + own_work(round);
}

double FederatedMethod::checked_radius(std::optional<double> rho) const {
  constexpr double slack = 1e-11;  // a norm that was rounded, or is written to 12 digits, is that of the start
  const double size = clients_.start().norm();
  if (rho && size > *rho * (1 + slack))
    throw OptionError("rho", fmt::format("at least {:.12g}, the norm of the start", size), fmt::format("{}", *rho));
  return rho.value_or(no_ball);
}

Evaluation FederatedMethod::evaluate(Round, RoundReport report, const ErrorScale&) const {
  const Vector& w = report[server_agent][0];
  return {.iterate = w, .objective = clients_.objective(given_.problem, w), .metrics = {}};
}

std::optional<Bytes> FederatedMethod::memory() const {
  const DataMatrix& X = *given_.problem.X;
  const Index largest = std::max(vectors().request, vectors().answer);
  return X.bytes() + Bytes{sizeof(double)} * ((3 + largest) * agents() * d_ + 2 * X.rows());
}

std::vector<std::string> FederatedMethod::remarks(const RunCounts& counts) const {
  return remark_on_missing(counts.missing, "clients", without_answers());
}

}  // namespace lagnet
