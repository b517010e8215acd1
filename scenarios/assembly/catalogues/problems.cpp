#include "algorithms/objectives/losses/absolute.hpp"
#include "algorithms/objectives/losses/hinge.hpp"
#include "algorithms/objectives/losses/huber.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/smoothed_hinge.hpp"
#include "algorithms/objectives/losses/softmax.hpp"
#include "algorithms/objectives/losses/squared.hpp"
#include "algorithms/objectives/regularizers/elastic_net.hpp"
#include "algorithms/objectives/regularizers/group_lasso.hpp"
#include "algorithms/objectives/regularizers/l1.hpp"
#include "algorithms/objectives/regularizers/l2.hpp"
#include "algorithms/objectives/regularizers/none.hpp"
#include "algorithms/objectives/regularizers/nuclear.hpp"
#include "algorithms/objectives/sets/box.hpp"
#include "algorithms/objectives/sets/l1_ball.hpp"
#include "algorithms/objectives/sets/l2_ball.hpp"
#include "algorithms/objectives/sets/no_constraint.hpp"
#include "algorithms/objectives/sets/nuclear_ball.hpp"
#include "algorithms/objectives/sets/nuclear_ball_and_box.hpp"
#include "scenarios/format/kinds/problem_kinds.hpp"

namespace lagnet {

namespace {

// A line calls the overload that belongs to its options.
template <class Options>
auto loss_line() {
  return entry<Options>([](const Options& options, const Vector& labels) {
    if constexpr (requires { make_loss(options, labels); })
      return make_loss(options, labels);
    else
      return make_loss(options);
  });
}

template <class Options>
auto regularizer_line() {
  return entry<Options>([](const Options& options, const IterateShape& shape) {
    if constexpr (requires { make_regularizer(options, shape); })
      return make_regularizer(options, shape);
    else
      return make_regularizer(options);
  });
}

template <class Options>
auto constraint_line() {
  return entry<Options>([](const Options& options, IterateShape shape) { return make_constraint(options, shape); });
}

}  // namespace

// One line an entry, which clang-format would fill up.
// clang-format off
const Catalogue<std::shared_ptr<const Loss>, const Vector&>& LossFamily::catalogue() {
  static const Catalogue<std::shared_ptr<const Loss>, const Vector&> all(
      loss_line<SquaredOptions>(),
      loss_line<LogisticOptions>(),
      loss_line<HuberOptions>(),
      loss_line<AbsoluteOptions>(),
      loss_line<SoftmaxOptions>(),
      loss_line<HingeOptions>(),
      loss_line<SmoothedHingeOptions>());
  return all;
}

const Catalogue<std::shared_ptr<const Regularizer>, const IterateShape&>& RegularizerFamily::catalogue() {
  static const Catalogue<std::shared_ptr<const Regularizer>, const IterateShape&> all(
      regularizer_line<NoneOptions>(),
      regularizer_line<L1Options>(),
      regularizer_line<L2Options>(),
      regularizer_line<ElasticNetOptions>(),
      regularizer_line<GroupLassoOptions>(),
      regularizer_line<NuclearOptions>());
  return all;
}

const Catalogue<std::shared_ptr<const Constraint>, IterateShape>& ConstraintFamily::catalogue() {
  static const Catalogue<std::shared_ptr<const Constraint>, IterateShape> all(
      constraint_line<NoConstraintOptions>(),
      constraint_line<L1BallOptions>(),
      constraint_line<L2BallOptions>(),
      constraint_line<BoxOptions>(),
      constraint_line<NuclearBallOptions>(),
      constraint_line<NuclearBallAndBoxOptions>());
  return all;
}
// clang-format on

}  // namespace lagnet
