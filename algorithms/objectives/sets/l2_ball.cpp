#include "algorithms/objectives/sets/l2_ball.hpp"

#include "algorithms/objectives/sets/radius.hpp"

namespace lagnet {
namespace {

class L2Ball final : public Constraint {
 public:
  explicit L2Ball(double R) : R_(R) {}
  double excess(VectorRef theta) const override { return theta.stableNorm() - R_; }
  Vector project(VectorRef u) const override {
    if (!u.allFinite()) return u;
    const double norm = u.stableNorm();
    if (norm <= R_) return u;
    return R_ / norm * u;
  }
  Flops flops(Index d) const override { return 3 * d; }
  std::optional<double> support(VectorRef q) const override { return R_ * q.stableNorm(); }

 private:
  double R_;
};

}  // namespace

std::shared_ptr<const Constraint> make_constraint(const L2BallOptions& options, IterateShape /*shape*/) {
  return std::make_shared<L2Ball>(checked_radius("l2_ball.radius", options.radius));
}

}  // namespace lagnet
