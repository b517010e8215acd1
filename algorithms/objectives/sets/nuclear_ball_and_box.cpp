#include "algorithms/objectives/sets/nuclear_ball_and_box.hpp"

#include "algorithms/objectives/sets/intersection.hpp"
#include "algorithms/objectives/sets/nuclear_ball.hpp"

namespace lagnet {

std::shared_ptr<const Constraint> make_constraint(const NuclearBallAndBoxOptions& options, IterateShape shape) {
  return std::make_shared<Intersection>(
      make_constraint(NuclearBallOptions{.radius = options.radius, .rows = options.rows}, shape),
      make_constraint(BoxOptions{.bound = options.bound, .omega = options.omega}, shape));
}

}  // namespace lagnet
