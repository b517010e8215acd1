#pragma once

#include <memory>
#include <string_view>

#include "algorithms/objectives/loss.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// l(a, y) = (a - y)^2 / 2. The factor 1/2 belongs to the loss: objectives in papers without it are twice these.
struct SquaredOptions : NoOptions {
  static constexpr std::string_view kind = "squared";
  static constexpr std::string_view summary = "(a - y)^2 / 2, least squares";
};

std::shared_ptr<const Loss> make_loss(const SquaredOptions& options);

/// l(a, y) = |a - y|. At the kink a = y the derivative given is 0.
struct AbsoluteOptions : NoOptions {
  static constexpr std::string_view kind = "absolute";
  static constexpr std::string_view summary = "|a - y|, least absolute deviations";
};

std::shared_ptr<const Loss> make_loss(const AbsoluteOptions& options);

/// With t = a - y and threshold h: l(a, y) = t^2/2 if |t| <= h, else h |t| - h^2/2.
struct HuberOptions {
  static constexpr std::string_view kind = "huber";
  static constexpr std::string_view summary = "squared near the label, linear beyond a threshold";
  double threshold = 1;  // h, in units of the labels
  static void fields(auto& self, auto& field) {
    field("threshold", self.threshold, "largest |a - y| at which the loss is still quadratic, in units of the labels",
          above(0));
  }
};

/// Throws std::invalid_argument unless the threshold is finite and above 0.
std::shared_ptr<const Loss> make_loss(const HuberOptions& options);

/// l(a, y) = max(0, 1 - y a) with labels y in {-1, +1}, the loss of support vector machines. l*(lam; y) = y lam on the
/// domain -1 <= y lam <= 0. At the kink y a = 1 the subgradient is 0.
struct HingeOptions : NoOptions {
  static constexpr std::string_view kind = "hinge";
  static constexpr std::string_view summary = "max(0, 1 - y a), labels -1 and +1";
};

std::shared_ptr<const Loss> make_loss(const HingeOptions& options);

/// The hinge loss with its kink rounded off, labels y in {-1, +1}, t = 1 - y a: l(a, y) = 0 if t <= 0, t^2 / (2 gamma)
/// if t <= gamma, else t - gamma / 2. l is (1/gamma)-smooth, l*(lam; y) = y lam + (gamma/2) lam^2 on the domain
/// -1 <= y lam <= 0.
struct SmoothedHingeOptions {
  static constexpr std::string_view kind = "smoothed_hinge";
  static constexpr std::string_view summary = "hinge loss, quadratic within gamma of its kink, labels -1 and +1";
  double gamma = 1;  // in units of y a
  static void fields(auto& self, auto& field) {
    field("gamma", self.gamma, "width of the quadratic part, 1 / (the largest curvature)", above(0));
  }
};

/// Throws std::invalid_argument unless gamma is finite and above 0.
std::shared_ptr<const Loss> make_loss(const SmoothedHingeOptions& options);

}  // namespace lagnet
