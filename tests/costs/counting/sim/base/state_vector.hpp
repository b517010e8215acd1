#pragma once

#include <concepts>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/array.hpp"

/// Stands before the header of this name where methods are compiled a second time to have their flops counted: a vector
/// of an agent's state that counts the operations of every expression that it is given. The type's layout is that of
/// the product's; all that counts is inlined, so that no code of the product is used instead.
namespace lagnet {

namespace counting {

/// So far in this process, by all vectors.
inline Index flops = 0;

/// Operations that one entry of an expression takes: its sums, differences, products and quotients. A matrix has none,
/// and a choice of the larger or smaller one is not counted.
template <class Expression>
struct OpsOf {
  static constexpr Index value = 0;
};
template <class Expression>
constexpr Index ops = OpsOf<std::remove_cvref_t<Expression>>::value;
template <class Op, class Left, class Right>
struct OpsOf<Eigen::CwiseBinaryOp<Op, Left, Right>> {
  static constexpr Index value = 1 + ops<Left> + ops<Right>;
};
template <class Op, class Inner>
struct OpsOf<Eigen::CwiseUnaryOp<Op, Inner>> {
  static constexpr Index value = 1 + ops<Inner>;
};
template <class Left, class Right, int NaNs>
struct OpsOf<Eigen::CwiseBinaryOp<Eigen::internal::scalar_min_op<double, double, NaNs>, Left, Right>> {
  static constexpr Index value = ops<Left> + ops<Right>;
};
template <class Left, class Right, int NaNs>
struct OpsOf<Eigen::CwiseBinaryOp<Eigen::internal::scalar_max_op<double, double, NaNs>, Left, Right>> {
  static constexpr Index value = ops<Left> + ops<Right>;
};
template <class Condition, class Then, class Else>
struct OpsOf<Eigen::Select<Condition, Then, Else>> {
  static constexpr Index value = ops<Then>;
};

template <class Expression>
[[gnu::always_inline]] inline const Expression& count(const Expression& values, Index more = 0) {
  flops += (ops<Expression> + more) * values.size();
  return values;
}

/// Some entries of a vector, which are read, added to, subtracted from or replaced.
template <class Block>
class Part : public Block {
 public:
  explicit Part(Block entries) : Block(std::move(entries)) {}
  template <class Column>
  [[gnu::always_inline]] void operator=(const Eigen::MatrixBase<Column>& values) {  // NOLINT: an expression has no use
    Block::operator=(count(values.derived()));
  }
  template <class Column>
  [[gnu::always_inline]] void operator+=(const Eigen::MatrixBase<Column>& values) {
    Block::operator+=(count(values.derived(), 1));
  }
  template <class Column>
  [[gnu::always_inline]] void operator-=(const Eigen::MatrixBase<Column>& values) {
    Block::operator-=(count(values.derived(), 1));
  }
};

}  // namespace counting

class StateVector : public Vector {
 public:
  StateVector() {}
  static StateVector zeros(Index size) { return StateVector(Vector(Vector::Zero(size))); }
  static StateVector of_size(Index size) {
    StateVector vector;
    vector.size_without_numbers_ = size;
    return vector;
  }
  StateVector(Vector values) : Vector(std::move(values)) {}  // NOLINT
  template <class Column>
  [[gnu::always_inline]] StateVector(const Eigen::MatrixBase<Column>& values)  // NOLINT
      : Vector(counting::count(values.derived())) {}

  using Vector::operator=;
  template <class Column>
  [[gnu::always_inline]] StateVector& operator=(const Eigen::MatrixBase<Column>& values) {
    Vector::operator=(counting::count(values.derived()));
    return *this;
  }
  template <class Column>
  [[gnu::always_inline]] StateVector& operator+=(const Eigen::MatrixBase<Column>& values) {
    Vector::operator+=(counting::count(values.derived(), 1));
    return *this;
  }
  template <class Column>
  [[gnu::always_inline]] StateVector& operator-=(const Eigen::MatrixBase<Column>& values) {
    Vector::operator-=(counting::count(values.derived(), 1));
    return *this;
  }

  [[gnu::always_inline]] StateVector& operator*=(double factor) {
    counting::flops += Vector::size();
    Vector::operator*=(factor);
    return *this;
  }

  using Vector::operator();
  template <class Places>
  requires(!std::integral<Places>) auto operator()(const Places& places) {
    return counting::Part(Vector::operator()(places));
  }
  auto head(Index n) const { return Vector::head(n); }
  auto tail(Index n) const { return Vector::tail(n); }
  auto head(Index n) { return counting::Part(Vector::head(n)); }
  auto tail(Index n) { return counting::Part(Vector::tail(n)); }

  bool has_numbers() const { return size_without_numbers_ == 0 || Vector::size() > 0; }
  Index size() const { return has_numbers() ? Vector::size() : size_without_numbers_; }

 private:
  Index size_without_numbers_ = 0;
};

}  // namespace lagnet
