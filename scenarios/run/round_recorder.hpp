#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "scenarios/run/row_recorder.hpp"
#include "sim/base/array.hpp"
#include "sim/base/types.hpp"
#include "sim/machine/huge_pages.hpp"

namespace lagnet {

/// The reports of one round, in the order in which they came. With many agents, a vector for each report would be
/// scattered in memory: here a report is written behind the one before.
class RoundReports {
 public:
  template <class Part>
  void add(AgentId agent, std::span<const Part> parts) {
    shapes_.push_back(agent);
    shapes_.push_back(std::ssize(parts));
    for (const Part& part : parts) {
      shapes_.push_back(part.size());
      numbers_.insert(numbers_.end(), part.data(), part.data() + part.size());
    }
  }
  void clear();
  /// Writes each agent's last report to parts[agent]; what belongs to others stays.
  void copy_to(std::vector<std::vector<Vector>>& parts) const;

 private:
  HugePageVector<Index> shapes_;  // of each report: the agent, how many parts, the size of each
  HugePageVector<double> numbers_;
};

/// Gathers the agents' reports into rows. A round is complete when all agents that report have reported it. Where
/// agents can be left behind, it is complete when each has reported it or a later one, or is down at that moment; the
/// last report of such an agent replaces the missing one, and the agent is not a participant. Where a server collects
/// answers, those that came in time are the participants.
///
/// What a row counts is a cut of the run at the instant of its last report: all that every agent did before. Of what
/// happens at this very instant, an agent that reports the round then is counted up to its report; so agents that
/// report together have done the same, whichever is resumed first. If messages take no time, that could count one as
/// delivered and not as sent; and two rounds of one instant could count less in the second. Then all is counted that
/// has happened when the row is complete.
class RoundRecorder final : public Recorder, public Listener {
 public:
  /// All must outlive the recorder.
  RoundRecorder(const Experiment& experiment, const RunOptions& options, const StopRules& rules, RecordedWorld& world,
                Outcome& outcome);

  void reported(AgentId agent, Round round, std::span<const VectorView> parts) override;
  void on_event(const SimEvent& what) override;
  bool wants(EventKind what) const override { return what == EventKind::collected || what == EventKind::used; }
  /// At the end of the run: records the last complete round, if it has no row yet.
  void record_last();
  /// The first round to be recorded that recorded values do not have; it ended the run.
  std::optional<Round> round_without_values() const { return rows_.round_without_values(); }

 private:
  struct Gathering {
    RoundReports parts;               // none where nothing is computed
    std::vector<bool> reported;       // by agent
    mutable std::size_t witness = 0;  // the place among the reporters of one that was not done with the round
    RowRecorder::Counts counts;       // `at`: of the last report; until it is complete of `counted` alone
    std::vector<AgentId> counted;     // those that reported then, each up to its report
    bool is_counted = true;           // else the ledger keeps what there is to be counted
  };
  struct Latest {
    Round round = -1;
    bool known = false;  // whether it can replace a missed round
    std::vector<Vector> parts;
  };

  Gathering& gathering_of(Round round);
  void count_at_report(AgentId agent, Gathering& gathering) const;
  void count(AgentId agent, Gathering& gathering) const;
  void count_all(Gathering& gathering);  // or has the ledger keep what they have counted
  bool is_complete(Round round, const Gathering& gathering) const;
  bool is_done(AgentId agent, Round round, const Gathering& gathering) const;  // or will miss the round
  bool will_miss_it(AgentId agent) const;  // the round that others have finished, for being down now
  void close(Round round);
  void record_newest();

  const Experiment& experiment_;
  RecordedWorld& world_;
  Outcome& outcome_;
  RowRecorder rows_;
  const bool gaps_;                                             // agents may miss rounds
  const bool is_lazy_;                                          // rounds are counted when they are recorded
  std::vector<AgentId> reporters_;                              // ascending
  std::vector<Latest> latest_;                                  // by agent, where there are gaps
  std::map<Round, Gathering> open_;                             // rounds that some agents have reported
  std::map<Round, std::map<AgentId, std::int64_t>> collected_;  // answers in time, of the open rounds, by who collects
  std::int64_t updates_ = 0;                                    // that complete rounds had
  Round last_round_ = -1;                                       // the last complete one
  Time last_at_ = Time::never();                                // when it was complete
  Gathering last_;
  Gathering spare_;                         // an old one, for its memory
  std::vector<std::vector<Vector>> parts_;  // of the last row, by agent
};

}  // namespace lagnet
