#pragma once

#include "algorithms/asynchronous/async_admm.hpp"
#include "algorithms/asynchronous/async_blocks.hpp"
#include "algorithms/asynchronous/async_gradient.hpp"
#include "algorithms/asynchronous/dave_pg.hpp"
#include "algorithms/asynchronous/fed_async.hpp"
#include "algorithms/asynchronous/fed_buff.hpp"
#include "algorithms/asynchronous/fed_compass.hpp"
#include "algorithms/asynchronous/piag.hpp"
#include "algorithms/dual/a_dispa.hpp"
#include "algorithms/dual/cocoa_plus.hpp"
#include "algorithms/dual/dispa.hpp"
#include "algorithms/federated/c_fed_da.hpp"
#include "algorithms/federated/compressed/dasha.hpp"
#include "algorithms/federated/compressed/dasha_pp.hpp"
#include "algorithms/federated/compressed/diana.hpp"
#include "algorithms/federated/compressed/ef21.hpp"
#include "algorithms/federated/compressed/ef21_bc.hpp"
#include "algorithms/federated/compressed/ef_sgd.hpp"
#include "algorithms/federated/compressed/locodl.hpp"
#include "algorithms/federated/compressed/marina.hpp"
#include "algorithms/federated/compressed/tamuna.hpp"
#include "algorithms/federated/consensus_admm.hpp"
#include "algorithms/federated/distributed_fista.hpp"
#include "algorithms/federated/distributed_proximal_gradient.hpp"
#include "algorithms/federated/fast_fed_da.hpp"
#include "algorithms/federated/fed_at.hpp"
#include "algorithms/federated/fed_avg.hpp"
#include "algorithms/federated/fed_dual_avg.hpp"
#include "algorithms/federated/fed_dyn.hpp"
#include "algorithms/federated/fed_mid.hpp"
#include "algorithms/federated/fed_nova.hpp"
#include "algorithms/federated/fed_prox.hpp"
#include "algorithms/federated/hier_avg.hpp"
#include "algorithms/federated/mc_fed_da.hpp"
#include "algorithms/federated/newton/dane.hpp"
#include "algorithms/federated/newton/fednl.hpp"
#include "algorithms/federated/newton/giant.hpp"
#include "algorithms/federated/prox_skip.hpp"
#include "algorithms/federated/scaffold.hpp"
#include "algorithms/hybrid/block_splitting_admm.hpp"
#include "algorithms/hybrid/d3ca.hpp"
#include "algorithms/hybrid/fed_bcd.hpp"
#include "algorithms/hybrid/hybrid_fed_avg.hpp"
#include "algorithms/hybrid/hyfdca.hpp"
#include "algorithms/hybrid/hyfem.hpp"
#include "algorithms/peers/accel_tracking.hpp"
#include "algorithms/peers/asynchronous/ad_psgd.hpp"
#include "algorithms/peers/asynchronous/asy_sonata.hpp"
#include "algorithms/peers/asynchronous/edge_admm.hpp"
#include "algorithms/peers/asynchronous/fd_edge_admm.hpp"
#include "algorithms/peers/asynchronous/pairwise_gossip.hpp"
#include "algorithms/peers/asynchronous/walkman.hpp"
#include "algorithms/peers/compressed/beer.hpp"
#include "algorithms/peers/compressed/choco_gossip.hpp"
#include "algorithms/peers/compressed/choco_sgd.hpp"
#include "algorithms/peers/compressed/lead.hpp"
#include "algorithms/peers/decentralized_admm.hpp"
#include "algorithms/peers/dgd.hpp"
#include "algorithms/peers/directed/push_diging.hpp"
#include "algorithms/peers/directed/push_pull.hpp"
#include "algorithms/peers/directed/push_sum.hpp"
#include "algorithms/peers/directed/subgradient_push.hpp"
#include "algorithms/peers/dpag.hpp"
#include "algorithms/peers/extra.hpp"
#include "algorithms/peers/fd_primal_dual.hpp"
#include "algorithms/peers/gossip_averaging.hpp"
#include "algorithms/peers/gradient_tracking.hpp"
#include "algorithms/peers/k_gt.hpp"
#include "algorithms/peers/led.hpp"
#include "algorithms/peers/lt_admm.hpp"
#include "algorithms/peers/netlasso.hpp"
#include "algorithms/peers/network_dane.hpp"
#include "algorithms/peers/nids.hpp"
#include "algorithms/peers/optimal/adom_plus.hpp"
#include "algorithms/peers/optimal/opapc.hpp"
#include "algorithms/peers/optimal/ssda.hpp"
#include "algorithms/peers/proximal_gradient.hpp"
#include "algorithms/peers/relay_sgd.hpp"

