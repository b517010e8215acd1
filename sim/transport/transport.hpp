#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/exchange/message.hpp"
#include "sim/transport/fair_transfers.hpp"
#include "sim/transport/link_order.hpp"
#include "sim/transport/queues.hpp"
#include "sim/transport/resource_accounts.hpp"
#include "sim/transport/tcp.hpp"
#include "sim/transport/walk.hpp"
#include "sim/world/network.hpp"
#include "sim/world/world_model.hpp"

namespace lagnet {

/// Takes messages over links where they share bandwidth or can meet faults: each transmission has its fate, waits its
/// turn, arrives or is lost, and is perhaps repeated. Worlds without any of this have no Transport.
class Transport {
 public:
  /// A Transport's interface to the simulation.
  class World {
   public:
    virtual ~World() = default;
    virtual Time transport_now() const = 0;
    virtual void call_transport_at(Time at, std::uint32_t token) = 0;  // calls proceed(token)
    virtual void order_calls_of_this_instant() = 0;  // the next one, too: a call at this instant comes before others
    virtual std::uint64_t next_serial() = 0;
    virtual bool is_active(LinkId link, Round round) = 0;
    virtual void note_transmission(const SimEvent& what) = 0;
    virtual void hand_over(LinkId link, Message&& message) = 0;
  };

  /// All must outlive the transport.
  Transport(const Network& network, const WorldModel& model, std::uint64_t seed, World& world);

  void send(LinkId link, Message&& message, Bytes bytes);
  /// Over each of these links of its sender, in this order.
  void broadcast(std::span<const LinkId> links, Message&& message, Bytes bytes);
  void proceed(std::uint32_t token);

  // Of the tokens with which proceed() is still to be called.
  bool is_parcel(std::uint32_t token) const { return token < beginning; }
  /// Whether it lets a message begin that waited, before others come.
  bool is_beginning(std::uint32_t token) const { return token >= beginning && token != transfers; }
  AgentId sender(std::uint32_t parcel) const { return parcels_[parcel].message.from; }
  std::uint64_t serial(std::uint32_t parcel) const { return parcels_[parcel].serial; }
  /// Whether it stands for a transmission that is neither delivered nor lost.
  bool is_under_way(std::uint32_t token) const { return is_parcel(token) && parcels_[token].next != Next::set_out; }
  // What fetches ahead of its use what proceed() reads: first the message, then where it goes on or arrives.
  void prefetch_parcel(std::uint32_t token) const {
    if (is_parcel(token)) prefetch(&parcels_[token], sizeof(Parcel));
  }
  void prefetch_way(std::uint32_t token) const {
    if (!is_parcel(token)) return;
    const Parcel& parcel = parcels_[token];
    prefetch(&network_.link(parcel.link));
    if (parcel.next == Next::enter) walk_->prefetch_resource(walk_->resource(parcel.way));
  }
  /// The message that comes to its receiver; null if something else happens.
  struct Arriving {
    const Message* message = nullptr;
    LinkId link = no_link;
  };
  Arriving arriving(std::uint32_t token) const {
    if (!is_parcel(token) || parcels_[token].next != Next::arrive) return {};
    return {&parcels_[token].message, parcels_[token].link};
  }
  /// And what the first message uses that an agent sends.
  void prefetch_sending(AgentId from) const {
    if (!walk_) return;
    walk_->prefetch_resource(network_.up(from));
    walk_->prefetch_resource(network_.over(network_.first_link(from)));
  }
  /// The transmissions that share bandwidth or wait where that is limited; they wait for no token of their own.
  std::int64_t without_token() const {
    return (fair_ ? fair_->under_way() : 0) + together_ + (queues_ ? queues_->waiting() + rooms_->waiting() : 0);
  }
  /// What happened until the end of a run at each resource that has an effect, if some lie between agents; else
  /// nothing.
  std::optional<AccountsOfResources> resource_accounts(Time end) const;

