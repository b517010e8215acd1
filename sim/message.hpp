#pragma once

#include <cstdint>
#include <new>
#include <utility>

#include "sim/array.hpp"
#include "sim/errors.hpp"
#include "sim/types.hpp"

namespace lagnet {

namespace detail {

struct PayloadClass;

/// What stands before a payload's numbers.
struct PayloadHeader {
  PayloadClass* of;
  union {
    Index rows;
    PayloadHeader* next_free;
  };
  Index cols;
  std::uint32_t references;
  std::uint32_t encrypted : 31;
  std::uint32_t has_numbers : 1;

  double* data() { return std::launder(reinterpret_cast<double*>(this + 1)); }
};
void give_back(PayloadHeader* header) noexcept;

}  // namespace detail

/// An immutable, shared array of doubles (a column vector or a column-major matrix): what a message carries. Copying
/// shares it. Payloads are made, copied and dropped on the thread of their simulation; kernels on other threads may
/// read their numbers. Rows of equal size lie at a stride that is no power of two, since equal offsets into cache sets
/// would evict each other when the payloads of many neighbors are summed.
class Payload {
 public:
  Payload() noexcept {}
  // A vector may stand wherever a payload is sent.
  Payload(const Vector& values);      // NOLINT
  Payload(const VectorView& values);  // NOLINT
  Payload(VectorRef values);          // NOLINT
  template <class Column>
  requires(Column::ColsAtCompileTime == 1) Payload(const Eigen::MatrixBase<Column>& values)
      : Payload(VectorRef(values.derived())) {}  // NOLINT: or an expression
  explicit Payload(const Matrix& values);
  /// A vector whose last numbers are sent as ciphertexts: billed as such. The numbers themselves stay readable here,
  /// since the scheme is not executed.
  static Payload with_ciphertexts(VectorRef values, Index encrypted);
  /// A shape without numbers, for runs that only ask when messages come: billed as if it had them, the last `encrypted`
  /// of them as ciphertexts. Its data() and view() are an internal error.
  static Payload of_size(Index rows, Index cols = 1, Index encrypted = 0);
  Payload(const Payload& other) noexcept : header_(other.header_) {
    if (header_) ++header_->references;
  }
  Payload(Payload&& other) noexcept : header_(std::exchange(other.header_, nullptr)) {}
  Payload& operator=(const Payload& other) noexcept { return *this = Payload(other); }
  Payload& operator=(Payload&& other) noexcept {
    std::swap(header_, other.header_);
    return *this;
  }
  ~Payload() {
    if (header_ && --header_->references == 0) detail::give_back(header_);
  }

  class Draft;

  explicit operator bool() const { return header_ != nullptr; }
  Index rows() const { return header_ ? header_->rows : 0; }
  Index cols() const { return header_ ? header_->cols : 0; }
  Index size() const { return rows() * cols(); }
  Index encrypted() const { return header_ ? Index{header_->encrypted} : 0; }  // so many of the numbers are ciphertexts
  bool has_numbers() const { return header_ && header_->has_numbers; }
  const double* data() const {
    if (!header_) return nullptr;
    LAGNET_CHECK(header_->has_numbers, "a payload of {} x {} that has no numbers is read", rows(), cols());
    return header_->data();
  }
  void prefetch() const { __builtin_prefetch(header_); }
  VectorView view() const { return {data(), size()}; }
  Eigen::Map<const Matrix> matrix() const { return {data(), rows(), cols()}; }

 private:
  Payload(const double* values, Index size);
  void encrypt_last(Index count);
  detail::PayloadHeader* header_ = nullptr;
};

/// A vector that is written where it is sent from, so that sending takes no copy of it: a payload once it is finished.
class Payload::Draft {
 public:
  Draft() noexcept {}
  /// With `size` numbers, which have no values yet.
  explicit Draft(Index size);
  Index size() const { return payload_.size(); }
  double& operator[](Index i) { return numbers_[i]; }
  Eigen::Map<Vector> vector() { return {numbers_, size()}; }
  /// The payload, its last `encrypted` numbers as ciphertexts; the draft is empty then.
  Payload finish(Index encrypted = 0) {
    numbers_ = nullptr;
    if (encrypted > 0) payload_.encrypt_last(encrypted);
    return std::move(payload_);
  }

 private:
  Payload payload_;
  double* numbers_ = nullptr;
};

/// Tells kinds of messages of one algorithm apart.
using Tag = std::uint32_t;
constexpr Tag exchange_tag = ~Tag{0};  // messages of exchange, neighbor_sum and neighbor_mix

struct Message {
  AgentId from = 0;
  Tag tag = 0;
  Round round = 0;             // the sender's
  std::uint32_t hops = 0;      // messages on the longest causal chain that ends with this one
  std::uint32_t exchange = 0;  // which exchange of its sender: in all, or in its round if some may be missing; from 1
  std::int32_t staleness = 0;  // the receiver's round when it took the message, less the sender's
  bool copy = false;           // another one of it was delivered before
  bool receipt = false;        // its sender is told when it arrives
  Time sent;
  Payload body;

  Message() {}  // user-declared: types that pass through awaitables must not be aggregates with g++ 12
  Message(AgentId sender, Round sent_in, Tag kind, Payload payload)
      : from(sender), tag(kind), round(sent_in), body(std::move(payload)) {}
};

/// How a payload's size on the wire follows from its shape, and with index_bytes from its zeros.
struct WireFormat {
  Bytes bytes_per_scalar = 8;
  Bytes header_bytes = 0;      // added to every message
  Bytes ciphertext_bytes = 0;  // of an encrypted number
  /// Above 0: a body is sent as the indices and values of its non-zeros where that is smaller.
  Bytes index_bytes = 0;
  /// A body with `rows_held` rows stands for one with `rows_billed`: an exactly reduced problem is billed at its
  /// nominal size, and since its zeros are not those of what it stands for, never by its non-zeros.
  Index rows_held = 0;
  Index rows_billed = 0;

  Bytes wire_size(const Payload& body) const {
    const bool plain = index_bytes == 0 && rows_billed == 0 && body.encrypted() == 0;
    return plain ? header_bytes + bytes_per_scalar * body.size() : wire_size_of_parts(body);
  }

 private:
  Bytes wire_size_of_parts(const Payload& body) const;
};

}  // namespace lagnet
