#include "algorithms/federated/fed_avg.hpp"

namespace lagnet {

Task<> FedAvg::serve(Agent& me) const {
  StateVector w = clients().start(me);                    // the model                (d)
  auto average = [&](std::span<const Message> changes) {  // x_k - w                  (d each)
    clients().add_mean(changes, eta_s(), w);
  };
  co_await serve_rounds(me, w, average, w);
}

Task<> FedAvg::train(Agent& me) const {
  return change_by_steps(me, [this](const Vector& x, const Vector& g, VectorView) -> StateVector {
    return x - eta_c() * (g + *regularizer().subgradient(x));
  });
}

FedAvg::FedAvg(std::string_view kind, const AveragingOptions& options, MethodInput given)
    : AveragingMethod(options, std::move(given), kind) {
  need_subgradient(problem(), kind);
}

void need_subgradient(const Problem& problem, std::string_view kind) {
  if (!problem.regularizer->subgradient(Vector::Zero(problem.dim())))
    throw OptionError("kind", "an algorithm that needs no subgradient, which this regularizer does not offer",
                      std::string(kind));
}

}  // namespace lagnet
