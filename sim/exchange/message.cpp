#include "sim/exchange/message.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "sim/base/errors.hpp"
#include "sim/exchange/payload_slabs.hpp"
#include "sim/machine/huge_pages.hpp"
#include "sim/machine/poison.hpp"

namespace lagnet {

namespace detail {

class PayloadPool;

/// Payloads of one stride.
struct PayloadClass {
  PayloadPool* pool;
  std::size_t stride;  // bytes from one payload to the next
  PayloadHeader* free;
};

/// Recycles payloads by their stride, one pool for each thread. With std::pmr::unsynchronized_pool_resource in its
/// place scenarios/examples/quickstart.json, 960,000 messages of 506 numbers, takes 26 % more time. Payloads of one
/// number, as in bench_engine, need no pool.
class PayloadPool {
 public:
  static PayloadPool& of_this_thread() { return known_ ? *known_ : make_known(); }
  [[gnu::always_inline]] PayloadHeader* take(Index rows, Index cols, bool has_numbers = true) {
    const std::size_t numbers = has_numbers ? static_cast<std::size_t>(rows * cols) : 0;
    PayloadClass* of = numbers < by_size_.size() ? by_size_[numbers] : nullptr;
    if (!of || !of->free) [[unlikely]]
      of = have_one_of(numbers);
    PayloadHeader* header = of->free;
    unpoison(header, sizeof(PayloadHeader) + numbers * sizeof(double));
    of->free = header->next_free;
    header->rows = rows;
    header->cols = static_cast<std::uint32_t>(cols);
    header->references = 1;
    header->count = 0;
    header->is_encoded = 0;
    header->has_numbers = has_numbers;
    return header;
  }
  static void give_back(PayloadHeader* header) noexcept {
    const PayloadClass& of = *header->of;
    header->next_free = std::exchange(header->of->free, header);
    poison(header, of.stride - gap);
  }
  bool has_slab_with(const std::byte* first, std::size_t bytes) const {
    return std::ranges::any_of(slabs_, [&](const auto& slab) {
      const auto* const begin = static_cast<const std::byte*>(slab.first);
      return !std::less<>()(first, begin) && !std::less<>()(begin + slab.second, first + bytes);
    });
  }
  ~PayloadPool() {
    known_ = nullptr;
    for (const auto& [slab, bytes] : slabs_) {
      unpoison(slab, bytes);
      ::operator delete(slab, std::align_val_t(line));
    }
  }

 private:
  static constexpr std::size_t line = 64;
  /// Payloads of at most this many bytes of numbers are not read in passes over others.
  static constexpr std::size_t small = 8 * sizeof(double);
  static constexpr std::size_t gap = poisons ? line : 0;     // for the sanitizer, between payloads
  static constexpr std::size_t most = std::size_t{1} << 60;  // numbers of one payload; memory ends long before

  /// Small ones lie close; the data of others begin with a cache line, and have an odd number of lines with the one
  /// before them, so that no two payloads of a slab are a power of two apart.
  static std::size_t stride_of(std::size_t bytes) {
    if (bytes <= small) return sizeof(PayloadHeader) + bytes + gap;
    return (((bytes + line - 1) / line + 1) | 1u) * line + gap;
  }
  static PayloadPool& make_known() {
    static thread_local PayloadPool pool;
    return *(known_ = &pool);
  }
  [[gnu::noinline]] PayloadClass* have_one_of(std::size_t numbers) {
    LAGNET_CHECK(numbers < most, "a payload of {} numbers", numbers);
    const std::size_t stride = stride_of(numbers * sizeof(double));
    PayloadClass* of = &classes_.try_emplace(stride, PayloadClass{this, stride, nullptr}).first->second;
    if (numbers < by_size_.size()) by_size_[numbers] = of;
    if (!of->free) grow(*of);
    return of;
  }
  void grow(PayloadClass& of) {
    const std::size_t most_bytes = of.stride > 4096 ? 4 * huge_page : std::size_t{1} << 16;
    // If the stride is a multiple of a line, data begin at a line, so that the first header begins within one.
    const std::size_t first = of.stride % line == 0 ? line - sizeof(PayloadHeader) : 0;
    const std::size_t count = std::max<std::size_t>(1, (most_bytes - first) / of.stride);
    const std::size_t bytes = first + count * of.stride - gap;
    auto* slab = static_cast<std::byte*>(::operator new(bytes, std::align_val_t(line)));
    advise_huge_pages(slab, bytes);
    slabs_.emplace_back(slab, bytes);
    for (std::size_t i = count; i-- > 0;) {
      std::byte* const place = slab + first + i * of.stride;
      LAGNET_CHECK(!is_poisoned(place, of.stride - gap), "payload {} of {} ends beyond its slab", i, count);
      auto* header = new (place) PayloadHeader;
      header->of = &of;
      header->next_free = std::exchange(of.free, header);
    }
    poison(slab, bytes);
  }

