#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/federated/bases/federated.hpp"

/// Shared parts of the fast federated dual averaging methods: options, constants, weights and message headers. Source:
/// Bao, Crawshaw, Luo, Liu, "Fast composite optimization and statistical recovery in federated learning", 2022.
namespace lagnet {

enum class Alpha { constant, polynomial };
constexpr auto spellings(Alpha) {
  return std::array{Spelling{Alpha::constant, "constant"}, Spelling{Alpha::polynomial, "polynomial"}};
}

/// The content of messages: every vector of the pseudo-code, or only the combination that matters.
enum class Messages { literal, lean };
constexpr auto spellings(Messages) {
  return std::array{Spelling{Messages::literal, "literal"}, Spelling{Messages::lean, "lean"}};
}

/// A header of a request, like its round: for how many rounds the server's model has not changed because no client
/// answered.
inline MessageTag missed_rounds(Round missed) { return static_cast<MessageTag>(missed); }
inline Round missed_rounds(const Message& request) { return Round{request.tag}; }

/// alpha_t, for t = 0, 1, ..: 1, or (t + a)^2.
class AveragingWeights {
 public:
  AveragingWeights(Alpha kind, std::optional<double> a) : constant_(kind == Alpha::constant), a_(a.value_or(0)) {}
  double alpha(Round t) const {
    const double root = static_cast<double>(t) + a_;
    return constant_ ? 1 : root * root;
  }
  /// alpha_0 + .. + alpha_t.
  double A(Round t) const {
    const double last = static_cast<double>(t), count = last + 1;
    return constant_ ? count : last * count * (2 * last + 1) / 6 + a_ * last * count + count * a_ * a_;
  }

 private:
  bool constant_;
  double a_;
};

/// The weighted mean of published iterates.
struct WeightedMean {
  Vector sum;         // of alpha w  (d)
  double weight = 0;  // of alpha
  void add(double alpha, VectorRef w) {
    if (sum.size() == 0) sum = Vector::Zero(w.size());
    sum += alpha * w;
    weight += alpha;
  }
  Vector or_else(VectorRef w) const { return weight > 0 ? Vector(sum / weight) : Vector(w); }  // w if it has none
};

/// Traits and options of all these methods.
struct DualAveragingOptions {
  static constexpr AlgorithmTraits traits{.server = true,
                                          .partition_by = PartitionBy::samples,
                                          .takes_regularizers = Regularizers::all,
                                          .timing_only = true};
  std::optional<std::int64_t> batch = {};
  double mu = 0;
  std::optional<double> gamma = {};
  Alpha alpha = Alpha::constant;
  std::optional<double> a = {};
  std::optional<double> rho = {};
  Messages messages = Messages::literal;
  std::vector<double> weights = {};  // pi_k; empty: n_k / n
  void check(auto& report) const {
    if (alpha == Alpha::polynomial && !a) report("a", "a number above 0, with polynomial weights", "null");
    if (alpha == Alpha::constant && a) report("a", "null, with constant weights", *a);
  }
};
/// Declares mu, gamma and the weights.
void declare_dual_averaging(auto& self, auto& field) {
  field("mu", self.mu, "strength of the quadratic growth: at most the strong convexity of the mean loss: 0.1",
        above(0).required());
  field(
      "gamma", self.gamma,
      "weight of the pull to the start, 1 / gamma the first step size over alpha_0; theory: 2 mu a^3 with polynomial "
      "weights; with constant ones L, the largest curvature of any client's mean loss (for c_fed_da and mc_fed_da L / "
      "E)",
      above(0).or_word("theory"));
  field("alpha", self.alpha, "weights of gradients and iterates: constant (1) or polynomial ((t + a)^2)");
  field("a", self.a, "a of polynomial weights; theory: at least 4 L / mu", above(0));
}

class DualAveragingMethod : public FederatedMethod {
 protected:
  /// Throws Diagnosed if the start is not in the ball; `kind` names the method, which weighs its pull to the start
  /// `pulls` times.
  DualAveragingMethod(std::string_view kind, const DualAveragingOptions& options, Basics basics, MethodInput given,
                      Index pulls = 1)
      : FederatedMethod(kind, std::move(basics), std::move(given)),
        mu_(options.mu),
        gamma_(gamma_in_use(options, pulls)),
        rho_(checked_radius(options.rho)),
        is_lean_(options.messages == Messages::lean),
        weights_(options.alpha, options.a) {
    add_constant("E", static_cast<double>(E()));
    add_constant("mu", mu_);
    if (gamma_ > 0) add_constant("gamma", gamma_);
    add_constant("alpha_0", alpha(0));
  }

  double alpha(Round t) const { return weights_.alpha(t); }
  double A(Round t) const { return weights_.A(t); }

  const double mu_, gamma_, rho_;
  const bool is_lean_;  // messages are

 private:
  /// 0 in a timing-only run where theory gives it.
  double gamma_in_use(const DualAveragingOptions& options, Index pulls) const {
    if (options.gamma) return *options.gamma;
    if (options.alpha == Alpha::polynomial) return 2 * options.mu * std::pow(options.a.value_or(0), 3);
    return has_numbers() ? largest_curvature_of_clients("gamma") / static_cast<double>(pulls) : 0;
  }

  const AveragingWeights weights_;
};

}  // namespace lagnet
