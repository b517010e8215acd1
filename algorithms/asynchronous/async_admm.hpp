#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/asynchronous/asynchronous_method.hpp"
#include "algorithms/federated/bases/consensus.hpp"
#include "algorithms/interface/proximal_map.hpp"

/// Asynchronous consensus ADMM: a partial barrier, and a bound on delays.
///
///     minimize over w, in a set   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples,
///     pi_k = n_k / n;   as   sum_k pi_k L_k(x_k) + r(z)   subject to x_k = z
///
/// A client that gets z does its step of consensus_admm and sends x_k + u_k:
///
///     if it has an x_k: u_k <- u_k + x_k - z;   x_k <- argmin over x of pi_k L_k(x) + (rho/2) |x - z + u_k|^2 (3.11)
///
/// The server gathers answers. It closes round t at the first answer with which at least S clients have answered since
/// the last round and each other one was used less than T rounds ago. Their answers then replace what they sent before,
///
///     z <- P((1/N) sum of the newest answers of all N that ever answered, 1/(N rho)) (3.12)
///
/// and z goes to those clients, the others computing on. P is the prox of r / (N rho), or the projection on the set. S
/// = K or T = 1 is consensus_admm with all K clients. The limit is the minimizer of F for every rho, S and T. An update
/// is a round, 2 messages of d numbers for each client in it. With a bound T the server waits for a client that is gone
/// for good, and the run ends in a deadlock. Source: Zhang, Kwok, "Asynchronous distributed ADMM for consensus
/// optimization", ICML 2014, Algorithm 1, without its workers' numbering.
namespace lagnet {

struct AsyncAdmmOptions {
  static constexpr std::string_view kind = "async_admm";
  static constexpr std::string_view summary = "asynchronous consensus ADMM (Zhang, Kwok 2014)";
  AlgorithmTraits traits() const {
    AlgorithmTraits all = also_with_a_constraint(asynchronous_traits);
    all.timing_only = local_minimizer == LocalMinimizer::exact;
    return all;
  }
  double penalty = 0;                          // rho
  std::optional<std::int64_t> least = {};      // S
  std::optional<std::int64_t> max_delay = {};  // T
  LocalMinimizer local_minimizer = LocalMinimizer::exact;
  std::optional<double> accuracy = {};
  std::optional<double> resend_ms = {};
  static void fields(auto& self, auto& field) {
    field("penalty", self.penalty, "rho, the weight of disagreement", above(0).required());
    field("least", self.least, "S, clients whose answers close a round; null: half of the clients, at least 1",
          at_least(1));
    field("max_delay", self.max_delay,
          "T, rounds after which the server waits for a client that has not answered; null: it never waits. With a "
          "bound, a client that is gone for good ends the run in a deadlock",
          at_least(1));
    declare_local_minimizer(self, field);
    declare_resend(self, field);
  }
  void check(auto& report) const { check_accuracy(*this, report); }
};

class AsyncAdmm final : public AsynchronousMethod<FederatedMethod> {
 public:
  /// Throws Diagnosed for a loss that the local minimizer cannot handle, for a regularizer and a constraint at once,
  /// and for more clients in a round than there are.
  AsyncAdmm(const AsyncAdmmOptions& options, MethodInput given);

  std::optional<Bytes> memory() const override;
  std::string_view if_stuck() const override;

 private:
  Task<> serve(Agent& me) const override;  // reports z
  Task<> train(Agent& me) const override;
  /// The kind of local minimizer. Throws Diagnosed for a loss that it cannot handle.
  LocalMinimizer checked(const AsyncAdmmOptions& options) const;
  /// Whether these answers close round t, where each client, by agent, was last used in that round.
  bool are_enough(std::span<const Message> answers, Round t, std::span<const Round> last_used) const;

  ProximalMap P_;
  double rho_;
  std::size_t S_;
  std::optional<Round> T_;
  LocalMinimizers minimizers_;
};

}  // namespace lagnet
