#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/types.hpp"

namespace lagnet {

/// A directed link's place in the Network, or none.
using LinkId = std::uint32_t;
constexpr LinkId no_link = ~LinkId{0};

enum class EventKind : std::uint8_t {
  sent,        // agent -> peer sets out: a message, or a copy or retransmission of one; amount = bytes
  delivered,   // agent <- peer, amount = bytes, duration = how long it was on its way
  lost,        // agent -> peer ended nowhere, amount = bytes, duration = how long it was on its way
  late,        // agent discarded a message of peer that came after its round was closed, amount = 1
  superseded,  // agent discarded a message of peer for a newer one, amount = 1
  duplicate,   // agent discarded a second copy of a message of peer, amount = 1
  dropped,     // agent went on without a message of peer that it had asked or waited for, amount = 1
  stale,       // agent used a message of peer from an earlier round, amount = by how many rounds
  collected,   // agent closed the collection of a round, amount = answers that came in time
  computed,    // agent starts a computation, amount = flops, duration = how long it takes
  encrypted,   // agent starts to encrypt, decrypt or add ciphertexts, amount = scalars, duration = how long it takes
  waited,  // agent goes on after waiting for messages, duration = how long it waited, amount = nanoseconds of it down
  slept,   // agent starts to sleep for a duration
  away,    // agent was down in the course of what it did, duration = for how long
  restarted,  // agent starts again without its state
  reported,   // agent hands over an iterate, amount = messages on the longest causal chain up to here
  took,       // agent goes on with a message of peer, round = the message's; for listeners that follow causes
  used,       // agent used in an update what peer knew, amount = how many updates old that is
  missed,     // a tick of agent's clock passed while it was down or busy, amount = how many
  counted,    // agent counts an answer of each of the agents peer, peer + 1, .. in a round, amount = of how many
};
constexpr std::size_t event_kinds = static_cast<std::size_t>(EventKind::counted) + 1;
std::string_view name(EventKind what);

/// Why a message set out again, was lost, or was not waited for.
enum class Cause : std::uint8_t {
  none,
  retransmission,  // sent: again, after a timeout
  duplication,     // sent: a copy that the network made
  loss,            // lost: by chance
  burst,           // lost: by chance, while the link was in its bad state
  link_down,       // lost: the link was switched off
  partition,       // lost: sender and receiver were in different parts of the network
  receiver_down,   // lost: the receiver is gone
  deadline,        // dropped: the deadline of the round or exchange had passed
  enough,          // dropped: as many answers as asked for had come
  moved_on,        // dropped: the neighbor was in a later exchange already
  queue_full,      // lost: no more may wait where it came
};
std::string_view name(Cause cause);

/// One thing that happened. Listeners that count, trace or draw a run get these; the core does not know who listens.
struct SimEvent {
  Time at;
  EventKind what = EventKind::sent;
  Cause cause = Cause::none;
  AgentId agent = 0;
  AgentId peer = 0;  // the other end of a message, else the agent itself
  LinkId link = no_link;
  Round round = 0;
  std::int64_t amount = 0;
  Duration duration;
  Duration queued;           // delivered: what of the duration others on the way cost
  Duration queued_there;     // delivered: what of that the receiver's interface cost, and not the sender's or the link
  std::uint64_t serial = 0;  // sent, delivered and lost: which transmission, counted from 1
};

class Listener {
 public:
  virtual ~Listener() = default;
  virtual void on_event(const SimEvent& what) = 0;
  /// Hints in large worlds, for a listener that keeps something for each agent and link and may prefetch it: the agent
  /// will soon go on or get a message over that link; or it will go on and perhaps send over the links from `first` on.
  virtual void fetch_ahead(AgentId /*agent*/, LinkId /*link*/) const {}
  virtual void fetch_what_follows(AgentId /*agent*/, LinkId /*first*/) const {}
  /// Whether the listener wants events of this kind; asked once. Only listeners that ask for it learn what agents take
  /// and use: for most, arrivals and waits are enough.
  virtual bool wants(EventKind what) const { return what < EventKind::took; }
};

}  // namespace lagnet
