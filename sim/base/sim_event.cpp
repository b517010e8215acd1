#include "sim/base/sim_event.hpp"

namespace lagnet {

std::string_view name(What what) {
  switch (what) {
    case What::sent:
      return "sent";
    case What::delivered:
      return "delivered";
    case What::lost:
      return "lost";
    case What::late:
      return "late";
    case What::superseded:
      return "superseded";
    case What::duplicate:
      return "duplicate";
    case What::dropped:
      return "dropped";
    case What::stale:
      return "stale";
    case What::collected:
      return "collected";
    case What::computed:
      return "computed";
    case What::encrypted:
      return "encrypted";
    case What::waited:
      return "waited";
    case What::slept:
      return "slept";
    case What::away:
      return "away";
    case What::restarted:
      return "restarted";
    case What::reported:
      return "reported";
  }
  return "unknown";
}

std::string_view name(Cause cause) {
  switch (cause) {
    case Cause::none:
      return "none";
    case Cause::retransmission:
      return "retransmission";
    case Cause::duplication:
      return "duplication";
    case Cause::loss:
      return "loss";
    case Cause::burst:
      return "burst";
    case Cause::link_down:
      return "link_down";
    case Cause::partition:
      return "partition";
    case Cause::receiver_down:
      return "receiver_down";
    case Cause::deadline:
      return "deadline";
    case Cause::enough:
      return "enough";
    case Cause::moved_on:
      return "moved_on";
  }
  return "unknown";
}

}  // namespace lagnet
