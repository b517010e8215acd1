#pragma once

#include <array>
#include <memory>
#include <utility>

#include "algorithms/federated/dual_averaging.hpp"
#include "algorithms/interface/reveal.hpp"

/// Fast federated dual averaging (Fast-FedDA).
///
///     minimize over |w| <= rho   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples
///
/// Local steps are counted through all rounds, t = r E + j in round r = 0, 1, .. With weights alpha_t and their sums
/// A_t, g the weighted sum of gradients and s that of iterates, the iterate is
///
///     Prox_t(z) = argmin <w, z - gamma w_0> + B_t |w|^2 / 2 + A_t r(w),  |w| <= rho,   B_t = mu A_t / 2 + gamma
///
/// of z = g - mu s / 2. Clients continue from the server's g, s, w and send g_k, s_k; the server takes the means. For F
/// with a mu-strongly convex mean loss and alpha_t = (t + a)^2, a >= 4 L / mu, gamma = 2 mu a^3 (Theorem 2.1) the error
/// falls like 1/t even if clients differ, and models have exact zeros. Source: Bao, Crawshaw, Luo, Liu, "Fast composite
/// optimization and statistical recovery in federated learning", 2022, Algorithm 1 with s = alpha_0 w_0 at the start
/// and the signs of (12)-(13).
///
/// A request is (g, s, w), 3 d numbers; an answer is (g_k, s_k), 2 d numbers. Lean messages are v = g - mu s / 2 and
/// v_k = g_k - mu s_k / 2, d numbers each, with s without the present iterate. The client then finds w = Prox_{rE-1}(v)
/// itself; iterates are those of the literal form up to rounding. If no client answered in the rounds before, w is from
/// an earlier round: the header missed_rounds has their number.
namespace lagnet {

enum class FastOutput { last, average, virtual_average };
constexpr auto spellings(FastOutput) {
  return std::array{Spelling{FastOutput::last, "last"}, Spelling{FastOutput::average, "average"},
                    Spelling{FastOutput::virtual_average, "virtual_average"}};
}

struct FastFedDaOptions : DualAveragingOptions {
  static constexpr std::string_view kind = "fast_fed_da";
  static constexpr std::string_view summary = "fast federated dual averaging, Fast-FedDA (Bao et al. 2022)";
  std::int64_t local_steps = 1;
  FastOutput output = FastOutput::last;
  static void fields(auto& self, auto& field) {
    declare_local_steps(self, field);
    declare_dual_averaging(self, field);
    declare_rho(self, field);
    field("messages", self.messages, "literal: 3 d numbers to a client and 2 d back; lean: d and d, same iterates");
    field(
        "output", self.output,
        "what is evaluated: last (iterate), average (weighted, of the published iterates) or virtual_average (that of "
        "Theorem 2.1 over all local steps, which only a simulator can form)");
    declare_weights(self, field);
  }
};

class FastFedDa final : public DualAveragingMethod {
 public:
  /// Throws Diagnosed if the start is not in the ball.
  FastFedDa(const FastFedDaOptions& options, MethodInput given)
      : DualAveragingMethod(FastFedDaOptions::kind, options,
                            {.E = options.local_steps,
                             .batch = options.batch,
                             .weights = options.weights,
                             .longest_message = options.messages == Messages::lean ? 1 : 3,
                             .output = static_cast<std::size_t>(options.output)},
                            std::move(given)),
        reveals_(options.output == FastOutput::virtual_average) {}

  void spawn(Host& host) const override;
  std::string_view shares_memory() const override {
    return reveals_ ? "virtual_average is a mean over the clients' local steps, which no message carries" : "";
  }
  std::optional<Bytes> memory() const override;

 private:
  Task<> serve(Agent& me) const override { return serve(me, nullptr); }
  Task<> train(Agent& me) const override { return train(me, nullptr); }
  /// Reports w, the weighted average of the published ones and, if it is the output, the virtual average (d each). For
  /// the latter clients reveal z after each gradient of a round (d x E).
  Task<> serve(Agent& me, SharedReveal revealed) const;
  Task<> train(Agent& me, SharedReveal revealed) const;
  /// The sums and w as a client takes them up from a request.
  void decode(const Message& request, StateVector& sums, Vector& w) const;
  StateVector z_of(const StateVector& sums) const;
  Vector prox(Round t, VectorRef z) const;  // Prox_t
  /// Adds alpha_t Prox_t(sum_k q_k (g_k - mu s_k / 2)) for each local step t of round r.
  void add_virtual(Vector& sum, Round r, std::span<const Message> answers, const Reveal& revealed) const;
  /// Of a client, besides gradients: 2 E d + (E - 1)(7 d + c_prox) flops; lean 4 E d + E (3 d + c_prox), in round 1 one
  /// c_prox + 3 d less.
  Cost updates_work(Round round) const;

  bool reveals_;
};

}  // namespace lagnet
