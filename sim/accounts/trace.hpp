#pragma once

#include <cstdint>
#include <iosfwd>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/sim_event.hpp"

namespace lagnet {

/// The unit of an event's amount; "" if it has none.
std::string_view unit_of_amount(EventKind what);

/// Hashes everything that happens to each agent, in that agent's order: two runs are the same run when their hashes
/// agree. The hash covers times, agents, rounds, bytes and flops, but no computed reals. Events of two agents at one
/// instant may come in either order, so that parts of a world can be hashed apart. With a stream the trace also writes
/// each event as a line of JSON, up to a number of bytes.
class Trace : public Listener {
 public:
  explicit Trace(std::ostream* lines = nullptr, std::int64_t most_bytes = std::numeric_limits<std::int64_t>::max())
      : lines_(lines), most_bytes_(most_bytes) {}

  void on_event(const SimEvent& what) override;
  void fetch_ahead(AgentId agent, LinkId link) const override;

  std::uint64_t hash() const;
  std::string hash_text() const;  // 16 hexadecimal digits
  std::int64_t events() const { return events_; }
  std::int64_t bytes() const { return bytes_; }  // of the lines
  /// When the lines ended for their bytes; nothing if they did not.
  std::optional<Time> full_at() const { return full_at_; }

 private:
  void write_line(const SimEvent& what);
  void hear_first(const SimEvent& what);  // of an agent

  std::vector<std::uint64_t> hashes_;  // by agent
  std::int64_t events_ = 0;
  std::ostream* lines_;
  std::int64_t most_bytes_, bytes_ = 0;
  std::optional<Time> full_at_;
};

}  // namespace lagnet
