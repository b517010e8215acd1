#pragma once

#include <vector>

#include "algorithms/federated/fed_prox.hpp"

/// Federated averaging by tiers of clients that answer alike soon: rounds within a tier, and none between tiers.
///
///     minimize over w   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples, pi_k = n_k / n
///     unless given
///
/// Each of the M tiers goes through rounds of fed_prox with its own clients, from the newest model, at once when its
/// last round ended. Tier 1 is the fastest; T_a are the rounds of tier a so far, T their sum, and z_a is its newest
/// model, w_0 before the first. When tier a ends a round that began from w',
///
///     z_a = w' + sum_k q_k Delta_k,  q_k the weights among the answers that came;  T_a += 1
///     w = sum_b (T_{M+1-b} / T) z_b                                                                              (8.1)
///
/// so that slow tiers weigh as the fast ones are busy. For small steps the limit is the minimizer of
/// sum_b (T_{M+1-b} / T) (mean of the L_k of tier b) + r, which corrects too much. An update is a round of a tier.
/// Tiers are listed, or follow from how long clients take to answer in the first rounds, which ask all and move
/// nothing. Source: Chai, Chen, Anwar, Zhao, Cheng, Rangwala, "FedAT: a high-performance and communication-efficient
/// federated learning system with asynchronous tiers", SC 2021.
namespace lagnet {

struct FedAtOptions : ClientStepsOptions {
  static constexpr std::string_view kind = "fed_at";
  static constexpr std::string_view summary = "asynchronous tiers of clients, each with rounds (Chai et al. 2021)";
  std::int64_t tiers = 1;  // M
  std::int64_t profile_rounds = 1;
  std::vector<std::vector<std::int64_t>> members = {};
  double mu = 0;
  static void fields(auto& self, auto& field) {
    field("tiers", self.tiers, "M, how many", at_least(1).required());
    field("profile_rounds", self.profile_rounds, "first rounds, which ask all to see how soon they answer",
          at_least(1));
    field(
        "members", self.members,
        "the clients of each tier, the fastest first, in place of what the first rounds show: [[1, 2], [3]]; an empty "
        "list: those",
        at_least(1));
    declare_local_work(self, field);
    field("client_step", self.client_step,
          "eta_c, step size of the local steps: 0.1; theory: 1 / (2 L E), as of fed_avg", above(0).or_word("theory"));
    field("mu", self.mu, "weight of the distance to the server's model in local steps; the source has 0.4",
          at_least(0));
    declare_weights(self, field);
  }
  AlgorithmTraits traits() const {
    AlgorithmTraits all = ClientStepsOptions::traits();
    all.server_keeps_state = true;
    all.depends_on_order = true;
    all.closes_rounds = true;
    return all;
  }
  void check(auto& report) const {
    check_local_work(*this, report);
    if (!members.empty() && std::ssize(members) != tiers)
      report("members", "a list for each of " + std::to_string(tiers) + " tiers", members);
  }
};

class FedAt final : public ProximalSteps {
 public:
  /// Throws Diagnosed if the regularizer offers no subgradient, for more tiers than clients, and unless every client is
  /// in one tier.
  FedAt(const FedAtOptions& options, MethodInput given);
  Remarks warnings() const override;

 private:
  using Tiers = std::vector<std::vector<AgentId>>;
  /// A tier at work.
  struct Tier {
    std::vector<AgentId> members;
    Round round = 0;     // its present one
    Round rounds = 0;    // T_a, those that have moved the model
    Round began_at = 0;  // T when it began
    std::size_t enough = 0;
    Time deadline;
    std::vector<Message> answers;  // Delta_k  (d each)
    StateVector from, z;           // w', and its newest model (d each)
  };

  Task<> serve(Agent& me) const override;
  Task<> train(Agent& me) const override;
  Task<> profile(Agent& me, const StateVector& w, Tiers& tiers) const;
  /// Asks the clients of a tier in its next round.
  void begin(Agent& me, Tier& tier, const StateVector& w, Round T) const;
  /// Whether it is the answer of a tier's client to its present request; then it is kept.
  bool keeps(std::vector<Tier>& tiers, Message& m) const;
  void absorb(std::vector<Tier>& tiers, std::size_t a, StateVector& w) const;  // (8.1)

  Index M_;
  Round profile_rounds_;
  Tiers members_;
};

}  // namespace lagnet
