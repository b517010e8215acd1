#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "algorithms/federated/dual_averaging.hpp"

/// Constrained federated dual averaging (C-FedDA), and stages of it (MC-FedDA, mc_fed_da.hpp).
///
///     minimize over |w| <= rho   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples
///
/// Rounds r = 0, 1, .. have weights alpha_r with sums A_r, g is the weighted sum of gradients at all local steps and s
/// that of the published iterates; with r = lambda R the iterate is
///
///     CProx_r(z) = argmin <w, z - gamma E w_0> + B |w|^2 / 2 + A_r E r(w)
///                  subject to R(w - w_0) <= epsilon, |w| <= rho,   B = (mu A_r / 2 + gamma) E
///
/// of z = g - mu E s / 2, s frozen in the course of a round: prox_in_balls (ball_prox.hpp) with c = w_0. The factor E
/// stands with gamma, mu, A_r r and s. For F with a mu-strongly convex mean loss and alpha_r = (r + a)^2, a >= 4 L /
/// mu, gamma = 2 mu a^3 the weighted average of the iterates converges (Theorem 3.1). Source: Bao, Crawshaw, Luo, Liu,
/// "Fast composite optimization and statistical recovery in federated learning", 2022, Algorithm 2 with s = alpha_0 w_0
/// at the start.
///
/// A message to a client is (g, s, w), 3 d numbers, an answer g_k, d. Lean ones are v = g - (mu E / 2) s without the
/// present iterate, and v_k, d each: the client finds w = CProx_{r-1}(v) itself, with the iterates of the literal form
/// up to rounding. Where nobody has answered in the rounds before, w is of an earlier round; how many these are is the
/// message's tag, a header like its round. The start of a stage after the first is joined to a client's first message
/// of that stage, d numbers more, and again after a round that it did not answer; the first start, w_0, is known to
/// all.
namespace lagnet {

enum class StagedOutput { last, average };
constexpr auto spellings(StagedOutput) {
  return std::array{Spelling<StagedOutput>{StagedOutput::last, "last"},
                    Spelling<StagedOutput>{StagedOutput::average, "average"}};
}
constexpr auto spellings(BallRule) {
  return std::array{Spelling<BallRule>{BallRule::exact, "exact"}, Spelling<BallRule>{BallRule::shortcut, "shortcut"}};
}

struct CFedDaOptions {
  static constexpr std::string_view kind = "c_fed_da";
  static constexpr std::string_view summary = "constrained federated dual averaging, C-FedDA (Bao et al. 2022)";
  AlgorithmTraits traits() const {
    return {.server = true, .partition_by = PartitionBy::samples, .timing_only = !epsilon};
  }
  std::int64_t local_steps = 1;
  std::optional<std::int64_t> batch = {};
  double mu = 0;
  double gamma = 0;
  Alpha alpha = Alpha::constant;
  std::optional<double> a = {};
  std::optional<double> epsilon = {};
  std::optional<double> rho = {};
  BallRule ball = BallRule::exact;
  Messages messages = Messages::literal;
  StagedOutput output = StagedOutput::last;
  std::vector<double> weights = {};
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    declare_local_steps(self, field);
    declare_dual_averaging(self, field);
    field("epsilon", self.epsilon,
          "radius, in the regularizer's norm, of the ball around the start that the iterates are kept in; null: none. "
          "What a prox costs depends then on whether the ball binds, so that numerics must be on",
          at_least(0));
    declare_rho(self, field);
    declare_balls(self, field);
    declare_weights(self, field);
  }
  template <class Self, class Visitor>
  static void declare_balls(Self& self, Visitor& field) {
    field(
        "ball", self.ball,
        "how both constraints are met: exact, or shortcut (a prox and then a projection, as in published code; not the "
        "minimizer where the ball binds, and outside of rho's at times)");
    field("messages", self.messages, "literal: 3 d numbers to a client and d back; lean: d and d, same iterates");
    field("output", self.output, "what is evaluated: last (iterate) or average (weighted, of the stage's iterates)");
  }
  template <class Report>
  void check(Report& report) const {
    check_weights_of(*this, report);
  }
};

/// One run of C-FedDA with everything of its own but mu, gamma and alpha; its center is where it starts.
struct FedDaStage {
  std::shared_ptr<const Regularizer> r;
  double epsilon = no_ball;
  Round rounds = 0;
  Index E = 1;
};

