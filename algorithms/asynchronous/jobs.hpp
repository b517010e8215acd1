#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "sim/agents/agent.hpp"
#include "sim/base/options.hpp"

/// The protocol between the server and the clients of an asynchronous method. The server counts the versions v of its
/// state and sends it with its version as the round; a client answers with the round of the state that it computed
/// from, so that v less an answer's round is the staleness tau of the answer.
///
///     server:  to every client k in ascending order: send the state
///              loop: receive an answer; absorb it; if the state changed: v += 1, report; hand the state on
///     client:  loop: receive a state; compute from it; answer
///
/// Messages carry the number of their job as a tag. An answer that the server waits for no longer is dropped, and its
/// sender gets those of its jobs anew that are open, with the newest state; a client drops the state of a job that it
/// has done. So each job is done and used once, whatever is lost or sent again.
namespace lagnet {

/// The client that gets the new state after an answer.
enum class Assignment {
  same,    // the client that answered
  cyclic,  // all in turn, whichever client answered
  random   // one of all, drawn again for each answer
};
constexpr auto spellings(Assignment) {
  return std::array{Spelling{Assignment::same, "same"}, Spelling{Assignment::cyclic, "cyclic"},
                    Spelling{Assignment::random, "random"}};
}

void declare_assignment(auto& self, auto& field) {
  field(
      "assignment", self.assignment,
      "who computes next, from the new model: same (the client that answered), cyclic (all in turn, c-th answer, c-th "
      "client) or random (uniform). With same, fast clients answer more often, and where answers are no parts of a "
      "sum the limit is that of a function with these frequencies as weights; with the others slow clients have "
      "queues");
}
void declare_resend(auto& self, auto& field) {
  field(
      "resend_ms", self.resend_ms,
      "time after which a client that has got nothing new sends its last answer again, in ms, and then after twice as "
      "long each time; null: never. Without it and without network.retransmit a lost message takes its client out for "
      "good",
      within(0.01, 9e12));
}
inline std::optional<Duration> resend_after(std::optional<double> ms) {
  if (!ms) return std::nullopt;
  return Duration::milliseconds(*ms);
}
/// Remarks for the user if messages can be lost and no client sends again.
Remarks warnings_of_silence(const MethodInput& given, std::optional<double> resend_ms);

/// The common traits of this family. Their server must not forget.
constexpr AlgorithmTraits asynchronous_traits{.server = true,
                                              .partition_by = PartitionBy::samples,
                                              .takes_regularizers = Regularizers::all,
                                              .server_keeps_state = true,
                                              .timing_only = true,
                                              .depends_on_order = true};

constexpr AlgorithmTraits also_with_a_constraint(AlgorithmTraits traits) {
  traits.takes_constraint = true;
  return traits;
}

/// The message of a client that has no state: it began late, or lost its own in a crash. Jobs count from 1.
constexpr MessageTag hello = 0;

/// The jobs that a server has handed out.
class ServerJobs {
 public:
  explicit ServerJobs(Agent& me, Assignment assignment = Assignment::same);

  /// A new job for each client, ascending, from this state.
  void hand_to_all(Round v, const Payload& state);
  void hand(AgentId client, Round v, const Payload& state);
  /// A new job for whom the assignment names after the answer of that client; it counts answers, from 0.
  void hand_on(AgentId answered, Round v, const Payload& state);

  /// Whether the message is an answer to an open job, which ends with it. If not, its sender gets the state, of this
  /// version, again for each of its open jobs.
  bool takes(const Message& message, Round v, const StateVector& state) {
    if (closes(message)) return true;
    hand_again(message.from, v, state);
    return false;
  }
  /// Tells that the update of version v uses this answer, and how stale it is: tau = v - its round.
  Round used(const Message& answer, Round v);

 private:
  bool closes(const Message& message);
  void hand_again(AgentId client, Round v, const Payload& state);

  static constexpr MessageTag recent_jobs = 32;
  struct OfClient {            // small, since a server has many
    MessageTag last = 0;       // its newest job
    std::uint32_t recent = 0;  // bit i: job last - i is open
  };
  Agent& me_;
  Assignment assignment_;
  Round answers_ = 0;
  std::vector<OfClient> of_;                        // by agent
  std::set<std::pair<AgentId, MessageTag>> older_;  // open jobs of clients that have many
};

/// The jobs that a client has done. A client that starts after the others, or again, says so; with `resend`, it sends
/// what it sent last again where nothing new has come so long after it:
///
///     came = co_await me.receive_until(jobs.patience());
///     if (!jobs.is_new(came)) continue;
class ClientJobs {
 public:
  ClientJobs(Agent& me, std::optional<Duration> resend);

  std::int64_t n() const { return n_; }  // the number of its next computation, from 0
  Time patience() const { return patience_; }
  /// Whether this is the state of a job that is not done. If nothing came, sends again.
  bool is_new(const std::optional<Message>& came);
  /// Answers that job, and counts the computation.
  void answer(const Message& job, Payload result);

 private:
  void send_last();
  void be_patient();

  Agent& me_;
  std::optional<Duration> resend_;
  Duration wait_;  // before the last message is sent again, twice as long each time: where none arrives, time ends
  Time patience_ = Time::never();
  std::int64_t n_ = 0;
  MessageTag all_done_ = 0;    // this one, and all before it
  std::set<MessageTag> done_;  // others
  Message job_;                // that was answered last, without its state
  Payload result_;
};

}  // namespace lagnet
