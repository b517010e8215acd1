#pragma once

#include <utility>

#include "sim/base/array.hpp"

namespace lagnet {

/// A vector of an agent's state. In a run with numbers it is a Vector. In a timing-only run it knows its size and holds
/// no numbers and no memory: a payload made from it has that size, so messages cost what they would cost with numbers.
/// Such a vector is empty to whatever takes it as a Vector; assigned an expression of empty vectors it keeps its size.
class StateVector : public Vector {
 public:
  StateVector() {}
  static StateVector zeros(Index size) { return StateVector(Vector(Vector::Zero(size))); }
  static StateVector of_size(Index size) {  // without numbers
    StateVector vector;
    vector.size_without_numbers_ = size;
    return vector;
  }
  StateVector(Vector values) : Vector(std::move(values)) {}  // NOLINT: a vector is one with numbers
  template <class Column>
  StateVector(const Eigen::MatrixBase<Column>& values) : Vector(values) {}  // NOLINT: or an expression
  using Vector::operator=;

  bool has_numbers() const { return size_without_numbers_ == 0 || Vector::size() > 0; }
  Index size() const { return has_numbers() ? Vector::size() : size_without_numbers_; }

 private:
  Index size_without_numbers_ = 0;
};

}  // namespace lagnet