  static thread_local constinit PayloadPool* known_;  // this thread's, without asking whether it was made
  std::map<std::size_t, PayloadClass> classes_;
  std::array<PayloadClass*, 1024> by_size_{};         // below 1024 numbers; for larger ones, copying dominates
  std::vector<std::pair<void*, std::size_t>> slabs_;  // with their bytes
};

thread_local constinit PayloadPool* PayloadPool::known_ = nullptr;

void give_back(PayloadHeader* header) noexcept {
  LAGNET_CHECK(header->of->pool == &PayloadPool::of_this_thread(),
               "a payload was dropped on another thread than it was made on");
  PayloadPool::give_back(header);
}

bool is_in_one_slab(const void* first, std::size_t bytes) {
  return PayloadPool::of_this_thread().has_slab_with(static_cast<const std::byte*>(first), bytes);
}

}  // namespace detail

namespace {

constexpr std::uint64_t most_counted = (std::uint64_t{1} << 62) - 1;  // in a header
constexpr Index most_columns = Index{1} << 32;

/// With room for numbers that have no values yet.
detail::PayloadHeader* new_array(Index rows, Index cols, bool has_numbers = true) {
  return detail::PayloadPool::of_this_thread().take(rows, cols, has_numbers);
}

}  // namespace

void Payload::share(const double* values, Index size) {
  *this = Payload(new_array(size, 1));
  double* const numbers = header()->data();
  constexpr Index few = 4;  // for which a call takes longer than the copy
  if (size > few)
    std::copy_n(values, size, numbers);
  else
    for (Index i = 0; i < size; ++i) numbers[i] = values[i];
}

Payload Payload::as_encoding(Payload decoded, Bytes bytes) {
  LAGNET_CHECK(decoded && decoded.is_plain() && bytes >= 0, "an encoding of {} bytes of no plain numbers", bytes);
  Payload payload = std::move(decoded);
  if (const double number = payload.number_; !payload.is_shared()) payload.share(&number, 1);
  LAGNET_CHECK(payload.header()->references == 1, "an encoding of a payload that {} have",
               payload.header()->references);
  payload.header()->count = static_cast<std::uint64_t>(bytes) & most_counted;
  payload.header()->is_encoded = 1;
  return payload;
}

Payload::Payload(const Matrix& values) : Payload(new_array(values.rows(), values.cols())) {
  std::copy_n(values.data(), values.size(), header()->data());
}

Payload Payload::with_ciphertexts(VectorRef values, Index encrypted) {
  Payload payload;
  payload.share(values.data(), values.size());
  payload.encrypt_last(encrypted);
  return payload;
}

Payload::Draft::Draft(Index size) : payload_(new_array(size, 1)), numbers_(payload_.header()->data()) {}

Payload::Draft Payload::Draft::of_size(Index size) {
  Draft draft;
  draft.payload_ = Payload::of_size(size);
  return draft;
}

Payload Payload::of_size(Index rows, Index cols, Index encrypted) {
  LAGNET_CHECK(rows >= 0 && cols >= 0 && cols < most_columns, "a payload of {} x {}", rows, cols);
  Payload payload(new_array(rows, cols, false));
  payload.encrypt_last(encrypted);
  return payload;
}

void Payload::encrypt_last(Index count) {
  LAGNET_CHECK(count >= 0 && count <= size(), "{} of {} numbers encrypted", count, size());
  header()->count = static_cast<std::uint64_t>(count) & most_counted;
}

Bytes WireFormat::wire_size_of_parts(const Payload& body) const {
  if (const auto encoded = body.encoded()) return header_bytes + in_proportion(*encoded);
  const bool reduced = rows_billed > 0 && rows_billed != rows_held && body.rows() == rows_held;
  const Index rows = reduced ? rows_billed : body.rows();
  const Index plain = rows * body.cols() - body.encrypted();
  Bytes size = bytes_per_scalar * plain;
  if (index_bytes > 0 && !reduced && plain > 0) {
    const double* const end = body.data() + plain;
    const auto non_zeros = plain - std::count(body.data(), end, 0.0);
    size = std::min(size, (index_bytes + bytes_per_scalar) * non_zeros);
  }
  return header_bytes + in_proportion(size) + ciphertext_bytes * body.encrypted();
}

Bytes WireFormat::in_proportion(Bytes size) const {
  if (model_bytes == 0) return size;
  const Bytes whole = bytes_per_scalar * model_scalars;
  // Of whole models exactly; of the rest products stay below 2^53, or the last bytes are rounded.
  const double rest = static_cast<double>(size % whole) * static_cast<double>(model_bytes);
  return size / whole * model_bytes + static_cast<Bytes>(std::ceil(rest / static_cast<double>(whole)));
}

}  // namespace lagnet
