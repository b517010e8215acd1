#pragma once

#include <functional>

#include "scenarios/assembly/experiment.hpp"

namespace lagnet {

/// Seconds since some moment, of whatever clock the caller has.
using SecondsClock = std::function<double()>;

/// What the first rounds of a run took.
struct RunSample {
  Round rounds = 0;              // that were run
  bool is_whole = false;         // it came to its end
  bool is_within_round = false;  // not even the first round did: round_s is the part of it that was run
  double start_s = 0;            // until all have reported round 0
  double round_s = 0;            // a round, past the first one if there were more
  double row_s = 0;              // a row of progress.csv: objective, metrics, text
  double files_s = 0;            // the files at the end, written to the system's temporary folder

  double files_bytes = 0;      // of files that do not grow with the rounds
  double bytes_per_row = 0;    // of progress.csv
  double bytes_per_round = 0;  // of trace.jsonl and timeline.json together
  double bytes_per_model = 0;  // of one in model_history.npy

  /// Of the whole run, if it has so many rounds.
  double seconds(const RecordOptions& record, double all_rounds) const;
  double bytes(const RecordOptions& record, double all_rounds) const;
};

/// Runs an experiment until so many seconds have passed, or four times as many if the first round is not over by then;
/// or to its end if that comes sooner.
RunSample sample_run(const Experiment& experiment, unsigned threads, const SecondsClock& clock, double most_s);

}  // namespace lagnet
