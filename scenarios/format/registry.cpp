#include "scenarios/format/registry.hpp"

#include <algorithm>

#include "algorithms/dual/a_dispa.hpp"
#include "algorithms/dual/cocoa_plus.hpp"
#include "algorithms/dual/dispa.hpp"
#include "algorithms/federated/c_fed_da.hpp"
#include "algorithms/federated/consensus_admm.hpp"
#include "algorithms/federated/distributed_fista.hpp"
#include "algorithms/federated/distributed_proximal_gradient.hpp"
#include "algorithms/federated/fast_fed_da.hpp"
#include "algorithms/federated/fed_avg.hpp"
#include "algorithms/federated/fed_dual_avg.hpp"
#include "algorithms/federated/fed_mid.hpp"
#include "algorithms/federated/fed_prox.hpp"
#include "algorithms/federated/mc_fed_da.hpp"
#include "algorithms/federated/scaffold.hpp"
#include "algorithms/hybrid/block_splitting_admm.hpp"
#include "algorithms/hybrid/hybrid_fed_avg.hpp"
#include "algorithms/hybrid/hyfdca.hpp"
#include "algorithms/hybrid/hyfem.hpp"
#include "algorithms/objectives/losses/absolute.hpp"
#include "algorithms/objectives/losses/hinge.hpp"
#include "algorithms/objectives/losses/huber.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/smoothed_hinge.hpp"
#include "algorithms/objectives/losses/softmax.hpp"
#include "algorithms/objectives/losses/squared.hpp"
#include "algorithms/objectives/regularizers/elastic_net.hpp"
#include "algorithms/objectives/regularizers/group_lasso.hpp"
#include "algorithms/objectives/regularizers/l1.hpp"
#include "algorithms/objectives/regularizers/l2.hpp"
#include "algorithms/objectives/regularizers/none.hpp"
#include "algorithms/objectives/regularizers/nuclear.hpp"
#include "algorithms/objectives/sets/box.hpp"
#include "algorithms/objectives/sets/l1_ball.hpp"
#include "algorithms/objectives/sets/l2_ball.hpp"
#include "algorithms/objectives/sets/no_constraint.hpp"
#include "algorithms/objectives/sets/nuclear_ball.hpp"
#include "algorithms/objectives/sets/nuclear_ball_and_box.hpp"
#include "algorithms/peers/accel_tracking.hpp"
#include "algorithms/peers/accelerated_proximal_gradient.hpp"
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
#include "scenarios/compare/claims.hpp"
#include "scenarios/data/csv.hpp"
#include "scenarios/data/generators/data_shape.hpp"
#include "scenarios/data/generators/federated_classification.hpp"
#include "scenarios/data/generators/federated_regression.hpp"
#include "scenarios/data/generators/gaussian.hpp"
#include "scenarios/data/generators/matrix_completion.hpp"
#include "scenarios/data/generators/rotated.hpp"
#include "scenarios/data/generators/sparse_regression.hpp"
#include "scenarios/data/libsvm.hpp"
#include "scenarios/data/matrix_market.hpp"
#include "scenarios/data/partitions/cell_partitions.hpp"
#include "scenarios/data/partitions/feature_partitions.hpp"
#include "scenarios/data/partitions/sample_partitions.hpp"
#include "scenarios/data/partitions/skewed_partitions.hpp"
#include "scenarios/format/compute_options.hpp"
#include "scenarios/format/distributions.hpp"
#include "scenarios/format/link_options.hpp"
#include "scenarios/format/metric_kinds.hpp"
#include "scenarios/format/topology_schedule.hpp"
#include "topologies/generators.hpp"

