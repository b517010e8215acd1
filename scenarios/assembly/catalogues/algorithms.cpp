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
#include "algorithms/peers/netlasso.hpp"
#include "algorithms/peers/nids.hpp"
#include "algorithms/peers/optimal/adom_plus.hpp"
#include "algorithms/peers/optimal/opapc.hpp"
#include "algorithms/peers/optimal/ssda.hpp"
#include "algorithms/peers/proximal_gradient.hpp"
#include "scenarios/format/kinds/algorithm_kinds.hpp"
#include "scenarios/format/kinds/python_method.hpp"

namespace lagnet {

namespace {

template <class Options, class Method>
auto algorithm_line() {
  return entry<Options>([](const Options& options) {
    return MadeAlgorithm{traits_of(options), [options](MethodInput given) -> std::unique_ptr<Algorithm> {
                           return std::make_unique<Method>(options, std::move(given));
                         }};
  });
}

auto python_line() {
  return entry<PythonOptions>([](const PythonOptions& options) {
    return MadeAlgorithm{options.traits(),
                         [options](MethodInput given) { return make_python_method(options, std::move(given)); }};
  });
}

}  // namespace

// One line an entry, which clang-format would fill up.
// clang-format off
const Catalogue<MadeAlgorithm>& AlgorithmFamily::catalogue() {
  static const Catalogue<MadeAlgorithm> all(
      algorithm_line<FdPrimalDualOptions, FdPrimalDual>(),
      algorithm_line<FedAvgOptions, FedAvg>(),
      algorithm_line<GossipAveragingOptions, GossipAveraging>(),
      algorithm_line<AccelTrackingOptions, AccelTracking>(),
      algorithm_line<NetLassoOptions, NetLasso>(),
      algorithm_line<DpagOptions, Dpag>(),
      algorithm_line<ProximalGradientOptions, ProximalGradient>(),
      algorithm_line<AcceleratedProximalGradientOptions, AcceleratedProximalGradient>(),
      algorithm_line<DgdOptions, Dgd>(),
      algorithm_line<ExtraOptions, Extra>(),
      algorithm_line<NidsOptions, Nids>(),
      algorithm_line<GradientTrackingOptions, GradientTracking>(),
      algorithm_line<DecentralizedAdmmOptions, DecentralizedAdmm>(),
      algorithm_line<ScaffoldOptions, Scaffold>(),
      algorithm_line<FedMidOptions, FedMid>(),
      algorithm_line<FedDualAvgOptions, FedDualAvg>(),
      algorithm_line<FastFedDaOptions, FastFedDa>(),
      algorithm_line<CFedDaOptions, CFedDa>(),
      algorithm_line<McFedDaOptions, McFedDa>(),
      algorithm_line<DispaOptions, Dispa>(),
      algorithm_line<ADispaOptions, ADispa>(),
      algorithm_line<CocoaPlusOptions, CocoaPlus>(),
      algorithm_line<CocoaOptions, Cocoa>(),
      algorithm_line<HyfdcaOptions, Hyfdca>(),
      algorithm_line<HybridFedAvgOptions, HybridFedAvg>(),
      algorithm_line<HyfemOptions, Hyfem>(),
      algorithm_line<DistributedProximalGradientOptions, DistributedProximalGradient>(),
      algorithm_line<DistributedFistaOptions, DistributedFista>(),
      algorithm_line<ConsensusAdmmOptions, ConsensusAdmm>(),
      algorithm_line<BlockSplittingAdmmOptions, BlockSplittingAdmm>(),
      algorithm_line<FedProxOptions, FedProx>(),
      algorithm_line<ProxSkipOptions, ProxSkip>(),
      algorithm_line<DianaOptions, Diana>(),
      algorithm_line<Ef21Options, Ef21>(),
      algorithm_line<EfSgdOptions, EfSgd>(),
      algorithm_line<FedAsyncOptions, FedAsync>(),
      algorithm_line<FedBuffOptions, FedBuff>(),
      algorithm_line<AsyncGradientOptions, AsyncGradient>(),
      algorithm_line<PiagOptions, Piag>(),
      algorithm_line<DavePgOptions, DavePg>(),
      algorithm_line<AsyncAdmmOptions, AsyncAdmm>(),
      algorithm_line<AsyncBlocksOptions, AsyncBlocks>(),
      algorithm_line<PairwiseGossipOptions, PairwiseGossip>(),
      algorithm_line<AdPsgdOptions, AdPsgd>(),
      algorithm_line<AsySonataOptions, AsySonata>(),
      algorithm_line<EdgeAdmmOptions, EdgeAdmm>(),
      algorithm_line<FdEdgeAdmmOptions, FdEdgeAdmm>(),
      algorithm_line<ChocoGossipOptions, ChocoGossip>(),
      algorithm_line<ChocoSgdOptions, ChocoSgd>(),
      algorithm_line<LeadOptions, Lead>(),
      algorithm_line<BeerOptions, Beer>(),
      algorithm_line<PushDigingOptions, PushDiging>(),
      algorithm_line<PushPullOptions, PushPull>(),
      algorithm_line<SubgradientPushOptions, SubgradientPush>(),
      algorithm_line<PushSumOptions, PushSum>(),
      algorithm_line<SsdaOptions, Ssda>(),
      algorithm_line<MsdaOptions, Ssda>(),
      algorithm_line<ApapcOptions, Opapc>(),
      algorithm_line<OpapcOptions, Opapc>(),
      algorithm_line<AdomPlusOptions, AdomPlus>(),
      python_line());
  return all;
}
// clang-format on

}  // namespace lagnet
