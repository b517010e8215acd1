#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/losses/softmax.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "algorithms/objectives/sets/sets.hpp"
#include "scenarios/assembly/catalogues/python_parts.hpp"
#include "scenarios/format/kinds/problem_kinds.hpp"

namespace lagnet {

// One line a kind, which clang-format would fill up.
// clang-format off
const Catalogue<std::shared_ptr<const Loss>, const Vector&>& LossFamily::catalogue() {
  static const auto all = Catalogue<std::shared_ptr<const Loss>, const Vector&>::of<
      SquaredOptions,
      LogisticOptions,
      HuberOptions,
      AbsoluteOptions,
      SoftmaxOptions,
      HingeOptions,
      SmoothedHingeOptions,
      PythonLossOptions>([](const auto& options, const Vector& labels) {
    if constexpr (requires { make_loss(options, labels); })
      return make_loss(options, labels);
    else
      return make_loss(options);
  });
  return all;
}

const Catalogue<std::shared_ptr<const Regularizer>, const IterateShape&>& RegularizerFamily::catalogue() {
  static const auto all = Catalogue<std::shared_ptr<const Regularizer>, const IterateShape&>::of<
      NoneOptions,
      L1Options,
      L2Options,
      ElasticNetOptions,
      GroupLassoOptions,
      NuclearOptions,
      PythonRegularizerOptions>([](const auto& options, const IterateShape& shape) {
    if constexpr (requires { make_regularizer(options, shape); })
      return make_regularizer(options, shape);
    else
      return make_regularizer(options);
  });
  return all;
}

const Catalogue<std::shared_ptr<const Constraint>, IterateShape>& ConstraintFamily::catalogue() {
  static const auto all = Catalogue<std::shared_ptr<const Constraint>, IterateShape>::of<
      NoConstraintOptions,
      L1BallOptions,
      L2BallOptions,
      BoxOptions,
      NuclearBallOptions,
      NuclearBallAndBoxOptions>([](const auto& options, IterateShape shape) {
    return make_constraint(options, shape);
  });
  return all;
}
// clang-format on

}  // namespace lagnet
