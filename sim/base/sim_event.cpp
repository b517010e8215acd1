#include "sim/base/sim_event.hpp"

namespace lagnet {

std::string_view name(EventKind what) {
  switch (what) {
    case EventKind::sent:
      return "sent";
    case EventKind::delivered:
      return "delivered";
    case EventKind::lost:
      return "lost";
    case EventKind::late:
      return "late";
    case EventKind::superseded:
      return "superseded";
    case EventKind::duplicate:
      return "duplicate";
    case EventKind::dropped:
      return "dropped";
    case EventKind::stale:
      return "stale";
    case EventKind::collected:
      return "collected";
    case EventKind::computed:
      return "computed";
    case EventKind::encrypted:
      return "encrypted";
    case EventKind::waited:
      return "waited";
    case EventKind::slept:
      return "slept";
    case EventKind::away:
      return "away";
    case EventKind::restarted:
      return "restarted";
    case EventKind::reported:
      return "reported";
    case EventKind::took:
      return "took";
    case EventKind::used:
      return "used";
    case EventKind::missed:
      return "missed";
    case EventKind::counted:
      return "counted";
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
    case Cause::queue_full:
      return "queue_full";
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