 private:
  using Slot = std::uint32_t;
  enum class Next : std::uint8_t { set_out, enter, start_transfer, arrive };
  struct Parcel {
    Message message;
    LinkId link = no_link;
    AgentId to = 0;
    std::uint32_t ordinal = 0;
    std::uint32_t attempt = 0;
    std::uint32_t places = 0;  // those of its path that it uses, under fair and none
    Next next = Next::arrive;
    Cause lost = Cause::none;
    Bytes payload = 0;
    Bytes bytes = 0;  // on the wire
    Time set_out;
    Time ready;             // when it can depart: after a handshake
    Duration alone;         // how long the way takes without others on it
    Duration queued_there;  // what of its time others at the receiver's interface have cost
    Traveler way;           // fifo; its path under fair and none, too
    std::uint64_t serial = 0;
    bool is_copy = false;
    std::shared_ptr<bool> has_come;  // shared by a message and its copy: whether one of them was delivered
    std::vector<Slot> others;        // that have set out with it, up to their medium
  };
  static constexpr std::uint32_t transfers = ~std::uint32_t{0};       // the token for transfers under fair sharing
  static constexpr std::uint32_t beginning = std::uint32_t{1} << 31;  // and a resource: of who waits there

  std::uint32_t next_ordinal(LinkId link, Round round);
  Slot new_parcel();
  Slot new_parcel(LinkId link, Message&& message, Bytes bytes);
  void release(Slot slot);
  void send_once(const Underlay::Medium& medium, const std::vector<LinkId>& links, const Message& message, Bytes bytes);
  Fate set_out(Slot slot, Cause why);
  void transmit(Slot slot, Cause why);
  void send_copy(Slot slot);
  void account_passage(const Parcel& parcel);
  bool is_lost_on(Parcel& parcel, ResourceId link, Passage leaves) const;
  std::uint32_t places_used(Parcel& parcel, const TcpConnections::Departure& departs) const;
  /// Whether no inner links lead to the receiver when it departs.
  bool leads_nowhere(LinkId path) const { return network_.path_length(path) == 0; }
  void lose_at_end(Parcel& parcel, Time now) const;
  Fate judge(const Parcel& parcel) const;
  Transmission transmission(const Parcel& parcel) const;
  void go_later(Slot slot, Time at, Next next);
  void set_way(Slot slot, const Fate& fate, double radio_bytes_per_s);
  void queue_up(Slot slot, Fate fate);
  void depart(Slot slot);
  void go_on(Slot slot);
  void enter(Slot slot);
  void begin(Slot slot);
  void account_drop(ResourceId at, const Queues::Waiting& one, bool has_waited);
  void part(Slot slot);
  void begin_next(ResourceId at);
  void leave_outboxes();
  void give_back_rooms(const Parcel& parcel);
  /// Under fair and none: what is lost waits for no other, nor others for it.
  bool is_in_order(const Parcel& parcel) const { return model_.in_order && parcel.lost == Cause::none; }
  void start_transfer(Slot slot);
  void end_transfers();
  void arrive(Slot slot);
  void lose(Slot slot, Cause why);
  SimEvent occurrence(const Parcel& parcel, EventKind what, Cause why) const;

  const Network& network_;
  const WorldModel& model_;
  const std::uint64_t seed_;
  World& world_;
  std::vector<Parcel> parcels_;
  std::vector<Slot> free_;

  struct Count {
    Round round = -1;
    std::uint32_t messages = 0;
  };
  /// Messages over a link: of four rounds, since those of several may mix. Of those that gave way the newest one and
  /// the largest count are known, so that no ordinal of theirs is given twice.
  struct Counts {
    std::array<Count, 4> latest;
    Count gone;
  };
  std::vector<Counts> sent_in_round_;  // by link, where there are faults

  std::optional<ResourceAccounts> accounts_;
  std::optional<Walk> walk_;  // fifo
  std::optional<TcpConnections> tcp_;
  LinkOrder order_;               // of arrivals under none, of the starts of transfers under fair
  std::optional<Queues> queues_;  // where waiting is limited, as is the next one
  std::optional<Rooms> rooms_;

  std::int64_t together_ = 0;  // messages of a transmission of another one

  std::optional<FairTransfers> fair_;
  std::vector<Slot> arriving_;    // at one instant
  bool will_look_ = false;        // a call of this instant is under way
  std::optional<Time> next_end_;  // the earliest call that is under way for the end of a transfer
};

}  // namespace lagnet
