#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "algorithms/federated/dual_averaging.hpp"

/// Fast federated dual averaging (Fast-FedDA).
///
///     minimize over |w| <= rho   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples
///
/// All local steps are counted, t = r E + j in round r = 0, 1, .. With weights alpha_t and their sums A_t, g the
/// weighted sum of gradients and s that of iterates, the iterate is
///
///     Prox_t(z) = argmin <w, z - gamma w_0> + B_t |w|^2 / 2 + A_t r(w),  |w| <= rho,   B_t = mu A_t / 2 + gamma
///
/// of z = g - mu s / 2. Clients go on from the server's g, s, w and send g_k, s_k; the server takes their means. For F
/// with a mu-strongly convex mean loss and alpha_t = (t + a)^2, a >= 4 L / mu, gamma = 2 mu a^3 (Theorem 2.1) the error
/// falls like 1/t, also where clients differ, and coefficients are exactly zero. Source: Bao, Crawshaw, Luo, Liu, "Fast
/// composite optimization and statistical recovery in federated learning", 2022, Algorithm 1 with s = alpha_0 w_0 at
/// the start and the signs of (12)-(13).
///
/// A message to a client is (g, s, w), 3 d numbers, an answer (g_k, s_k), 2 d. Lean ones are v = g - mu s / 2 and v_k =
/// g_k - mu s_k / 2, d each, where s goes up to the present iterate: all that matters. The client then finds w =
/// Prox_{rE-1}(v) itself, with the iterates of the literal form up to rounding. Where nobody has answered in the rounds
/// before, w is of an earlier round; how many these are is the message's tag, a header like its round.
namespace lagnet {

enum class FastOutput { last, average, virtual_average };
constexpr auto spellings(FastOutput) {
  return std::array{Spelling<FastOutput>{FastOutput::last, "last"},
                    Spelling<FastOutput>{FastOutput::average, "average"},
                    Spelling<FastOutput>{FastOutput::virtual_average, "virtual_average"}};
}

struct FastFedDaOptions {
  static constexpr std::string_view kind = "fast_fed_da";
  static constexpr std::string_view summary = "fast federated dual averaging, Fast-FedDA (Bao et al. 2022)";
  static constexpr AlgorithmTraits traits{.server = true, .partition_by = PartitionBy::samples, .timing_only = true};
  std::int64_t local_steps = 1;
  std::optional<std::int64_t> batch = {};
  double mu = 0;
  double gamma = 0;
  Alpha alpha = Alpha::constant;
  std::optional<double> a = {};
  std::optional<double> rho = {};
  Messages messages = Messages::literal;
  FastOutput output = FastOutput::last;
  std::vector<double> weights = {};
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    declare_local_steps(self, field);
    declare_dual_averaging(self, field);
    declare_rho(self, field);
    field("messages", self.messages, "literal: 3 d numbers to a client and 2 d back; lean: d and d, same iterates");
    field(
        "output", self.output,
        "what is evaluated: last (iterate), average (weighted, of the published iterates) or virtual_average (that of "
        "Theorem 2.1 over all local steps, which nobody but a simulator can form)");
    declare_weights(self, field);
  }
  template <class Report>
  void check(Report& report) const {
    check_weights_of(*this, report);
  }
};

class FastFedDa final : public FederatedMethod {
 public:
  /// Throws OptionError if the start is not in the ball.
  FastFedDa(const FastFedDaOptions& options, MethodInput assignment);

  void spawn(Host& host) const override;
  /// The report's parts: w, the weighted average of the published ones, and with that output the virtual average (d
  /// each).
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& yardstick) const override;
  std::vector<std::pair<std::string, double>> constants() const override;
  std::optional<Bytes> memory() const override;

 private:
  /// What clients hold after each gradient of a round, v_k = g_k - mu s_k / 2: for the virtual average, and not sent. A
  /// client writes its own place while it computes; the server reads those of the answers it has got.
  struct GradientLog {
    std::vector<Matrix> v;  // of each agent (d x E)
  };
  using SharedInsight = std::shared_ptr<GradientLog>;
  Task<> serve(Agent& me) const override { return serve_literal(me, nullptr); }
  Task<> train(Agent& me) const override { return train_literal(me, nullptr); }
  Task<> serve_literal(Agent& me, SharedInsight insight) const;
  Task<> train_literal(Agent& me, SharedInsight insight) const;
  Task<> serve_lean(Agent& me, SharedInsight insight) const;
  Task<> train_lean(Agent& me, SharedInsight insight) const;

  Vector prox(Round t, VectorRef z) const;  // Prox_t
  /// The averages that the server keeps.
  struct Averages {
    Vector sum, virtual_sum;  // of alpha_t(r) w_{r+1}, and of alpha_t times virtual iterates
    double weight = 0;        // of the first
  };
  void add_published(Averages& averages, Round t, const Vector& w) const;
  void add_virtual(Averages& averages, Round r, std::span<const Message> answers, const GradientLog& insight) const;
  void report(Agent& me, Round round, const Vector& w, const Averages& averages) const;

  /// Beside gradients 2 E d + (E - 1)(7 d + c_prox) flops; lean 4 E d + E (3 d + c_prox), in round 0 one c_prox + 3 d
  /// less.
  Cost own_work(Round round) const override;
  Cost server_work(std::size_t answers) const override;  // 4 m d + c_prox flops, lean 2 m d + c_prox
  Vectors vectors() const override;

  double mu_, gamma_;
  AveragingWeights weights_;
  double rho_;
  Messages messages_;
  FastOutput output_;
};

}  // namespace lagnet
