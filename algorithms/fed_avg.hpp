#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "algorithms/algorithm.hpp"
#include "algorithms/clients.hpp"
#include "algorithms/kernels/minibatches.hpp"
#include "sim/options.hpp"

/// Federated averaging.
///
///     minimize over w   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples, pi_k = n_k / n
///
/// In a round the server sends w to the clients S that take part. Each goes E local steps of (sub)gradient descent from
/// there, on minibatches of its samples, and sends back how far it came; the server moves by the mean of what came.
/// With E = 1, full batches, all clients and eta_s = 1 this is gradient descent, which converges when eta_c < 2/L. With
/// E > 1 and clients that differ, its limit is not the minimizer of F but off it by the order of eta_c (E - 1), and
/// with a subgradient no coefficient gets exactly zero. Sources: McMahan, Moore, Ramage, Hampson, Aguera y Arcas,
/// "Communication-efficient learning of deep networks from decentralized data", 2017, Algorithm 1 (eta_s = 1); eta_s as
/// in Karimireddy et al., "SCAFFOLD", 2020.
namespace lagnet {

struct FedAvgOptions {
  static constexpr std::string_view kind = "fed_avg";
  static constexpr std::string_view summary = "federated averaging of clients' local steps (McMahan et al. 2017)";
  static constexpr bool has_server = true;
  static constexpr Division division = Division::samples;
  static constexpr bool offers_timing = true;
  std::int64_t local_steps = 1;
  std::optional<std::int64_t> batch;
  double client_step = 0;
  double server_step = 1;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("local_steps", self.local_steps, "E, steps of a client in a round", at_least(1));
    field("batch", self.batch,
          "samples of a minibatch, drawn without replacement; null, or as many as a client has: all", at_least(1));
    field("client_step", self.client_step, "eta_c, step size of the local steps: 0.1", above(0).required());
    field("server_step", self.server_step, "eta_s, factor on the mean of the clients' changes", above(0));
  }
};

class FedAvg final : public Algorithm {
 public:
  /// Throws OptionError if the regularizer offers no subgradient.
  FedAvg(const FedAvgOptions& options, Assignment assignment);

  void spawn(Simulation& simulation) const override;
  void spawn_sizes(Simulation& simulation) const override;
  /// The server, whose report has one part: w (d).
  std::vector<AgentId> reporters() const override { return {server_agent}; }
  Evaluation evaluate(Round round, RoundReport report, const Yardstick& yardstick) const override;
  std::vector<std::pair<std::string, double>> constants() const override;
  std::optional<Bytes> memory() const override;
  std::vector<std::string> remarks(std::int64_t missing) const override;

 private:
  Task<> serve(Agent& me) const;  // the server
  Task<> train(Agent& me) const;  // a client
  /// Of a round: E (c_g + 2 d) + d flops, c_g those of a minibatch's gradient, and 2 d more a step for each term of the
  /// regularizer.
  Work client_work(const RowBlock& samples, const Minibatches& batches) const;
  Work client_work(Work gradients) const;  // with those of all steps
  Work client_work_of_sizes(const Agent& client, Round round) const;
  Work server_work(std::size_t answers) const;  // 2 m d flops for m answers

  Assignment given_;
  Clients clients_;
  Index E_;
  std::optional<Index> batch_;
  double eta_c_, eta_s_;
};

std::unique_ptr<Algorithm> make_algorithm(const FedAvgOptions& options, Assignment assignment);

}  // namespace lagnet
