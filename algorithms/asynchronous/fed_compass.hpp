#pragma once

#include <optional>
#include <span>
#include <vector>

#include "algorithms/asynchronous/compass_schedule.hpp"
#include "algorithms/asynchronous/fed_async.hpp"
#include "algorithms/federated/bases/federated.hpp"

/// FedCompass: a server that gives clients as many local steps as let them answer in groups.
///
///     minimize over w   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples, pi_k = n_k / n
///
/// At first all get w_0 and Q_2 steps. From each answer the server learns the time v_k that a step of client k takes. A
/// client that answers joins the group in which it can do most steps q, Q_1 <= q <= Q_2, up to the time at which the
/// group is expected, or founds one. When all of a group have answered, or at its latest time, the server takes in
/// their models and those that came too late for their group, and gives each a new job, the fastest first:
///
///     x <- (1 - sum_k alpha_k) x + sum_k alpha_k x_k,   alpha_k = alpha s(tau_k) pi_k                           (8.2)
///
/// s is that of fed_async, and tau_k the number of changes of x since the client got it. The client takes its q steps
/// as in fed_async. Messages have d numbers, and requests q in their header. A message that is lost, or a client that
/// crashes, is out of the schedule; the timer closes its group. Source: Li, Chaturapruek, Chen, .., Madduri, Kim,
/// "FedCompass: efficient cross-silo federated learning on heterogeneous client devices using a computing power aware
/// scheduler", ICLR 2024, with pi_k in place of 1/m.
namespace lagnet {

struct FedCompassOptions {
  static constexpr std::string_view kind = "fed_compass";
  static constexpr std::string_view summary = "steps by speed, so that clients answer in groups (Li et al. 2024)";
  static constexpr AlgorithmTraits traits = with_square(asynchronous_traits, SquareStands::in_subgradient);
  std::int64_t min_local_steps = 1, max_local_steps = 1;  // Q_1, Q_2
  std::optional<std::int64_t> batch = {};
  double client_step = 0;  // eta
  double latest_time_factor = 1.2, speed_momentum = 0.9;
  double mixing = 0.9;  // alpha
  DiscountOptions staleness = {};
  static void fields(auto& self, auto& field) {
    field("min_local_steps", self.min_local_steps, "Q_1, the least steps of a job", at_least(1).required());
    field("max_local_steps", self.max_local_steps, "Q_2, the most steps of a job",
          Limits{.low = 1, .high = 1e8}.required());
    declare_batch(self, field);
    field("client_step", self.client_step, "eta, step size of the local steps: 0.1", above(0).required());
    field("latest_time_factor", self.latest_time_factor,
          "how long a group is waited for, in times that its founder's job takes", at_least(1));
    field("speed_momentum", self.speed_momentum, "weight of the last job in the estimate of a step's time",
          above_to(0, 1));
    field("mixing", self.mixing, "alpha, the weight of all fresh answers together in the new model", above_to(0, 1));
    field("staleness", self.staleness, "s, the factor on the weight of an answer that is tau updates old");
  }
  void check(auto& report) const {
    if (min_local_steps > max_local_steps)
      report("min_local_steps", "at most max_local_steps, " + std::to_string(max_local_steps), min_local_steps);
  }
};

class FedCompass final : public FederatedMethod {
 public:
  /// Throws Diagnosed if the regularizer offers no subgradient, or for a problem with a constraint.
  FedCompass(const FedCompassOptions& options, MethodInput given);
  Remarks warnings() const override;

 private:
  Task<> serve(Agent& me) const override;  // reports x
  Task<> train(Agent& me) const override;
  /// Takes these models into x (d), which has changed v times.
  void mix(StateVector& x, std::span<const Message> used, Round v) const;
  Cost step_work() const;

  FedCompassOptions options_;
};

}  // namespace lagnet
