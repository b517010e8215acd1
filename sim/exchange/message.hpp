#pragma once

#include <cstdint>
#include <new>
#include <optional>
#include <utility>

#include "sim/base/array.hpp"
#include "sim/base/errors.hpp"
#include "sim/base/state_vector.hpp"
#include "sim/base/types.hpp"
#include "sim/machine/processor.hpp"

namespace lagnet {

namespace detail {

struct PayloadClass;

/// The header before a payload's numbers.
struct PayloadHeader {
  PayloadClass* of;
  union {
    Index rows;
    PayloadHeader* next_free;
  };
  std::uint32_t cols;
  std::uint32_t references;
  std::uint64_t count : 62;  // of ciphertexts; or the bytes of an encoding
  std::uint64_t is_encoded : 1;
  std::uint64_t has_numbers : 1;

  double* data() { return std::launder(reinterpret_cast<double*>(this + 1)); }
};
void give_back(PayloadHeader* header) noexcept;

}  // namespace detail

/// An immutable, shared array of doubles (a column vector or a column-major matrix): the content of a message. Copying
/// shares it. Payloads are made, copied and dropped on the thread of their simulation; kernels on other threads may
/// read their numbers, which stay where they are as long as the payload does: a single number lies in the payload
/// itself, others in an array. Rows of equal size lie at a stride that is no power of two, since equal offsets into
/// cache sets would evict each other when the payloads of many neighbors are summed.
class Payload {
 public:
  Payload() noexcept {}
  // A vector converts to a payload.
  Payload(const Vector& values) : Payload(values.data(), values.size()) {}  // NOLINT
  Payload(const StateVector& values)                                        // NOLINT
      : Payload(values.has_numbers() ? Payload(values.data(), values.size()) : of_size(values.size())) {}
  Payload(const VectorView& values) : Payload(values.data(), values.size()) {}  // NOLINT
  Payload(VectorRef values) : Payload(values.data(), values.size()) {}          // NOLINT
  template <class Column>
  requires(Column::ColsAtCompileTime == 1) Payload(const Eigen::MatrixBase<Column>& values)
      : Payload(VectorRef(values.derived())) {}  // NOLINT: or an expression
  explicit Payload(const Matrix& values);
  /// A vector whose last numbers are sent as ciphertexts: billed as such. The numbers themselves stay readable here,
  /// since the scheme is not executed.
  static Payload with_ciphertexts(VectorRef values, Index encrypted);
  /// A shape without numbers, for timing-only runs: billed as if it had them, the last `encrypted` of them as
  /// ciphertexts. Its data() and view() are an internal error.
  static Payload of_size(Index rows, Index cols = 1, Index encrypted = 0);
  /// These numbers, which their receiver decodes from an encoding of this many bytes: billed by it. The payload must
  /// not be shared yet, and none of its numbers may be ciphertexts.
  static Payload as_encoding(Payload decoded, Bytes bytes);
  /// Several vectors, one after the other. If one of them has no numbers, the payload has none.
  template <class... Parts>
  static Payload joined(const Parts&... parts);
  Payload(const Payload& other) noexcept : held_(other.held_), number_(other.number_) {
    if (is_shared()) ++header()->references;
  }
  Payload(Payload&& other) noexcept : held_(std::exchange(other.held_, nothing)), number_(other.number_) {}
  Payload& operator=(const Payload& other) noexcept { return *this = Payload(other); }
  Payload& operator=(Payload&& other) noexcept {
    std::swap(held_, other.held_);
    std::swap(number_, other.number_);
    return *this;
  }
  ~Payload() {
    if (is_shared() && --header()->references == 0) detail::give_back(header());
  }

  class Draft;

  explicit operator bool() const { return held_ != nothing; }
  Index rows() const { return is_shared() ? header()->rows : static_cast<Index>(held_); }
  Index cols() const { return is_shared() ? Index{header()->cols} : static_cast<Index>(held_); }
  Index size() const { return is_shared() ? header()->rows * Index{header()->cols} : static_cast<Index>(held_); }
  /// The number of ciphertexts; they are the last of the numbers.
  Index encrypted() const { return is_shared() && !header()->is_encoded ? counted() : 0; }
  /// The bytes of the encoding that is sent in place of the numbers; nothing where they are sent as they are.
  std::optional<Bytes> encoded() const {
    return is_shared() && header()->is_encoded ? std::optional<Bytes>(counted()) : std::nullopt;
  }
  /// Whether numbers are sent as they are, and none as a ciphertext.
  bool is_plain() const { return !is_shared() || (header()->count == 0 && !header()->is_encoded); }
  bool has_numbers() const { return is_shared() ? header()->has_numbers : held_ == one_number; }
  const double* data() const {
    if (!is_shared()) return held_ == one_number ? &number_ : nullptr;
    LAGNET_CHECK(header()->has_numbers, "a payload of {} x {} that has no numbers is read", rows(), cols());
    return header()->data();
  }
  void prefetch() const {
    if (is_shared()) lagnet::prefetch(header());
  }
  VectorView view() const { return {data(), size()}; }
  Eigen::Map<const Matrix> matrix() const { return {data(), rows(), cols()}; }