namespace lagnet {

namespace {

// An entry calls the overload that belongs to its options.
template <class Options>
auto loss_line() {
  return entry<Options>([](const Options& options, const Vector& labels) {
    if constexpr (requires { make_loss(options, labels); })
      return make_loss(options, labels);
    else
      return make_loss(options);
  });
}
template <class Options>
auto regularizer_line() {
  return entry<Options>([](const Options& options, const IterateShape& shape) {
    if constexpr (requires { make_regularizer(options, shape); })
      return make_regularizer(options, shape);
    else
      return make_regularizer(options);
  });
}
template <class Options>
auto constraint_line() {
  return entry<Options>([](const Options& options, IterateShape shape) { return make_constraint(options, shape); });
}
template <class Options>
auto topology_line() {
  return entry<Options>([](const Options& options, std::uint64_t seed) { return make_topology(options, seed); });
}
template <class Options>
auto change_line() {
  return entry<Options>(
      [](const Options& options, const ChangeContext& context) { return make_changes(options, context); });
}
template <class Options>
auto data_line() {
  return entry<Options>(
      [](const Options& options, const std::filesystem::path& base, std::uint64_t seed, Numerics numerics) {
        if constexpr (requires { shape_of(options); })
          if (numerics == Numerics::off) return shape_of(options);
        return load(options, base, seed);
      });
}
template <class Options>
auto partition_line() {
  return entry<Options>([](const Options& options) {
    constexpr bool needs_labels = requires { Options::needs_labels; };
    return MadePartition{Options::division, needs_labels,
                         [options](const PartitionContext& context) { return make_partition(options, context); }};
  });
}
template <class Options, class Method>
auto algorithm_line() {
  return entry<Options>([](const Options& options) {
    return MadeAlgorithm{traits_of(options), [options](MethodInput given) -> std::unique_ptr<Algorithm> {
                           return std::make_unique<Method>(options, std::move(given));
                         }};
  });
}
template <class Options>
auto metric_line() {
  return entry<Options>([](const Options& options) { return make_metric(options); });
}
template <class Options>
auto speed_line() {
  return entry<Options>([](const Options& options, AgentId agents, std::uint64_t seed, CheckReport& report) {
    return make_speeds(options, agents, seed, report);
  });
}
template <class Options>
auto latency_line() {
  return entry<Options>([](const Options& options, const Topology& topology, std::uint64_t seed, CheckReport& report) {
    return make_latency(options, topology, seed, report);
  });
}
template <class Options>
auto clients_line() {
  return entry<Options>([](const Options& options, std::uint64_t seed) { return make_clients(options, seed); });
}
template <class Options>
auto availability_line() {
  return entry<Options>(
      [](const Options& options, const AvailabilityContext& context) { return make_process(options, context); });
}
template <class Options>
auto missing_line() {
  return entry<Options>([](const Options& options) { return make_missing(options); });
}

// Catalogues of all distributions, and of what else gives the same product.
template <class... Options>
DistributionFamily::Kinds distributions(KindList<Options...>) {
  return DistributionFamily::Kinds(entry<Options>([](const Options& o, Draws draws) { return draw(o, draws); })...);
}
template <class... Options, class... Lines>
SpeedFamily::Kinds speeds(KindList<Options...>, Lines... others) {
  return SpeedFamily::Kinds(speed_line<Options>()..., others...);
}
template <class... Options, class... Lines>
LatencyFamily::Kinds latencies(KindList<Options...>, Lines... others) {
  return LatencyFamily::Kinds(latency_line<Options>()..., others...);
}

/// The kinds of a catalogue; `listed` are those that a list before has.
template <class Family>
Listing listing(std::string_view what, const std::vector<std::string>& listed = {}) {
  Listing list{what, {}};
  for (const auto& entry : Family::catalogue().entries())
    if (std::ranges::find(listed, entry->kind) == listed.end()) list.kinds.push_back(entry.get());
  return list;
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
      algorithm_line<FedProxOptions, FedProx>());
  return all;
}

const Catalogue<std::shared_ptr<const Loss>, const Vector&>& LossFamily::catalogue() {
  static const Catalogue<std::shared_ptr<const Loss>, const Vector&> all(
      loss_line<SquaredOptions>(),
      loss_line<LogisticOptions>(),
      loss_line<HuberOptions>(),
      loss_line<AbsoluteOptions>(),
      loss_line<SoftmaxOptions>(),
      loss_line<HingeOptions>(),
      loss_line<SmoothedHingeOptions>());
  return all;
}

const Catalogue<std::shared_ptr<const Regularizer>, const IterateShape&>& RegularizerFamily::catalogue() {
  static const Catalogue<std::shared_ptr<const Regularizer>, const IterateShape&> all(
      regularizer_line<NoneOptions>(),
      regularizer_line<L1Options>(),
      regularizer_line<L2Options>(),
      regularizer_line<ElasticNetOptions>(),
      regularizer_line<GroupLassoOptions>(),
      regularizer_line<NuclearOptions>());
  return all;
}

const Catalogue<std::shared_ptr<const Constraint>, IterateShape>& ConstraintFamily::catalogue() {
  static const Catalogue<std::shared_ptr<const Constraint>, IterateShape> all(
      constraint_line<NoConstraintOptions>(),
      constraint_line<L1BallOptions>(),
      constraint_line<L2BallOptions>(),
      constraint_line<BoxOptions>(),
      constraint_line<NuclearBallOptions>(),
      constraint_line<NuclearBallAndBoxOptions>());
  return all;
}

const Catalogue<Topology, std::uint64_t>& TopologyFamily::catalogue() {
  static const Catalogue<Topology, std::uint64_t> all(
      topology_line<CompleteOptions>(),
      topology_line<StarOptions>(),
      topology_line<RingOptions>(),
      topology_line<PathOptions>(),
      topology_line<LatticeOptions>(),
      topology_line<ErdosRenyiOptions>(),
      topology_line<RandomGeometricOptions>(),
      topology_line<RandomRegularOptions>(),
      topology_line<WattsStrogatzOptions>(),
      topology_line<BarabasiAlbertOptions>(),
      topology_line<ExponentialOptions>(),
      topology_line<HypercubeOptions>(),
      topology_line<BinaryTreeOptions>(),
      topology_line<BarbellOptions>(),
      topology_line<TwoLevelClusterOptions>(),
      topology_line<EdgeListOptions>(),
      topology_line<GraphmlOptions>());
  return all;
}

const Catalogue<MadeTopology, const ChangeContext&>& TopologyChangeFamily::catalogue() {
  static const Catalogue<MadeTopology, const ChangeContext&> all(
      change_line<GraphsOptions>(),
      change_line<RandomMatchingsOptions>(),
      change_line<RandomEdgesOptions>());
  return all;
}

const Catalogue<DataSet, const std::filesystem::path&, std::uint64_t, Numerics>& DataFamily::catalogue() {
  static const Catalogue<DataSet, const std::filesystem::path&, std::uint64_t, Numerics> all(
      data_line<LibsvmOptions>(),
      data_line<CsvOptions>(),
      data_line<MatrixMarketOptions>(),
      data_line<GaussianRegressionOptions>(),
      data_line<GaussianClassificationOptions>(),
      data_line<RotatedRegressionOptions>(),
      data_line<SparseRegressionOptions>(),
      data_line<FederatedRegressionOptions>(),
      data_line<LowRankRegressionOptions>(),
      data_line<FederatedClassificationOptions>(),
      data_line<MatrixCompletionOptions>());
  return all;
}

const Catalogue<MadePartition>& PartitionFamily::catalogue() {
  static const Catalogue<MadePartition> all(
      partition_line<EvenFeaturesOptions>(),
      partition_line<ShuffledFeaturesOptions>(),
      partition_line<FeatureBlocksOptions>(),
      partition_line<EvenSamplesOptions>(),
      partition_line<ShuffledSamplesOptions>(),
      partition_line<SampleBlocksOptions>(),
      partition_line<ByLabelOptions>(),
      partition_line<DirichletOptions>(),
      partition_line<QuantitySkewOptions>(),
      partition_line<BlocksOptions>(),
      partition_line<NonzeroChunksOptions>(),
      partition_line<QuadrantsOptions>(),
      partition_line<CellListsOptions>());
  return all;
}

const Catalogue<MadeMetric>& MetricFamily::catalogue() {
  static const Catalogue<MadeMetric> all(
      metric_line<L1ErrorOptions>(),
      metric_line<L2ErrorOptions>(),
      metric_line<FrobeniusErrorOptions>(),
      metric_line<OperatorErrorOptions>(),
      metric_line<SupportF1Options>(),
      metric_line<NonZerosOptions>(),
      metric_line<RankOptions>(),
      metric_line<TrainLossOptions>(),
      metric_line<TestLossOptions>(),
      metric_line<MeanSquaredResidualOptions>(),
      metric_line<TestMeanSquaredResidualOptions>(),
      metric_line<AccuracyOptions>(),
      metric_line<TestAccuracyOptions>(),
      metric_line<OptimumGapOptions>(),
      metric_line<DistanceToOptimumOptions>());
  return all;
}

const DistributionFamily::Kinds& DistributionFamily::catalogue() {
  static const Kinds all = distributions(Distributions());
  return all;
}

const SpeedFamily::Kinds& SpeedFamily::catalogue() {
  static const Kinds all = speeds(Distributions(),
      speed_line<SpeedListOptions>(),
      speed_line<SpeedClassesOptions>(),
      speed_line<SpeedTraceOptions>());
  return all;
}

const LatencyFamily::Kinds& LatencyFamily::catalogue() {
  static const Kinds all = latencies(Distributions(),
      latency_line<LatencyDistanceOptions>(),
      latency_line<LatencyMatrixOptions>());
  return all;
}

const Catalogue<MadeParticipation, std::uint64_t>& ClientsFamily::catalogue() {
  static const Catalogue<MadeParticipation, std::uint64_t> all(
      clients_line<FullOptions>(),
      clients_line<RandomSubsetOptions>(),
      clients_line<IndependentOptions>(),
      clients_line<CyclicOptions>(),
      clients_line<ListedOptions>());
  return all;
}

const Catalogue<MadeProcess, const AvailabilityContext&>& AvailabilityFamily::catalogue() {
  static const Catalogue<MadeProcess, const AvailabilityContext&> all(
      availability_line<OnOffOptions>(),
      availability_line<DiurnalOptions>(),
      availability_line<AvailabilityTraceOptions>(),
      availability_line<CrashOptions>(),
      availability_line<ScheduleOptions>());
  return all;
}

const Catalogue<MissingNeighbor>& MissingNeighborFamily::catalogue() {
  static const Catalogue<MissingNeighbor> all(
      missing_line<WaitOptions>(),
      missing_line<ReuseLastOptions>(),
      missing_line<SkipOptions>());
  return all;
}
// clang-format on

std::vector<Listing> listings() {
  const std::vector<std::string> drawn = DistributionFamily::catalogue().kinds();
  return {listing<AlgorithmFamily>("algorithms"),
          listing<TopologyFamily>("topologies"),
          listing<TopologyChangeFamily>("topology_changes"),
          listing<LossFamily>("losses"),
          listing<RegularizerFamily>("regularizers"),
          listing<ConstraintFamily>("constraints"),
          listing<DataFamily>("data"),
          listing<PartitionFamily>("partitions"),
          listing<MetricFamily>("metrics"),
          listing<ClaimFamily>("claims"),
          listing<DistributionFamily>("distributions"),
          listing<SpeedFamily>("speeds", drawn),
          listing<LatencyFamily>("latencies", drawn),
          listing<ClientsFamily>("clients"),
          listing<AvailabilityFamily>("availability"),
          listing<MissingNeighborFamily>("missing_neighbors")};
}

}  // namespace lagnet
