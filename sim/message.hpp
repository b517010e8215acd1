#pragma once

#include <cstdint>
#include <utility>

#include "sim/array.hpp"
#include "sim/types.hpp"

namespace lagnet {

namespace detail {
struct PayloadHeader;
void release_payload(PayloadHeader* header) noexcept;
}  // namespace detail

/// An immutable, shared array of doubles (a column vector or a column-major matrix): what a message carries. Copying
/// shares it. Payloads are made, copied and dropped on the thread of their simulation; kernels on other threads may
/// read their numbers. Rows of equal size lie at a stride that is no power of two, since equal offsets into cache sets
/// would evict each other when the payloads of many neighbors are summed.
class Payload {
 public:
  Payload() noexcept {}
  Payload(VectorRef values);  // NOLINT: a vector may stand wherever a payload is sent
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
  Payload(const Payload& other) noexcept;
  Payload(Payload&& other) noexcept : header_(std::exchange(other.header_, nullptr)) {}
  Payload& operator=(Payload other) noexcept {
    std::swap(header_, other.header_);
    return *this;
  }
  ~Payload() {
    if (header_) detail::release_payload(header_);
  }

  explicit operator bool() const { return header_ != nullptr; }
  Index rows() const;
  Index cols() const;
  Index size() const { return rows() * cols(); }
  Index encrypted() const;  // how many of the numbers are ciphertexts
  bool has_numbers() const;
  const double* data() const;
  VectorView view() const { return {data(), size()}; }
  Eigen::Map<const Matrix> matrix() const { return {data(), rows(), cols()}; }

 private:
  void encrypt_last(Index count);
  detail::PayloadHeader* header_ = nullptr;
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

  Bytes wire_size(const Payload& body) const;
};

}  // namespace lagnet