 private:
  static constexpr std::uintptr_t nothing = 0, one_number = 1;  // or the address of an array's header, above both

  Payload(const double* values, Index size) {
    if (size == 1) {
      held_ = one_number;
      number_ = *values;
    } else {
      share(values, size);
    }
  }
  explicit Payload(detail::PayloadHeader* header) : held_(reinterpret_cast<std::uintptr_t>(header)) {}
  void share(const double* values, Index size);
  bool is_shared() const { return held_ > one_number; }
  detail::PayloadHeader* header() const { return reinterpret_cast<detail::PayloadHeader*>(held_); }
  void encrypt_last(Index count);
  std::int64_t counted() const { return static_cast<std::int64_t>(header()->count); }

  std::uintptr_t held_ = nothing;
  double number_ = 0;  // where it is one
};

/// A vector that is written in the memory from which it is sent, so that sending takes no copy. It becomes a payload
/// when it is finished.
class Payload::Draft {
 public:
  Draft() noexcept {}
  /// With `size` numbers, which have no values yet.
  explicit Draft(Index size);
  /// The draft of a payload without numbers: there is nothing to write.
  static Draft of_size(Index size);
  Index size() const { return payload_.size(); }
  double& operator[](Index i) { return numbers_[i]; }
  Eigen::Map<Vector> vector() { return {numbers_, numbers_ ? size() : 0}; }
  /// The payload, its last `encrypted` numbers as ciphertexts; the draft is empty then.
  Payload finish(Index encrypted = 0) {
    const double* const numbers = std::exchange(numbers_, nullptr);
    if (encrypted > 0) payload_.encrypt_last(encrypted);
    if (numbers && encrypted == 0 && size() == 1) payload_ = Payload(numbers, 1);
    return std::move(payload_);
  }

 private:
  Payload payload_;
  double* numbers_ = nullptr;
};

template <class... Parts>
Payload Payload::joined(const Parts&... parts) {
  const auto has_numbers = [](const auto& part) {
    if constexpr (requires { part.has_numbers(); }) return part.has_numbers();
    return true;
  };
  const Index size = (Index{parts.size()} + ...);
  if (!(has_numbers(parts) && ...)) return of_size(size);
  Draft draft(size);
  Index first = 0;
  ((draft.vector().segment(first, parts.size()) = parts, first += parts.size()), ...);
  return draft.finish();
}

/// Tells kinds of messages of one algorithm apart.
using MessageTag = std::uint32_t;
constexpr MessageTag exchange_tag = ~MessageTag{0};  // messages of exchange, neighbor_sum and neighbor_mix

struct Message {
  AgentId from = 0;
  MessageTag tag = 0;
  Round round = 0;             // the sender's
  std::uint32_t hops = 0;      // messages on the longest causal chain that ends with this one
  std::uint32_t exchange = 0;  // which exchange of its sender: in all, or in its round if some may be missing; from 1
  std::int32_t staleness = 0;  // the receiver's round when it took the message, less the sender's
  bool copy = false;           // another one of it was delivered before
  std::uint8_t receipt = 0;    // above 0: its sender learns of the arrival, if it is still in that life
  std::uint8_t life = 1;       // its sender's when it was sent; of an answer, the asker's when it asked
  bool is_answer = false;
  Payload body;

  Message() {}  // user-declared: types that pass through awaitables must not be aggregates with g++ 12
  Message(AgentId sender, Round sent_in, MessageTag kind, Payload&& payload)
      : from(sender), tag(kind), round(sent_in), body(std::move(payload)) {}
};

/// How a payload's size on the wire follows from its shape, and with index_bytes from its zeros. An encoding has a size
/// of its own, whatever the numbers.
struct WireFormat {
  Bytes bytes_per_scalar = 8;
  Bytes header_bytes = 0;      // added to every message
  Bytes ciphertext_bytes = 0;  // of an encrypted number
  /// Above 0: a body is sent as the indices and values of its non-zeros where that is smaller.
  Bytes index_bytes = 0;
  /// A body with `rows_held` rows stands for one with `rows_billed`: an exactly reduced problem is billed at its
  /// nominal size, and never by its non-zeros, since its zeros differ from those of the full problem.
  Index rows_held = 0;
  Index rows_billed = 0;
  /// Above 0: a model of `model_scalars` numbers stands for one of this many bytes. Messages with parts of it, whole or
  /// encoded, are billed in proportion, rounded up to bytes; headers and ciphertexts are not.
  Bytes model_bytes = 0;
  Index model_scalars = 1;

  Bytes wire_size(const Payload& body) const {
    const bool plain = index_bytes == 0 && rows_billed == 0 && model_bytes == 0 && body.is_plain();
    return plain ? header_bytes + bytes_per_scalar * body.size() : wire_size_of_parts(body);
  }

 private:
  Bytes wire_size_of_parts(const Payload& body) const;
  Bytes in_proportion(Bytes size) const;
};

}  // namespace lagnet
