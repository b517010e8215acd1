#pragma once

#include <array>

#include "algorithms/dual/saddle.hpp"

/// A-DiSPA, accelerated DiSPA.
///
/// Stage s = 1, 2, .. takes T_s rounds of DiSPA, from the present duals, on the problem with (vt/2) |x - z^{s-1}|^2
/// added, and extrapolates: with q = lambda / (lambda + vt),
///
///     alpha_s^2 = (1 - alpha_s) alpha_{s-1}^2 + q alpha_s
///     beta_s = alpha_{s-1} (1 - alpha_{s-1}) / (alpha_{s-1}^2 + alpha_s)
///     z^s = x^s + beta_s (x^s - x^{s-1}),   x^s the output of stage s, z^0 = x^0
///
/// A stage starts at x^{s-1}, as printed, or at z^{s-1}: from x^{s-1} and with T_s = 1 nothing is gained, since the
/// proximal term of DiSPA pulls back to where the stage began. Theory has vt = 4 R^2 / gamma - lambda and alpha_0 =
/// sqrt(q); alpha_0 = (sqrt(5) - 1) / 2, start z and vt = 0.1 / tau are more robust where lambda is tiny. Sources: Yu,
/// Liu, Pan, "Communication-Efficient Distributed Primal-Dual Algorithm for Saddle Point Problems", Algorithm 2; Lin,
/// Mairal, Harchaoui, "A Universal Catalyst for First-Order Optimization", NIPS 2015.
///
/// Messages are those of DiSPA; a machine's first request of a stage brings z, d numbers more.
namespace lagnet {

enum class StageStart { x, z };
constexpr auto spellings(StageStart) { return std::array{Spelling{StageStart::x, "x"}, Spelling{StageStart::z, "z"}}; }

struct ADispaOptions : SaddleOptions {
  static constexpr std::string_view kind = "a_dispa";
  static constexpr std::string_view summary =
      "accelerated distributed saddle point method, A-DiSPA (Yu, Liu, Pan 2017)";
  std::optional<double> vt = {};
  std::int64_t rounds_per_stage = 3;
  StageStart start = StageStart::x;
  std::optional<double> alpha_0 = {};
  static void fields(auto& self, auto& field) {
    SaddleOptions::fields(self, field);
    field("vt", self.vt,
          "weight of |x - z|^2 / 2; null: 4 R^2 / (gamma + eps) - lambda - eps, or 0 where that is below", at_least(0));
    field("rounds_per_stage", self.rounds_per_stage, "T_s, rounds of DiSPA between extrapolations", at_least(1));
    field("start", self.start, "where a stage starts: x (the output of the one before, as printed) or z");
    field("alpha_0", self.alpha_0,
          "momentum at the start; null: sqrt((lambda + eps) / (lambda + eps + vt)), which stays as it is",
          above_to(0, 1));
  }
};

class ADispa final : public SaddleMethod {
 public:
  /// Throws Diagnosed for options that do not go with each other or with the problem.
  ADispa(const ADispaOptions& options, MethodInput given)
      : SaddleMethod(ADispaOptions::kind, options, options.vt,
                     Stages{.rounds = options.rounds_per_stage,
                            .starts_at_z = options.start == StageStart::z,
                            .alpha_0 = options.alpha_0},
                     std::move(given)) {}
};

}  // namespace lagnet
