#pragma once

#include <string>
#include <vector>

#include "algorithms/peers/asynchronous/asynchronous_peers.hpp"

/// Gradient tracking without rounds, whatever is late or lost.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta),   f_i smooth
///
/// Agent i keeps x_i, a part z_i of the tracked gradient, its last gradient g_i, and for each neighbor j the newest v_j
/// and running sum rho_ij that came from it, what of that sum it has used, and its own sum rho_ji for it. It repeats,
/// at its own pace,
///
///     v <- x_i - gamma z_i,   x_i <- w_ii v + sum_j w_ij v_j                                                       (1)
///     g <- grad f_i(x_i), which takes the time of the update; then it takes what has come meanwhile                (2)
///     h <- z_i + sum_j (rho_ij - used_ij) + g - g_i,   used_ij <- rho_ij,   g_i <- g                               (3)
///     z_i <- a_ii h,   rho_ji <- rho_ji + a_ji h for each neighbor j                                               (4)
///     sends (v, rho_ji) to each neighbor j, with the count of its updates
///
/// from x_i = v_j = 0 and g_i = z_i = grad f_i(0). W is row stochastic, A column stochastic: the gossip matrix is both.
/// Sums make up for what is lost, copied or overtaken: sum_i z_i + sum over links of (rho - used) is sum_i g_i at all
/// times. Since z_i is a_ii of the tracked gradient, steps are larger than those of synchronous tracking. Source: Tian,
/// Sun, Scutari, "Achieving linear convergence in distributed asynchronous multiagent optimization", IEEE TAC 65
/// (2020), algorithm 2; here the sums are read after the computation.
namespace lagnet {

struct AsySonataOptions {
  static constexpr std::string_view kind = "asy_sonata";
  static constexpr std::string_view summary =
      "asynchronous gradient tracking that losses do not harm (Tian, Sun, Scutari 2020)";
  static constexpr AlgorithmTraits traits{.partition_by = PartitionBy::samples,
                                          .needs_gossip = true,
                                          .takes_regularizers = Regularizers::smooth,
                                          .takes_even_weights = true,
                                          .agents_keep_state = true,
                                          .timing_only = true,
                                          .depends_on_order = true,
                                          .updates_need_time = true};
  double step = 0;
  static void fields(auto& self, auto& field) {
    field("step", self.step,
          "gamma; larger than for gradient_tracking, about 1 / w_ii times, since an agent holds that part of the "
          "gradient",
          above(0).required());
  }
};

class AsySonata final : public AsynchronousPeers {
 public:
  AsySonata(const AsySonataOptions& options, MethodInput input);

  /// Parts of a report: x_i (d), and z_i + sum_j (rho_ji - used_ij) - g_i, of which the sum over all agents is 0 (d).
  std::vector<Vector> first_report(AgentId) const override {
    return given().timing_only ? std::vector<Vector>{{}, {}} : std::vector<Vector>{start(), Vector::Zero(d())};
  }

 private:
  Task<> run(Agent& me) const override;

  double gamma_;
};

}  // namespace lagnet
