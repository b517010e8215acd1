#pragma once

#include "algorithms/dual/dual_method.hpp"

/// CoCoA+, communication-efficient distributed dual coordinate ascent.
///
///     maximize over alpha   -(1/n) sum_i phi_i*(-alpha_i) - (lambda/2) |w|^2,   w = (1 / (lambda n)) sum_i alpha_i a_i
///
/// In a round each of K machines improves its alpha_[k] as if all others did the same, with v = w + sigma' dw_k moving
/// along, and sends dw_k = A_k'(change of alpha_[k]) / (lambda n); all move by nu of what they found, the center's w by
/// nu sum_k dw_k. sigma' = nu K is safe: the dual never falls; smaller ones may be faster, and may oscillate. nu = 1
/// adds, nu = 1/K with sigma' = 1 is CoCoA, which averages. y = -alpha here. Sources: Ma, Smith, Jaggi, Jordan,
/// Richtarik, Takac, "Adding vs. Averaging in Distributed Primal-Dual Optimization", ICML 2015, Algorithm 1; Jaggi et
/// al., "Communication-Efficient Distributed Dual Coordinate Ascent", NIPS 2014.
namespace lagnet {

struct CocoaPlusOptions : LocalOptions {
  static constexpr std::string_view kind = "cocoa_plus";
  static constexpr std::string_view summary = "distributed dual coordinate ascent that adds, CoCoA+ (Ma et al. 2015)";
  double nu = 1;
  std::optional<double> sigma_prime = {};
  static void fields(auto& self, auto& field) {
    field("nu", self.nu, "share of each machine's change that is applied: 1 adds, 1/K averages", above_to(0, 1));
    field("sigma_prime", self.sigma_prime,
          "sigma', how many machines' changes one counts for; null: nu K, which is safe", above(0));
    LocalOptions::fields(self, field);
  }
};

/// CoCoA+ with nu = 1/K and sigma' = 1.
struct CocoaOptions : LocalOptions {
  static constexpr std::string_view kind = "cocoa";
  static constexpr std::string_view summary =
      "distributed dual coordinate ascent that averages, CoCoA (Jaggi et al. 2014)";
};

class CocoaPlus : public DualMethod {
 public:
  /// Throws Diagnosed for options that do not go with the problem.
  CocoaPlus(const CocoaPlusOptions& options, MethodInput given)
      : CocoaPlus(CocoaPlusOptions::kind, options, options.nu, options.sigma_prime, std::move(given)) {}

 protected:
  /// `sigma_prime` by default nu K.
  CocoaPlus(std::string_view kind, const LocalOptions& local, double nu, std::optional<double> sigma_prime,
            MethodInput given);

 private:
  Task<> center(Agent& me, SharedReveal revealed) const override;
  Task<> machine(Agent& me, SharedReveal revealed) const override;
  std::string_view without_answers() const override {
    return "w lacks what these have changed in their dual variables";
  }

  double nu_, sigma_prime_;
};

class Cocoa final : public CocoaPlus {
 public:
  Cocoa(const CocoaOptions& options, MethodInput given)
      : CocoaPlus{CocoaOptions::kind, options, 1 / static_cast<double>(given.network.agents - 1), 1, std::move(given)} {
  }
};

}  // namespace lagnet
