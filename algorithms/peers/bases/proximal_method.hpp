#pragma once

#include <utility>

#include "algorithms/interface/proximal_map.hpp"
#include "algorithms/peers/bases/peers.hpp"

namespace lagnet {

/// Methods of peers that apply a prox or a projection P: their options, and what P costs.
template <class Options>
class ProximalMethod : public PeerAlgorithm {
 protected:
  /// Throws Diagnosed for a problem with both, and as PeerAlgorithm does.
  ProximalMethod(const Options& options, MethodInput input)
      : PeerAlgorithm(std::move(input), Options::kind, Options::traits),
        P_(with_the_rest(given().problem, Options::traits), Options::kind),
        options_(options) {}

  const Options& options() const { return options_; }
  /// The cost of a kernel that applies P once: in addition `each` flops for every entry of a vector, and the vectors
  /// read or written.
  Cost prox_work(Index each, Index vectors) const { return vector_work(each, vectors) + Cost(P_.flops(d())); }

  const ProximalMap P_;

 private:
  const Options options_;
};

}  // namespace lagnet
