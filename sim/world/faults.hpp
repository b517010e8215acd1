#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/draws.hpp"
#include "sim/base/gilbert_chain.hpp"
#include "sim/base/sim_event.hpp"
#include "sim/base/types.hpp"
#include "sim/world/schedule.hpp"
#include "sim/world/window.hpp"

/// Faults of messages on their way. Every rule is a function of the transmission and the seed, never of what else
/// happened, so that two algorithms under one seed meet the same losses: in each round, the n-th message over a link
/// has the same fate.
namespace lagnet {

/// A message that is about to travel over a link.
struct Transmission {
  std::uint64_t seed = 0;
  LinkId link = no_link;
  AgentId from = 0;
  AgentId to = 0;
  Round round = 0;            // the message's
  std::uint32_t ordinal = 0;  // which message of its round over this link, from 0
  std::uint32_t attempt = 0;  // 0, and counted up for each retransmission
  Bytes bytes = 0;
  Time at;

  /// The random numbers of this transmission for a purpose.
  Draws draws(Purpose purpose) const {
    return Draws::between(seed, purpose, from, to, round, ordinal << 8 | (attempt & 0xffu));
  }
};

/// The fate of a transmission, as far as it is known at its start.
struct Fate {
  Cause lost = Cause::none;
  Duration delay;      // added to the latency
  Duration held_back;  // the same, and later messages overtake it
  bool twice = false;  // the network makes a copy
};

/// One kind of fault.
class FaultRule {
 public:
  virtual ~FaultRule() = default;
  /// Decides when a transmission sets out; the first rule that loses it gives the cause.
  virtual void judge(const Transmission& what, Fate& fate) const = 0;
  /// Why the transmission is lost at that time, or none. Called when it would arrive.
  virtual Cause at_arrival(const Transmission&, Time) const { return Cause::none; }
  /// Whether it ever loses one.
  virtual bool loses() const { return true; }
};

/// Holds the answers of some clients back so that each arrives just before its round ends, or as soon as it can after
/// that: this long before the deadline after the moment of asking. One such object belongs to one run at a time.
class HeldAnswers final : public FaultRule {
 public:
  struct Held {
    AgentId agent;
    Duration margin;
    std::function<Duration(Bytes)> travel_time;  // of its answers, which share no bandwidth
  };
  HeldAnswers(std::vector<Held> held, Duration deadline);
  void judge(const Transmission& what, Fate& fate) const override;
  bool loses() const override { return false; }

 private:
  std::vector<Held> held_;
  Duration deadline_;
  mutable std::vector<Time> asked_;  // each of them, last
};

/// Delays each message by a random time, which `draw` gives in ms.
class Jitter final : public FaultRule {
 public:
  explicit Jitter(std::function<double(Draws)> draw_ms) : draw_ms_(std::move(draw_ms)) {}
  void judge(const Transmission& what, Fate& fate) const override;
  bool loses() const override { return false; }

 private:
  std::function<double(Draws)> draw_ms_;
};

/// Each transmission is lost with a probability, independently; with a schedule, that of the time when it sets out.
class IndependentLoss final : public FaultRule {
 public:
  explicit IndependentLoss(double probability, std::shared_ptr<const Schedule> schedule = {})
      : probability_(probability), schedule_(std::move(schedule)) {}
  void judge(const Transmission& what, Fate& fate) const override;

 private:
  double probability_;
  std::shared_ptr<const Schedule> schedule_;
};

/// Loss in bursts: each direction of a link has a good and a bad state, in which transmissions are lost with different
/// probabilities. The state changes from round to round, and for a message from one retransmission to the next: to bad
/// with probability `enter`, back with `leave`. Source:
/// E. N. Gilbert, "Capacity of a burst-noise channel", 1960; E. O. Elliott, "Estimates of error rates for codes on
/// burst-noise channels", 1963; a step of their chain is a round here.
class BurstLoss final : public FaultRule {
 public:
  struct Options {
    double enter = 0;  // probability that a good link becomes bad in a round
    double leave = 1;  // and that a bad one becomes good
    double loss_when_good = 0;
    double loss_when_bad = 1;
  };
  BurstLoss(LinkId links, Options options);
  void judge(const Transmission& what, Fate& fate) const override;

 private:
  Options options_;
  GilbertChain chain_;
  mutable std::uint64_t seed_ = 0;               // of the states
  mutable std::vector<RoundChainState> states_;  // of the links: how far each has been followed
};

/// Sends each message a second time with a probability. The first of the two to arrive is taken, the other is a
/// duplicate.
class Duplication final : public FaultRule {
 public:
  explicit Duplication(double probability) : probability_(probability) {}
  void judge(const Transmission& what, Fate& fate) const override;
  bool loses() const override { return false; }

 private:
  double probability_;
};

/// Delays each transmission by a fixed time with a probability, so that later ones overtake it.
class Reordering final : public FaultRule {
 public:
  Reordering(double probability, Duration delay) : probability_(probability), delay_(delay) {}
  void judge(const Transmission& what, Fate& fate) const override;
  bool loses() const override { return false; }

 private:
  double probability_;
  Duration delay_;
};

/// Separates groups of agents within windows: a message between two groups is lost if it sets out or would arrive
/// within one.
class Partition final : public FaultRule {
 public:
  Partition(Window window, std::vector<std::uint32_t> group_of_agent)
      : window_(window), group_(std::move(group_of_agent)) {}
  void judge(const Transmission& what, Fate& fate) const override;
  Cause at_arrival(const Transmission& what, Time at) const override;

 private:
  Window window_;
  std::vector<std::uint32_t> group_;
};

/// Switches links off within windows.
class LinkOutages final : public FaultRule {
 public:
  /// The windows of each link, by link.
  explicit LinkOutages(std::vector<std::vector<Window>> windows) : windows_(std::move(windows)) {}
  void judge(const Transmission& what, Fate& fate) const override;
  Cause at_arrival(const Transmission& what, Time at) const override;

 private:
  std::vector<std::vector<Window>> windows_;
};

/// The repair after a message is lost.
struct Repair {
  /// The time after which a transmission that has not arrived is sent again. It doubles each time up to the longest.
  /// Without it, lost messages stay lost. Acknowledgments are not simulated: nothing that has arrived is sent again.
  /// Doubling and a longest timeout of 60 s: RFC 6298, sections 5.5 and 2.4.
  std::optional<Duration> timeout;
  Duration longest = Duration::nanoseconds(60'000'000'000);
  std::uint32_t retries = 40;  // after these a message is lost for good

  Duration timeout_of(std::uint32_t attempt) const;  // from 0
};

}  // namespace lagnet
