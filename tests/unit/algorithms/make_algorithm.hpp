#pragma once

#include <memory>
#include <type_traits>

#include "algorithms/asynchronous/async_admm.hpp"
#include "algorithms/asynchronous/async_blocks.hpp"
#include "algorithms/asynchronous/async_gradient.hpp"
#include "algorithms/asynchronous/dave_pg.hpp"
#include "algorithms/asynchronous/fed_async.hpp"
#include "algorithms/asynchronous/fed_buff.hpp"
#include "algorithms/asynchronous/piag.hpp"
#include "algorithms/dual/a_dispa.hpp"
#include "algorithms/dual/cocoa_plus.hpp"
#include "algorithms/dual/dispa.hpp"
#include "algorithms/federated/c_fed_da.hpp"
#include "algorithms/federated/compressed/diana.hpp"
#include "algorithms/federated/compressed/ef21.hpp"
#include "algorithms/federated/compressed/ef_sgd.hpp"
#include "algorithms/federated/consensus_admm.hpp"
#include "algorithms/federated/distributed_fista.hpp"
#include "algorithms/federated/distributed_proximal_gradient.hpp"
#include "algorithms/federated/fast_fed_da.hpp"
#include "algorithms/federated/fed_avg.hpp"
#include "algorithms/federated/fed_dual_avg.hpp"
#include "algorithms/federated/fed_mid.hpp"
#include "algorithms/federated/fed_prox.hpp"
#include "algorithms/federated/mc_fed_da.hpp"
#include "algorithms/federated/prox_skip.hpp"
#include "algorithms/federated/scaffold.hpp"
#include "algorithms/hybrid/block_splitting_admm.hpp"
#include "algorithms/hybrid/hybrid_fed_avg.hpp"
#include "algorithms/hybrid/hyfdca.hpp"
#include "algorithms/hybrid/hyfem.hpp"
#include "algorithms/peers/accel_tracking.hpp"
#include "algorithms/peers/asynchronous/ad_psgd.hpp"
#include "algorithms/peers/asynchronous/asy_sonata.hpp"
#include "algorithms/peers/asynchronous/edge_admm.hpp"
#include "algorithms/peers/asynchronous/fd_edge_admm.hpp"
#include "algorithms/peers/asynchronous/pairwise_gossip.hpp"
#include "algorithms/peers/decentralized_admm.hpp"
#include "algorithms/peers/dgd.hpp"
#include "algorithms/peers/dpag.hpp"
#include "algorithms/peers/extra.hpp"
#include "algorithms/peers/fd_primal_dual.hpp"
#include "algorithms/peers/gossip_averaging.hpp"
#include "algorithms/peers/gradient_tracking.hpp"
#include "algorithms/peers/netlasso.hpp"
#include "algorithms/peers/nids.hpp"
#include "algorithms/peers/proximal_gradient.hpp"

namespace lagnet {

namespace detail {

/// Makes that of the methods whose constructor takes these options.
template <class Method, class... Others, class Options>
std::unique_ptr<Algorithm> make_first(const Options& options, MethodInput given) {
  if constexpr (std::is_constructible_v<Method, const Options&, MethodInput>)
    return std::make_unique<Method>(options, std::move(given));
  else
    return make_first<Others...>(options, std::move(given));
}

}  // namespace detail

/// The method of these options, for tests that run many methods alike.
template <class Options>
std::unique_ptr<Algorithm> make_algorithm(const Options& options, MethodInput given) {
  return detail::make_first<
      AccelTracking, AcceleratedProximalGradient, DecentralizedAdmm, Dgd, Dpag, Extra, FdPrimalDual, GossipAveraging,
      GradientTracking, NetLasso, Nids, ProximalGradient, FedAvg, FedProx, Scaffold, FedMid, FedDualAvg, FastFedDa,
      CFedDa, McFedDa, DistributedProximalGradient, DistributedFista, ConsensusAdmm, ProxSkip, Diana, Ef21, EfSgd,
      Dispa, ADispa, CocoaPlus, Cocoa, Hyfdca, HybridFedAvg, Hyfem, BlockSplittingAdmm, FedAsync, FedBuff,
      AsyncGradient, Piag, DavePg, AsyncAdmm, AsyncBlocks, PairwiseGossip, AdPsgd, AsySonata, EdgeAdmm, FdEdgeAdmm>(
      options, std::move(given));
}

}  // namespace lagnet
