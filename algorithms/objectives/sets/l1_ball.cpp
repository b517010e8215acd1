#include "algorithms/objectives/sets/l1_ball.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "algorithms/objectives/sets/radius.hpp"

namespace lagnet {

Vector project_on_l1_ball(VectorRef u, double R) {
  if (!u.allFinite() || u.lpNorm<1>() <= R) return u;
  std::vector<double> s(static_cast<std::size_t>(u.size()));  // |u|, largest first      (d)
  std::transform(u.begin(), u.end(), s.begin(), [](double entry) { return std::abs(entry); });
  std::sort(s.begin(), s.end(), std::greater<>());
  double sum = 0, threshold = s.front();  // all entries vanish where not even the largest is above its threshold
  for (std::size_t k = 0; k < s.size(); ++k) {
    sum += s[k];
    const double candidate = (sum - R) / static_cast<double>(k + 1);
    if (s[k] - candidate > 0) threshold = candidate;
  }
  return u.unaryExpr([threshold](double entry) {
    return std::abs(entry) > threshold ? std::copysign(std::abs(entry) - threshold, entry) : 0.0;
  });
}

namespace {

class L1Ball final : public Constraint {
 public:
  explicit L1Ball(double R) : R_(R) {}
  double excess(VectorRef theta) const override { return theta.lpNorm<1>() - R_; }
  Vector project(VectorRef u) const override { return project_on_l1_ball(u, R_); }
  Flops flops(Index d) const override {
    return d < 1 ? 0 : static_cast<Flops>(std::ceil(static_cast<double>(d) * std::log2(static_cast<double>(d))));
  }
  std::optional<double> support(VectorRef q) const override { return R_ * q.lpNorm<Eigen::Infinity>(); }

 private:
  double R_;
};

}  // namespace

std::shared_ptr<const Constraint> make_constraint(const L1BallOptions& options, IterateShape /*shape*/) {
  return std::make_shared<L1Ball>(checked_radius("l1_ball.radius", options.radius.value_or(-1)));
}

}  // namespace lagnet
