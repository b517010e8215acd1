#include "sim/accounts/trace.hpp"

#include <fmt/format.h>

#include <iterator>
#include <ostream>
#include <utility>

#include "sim/machine/processor.hpp"

namespace lagnet {

std::string_view unit_of_amount(EventKind what) {
  switch (what) {
    case EventKind::sent:
    case EventKind::delivered:
    case EventKind::lost:
      return "bytes";
    case EventKind::computed:
      return "flops";
    case EventKind::encrypted:
      return "scalars";
    case EventKind::waited:
      return "away_ns";
    case EventKind::stale:
      return "rounds_old";
    case EventKind::collected:
      return "answers";
    case EventKind::reported:
      return "hops";
    default:
      return "";
  }
}

namespace {

/// A bijection of either argument when the other one stays.
std::uint64_t appended(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;  // 2^64 / golden ratio
  return hash ^ hash >> 29;
}

}  // namespace

void Trace::on_event(const SimEvent& what) {
  if (what.agent >= hashes_.size()) return hear_first(what);
  // Each word has an odd factor of its own, so that a change of one word changes the sum; the sums then go one after
  // the other through a bijection, so that no occurrence is lost and their order counts. The factors are successive
  // words of the fraction of pi, made odd: small changes of two words do not cancel, as under multiples of one number.
  const auto word = [](auto value) { return static_cast<std::uint64_t>(value); };
  const std::uint64_t kinds = word(what.what) << 60 ^ word(what.cause) << 56 ^ word(what.agent) << 28 ^ what.peer;
  const std::uint64_t sum = word(what.at.ns()) * 0x243f6a8885a308d3u + kinds * 0x13198a2e03707345u +
                            word(what.round) * 0xa4093822299f31d1u + word(what.amount) * 0x082efa98ec4e6c89u +
                            word(what.duration.ns()) * 0x452821e638d01377u +
                            word(what.queued.ns()) * 0xbe5466cf34e90c6du;
  hashes_[what.agent] = appended(hashes_[what.agent], sum);
  ++events_;
  if (lines_) write_line(what);
}

[[gnu::noinline]] void Trace::write_line(const SimEvent& what) {
  fmt::memory_buffer line;
  const auto append = [&line]<class... Values>(fmt::format_string<Values...> format, Values&&... values) {
    line.append(fmt::format(format, std::forward<Values>(values)...));
  };
  append(R"({{"time_ns":{},"event":"{}","agent":{},"peer":{},"round":{})", what.at.ns(), name(what.what), what.agent,
         what.peer, what.round);
  const bool all_up = what.what == EventKind::waited && what.amount == 0;
  if (const auto amount = unit_of_amount(what.what); !amount.empty() && !all_up)
    append(R"(,"{}":{})", amount, what.amount);
  if (what.serial > 0) append(R"(,"message":{})", what.serial);
  if (what.duration != Duration()) append(R"(,"duration_ns":{})", what.duration.ns());
  if (what.queued != Duration()) append(R"(,"queued_ns":{})", what.queued.ns());
  if (what.cause != Cause::none) append(R"(,"cause":"{}")", name(what.cause));
  append("}}\n");
  lines_->write(line.data(), static_cast<std::streamsize>(line.size()));
  bytes_ += static_cast<std::int64_t>(line.size());
  if (bytes_ < most_bytes_) return;
  full_at_ = what.at;
  lines_ = nullptr;
}

[[gnu::noinline]] void Trace::hear_first(const SimEvent& what) {
  hashes_.resize(std::size_t{what.agent} + 1);
  on_event(what);
}

void Trace::fetch_ahead(AgentId agent, LinkId) const {
  if (agent < hashes_.size()) prefetch(&hashes_[agent]);
}

std::uint64_t Trace::hash() const {
  std::uint64_t all = 0x6c61676e65740002u;  // "lagnet" and the version of what is covered
  for (const std::uint64_t one : hashes_) all = appended(all, one);
  return all;
}

std::string Trace::hash_text() const { return fmt::format("{:016x}", hash()); }

}  // namespace lagnet
