#pragma once

#include <memory>
#include <string_view>

#include "algorithms/objectives/iterate_shape.hpp"
#include "scenarios/json/choice.hpp"
#include "sim/base/array.hpp"

/// The kinds of an objective's parts: losses, regularizers, constraint sets. Their options are beside the classes in
/// algorithms/objectives.
namespace lagnet {

class Loss;
class Regularizer;
class Constraint;

struct LossFamily {
  static constexpr std::string_view key = "kind", called = "loss", default_kind = "squared";
  static const Catalogue<std::shared_ptr<const Loss>, const Vector&>& catalogue();  // from the labels, if known
};

struct RegularizerFamily {
  static constexpr std::string_view key = "kind", called = "regularizer", default_kind = "none";
  static const Catalogue<std::shared_ptr<const Regularizer>, const IterateShape&>&
  catalogue();  // for iterates of the shape
};

struct ConstraintFamily {
  static constexpr std::string_view key = "kind", called = "constraint", default_kind = "none";
  static const Catalogue<std::shared_ptr<const Constraint>, IterateShape>& catalogue();  // from the iterates' shape
};

}  // namespace lagnet
