#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "sim/base/sim_event.hpp"
#include "sim/world/network.hpp"
#include "sim/world/world_model.hpp"

namespace lagnet {

/// What a piece of a run's time went to: the first ones to an agent, the others to a resource that messages share.
enum class PathKind : std::uint8_t {
  computing,
  encrypting,
  sleeping,
  absence,   // it was down
  deadline,  // it waited, and no message ended the wait
  queueing,  // others were on the resource
  transfer,  // transmission, for the narrowest resource of the path
  latency,   // with jitter and handshakes
  repair,    // from the first sending of a lost message to its repetition
};
constexpr std::size_t path_kinds = static_cast<std::size_t>(PathKind::repair) + 1;
std::string_view name(PathKind kind);
/// Whether an agent is what was waited for, and no resource.
constexpr bool is_of_agent(PathKind kind) { return kind <= PathKind::deadline; }

/// Pieces of time, each after another one. Paths of agents and messages share their earlier pieces. A piece is free
/// again when it is on no path.
class PathPieces {
 public:
  using Piece = std::uint32_t;  // the last one of a path; 0: the beginning of the run
  struct Content {
    PathKind kind = PathKind::computing;
    std::uint32_t of = 0;  // an AgentId or a ResourceId, as its kind says
    Duration time;
  };

  /// Gives up `path` for the one that is longer by a piece, unless that takes no time.
  Piece append(Piece path, PathKind kind, std::uint32_t of, Duration time);
  Piece share(Piece path) {
    ++pieces_[path].users;
    return path;
  }
  void drop(Piece path);
  /// Calls take(content) for all pieces of a path.
  template <class Take>
  void for_each(Piece path, Take take) const {
    for (; path != 0; path = pieces_[path].before) take(pieces_[path].content);
  }
  std::size_t in_use() const { return pieces_.size() - 1 - free_.size(); }

 private:
  struct Linked {
    Piece before = 0;
    std::uint32_t users = 1;
    Content content;
  };
  std::vector<Linked> pieces_{1};
  std::vector<Piece> free_;
};

/// What there is of each kind on a path up to a report, longest first.
struct PathSums {
  Time until;            // the report
  AgentId reporter = 0;  // and whose it is
  std::vector<PathPieces::Content> parts;
};

/// Finds what everybody waited for: a path back from the last report through what its agent did, the message that ended
/// each of its waits, what that message's sender did before, and so on to the beginning of the run. Its pieces add up
/// to the time of that report. Where several messages of one instant end a wait, the last one is its cause.
class CriticalPath : public Listener {
 public:
  /// Both must outlive it.
  CriticalPath(const Network& network, const WorldModel& model);

  void on_event(const SimEvent& what) override;
  bool wants(EventKind what) const override;

  /// Up to the last report.
  PathSums sums() const;
  /// How many pieces some agent, message or report can be traced back to.
  std::size_t pieces_in_use() const { return pieces_.in_use(); }

 private:
  using Piece = PathPieces::Piece;
  struct Sent {
    Piece path = 0;  // of its sender up to then
    Time at;
    std::uint32_t attempt = 0;
    bool is_copy = false;
  };
  struct Arrival {
    Piece path = 0;
    SimEvent event;  // its delivery
    bool is_there = false;
  };
  struct Activity {
    Piece path = 0;  // of its agent up to its beginning
    PathKind kind = PathKind::computing;
    Time began;
    Duration lasts, away;
    bool is_there = false;
    Time end() const { return saturated(saturated(began, lasts), away); }
  };
  struct Traced {  // an agent
    Piece path = 0;
    Time until;          // that it reaches
    Activity activity;   // that it began last
    Arrival came, went;  // the last message to it, and of it
  };
  using Repetition = std::tuple<Time, LinkId, Round, Bytes>;  // when, and of what

  void advance(AgentId agent, Time to, Duration down = {});
  void begin(const SimEvent& what, PathKind kind);
  void be_away(const SimEvent& what);
  void restart(const SimEvent& what);
  void send(const SimEvent& what);
  void deliver(const SimEvent& what);
  void lose(const SimEvent& what);
  void report(const SimEvent& what);
  void keep(Arrival& place, Piece path, const SimEvent& what);
  void end_activity(Traced& agent);
  Piece after_arrival(Arrival& arrival);
  LinkId path_of(LinkId link, Time sent) const;
  ResourceId narrowest(LinkId link, AgentId from, std::size_t places, Time at) const;
  Duration transmission(LinkId link, AgentId from, Bytes bytes, Time at) const;

  const Network& network_;
  const WorldModel& model_;
  PathPieces pieces_;
  std::vector<Traced> agents_;
  std::map<std::uint64_t, Sent> on_the_way_;      // by serial number
  std::multimap<Repetition, Sent> to_be_resent_;  // of lost messages
  Piece last_ = 0;                                // of the last report
  Time until_;
  AgentId reporter_ = 0;
};

}  // namespace lagnet
