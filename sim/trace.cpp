#include "sim/trace.hpp"

#include <fmt/ostream.h>

namespace lagnet {

std::string_view name(What what) {
  switch (what) {
    case What::sent:
      return "sent";
    case What::delivered:
      return "delivered";
    case What::late:
      return "late";
    case What::superseded:
      return "superseded";
    case What::computed:
      return "computed";
    case What::waited:
      return "waited";
    case What::slept:
      return "slept";
    case What::reported:
      return "reported";
  }
  return "unknown";
}

void Trace::occurred(const Occurrence& what) {
  ++events_;
  mix(static_cast<std::uint64_t>(what.at.ns()));
  mix(static_cast<std::uint64_t>(what.what) << 56 ^ static_cast<std::uint64_t>(what.agent) << 28 ^ what.peer);
  mix(static_cast<std::uint64_t>(what.round));
  mix(static_cast<std::uint64_t>(what.amount));
  mix(static_cast<std::uint64_t>(what.duration.ns()));
  if (lines_)
    fmt::print(*lines_,
               R"({{"time_ns":{},"event":"{}","agent":{},"peer":{},"round":{},"amount":{},"duration_ns":{}}})"
               "\n",
               what.at.ns(), name(what.what), what.agent, what.peer, what.round, what.amount, what.duration.ns());
}

std::string Trace::hash_text() const { return fmt::format("{:016x}", hash_); }

}  // namespace lagnet
