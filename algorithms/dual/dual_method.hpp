#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "algorithms/interface/algorithm_traits.hpp"
#include "algorithms/kernels/row_block.hpp"

/// What distributed primal-dual methods on samples share: a center (agent 0) that holds the primal iterate, machines
/// that hold samples a_i and a dual variable y_i each, and how good both are.
///
///     P(x) = (1/n) sum_i phi_i(a_i'x) + (lambda/2) |x|^2
///     D(y) = -(1/n) sum_i phi_i*(y_i) - |(1/n) sum_i y_i a_i|^2 / (2 lambda)
///
/// Source: Yu, Liu, Pan, "Communication-Efficient Distributed Primal-Dual Algorithm for Saddle Point Problems",
/// (1)-(2).
namespace lagnet {

class DualMethod : public Algorithm {
 public:
  std::vector<AgentId> reporters() const override { return {server_agent}; }
  /// "dual_objective" is D(y^t), "duality_gap" P(x^t) - D(y^t), both of the problem itself; empty where D is -infinity.
  std::vector<std::string> metric_names() const override { return {"dual_objective", "duality_gap"}; }
  /// The report's parts: x (d), y (n).
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& yardstick) const override;
  std::optional<Bytes> memory() const override;
  std::vector<std::string> remarks(std::int64_t missing) const override;

 protected:
  /// `eps` is added to lambda, and (eps/2) s^2 to each phi_i*. Throws OptionError for a constraint, for losses of
  /// several scores, unless the regularizer is (lambda/2) |x|^2 and lambda + eps > 0, and where all samples are 0;
  /// `kind` names the method.
  DualMethod(std::string_view kind, MethodInput assignment, double eps);

  /// The duals of all samples, which nobody but a simulator can see: they never leave their machines. The center takes
  /// those of the machines whose answers it has got.
  struct Duals {
    std::vector<Vector> of_machine;  // y_[k] as of its last answer, by agent (n_k)
    Vector seen;                     // (n)
  };
  using SharedDuals = std::shared_ptr<Duals>;
  SharedDuals duals(const Vector& y) const;  // all machines hold their parts of y (n)
  void see(Duals& duals, std::span<const Message> answers) const;

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
  double eps() const { return eps_; }
  double lambda() const { return lambda_ + eps_; }  // with the perturbation
  double gamma() const;                             // strong convexity of phi*, without the perturbation
  double R() const { return R_; }                   // max_i |a_i|
  double kappa() const;  // R^2 / (lambda gamma), both with the perturbation; infinite where gamma is 0
  Vector start() const;  // x^0 (d)
  /// A billing of so many flops in so many readings and writings of vectors of d numbers.
  Cost vector_work(Flops flops, Index passes) const { return {flops, Bytes{sizeof(double)} * passes * d()}; }
  /// A_k'y.
  Cost pull_back_work(const RowBlock& block) const;

 private:
  MethodInput given_;
  std::vector<AgentId> machines_;
  std::vector<RowBlock> blocks_;  // by agent; the center's is empty
  double eps_, lambda_ = 0, R_ = 0;
};

}  // namespace lagnet
