#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/central/optimum.hpp"
#include "algorithms/compression/compression_draws.hpp"
#include "algorithms/interface/algorithm_traits.hpp"
#include "algorithms/interface/attackers.hpp"
#include "algorithms/interface/constants.hpp"
#include "algorithms/interface/selection.hpp"
#include "algorithms/kernels/cells.hpp"
#include "algorithms/problem/problem.hpp"
#include "algorithms/problem/weighted_loss.hpp"
#include "sim/agents/agent.hpp"
#include "sim/agents/host.hpp"
#include "sim/base/diagnostic.hpp"
#include "sim/base/remark.hpp"
#include "sim/world/topology_schedule.hpp"

/// The interface between an algorithm and a runner. To add one: a file with its options struct and a class that derives
/// from Algorithm and is constructed from (options, MethodInput), and a line in
/// scenarios/assembly/catalogues/algorithms.hpp.
namespace lagnet {

class RowBlock;

/// The extreme eigenvalues of a graph's Laplacian without edge weights; 0 and infinity for one agent.
struct GraphSpectrum {
  double largest = 0;
  double least = 0;  // non-zero; 0 where the graph is not connected
};

/// The gossip matrices W^t of rounds, each of its own graph alone.
struct RoundWeights {
  /// Of the graph whose turn it is (m x m, symmetric). Empty: a round weighs an agent's own vector and each that it
  /// hears alike, by 1 / (1 + in-degree of the round).
  std::vector<SparseMatrix> W = {};
  double lowest = 0;     // at most the least eigenvalue of any (W^t + W^t') / 2
  bool is_lazy = false;  // (I + W^t) / 2 are in use, of which `lowest` is, too
};

/// Numbers about the topology that an algorithm may know, never the graph.
struct NetworkFacts {
  Index agents = 1;
  Index max_degree = 0;
  Index edges = 0;                        // pairs of neighbors
  std::optional<AgentId> cycle_gap = {};  // the first agent a that is no neighbor of the next, a + 1 or, after all, 0
  double laplacian_max = 0;               // largest eigenvalue of the weighted Laplacian; 0 for one agent
  double algebraic_connectivity = 0;      // its smallest non-zero one; infinity for one agent
  /// For each agent the weight of its link to each neighbor, ascending by neighbor; empty when all weights are 1.
  std::vector<std::vector<double>> link_weights;
  /// Each agent's row of the gossip matrix W (m x m, symmetric, rows sum to 1), where the algorithm needs one; empty
  /// for a fleet in a timing-only run.
  std::vector<GossipRow> gossip;
  std::shared_ptr<const SparseMatrix> W = nullptr;  // the same as a matrix
  double gossip_rho = 0;                            // |W - 11'/m|_2
  double gossip_lowest = 1;                         // smallest eigenvalue of W
  double gossip_second = 1;                         // second largest one
  /// Where rounds mix by their own graphs, in place of W, which is empty then; else null.
  std::shared_ptr<const RoundWeights> round_weights = nullptr;
  bool changes = false;  // rounds run on different parts of it; the numbers above are those of all of it
  /// Where asked for: of the graphs that rounds run on in turn, or of the one that stays; empty where the topology
  /// changes otherwise, and for a fleet in a timing-only run.
  std::vector<GraphSpectrum> graphs = {};
  GraphTurns turns = {};                // which of some graphs in turn a round runs on
  std::vector<AgentId> parents = {};    // of a method with two levels: the agent that each hangs below; else empty
  std::vector<bool> first_side = {};    // where asked for: who is on agent 0's side of a bipartite one; else empty
  std::vector<AgentId> odd_cycle = {};  // of one that is not bipartite: agents one after the other
};

/// Central results that some algorithms take constants from; computed when first asked for, and kept.
class CentralReference {
 public:
  virtual ~CentralReference() = default;
  virtual double data_norm() const = 0;  // ||X||_2
  virtual const Optimum& optimum() const = 0;
};

/// Numbers of each agent's samples, by agent, that constants follow from: kept when they are computed, so that they can
/// be known where the samples are not.
struct ShardSpectra {
  std::map<std::size_t, double> norms;              // ||X_i||_2
  std::map<std::size_t, double> least_eigenvalues;  // of X_i'X_i / n_i
};

/// The problem that an algorithm solves, its partition, and what it may know.
struct MethodInput {
  Problem problem;
  // If features are partitioned, agent j holds the columns feature_starts[j] .. feature_starts[j+1] - 1; if samples
  // are, the rows sample_starts[j] .. sample_starts[j+1] - 1, and their labels. The other list is empty. (m + 1)
  std::vector<Index> feature_starts = {};
  std::vector<Index> sample_starts = {};
  std::shared_ptr<const Cells> cells = nullptr;  // if cells are partitioned: who holds which; both lists are empty then
  AgentWeights agent_weights = AgentWeights::samples;  // even for methods that take it alone
  NetworkFacts network;
  std::shared_ptr<const CentralReference> central = nullptr;  // there unless the run is timing-only
  std::shared_ptr<ShardSpectra> spectra = nullptr;            // what is in it is taken, and the rest put there
  std::optional<Vector> truth = {};  // the coefficients that made the data, where they are known (d)
  std::optional<Index> cohort = {};  // clients asked in a round, where that is always the same number
  Vector start = {};                 // where server/client methods start; empty: at 0 (d)
  Round rounds = 0;                  // the last round
  bool may_miss_rounds = false;      // messages may be missing, and agents may miss rounds
  bool may_lack_answers = false;     // a server may have to go on without an answer (WorldModel)
  bool may_lose_messages = false;    // for good (WorldModel)
  bool timing_only = false;          // a run without numbers: X may have none, and nothing central may be asked for
  Selection selection = {};          // how the server itself chooses whom it asks; nothing: it does not
  std::vector<double> speeds = {};   // flops per s at the start by agent, for a selection that asks; else empty
  Attackers attackers = {};          // clients whose answers are not what they should be
  Index most_asked = std::numeric_limits<Index>::max();  // clients whose answers a round may take, at most
  CompressionDraws::Given compression_draws = nullptr;  // in place of those of the seed, if given; walks draw them, too
};

/// Measures how far an objective value is from the optimum, relative to the start: (F - F*) / (F(0) - F*), or `floor`
/// where that is below it, since the optimum's certificate and rounding cannot distinguish such values from 0.
struct ErrorScale {
  double initial = 0;                 // F(0)
  std::optional<double> optimum;      // F*, where one could be certified
  double floor = 1e-16;               // rounding of F relative to itself, or more
  const Vector* minimizer = nullptr;  // with it: the theta that was found, in the data's order; there may be others (d)
  std::optional<double> relative_error(double objective) const {
    if (!optimum || !(initial > *optimum)) return std::nullopt;
    const double error = (objective - *optimum) / (initial - *optimum);
    return error < floor ? floor : error;  // what is no number stays so
  }
};

/// The reports of all agents after one round: parts[agent][part]; an agent that reports nothing has no parts.
using RoundReport = std::span<const std::vector<Vector>>;

/// One part of all agents' reports, one below the other: the whole iterate where agents hold blocks of it.
Vector joined(RoundReport report, std::size_t part);

/// 0 .. agents-1.
std::vector<AgentId> all_agents(Index agents);

/// The quality of a round's iterates.
struct Evaluation {
  Vector iterate;                              // the one that the method's theory speaks of, and that figures plot (d)
  double objective = 0;                        // of that iterate
  std::vector<std::optional<double>> metrics;  // in the order of metric_names()
};

/// The counts of a run that an algorithm may remark on.
struct RunCounts {
  struct OfAgent {
    std::int64_t messages_sent = 0;  // with copies, and those sent again
    Flops flops = 0;
  };
  std::int64_t missing = 0;          // messages that were waited for, and gone on without
  std::int64_t restarts = 0;         // of agents that began again from their start, for a crash that took their state
  std::vector<OfAgent> agents = {};  // by agent
};

/// What theory proves of one measure in every round t:
///
///     measure <= (floor + resolution + C q^t / (t + shift)^power)^exponent
struct RateBound {
  std::string measure;  // column of progress.csv
  double C = 0, q = 1, power = 0, shift = 0, floor = 0, exponent = 1;
  Round from = 0;         // the first round that it is about
  double resolution = 0;  // the error of the measure to the power 1/exponent, as that of the optimum
  std::string text = {};  // the formula, in the symbols of its source
  std::string source = {};
  double at(Round t) const;  // infinity before `from`
};

class Algorithm {
 public:
  virtual ~Algorithm() = default;
  /// Gives every agent its coroutine. The algorithm must outlive the run.
  virtual void spawn(Host& host) const = 0;
  /// The agents that report each round; a round is complete when all of them have.
  virtual std::vector<AgentId> reporters() const = 0;
  /// The agents whose reports count updates: the number of a report is how many its agent has made so far. Where they
  /// are not the reporters, rows are those of moments.
  virtual std::vector<AgentId> updaters() const { return reporters(); }
  /// An agent's report for round 0, if known before the run. It replaces the report of an agent that is down at the
  /// start.
  virtual std::vector<Vector> first_report(AgentId) const { return {}; }
  /// The algorithm's own columns of progress.csv.
  virtual std::vector<std::string> metric_names() const { return {}; }
  virtual Evaluation evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const = 0;
  /// Every agent's samples, if the first part of its report is an iterate of its own (d); otherwise null.
  virtual const std::vector<RowBlock>* local_samples() const { return nullptr; }
  /// Knowledge that its agents share without messages, so that they cannot be processes: a sentence. Usually empty.
  virtual std::string_view shares_memory() const { return {}; }
  /// True if evaluate() has another objective than the problem's, so that the problem's optimum is no reference for it.
  virtual bool has_own_objective() const { return false; }
  /// What theory proves of a run of these options in this world; nothing where no closed form is known. Only of runs
  /// with numbers; may compute eigenvalues.
  virtual std::optional<RateBound> rate_bound([[maybe_unused]] const ErrorScale& scale) const { return std::nullopt; }
  /// Constants in use, by name, for summary.json.
  virtual std::vector<Constant> constants() const { return constants_; }
  /// Estimates the bytes that the vectors, payloads and reports of all agents take during a run, without the data; if
  /// it gives nothing, a rule of thumb is used. It decides which runs go side by side, never a result.
  virtual std::optional<Bytes> memory() const { return std::nullopt; }
  /// Warnings for the user before the run; usually empty.
  virtual Remarks warnings() const { return warnings_; }
  /// Why a run may deadlock, and what helps: the end of a sentence; usually empty.
  virtual std::string_view if_stuck() const { return {}; }
  /// After a run: whether agents evaluated gradients, or the like, and never waited for it by compute().
  virtual bool works_for_free() const { return false; }
  /// Remarks for the user after a run.
  virtual Remarks remarks([[maybe_unused]] const RunCounts& counts) const { return {}; }

 protected:
  void add_constant(std::string name, double value) { constants_.emplace_back(std::move(name), value); }
  void add_constants(const std::vector<Constant>& all) { constants_.insert(constants_.end(), all.begin(), all.end()); }
  void add_warning(Remark warning) { warnings_.push_back(std::move(warning)); }
  void add_warnings(const Remarks& all) { warnings_.insert(warnings_.end(), all.begin(), all.end()); }

 private:
  std::vector<Constant> constants_;
  Remarks warnings_;
};

}  // namespace lagnet
