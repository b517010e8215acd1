#include "algorithms/federated/fed_prox.hpp"

namespace lagnet {

Task<> FedProx::train(Agent& me) const {
  return change_by_steps(me, [this](const Vector& x, const Vector& g, VectorView w) -> StateVector {
    return x - eta_c() * (g + *regularizer().subgradient(x) + mu_ * (x - w));  // (2)
  });
}

Cost FedProx::own_work(Round round) const { return FedAvg::own_work(round) + times(E(), vector_work(3 * d(), 1)); }

}  // namespace lagnet
