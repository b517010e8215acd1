#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

#include "sim/base/sim_event.hpp"

namespace lagnet {

/// What the amount of an occurrence counts; "" where it says nothing.
std::string_view unit_of_amount(EventKind what);

/// A running hash over everything that happens, in order: two runs are the same run when their hashes agree. It covers
/// times, agents, rounds, bytes and flops, no computed reals. With a stream it also writes one JSON object a line.
class Trace : public Listener {
 public:
  explicit Trace(std::ostream* lines = nullptr) : lines_(lines) {}

  void on_event(const SimEvent& what) override;

  std::uint64_t hash() const { return hash_; }
  std::string hash_text() const;  // 16 hexadecimal digits
  std::int64_t events() const { return events_; }

 private:
  std::uint64_t hash_ = 0x6c61676e65740001u;
  std::int64_t events_ = 0;
  std::ostream* lines_;
};

}  // namespace lagnet
