#pragma once

#include <array>
#include <optional>

#include "algorithms/hybrid/cell_schedule.hpp"
#include "algorithms/hybrid/hyfdca_state.hpp"
#include "algorithms/objectives/loss.hpp"
#include "sim/base/options.hpp"
#include "sim/base/remark.hpp"

/// The local methods of HyFDCA: how a client changes the duals of its chosen samples. For sample i of client k, with
/// the client's copy a of its dual, p = x_i'w0, and
///
///     step(a, p, q) = argmax over a' of  -l*(-a') - a' p - (q/2) (a' - a)^2
///
/// practical (Algorithm 5):   Delta = step(a, p, s ||x_i||^2 / (lambda N)) - a, with the damping s >= 1
/// safe (Algorithm 3):        Delta = r c_k (u - a),  -u a subgradient of l at p,
///                            f = step(a, p, ||x_i||^2 / lambda) - a,  r = f / (c_k gamma_t (u - a)), cut to [0, 1]
///
/// The practical method takes an exact coordinate step for each sample, all at the same p: fast for small H, while with
/// large H it oscillates or diverges. The damping makes it safe when s is at least the number of distinct coordinates
/// of an iteration. The safe method steps towards a subgradient and never lets D fall; convergence is proved for it:
///   all clients, gamma = 1, c_k = n_k / N, H <= N (theorems 4.4, 4.5);
///   samples alone partitioned, random clients, gamma = 1, c_k = 1 (4.8);
///   features alone partitioned, clients in turn, gamma_t = 1/t, c_k = 1, normalize active (4.11).
/// Source: T. Overman, G. Blum, D. Klabjan, arXiv:2210.08106v3, Algorithms 3 and 5. Added here, since the print lacks
/// them: ||x_i||^2, the label in the closed form for hinge, and the sign of the subgradient.
namespace lagnet {

enum class LocalDualMethod { practical, safe };
constexpr auto spellings(LocalDualMethod) {
  return std::array{Spelling{LocalDualMethod::practical, "practical"}, Spelling{LocalDualMethod::safe, "safe"}};
}
enum class GammaRule { constant, inverse_t };
constexpr auto spellings(GammaRule) {
  return std::array{Spelling{GammaRule::constant, "constant"}, Spelling{GammaRule::inverse_t, "inverse_t"}};
}
enum class NormalizeBy { all, active };
constexpr auto spellings(NormalizeBy) {
  return std::array{Spelling{NormalizeBy::all, "all"}, Spelling{NormalizeBy::active, "active"}};
}

struct LocalDualOptions {
  LocalDualMethod local_method = LocalDualMethod::practical;
  double damping = 1;
  double gamma = 1;
  GammaRule gamma_rule = GammaRule::constant;
  std::optional<double> c = 1.0;
  NormalizeBy normalize = NormalizeBy::all;
  static void fields(auto& self, auto& field) {
    field("local_method", self.local_method, "practical: exact coordinate steps; safe: the analyzed ones");
    field("damping", self.damping, "s, factor on the quadratic term of the practical method", at_least(1));
    field("gamma", self.gamma, "gamma_t, factor on all dual changes", above_to(0, 1));
    field("gamma_rule", self.gamma_rule, "constant; inverse_t: gamma / t, for the safe method");
    field("c", self.c, "c_k of the safe method; null: n_k / N", above_to(0, 1));
    field("normalize", self.normalize,
          "a dual change is divided by the holders of its sample: all, or those that take part");
  }
};

/// Options that the chosen local method does not use.
Remarks warnings_of(const LocalDualOptions& options);

/// The local method on the data of a problem, which must outlive it.
struct LocalDualSteps {
  const LocalDualOptions& options;
  const Cells& cells;
  const Loss& loss;
  double lambda;

  /// changes = (gamma_t / |B_i|) Delta a_i of the samples that the client chose in iteration t (H).
  void write_changes(const HyfdcaClient& own, const CellIteration::Part& part, Round t,
                     Eigen::Ref<Vector> changes) const;
  /// Delta a_i of a row.
  double dual_change(const HyfdcaClient& own, Index row, double gamma_t) const;
};

}  // namespace lagnet
