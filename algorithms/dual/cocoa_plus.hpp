#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "algorithms/dual/dual_method.hpp"
#include "algorithms/local/local_steps.hpp"

/// CoCoA+, communication-efficient distributed dual coordinate ascent.
///
///     maximize over alpha   -(1/n) sum_i phi_i*(-alpha_i) - (lambda/2) |w|^2,   w = (1 / (lambda n)) sum_i alpha_i a_i
///
/// In a round each of K machines improves its alpha_[k] as if all others did the same, v = w + sigma' dw_k going along,
/// and sends dw_k = A_k'(change of alpha_[k]) / (lambda n); all move by nu of what they found, the center's w by
/// nu sum_k dw_k. sigma' = nu K is safe: the dual never falls; smaller ones may be faster, and may oscillate. nu = 1
/// adds, nu = 1/K with sigma' = 1 is CoCoA, which averages. y = -alpha here. Sources: Ma, Smith, Jaggi, Jordan,
/// Richtarik, Takac, "Adding vs. Averaging in Distributed Primal-Dual Optimization", ICML 2015, Algorithm 1; Jaggi et
/// al., "Communication-Efficient Distributed Dual Coordinate Ascent", NIPS 2014.
namespace lagnet {

template <class Self, class Visitor>
void declare_cocoa(Self& self, Visitor& field) {
  declare_local_solver(self, field);
  field("eps", self.eps, "perturbation: eps / 2 times the square norms of x and of y, for losses that are not smooth",
        at_least(0));
}

struct CocoaPlusOptions {
  static constexpr std::string_view kind = "cocoa_plus";
  static constexpr std::string_view summary = "distributed dual coordinate ascent that adds, CoCoA+ (Ma et al. 2015)";
  static constexpr AlgorithmTraits traits{
      .server = true, .partition_by = PartitionBy::samples, .takes_empty_shards = true};
  double nu = 1;
  std::optional<double> sigma_prime = {};
  LocalSolverKind local_solver = LocalSolverKind::sdca;
  std::optional<std::int64_t> local_steps = {};
  StepOrder order = StepOrder::uniform;
  double eps = 0;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("nu", self.nu, "how much of each machine's change is taken: 1 adds, 1/K averages",
          Limits{.low = 0, .high = 1, .low_excluded = true});
    field("sigma_prime", self.sigma_prime,
          "sigma', how many machines' changes one counts for; null: nu K, which is safe", above(0));
    declare_cocoa(self, field);
  }
};

/// CoCoA+ with nu = 1/K and sigma' = 1.
struct CocoaOptions {
  static constexpr std::string_view kind = "cocoa";
  static constexpr std::string_view summary =
      "distributed dual coordinate ascent that averages, CoCoA (Jaggi et al. 2014)";
  static constexpr AlgorithmTraits traits{
      .server = true, .partition_by = PartitionBy::samples, .takes_empty_shards = true};
  LocalSolverKind local_solver = LocalSolverKind::sdca;
  std::optional<std::int64_t> local_steps = {};
  StepOrder order = StepOrder::uniform;
  double eps = 0;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    declare_cocoa(self, field);
  }
};

class CocoaPlus : public DualMethod {
 public:
  /// Throws OptionError for options that do not go with the problem.
  CocoaPlus(const CocoaPlusOptions& options, MethodInput assignment)
      : CocoaPlus(CocoaPlusOptions::kind, options, std::move(assignment)) {}
  void spawn(Host& host) const override;
  std::vector<std::pair<std::string, double>> constants() const override;
  std::vector<std::string> warnings() const override;
  std::vector<std::string> remarks(std::int64_t missing) const override;

 protected:
  CocoaPlus(std::string_view kind, const CocoaPlusOptions& options, MethodInput assignment);

 private:
  Task<> center(Agent& me, SharedDuals duals) const;
  Task<> machine(Agent& me, SharedDuals duals) const;
  /// Of a machine in a round: the local steps', and 2 nnz_k + d for dw_k.
  Cost local_work(AgentId machine, std::span<const Index> order) const;

  double nu_, sigma_prime_;
  std::unique_ptr<const LocalSolver> solver_;
  std::optional<std::int64_t> H_;
  StepOrder order_;
};

class Cocoa final : public CocoaPlus {
 public:
  Cocoa(const CocoaOptions& options, MethodInput assignment);
};

}  // namespace lagnet
