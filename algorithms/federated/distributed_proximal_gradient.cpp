#include "algorithms/federated/distributed_proximal_gradient.hpp"

namespace lagnet {

Task<> DistributedProximalGradient::serve(Agent& me) const {
  StateVector w = clients().start(me);                                                 // the iterate     (d)
  auto step = [&](std::span<const Message> gradients) { w = descend(w, gradients); };  // grad L_k(w)     (d each)
  co_await serve_rounds(me, w, step, w);
}

}  // namespace lagnet
