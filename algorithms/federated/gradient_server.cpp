#include "algorithms/federated/gradient_server.hpp"

#include <string>
#include <utility>

namespace lagnet {

Task<> GradientServer::train(Agent& me) const {
  const RowBlock& samples = clients().samples(me.id());
  return train_rounds(me, [&samples, this](const Message& request, const Minibatches& all) {
    return samples.gradient(loss(), request.body.view(), all.of_step(0));  // grad L_k(z)  (d)
  });
}

Vector GradientServer::descend(VectorRef z, std::span<const Message> gradients) const {
  StateVector g = StateVector::zeros(d());  // sum_k q_k grad L_k(z)  (d)
  clients().add_mean(gradients, 1, g);
  const StateVector next = z - s_ * g;
  return P_(next, s_);
}

GradientServer::GradientServer(std::string_view kind, std::optional<double> L, std::optional<double> step,
                               MethodInput assignment)
    : FederatedMethod(kind, {.keeps_constraint = true}, std::move(assignment)), P_(problem(), kind) {
  need_gradient(kind);
  if (has_numbers()) s_ = step ? positive("step", *step) : 1 / largest_curvature(L, given());
}

}  // namespace lagnet
