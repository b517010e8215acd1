#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "algorithms/peers/bases/peers.hpp"
#include "algorithms/peers/compressed/difference_exchange.hpp"

/// CHOCO-SGD: gradient steps, and averaging by compressed messages.
///
///     minimize over theta   F(theta) = (1/m) sum_i f_i(theta)
///
///     x_i  -= step_t grad f_i(x_i)                                 (1)
///     q_i = Q(x_i - xh_i)                                          (2)
///     xh_i += q_i                                                  (3)
///     s_i  += w_ii q_i + sum over neighbors j of w_ij q_j          (4)
///     x_i  += gamma (s_i - xh_i)                                   (5)
///
/// from zeros. With order gossip_first each agent averages before it compresses, with what it knew when the round
/// began: (1), (5), (2), (3), (4). In both, step_t = step / t^decay, or step / (1 + t / horizon). The mean
/// of the x_i moves by -step_t times the mean gradient. With a constant step it ends at a distance of the order of the
/// step, like dgd, whatever Q is: the f_i differ. With the identity and gamma = 1 it is x <- W (x - step grad f(x)).
/// Source: Koloskova, Stich, Jaggi, "Decentralized stochastic optimization and gossip algorithms with compressed
/// communication", ICML 2019, algorithm 2 (compress_first); Koloskova, Lin, Stich, Jaggi, "Decentralized deep learning
/// with arbitrary communication compression", ICLR 2020, algorithm 1, as in the authors' code (gossip_first).
namespace lagnet {

enum class ChocoOrder { compress_first, gossip_first };
constexpr auto spellings(ChocoOrder) {
  return std::array{Spelling{ChocoOrder::compress_first, "compress_first"},
                    Spelling{ChocoOrder::gossip_first, "gossip_first"}};
}

struct ChocoSgdOptions {
  static constexpr std::string_view kind = "choco_sgd";
  static constexpr std::string_view summary =
      "gradient steps, and averages by compressed differences (Koloskova, Stich, Jaggi 2019)";
  static constexpr AlgorithmTraits traits{.partition_by = PartitionBy::samples,
                                          .needs_gossip = true,
                                          .takes_regularizers = Regularizers::smooth,
                                          .takes_even_weights = true,
                                          .every_message = "choco_sgd sends differences that must arrive once",
                                          .timing_only = true};
  double step = 0;
  double decay = 0;
  std::optional<double> horizon = {};
  std::optional<double> gamma = {};
  ChocoOrder order = ChocoOrder::compress_first;
  std::optional<std::int64_t> batch = {};
  CompressorOptions compressor = {};
  static void fields(auto& self, auto& field) {
    field("step", self.step, "step size", above(0).required());
    field("decay", self.decay, "the step of round t is step / t^decay", within(0, 1));
    field("horizon", self.horizon, "instead of decay: the step of round t is step / (1 + t / horizon)", above(0));
    declare_gamma(self, field);
    field(
        "order", self.order,
        "compress_first (ICML 2019, algorithm 2): a gradient step, a compressed difference, then the average with what "
        "came; gossip_first (ICLR 2020, algorithm 1, and the authors' code): a gradient step, the average with what "
        "came in the round before, then a compressed difference. The iterates differ by a few percent");
    field("batch", self.batch,
          "samples of a gradient, drawn without replacement; null, or as many as an agent has: all", at_least(1));
    CompressorOptions::declare(self, field);
  }
  void check(auto& report) const {
    if (horizon && decay != 0) report("horizon", "null, or no decay", *horizon);
  }
};

class ChocoSgd final : public PeerAlgorithm {
 public:
  ChocoSgd(const ChocoSgdOptions& options, MethodInput input);

 private:
  Task<> run(Agent& me) const override;
  double step(Round t) const;

  const ChocoSgdOptions options_;
  const DifferenceExchange exchange_;
  double gamma_;
};

}  // namespace lagnet
