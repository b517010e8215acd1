#include "sim/trace.hpp"

#include <fmt/ostream.h>

namespace lagnet {

namespace {

/// What the amount of an occurrence counts; "" where it says nothing.
std::string_view unit(What what) {
  switch (what) {
    case What::sent:
    case What::delivered:
    case What::lost:
      return "bytes";
    case What::computed:
      return "flops";
    case What::encrypted:
      return "scalars";
    case What::waited:
      return "away_ns";
    case What::stale:
      return "rounds_old";
    case What::collected:
      return "answers";
    case What::reported:
      return "hops";
    default:
      return "";
  }
}

void write_line(std::ostream& out, const Occurrence& what) {
  fmt::print(out, R"({{"time_ns":{},"event":"{}","agent":{},"peer":{},"round":{})", what.at.ns(), name(what.what),
             what.agent, what.peer, what.round);
  const bool all_up = what.what == What::waited && what.amount == 0;
  if (const auto amount = unit(what.what); !amount.empty() && !all_up)
    fmt::print(out, R"(,"{}":{})", amount, what.amount);
  if (what.serial > 0) fmt::print(out, R"(,"message":{})", what.serial);
  if (what.duration != Duration()) fmt::print(out, R"(,"duration_ns":{})", what.duration.ns());
  if (what.queued != Duration()) fmt::print(out, R"(,"queued_ns":{})", what.queued.ns());
  if (what.cause != Cause::none) fmt::print(out, R"(,"cause":"{}")", name(what.cause));
  out << "}\n";
}

}  // namespace

void Trace::occurred(const Occurrence& what) {
  ++events_;
  mix(static_cast<std::uint64_t>(what.at.ns()));
  mix(static_cast<std::uint64_t>(what.what) << 60 ^ static_cast<std::uint64_t>(what.cause) << 56 ^
      static_cast<std::uint64_t>(what.agent) << 28 ^ what.peer);
  mix(static_cast<std::uint64_t>(what.round));
  mix(static_cast<std::uint64_t>(what.amount));
  mix(static_cast<std::uint64_t>(what.duration.ns()) ^ static_cast<std::uint64_t>(what.queued.ns()) << 32 ^
      what.serial << 20);
  if (lines_) write_line(*lines_, what);
}

std::string Trace::hash_text() const { return fmt::format("{:016x}", hash_); }

}  // namespace lagnet
