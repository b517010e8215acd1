#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/federated/bases/coin_method.hpp"

/// TAMUNA: local gradient steps that are corrected by shifts, with cohorts and without most entries of what is sent.
///
///     minimize over w   F(w) = (1/m) sum_k f_k(w),   f_k(w) = L_k(w) + (b/2) |w|^2,   L_k the mean loss of client k's
///     samples; all m clients hold as many, or weigh alike
///
/// A round asks c clients. Each keeps a shift h_k, 0 at first, which converges to grad f_k at the minimizer, and sends
/// some entries of its model, its mask, so that every entry is sent by s of the c clients: entry j by those at the
/// places (s j + e) mod c, e = 0 .. s-1. The order of the clients is drawn in each round, and all know it from the
/// shared seed. The number of local steps T is the same for all, the number of throws until a coin shows heads, which
/// it does with probability p.
///
///     x_k = w;   T times: x_k <- x_k - step (grad f_k(x_k) - h_k)           at client k of the cohort           (1)
///     w_j = (1/s) sum of x_kj over the s clients that sent entry j          at the server                       (2)
///     h_kj <- h_kj + (p chi/step) (w_j - x_kj) for the entries j of its mask, at client k                       (3)
///
/// (3) comes with the request of the next round where all clients are asked; else the server sends each client of the
/// cohort its entries of w after (2). Entries that were not sent, and clients that were not asked, keep their shifts,
/// so that sum_k h_k = 0 at all times.
///
/// For step <= 1/L, chi <= m (s-1) / (s (m-1)) and strongly convex f_k w converges linearly to the minimizer, in
/// expectation; with the default p, sqrt(c / (s kappa)) for kappa = L/mu, L and mu of every f_k, a round does what
/// takes gradient descent sqrt(kappa) rounds. With s = c = m and chi = 1 it is prox_skip without r. A round takes s d
/// numbers up, of all clients together, and d down to each. Source: Condat, Agarsky, Malinovsky, Richtarik, "TAMUNA:
/// doubly accelerated distributed optimization with local training, compression, and partial participation", 2023,
/// Algorithm 1.
namespace lagnet {

struct TamunaOptions {
  static constexpr std::string_view kind = "tamuna";
  static constexpr std::string_view summary =
      "local gradient steps with shifts, cohorts and parts of vectors, TAMUNA (Condat et al. 2023)";
  AlgorithmTraits traits() const {
    AlgorithmTraits all = with_even_weights(coin_traits(*this, Regularizers::smooth, "the h_k must add up"));
    all.cohorts = Cohorts::of_one_size;
    return all;
  }
  std::optional<double> step = {}, p = {};
  std::optional<std::int64_t> s = {};
  std::optional<double> chi = {}, mu = {}, L = {};
  static void fields(auto& self, auto& field) {
    declare_coin(self, field,
                 "probability that a local step is the last one of its round, whose mean number of steps is 1/p; null: "
                 "sqrt(c / (s kappa)), at most 1, kappa = L/mu, c the clients that a round asks");
    field("s", self.s, "how many clients send each entry; null: all that a round asks", at_least(2));
    field("chi", self.chi,
          "how fast shifts learn; null: m (s-1) / (s (m-1)) for m clients, the most that theory allows", above(0));
  }
  void check(auto& report) const { check_coin(*this, report); }
};

class Tamuna : public CoinMethod {
 public:
  /// Throws Diagnosed for a loss with kinks, a constraint, a regularizer other than l2, clients that do not weigh
  /// alike, mu above L, a mu of 0 where p follows from it, fewer than 2 clients asked, and an s or chi above what it
  /// may be.
  Tamuna(const TamunaOptions& options, MethodInput given);

 protected:
  /// Puts the clients of a round, 0 .. c-1 in the order of the cohort, into the order of their places; at the server.
  virtual void shuffle(const Agent& me, Round round, std::vector<Index>& clients) const;

 private:
  Task<> serve(Agent& me) const override;  // reports w
  Task<> train(Agent& me) const override;

  /// Entries that the client at this place sends, ascending.
  std::vector<Index> mask(Index place) const;
  bool asks_all() const { return c_ == agents() - 1; }
  /// Beside the places: of what is sent after a round.
  MessageTag after_round() const { return static_cast<MessageTag>(c_); }

  Index c_;  // clients asked in a round
  Index copies_;
  double chi_;
};

/// Fisher-Yates from the back, by numbers of (0, 1).
template <class Uniform>
void shuffle_from_back(std::vector<Index>& all, Uniform uniform) {
  for (std::size_t left = all.size(); left >= 2; --left)
    std::swap(all[left - 1], all[static_cast<std::size_t>(uniform() * static_cast<double>(left))]);
}

}  // namespace lagnet