class CFedDa : public FederatedMethod {
 public:
  struct Setup {
    std::string_view kind;
    std::vector<FedDaStage> stages;  // at least one
    StagedOutput stage_output = StagedOutput::average;
    std::optional<Index> batch;
    double mu = 0, gamma = 0;
    AveragingWeights alpha;
    std::optional<double> rho;
    BallRule ball = BallRule::exact;
    Messages messages = Messages::literal;
    StagedOutput output = StagedOutput::last;
    std::vector<double> weights;
    std::vector<std::string> warnings;

    /// What C-FedDA and MC-FedDA have the same options for; the stages are still to come.
    template <class Options>
    static Setup of(const Options& options) {
      return {.kind = Options::kind,
              .stages = {},
              .batch = options.batch,
              .mu = options.mu,
              .gamma = options.gamma,
              .alpha = AveragingWeights(options.alpha, options.a),
              .rho = options.rho,
              .ball = options.ball,
              .messages = options.messages,
              .output = options.output,
              .weights = options.weights,
              .warnings = {}};
    }
  };
  /// Throws OptionError if the start is not in the ball of rho, or for an epsilon without a norm.
  CFedDa(const CFedDaOptions& options, MethodInput assignment);
  CFedDa(Setup setup, MethodInput assignment);

  void spawn_sizes(Host& host) const override { spawn(host); }
  /// The report's parts: w, and the weighted average of the present stage's iterates (d each). A stage's output, where
  /// the next one starts, is one of them after its last round.
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& yardstick) const override;
  std::vector<std::pair<std::string, double>> constants() const override;
  std::vector<std::string> warnings() const override { return setup_.warnings; }

 private:
  /// Where a round (from 1) stands: the stage, and its round r from 0.
  struct Place {
    std::size_t stage = 0;
    Round r = 0;
  };
  Place place(Round round) const;
  const FedDaStage& stage(Place at) const { return setup_.stages[at.stage]; }

  struct ServerState {
    Vector w0;          // start of the stage                                      (d)
    Vector w;           // the model                                               (d)
    Vector g;           // cumulative weighted gradient, literal messages          (d)
    Vector s;           // cumulative weighted iterates, literal messages          (d)
    Vector v;           // g - mu E s / 2, s without w, lean messages              (d)
    Vector sum;         // of alpha_r w_{r+1}                                      (d)
    double weight = 0;  // sum of these alpha_r
    Round done = 0;     // after the last round of the stage in which somebody answered
    Flops extra = 0;
  };
  struct ClientState {
    std::size_t stage = 0;  // whose start it has
    Vector w0;              // that start                                      (d)
    Vector x;               // own model                                       (d)
    Vector g;               // own g_k, or v_k                                 (d)
    Flops extra = 0;        // of balls that bind
  };
  Task<> serve(Agent& me) const override;
  Task<> train(Agent& me) const override;
  void begin_stage(ServerState& state, Place at) const;
  Payload request(const ServerState& state, bool with_start) const;
  void aggregate(ServerState& state, std::span<const Message> answers, Place at) const;
  void report(Agent& me, Round round, const ServerState& state) const;
  bool take_start(ClientState& state, const Message& request) const;  // false: it lacks the start of that stage
  void local_steps(ClientState& state, const Message& request, AgentId client, const Minibatches& batches) const;

  /// CProx_r of the stage around w0; adds to extra.
  Vector prox(Place at, VectorRef z, const Vector& w0, Flops& extra) const;
  Flops prox_flops(Place at) const;
  Index request_vectors() const { return setup_.messages == Messages::lean ? 1 : 3; }

  Index batches_in(Round round) const override { return stage(place(round)).E; }
  /// Beside gradients 2 E d + (E - 1)(5 d + c_cprox) flops; lean 2 d + 2 E d + E (3 d + c_cprox), in round 0 of a stage
  /// one c_cprox + 3 d less. The check of c_cprox is billed with or without an epsilon.
  Cost own_work(Round round) const override;
  Cost server_work(std::size_t answers) const override { return server_work(answers, Place()); }
  Cost server_work(std::size_t answers, Place at) const;  // 2 m d + c_cprox flops
  Vectors vectors() const override { return {.request = request_vectors() + 1, .answer = 1}; }

  Setup setup_;
  double rho_;
  std::vector<Round> ends_;  // the last round of each stage
};

}  // namespace lagnet
