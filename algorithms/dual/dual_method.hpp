#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "algorithms/interface/algorithm_traits.hpp"
#include "algorithms/interface/reveal.hpp"
#include "algorithms/kernels/row_block.hpp"
#include "algorithms/local/local_steps.hpp"

/// The base of distributed primal-dual methods on samples: a center (agent 0) that holds the primal iterate, machines
/// that hold samples a_i, a dual variable y_i for each of them, and the primal and dual objectives.
///
///     P(x) = (1/n) sum_i phi_i(a_i'x) + g(x),   g(x) = (lambda/2) |x|^2 + a |x|_1
///     D(y) = -(1/n) sum_i phi_i*(y_i) - |S_a((1/n) sum_i y_i a_i)|^2 / (2 lambda),   S_a the soft threshold
///
/// Source: Yu, Liu, Pan, "Communication-Efficient Distributed Primal-Dual Algorithm for Saddle Point Problems",
/// (1)-(2).
namespace lagnet {

/// Traits and options of all these methods: how machines improve their duals.
struct LocalOptions {
  static constexpr AlgorithmTraits traits{.server = true,
                                          .partition_by = PartitionBy::samples,
                                          .takes_regularizers = Regularizers::all,
                                          .square = SquareStands::in_subproblems,
                                          .needs_conjugate = true,
                                          .takes_empty_shards = true};
  LocalSolverKind local_solver = LocalSolverKind::sdca;
  std::optional<std::int64_t> local_steps = {};
  StepOrder order = StepOrder::uniform;
  double eps = 0;
  static void fields(auto& self, auto& field) {
    declare_local_solver(self, field);
    field("eps", self.eps, "perturbation: eps / 2 times the square norms of x and of y, for losses that are not smooth",
          at_least(0));
  }
};

class DualMethod : public Algorithm {
 public:
  void spawn(Host& host) const final;
  std::vector<AgentId> reporters() const override { return {server_agent}; }
  std::string_view shares_memory() const override {
    return "the center reports the machines' dual variables, which no message carries";
  }
  /// "dual_objective" is D(y^t), "duality_gap" P(x^t) - D(y^t), both of the problem itself; empty where D is -infinity.
  std::vector<std::string> metric_names() const override { return {"dual_objective", "duality_gap"}; }
  /// The report's parts: x (d), y (n).
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const override;
  std::optional<Bytes> memory() const override;
  Remarks remarks(const RunCounts& counts) const final;

 protected:
  /// `eps` is added to lambda, and (eps/2) s^2 to each phi_i*. Throws Diagnosed for a constraint, for losses of
  /// several scores, for regularizers other than g, unless lambda + eps > 0, where a > 0 and the method does not take
  /// an l1 norm, and where all samples are 0; `kind` names the method.
  DualMethod(std::string_view kind, const LocalOptions& local, bool takes_l1, MethodInput given);
  /// Makes the local solver; `rho` is the weight of the local problems' dual proximal term. Throws Diagnosed for
  /// "local_solver" if it needs them strongly concave and they are not.
  void make_solver(double rho);

  /// The consequence of missing answers.
  virtual std::string_view without_answers() const {
    return "the center went on with what these had sent last, for which nothing is guaranteed";
  }

  /// Duals never leave their machines: a machine reveals its own with each answer, for the center's report.
  virtual Task<> center(Agent& me, SharedReveal revealed) const = 0;
  virtual Task<> machine(Agent& me, SharedReveal revealed) const = 0;
  /// Puts the duals that belong to these answers into y (n).
  void take_revealed(Vector& y, std::span<const Message> answers, const Reveal& revealed) const;

  const LocalSolver& solver() const { return *solver_; }
  /// The samples of a machine's local steps.
  std::vector<Index> steps(const Agent& me, Round round) const;
  /// A machine's round: the local solver's cost, as far as it is known in advance, and 2 nnz_k flops for A_k'y.
  Cost local_work(AgentId machine, std::span<const Index> steps) const;
  bool stands_still() const { return local_.local_steps == 0 && solver_->takes_order(); }  // the duals do

  /// The machines, ascending, and the samples of one. A machine may have none.
  const std::vector<AgentId>& machines() const { return machines_; }
  const RowBlock& samples(AgentId machine) const { return blocks_[machine]; }
  Index first_sample(AgentId machine) const { return given_.sample_starts[machine]; }

  const MethodInput& given() const { return given_; }
  const Problem& problem() const { return given_.problem; }
  const Loss& loss() const { return *given_.problem.loss; }
  Index d() const { return given_.problem.dim(); }
  Index samples_of_all() const { return given_.problem.X->rows(); }
  double n() const { return static_cast<double>(given_.problem.samples); }
  double K() const { return static_cast<double>(machines_.size()); }
  double eps() const { return local_.eps; }
  double lambda() const { return lambda_ + eps(); }  // with the perturbation
  double l1() const { return l1_; }                  // a
  double gamma() const;                              // strong convexity of phi*, without the perturbation
  double R() const { return R_; }                    // max_i |a_i|
  double kappa() const;  // R^2 / (lambda gamma), both with the perturbation; infinite where gamma is 0
  Vector start() const;  // x^0 (d)
  /// These flops, in this many readings and writings of vectors of d numbers.
  Cost vector_work(Flops flops, Index passes) const { return {flops, Bytes{sizeof(double)} * passes * d()}; }
  /// A_k'y.
  Cost pull_back_work(const RowBlock& block) const;

 private:
  MethodInput given_;
  LocalOptions local_;
  std::unique_ptr<const LocalSolver> solver_;
  std::vector<AgentId> machines_;
  std::vector<RowBlock> blocks_;  // by agent; the center's is empty
  double lambda_ = 0, l1_ = 0, R_ = 0;
};

}  // namespace lagnet