/// The list of all methods, for the catalogue and for tests. A method adds an #include and a line; the order of the
/// lines is that of `lagnet list`.
namespace lagnet {

/// A method's options, and the class that is made from (options, MethodInput).
template <class Options, class Method>
struct MethodLine {};

template <class... Lines>
struct MethodList {};

// One line an entry, which clang-format would fill up.
// clang-format off
using AllMethods = MethodList<
    MethodLine<FdPrimalDualOptions, FdPrimalDual>,
    MethodLine<FedAvgOptions, FedAvg>,
    MethodLine<GossipAveragingOptions, GossipAveraging>,
    MethodLine<AccelTrackingOptions, AccelTracking>,
    MethodLine<NetLassoOptions, NetLasso>,
    MethodLine<DpagOptions, Dpag>,
    MethodLine<ProximalGradientOptions, ProximalGradient>,
    MethodLine<AcceleratedProximalGradientOptions, AcceleratedProximalGradient>,
    MethodLine<DgdOptions, Dgd>,
    MethodLine<ExtraOptions, Extra>,
    MethodLine<NidsOptions, Nids>,
    MethodLine<GradientTrackingOptions, GradientTracking>,
    MethodLine<DecentralizedAdmmOptions, DecentralizedAdmm>,
    MethodLine<KGtOptions, KGt>,
    MethodLine<LedOptions, Led>,
    MethodLine<LtAdmmOptions, LtAdmm>,
    MethodLine<RelaySgdOptions, RelaySgd>,
    MethodLine<ScaffoldOptions, Scaffold>,
    MethodLine<FedMidOptions, FedMid>,
    MethodLine<FedDualAvgOptions, FedDualAvg>,
    MethodLine<FastFedDaOptions, FastFedDa>,
    MethodLine<CFedDaOptions, CFedDa>,
    MethodLine<McFedDaOptions, McFedDa>,
    MethodLine<DispaOptions, Dispa>,
    MethodLine<ADispaOptions, ADispa>,
    MethodLine<CocoaPlusOptions, CocoaPlus>,
    MethodLine<CocoaOptions, Cocoa>,
    MethodLine<HyfdcaOptions, Hyfdca>,
    MethodLine<HybridFedAvgOptions, HybridFedAvg>,
    MethodLine<HyfemOptions, Hyfem>,
    MethodLine<FedBcdOptions, FedBcd>,
    MethodLine<D3caOptions, D3ca>,
    MethodLine<DistributedProximalGradientOptions, DistributedProximalGradient>,
    MethodLine<DistributedFistaOptions, DistributedFista>,
    MethodLine<ConsensusAdmmOptions, ConsensusAdmm>,
    MethodLine<BlockSplittingAdmmOptions, BlockSplittingAdmm>,
    MethodLine<FedProxOptions, FedProx>,
    MethodLine<FedNovaOptions, FedNova>,
    MethodLine<FedDynOptions, FedDyn>,
    MethodLine<HierAvgOptions, HierAvg>,
    MethodLine<FedAtOptions, FedAt>,
    MethodLine<ProxSkipOptions, ProxSkip>,
    MethodLine<DianaOptions, Diana>,
    MethodLine<Ef21Options, Ef21>,
    MethodLine<EfSgdOptions, EfSgd>,
    MethodLine<Ef21PpOptions, Ef21Pp>,
    MethodLine<Ef21BcOptions, Ef21Bc>,
    MethodLine<MarinaOptions, Marina>,
    MethodLine<DashaOptions, Dasha>,
    MethodLine<DashaPpOptions, DashaPp>,
    MethodLine<TamunaOptions, Tamuna>,
    MethodLine<LocodlOptions, Locodl>,
    MethodLine<FedAsyncOptions, FedAsync>,
    MethodLine<FedBuffOptions, FedBuff>,
    MethodLine<FedCompassOptions, FedCompass>,
    MethodLine<AsyncGradientOptions, AsyncGradient>,
    MethodLine<PiagOptions, Piag>,
    MethodLine<DavePgOptions, DavePg>,
    MethodLine<AsyncAdmmOptions, AsyncAdmm>,
    MethodLine<AsyncBlocksOptions, AsyncBlocks>,
    MethodLine<PairwiseGossipOptions, PairwiseGossip>,
    MethodLine<AdPsgdOptions, AdPsgd>,
    MethodLine<AsySonataOptions, AsySonata>,
    MethodLine<EdgeAdmmOptions, EdgeAdmm>,
    MethodLine<FdEdgeAdmmOptions, FdEdgeAdmm>,
    MethodLine<WalkmanOptions, Walkman>,
    MethodLine<ChocoGossipOptions, ChocoGossip>,
    MethodLine<ChocoSgdOptions, ChocoSgd>,
    MethodLine<LeadOptions, Lead>,
    MethodLine<BeerOptions, Beer>,
    MethodLine<PushDigingOptions, PushDiging>,
    MethodLine<PushPullOptions, PushPull>,
    MethodLine<SubgradientPushOptions, SubgradientPush>,
    MethodLine<PushSumOptions, PushSum>,
    MethodLine<SsdaOptions, Ssda>,
    MethodLine<MsdaOptions, Ssda>,
    MethodLine<ApapcOptions, Opapc>,
    MethodLine<OpapcOptions, Opapc>,
    MethodLine<AdomPlusOptions, AdomPlus>,
    MethodLine<FedNlOptions, FedNl>,
    MethodLine<GiantOptions, Giant>,
    MethodLine<DaneOptions, Dane>,
    MethodLine<NetworkDaneOptions, NetworkDane>>;
// clang-format on

}  // namespace lagnet
