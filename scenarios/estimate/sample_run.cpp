#include "scenarios/estimate/sample_run.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <system_error>

#include "scenarios/files/temporary_folder.hpp"
#include "scenarios/run/file_budget.hpp"
#include "scenarios/sweep/earlier_results.hpp"
#include "scenarios/sweep/run_point.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

/// Looks at a clock when rounds end and rows are recorded, and ends the run when it is time.
class Laps {
 public:
  Laps(const SecondsClock& clock, double most_s) : clock_(clock), most_s_(most_s), began_(clock()), from_(began_) {}

  StopRules rules() {
    const auto with_event = [this](const SimEvent&) { return is_late(); };
    return {{.ends_with_round = [this](Flops) { return end_round(); }},
            {.event_kind = EventKind::sent, .ends_with_event = with_event},
            {.event_kind = EventKind::computed, .ends_with_event = with_event}};
  }
  void end_row() {
    const double now = look();
    if (is_over_) return;
    rows_s_ += now - from_;
    ++rows_;
    from_ = now;
  }
  double last_look() const { return last_look_; }
  /// After the run.
  void tell(RunSample& sample) {
    sample.is_whole = !is_over_;
    sample.rounds = std::max<Round>(ended_ - 1, 0);
    sample.start_s = start_s_;
    sample.row_s = rows_ > 0 ? rows_s_ / static_cast<double>(rows_) : 0;
    if (sample.rounds > 1)
      sample.round_s = later_s_ / static_cast<double>(sample.rounds - 1);
    else if (sample.rounds == 1)
      sample.round_s = first_s_;
    else if (is_over_)
      sample.round_s = ended_at_ - from_;
    sample.is_within_round = sample.rounds == 0 && is_over_;
  }

 private:
  bool end_round() {
    if (is_over_) return true;
    const double now = look();
    (ended_ == 0 ? start_s_ : ended_ == 1 ? first_s_ : later_s_) += now - from_;
    from_ = now;
    if (ended_++ > 0) return is_over(now);
    began_ = now;  // however long it took to start, rounds have their time
    return false;
  }
  /// Within a round; it looks at the clock now and then.
  bool is_late() {
    constexpr int often = 16;
    if (is_over_ || ++events_ % often != 0) return is_over_;
    return is_over(look());
  }
  double look() { return last_look_ = clock_(); }
  /// The first round may take longer, since without it nothing is known.
  bool is_over(double now) {
    constexpr double patience = 4;
    if (now - began_ < (ended_ > 1 ? 1 : patience) * most_s_) return false;
    is_over_ = true;
    ended_at_ = now;
    return true;
  }

  const SecondsClock& clock_;
  double most_s_, began_;
  double from_;  // the end of the last round or row
  double last_look_ = 0, ended_at_ = 0;
  double start_s_ = 0, first_s_ = 0, later_s_ = 0, rows_s_ = 0;
  std::int64_t ended_ = 0, rows_ = 0, events_ = 0;  // ended: with round 0
  bool is_over_ = false;
};

double size_of(const fs::path& file) {
  std::error_code ignored;
  const auto size = fs::file_size(file, ignored);
  return ignored ? 0 : static_cast<double>(size);
}

/// What each of its files shows of those of the whole run.
void measure_files(const fs::path& folder, const Outcome& outcome, RunSample& sample) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const double size = size_of(entry.path());
    const auto rows = static_cast<double>(std::max<std::size_t>(outcome.rows.size(), 1));
    if (name == "progress.csv")
      sample.bytes_per_row = size / rows;
    else if (name == "trace.jsonl" || name == "timeline.json")
      sample.bytes_per_round += size / static_cast<double>(std::max<Round>(sample.rounds, 1));
    else if (name == "model_history.npy" && !outcome.iterates.empty())
      sample.bytes_per_model = size / static_cast<double>(outcome.iterates.size());
    else
      sample.files_bytes += size;
  }
}

/// Fleets have tables that nobody wants written for an estimate: their usual size.
bool has_large_tables(const Experiment& experiment) {
  constexpr std::int64_t many = 100'000;
  return std::int64_t{experiment.network->agents()} + experiment.network->links() > many;
}
double usual_tables(const Experiment& experiment) {
  constexpr double agent = 130, link = 70;
  return agent * experiment.network->agents() + link * experiment.network->links();
}

double number_of_rows(const RecordOptions& record, double rounds) {
  const double every = static_cast<double>(record.every), whole = std::floor(rounds / every);
  return whole + 1 + (whole * every < rounds ? 1 : 0);  // the last round has one, too
}

}  // namespace

double RunSample::seconds(const RecordOptions& record, double all_rounds) const {
  return start_s + all_rounds * round_s + number_of_rows(record, all_rounds) * row_s + files_s;
}

double RunSample::bytes(const RecordOptions& record, double all_rounds) const {
  const double files = (record.trace ? 1 : 0) + (record.timeline ? 1 : 0);
  const double of_events = std::min(all_rounds * bytes_per_round, files * static_cast<double>(budget_bytes(record)));
  const double models = record.model_every ? std::floor(all_rounds / static_cast<double>(*record.model_every)) + 1 : 0;
  return files_bytes + number_of_rows(record, all_rounds) * bytes_per_row + of_events + models * bytes_per_model;
}

RunSample sample_run(const Experiment& experiment, unsigned threads, const SecondsClock& clock, double most_s) {
  RunSample sample;
  Laps laps(clock, most_s);
  const RunOptions options{.threads = threads, .row = [&laps](const Row&) { laps.end_row(); }, .enough = laps.rules()};
  if (has_large_tables(experiment)) {
    run(experiment, options);
    laps.tell(sample);
    sample.files_bytes = usual_tables(experiment);
    return sample;
  }
  const TemporaryFolder folder("estimate");
  const Outcome outcome = run_point(experiment, folder.path() / "point", folder.path(), options);
  write_build(folder.path() / "point");
  sample.files_s = clock() - laps.last_look();
  laps.tell(sample);
  measure_files(folder.path() / "point", outcome, sample);
  return sample;
}

}  // namespace lagnet
