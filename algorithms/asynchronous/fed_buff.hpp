#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "algorithms/asynchronous/asynchronous_method.hpp"
#include "algorithms/federated/bases/averaging.hpp"

/// Federated learning with buffered asynchronous aggregation.
///
///     minimize over w   F(w) = sum_k pi_k L_k(w) + r(w),   L_k the mean loss of client k's n_k samples, pi_k = n_k / n
///
/// A client that gets w takes E local steps of (sub)gradient descent from there, on minibatches of its samples, and
/// sends its change Delta. The server adds up K_buf of them, stale ones perhaps with smaller weights, and takes a step:
///
///     B <- B + s(tau) Delta;   after K_buf answers   x <- x + (eta_s / K_buf) B,   B <- 0                      (3.4)
///     s(tau) = 1 / sqrt(1 + tau), or 1
///
/// The divisor is K_buf, not the sum of the s. The client that answered gets x at once, also while it is unchanged. No
/// weights pi_k enter, and clients that answer more often count for more. With K_buf clients of equal speed and n_k the
/// first step is fed_avg's first round. An update is a step of the server, and tau counts these. 2 messages of d
/// numbers for each answer. Source: Nguyen, Malik, Zhan, Yousefpour, Rabbat, Malek, Huba, "Federated learning with
/// buffered asynchronous aggregation", AISTATS 2022, Algorithm 1, where Delta is w - x and is subtracted.
namespace lagnet {

enum class BufferScaling { sqrt, none };
constexpr auto spellings(BufferScaling) {
  return std::array{Spelling{BufferScaling::sqrt, "sqrt"}, Spelling{BufferScaling::none, "none"}};
}

struct FedBuffOptions : AveragingOptions {
  static constexpr std::string_view kind = "fed_buff";
  static constexpr std::string_view summary = "buffered asynchronous federated averaging (Nguyen et al. 2022)";
  static constexpr AlgorithmTraits traits = with_square(asynchronous_traits, SquareStands::in_subgradient);
  std::optional<std::int64_t> buffer = {};  // K_buf
  BufferScaling scaling = BufferScaling::sqrt;
  Assignment assignment = Assignment::same;
  std::optional<double> resend_ms = {};
  static void fields(auto& self, auto& field) {
    declare_averaging(self, field);
    field("buffer", self.buffer, "K_buf, answers for a step of the server; null: a third of the clients, at least 1",
          at_least(1));
    field("scaling", self.scaling,
          "the weight of an answer that is tau updates old: sqrt, 1/sqrt(1 + tau), or none, 1");
    declare_assignment(self, field);
    declare_resend(self, field);
  }
};

class FedBuff final : public AsynchronousMethod<AveragingMethod> {
 public:
  /// Throws Diagnosed if the regularizer offers no subgradient, or for a problem with a constraint.
  FedBuff(const FedBuffOptions& options, MethodInput given);

 private:
  Task<> serve(Agent& me) const override;  // reports x
  Task<> train(Agent& me) const override;

  Index K_buf_;
  BufferScaling scaling_;
  Assignment assignment_;
};

}  // namespace lagnet
