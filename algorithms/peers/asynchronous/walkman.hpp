#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/peers/asynchronous/asynchronous_peers.hpp"

/// Walkman: a token that walks from agent to agent has the iterate.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta)
///
/// Agent i keeps y_i and z_i, from 0. When the token x, from 0, visits it,
///
///     exact:     y = argmin over y of f_i(y) + (beta/2) |y - x - z_i / beta|^2
///     gradient:  y = x + (z_i - grad f_i(y_i)) / beta                                  (1)
///     z = z_i + beta (x - y)                                                           (2)
///     x <- x + ((y - z / beta) - (y_i - z_i / beta)) / m,   y_i = y,   z_i = z         (3)
///
/// and it sends x to the next agent, the only message. x is the mean of the y_i - z_i / beta, and at the limit z_i =
/// grad f_i(x). An update is a visit; an agent computes during its visits alone, and with a clock it waits for the next
/// tick. The form gradient needs beta well above L, the largest curvature of any f_i. The z of the source's code is z /
/// beta. Source: X. Mao, K. Yuan, Y. Hu, Y. Gu, A. H. Sayed, W. Yin, "Walkman: a communication-efficient random-walk
/// algorithm for decentralized optimization", IEEE TSP 68 (2020), algorithm 1.
namespace lagnet {

enum class VisitStep { gradient, exact };
constexpr auto spellings(VisitStep) {
  return std::array{Spelling{VisitStep::gradient, "gradient"}, Spelling{VisitStep::exact, "exact"}};
}
enum class TokenWalk { cycle, random };
constexpr auto spellings(TokenWalk) {
  return std::array{Spelling{TokenWalk::cycle, "cycle"}, Spelling{TokenWalk::random, "random"}};
}

struct WalkmanOptions {
  static constexpr std::string_view kind = "walkman";
  static constexpr std::string_view summary =
      "Walkman, ADMM by a token that walks along the edges, one message at a time (Mao et al. 2020)";
  AlgorithmTraits traits() const {
    const bool is_exact = local == VisitStep::exact;
    return {.partition_by = PartitionBy::samples,
            .takes_regularizers = Regularizers::smooth,
            .square = is_exact ? SquareStands::in_subproblems : SquareStands::in_prox,
            .needs_curvature = is_exact,
            .takes_even_weights = true,
            .every_message = "the token must arrive",
            .timing_only = true,
            .timing_needs_squared = is_exact,
            .depends_on_order = true,
            .updates_need_time = true};
  }
  std::optional<double> beta = {};
  VisitStep local = VisitStep::gradient;
  TokenWalk walk = TokenWalk::cycle;
  static void fields(auto& self, auto& field) {
    field("beta", self.beta, "weight of the agreement; theory: 2 L, L the largest curvature of any f_i",
          above(0).or_word("theory"));
    field(
        "local", self.local,
        "how the agent that has the token moves: gradient, one gradient step, which needs beta well above L; exact: it "
        "minimizes, with the squared loss by a factor, else by Newton's method");
    field("walk", self.walk, "cycle: agents 0, 1, .., m-1, 0, ..; random: agent 0, and then uniformly drawn neighbors");
  }
  void check(auto&) const {}
};

class Walkman final : public AsynchronousPeers {
 public:
  /// Throws Diagnosed for a cycle without its edges, and for constants and losses that cannot be.
  Walkman(const WalkmanOptions& options, MethodInput input);

  /// Parts: the token as the agent sent it last (d), and the number of that visit, from 1 on.
  std::vector<Vector> first_report(AgentId agent) const override;
  std::vector<std::string> metric_names() const override { return {"normalized_error", "optimum_distance"}; }
  /// The iterate is the token.
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const override;
  std::optional<Bytes> memory() const override;

 private:
  Task<> run(Agent& me) const override;
  /// Where the token goes after a visit.
  AgentId next(const Agent& me, Round visit) const;

  const WalkmanOptions options_;
  std::vector<DataMatrix> blocks_;  // X_i of each agent where steps are exact (n_i x d)
  double beta_ = 0;                 // 0 in a timing-only run where theory gives it
};

}  // namespace lagnet
