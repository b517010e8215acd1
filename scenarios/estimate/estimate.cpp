#include "scenarios/estimate/estimate.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/assembly/memory_estimate.hpp"
#include "scenarios/estimate/count_work.hpp"
#include "scenarios/run/file_budget.hpp"
#include "scenarios/run/run.hpp"

namespace lagnet {

namespace {

/// The seconds that such work takes on some machine: only their ratios matter.
double weight(const WorkCount& work) {
  constexpr double message = 150e-9, byte = 0.3e-9, flop = 0.5e-9;
  return message * work.messages + byte * work.bytes + flop * work.flops;
}

/// What the first rounds of a point took.
struct Sample {
  std::size_t point = 0;
  double making_s = 0;           // where data and optimum are there
  double start_s = 0;            // until all have reported round 0
  double round_s = 0;            // of the rounds after it, with their rows
  Round rounds = 0;              // that were run
  double table_bytes = 0;        // of the files that do not grow with rounds, roughly
  bool is_within_round = false;  // not even the first round ended: round_s is the part of it that was run
};

/// Runs an experiment until the time of the options has passed after round 0, or four times that if no round ends by
/// then.
void run_first_rounds(const Experiment& experiment, const EstimateOptions& options, Sample& sample) {
  constexpr double patience = 4;
  const double began = options.clock();
  double from = began, last = began, now = began;
  bool is_over = false;
  std::int64_t ended = 0;  // rounds, with round 0
  const auto is_late = [&](double most_s) {
    now = options.clock();
    return is_over = is_over || now - from >= most_s;
  };
  const auto ends_round = [&](Flops) {
    is_late(options.sample_s);
    last = now;
    if (ended++ == 0) {
      from = now;  // however long it took to start, rounds have their time
      is_over = false;
    }
    return is_over;
  };
  const auto ends_within = [&](const SimEvent&) {
    return is_late(ended > 1 ? options.sample_s : patience * options.sample_s);
  };
  const StopRules rules{{.ends_with_round = ends_round},
                        {.event_kind = EventKind::sent, .ends_with_event = ends_within},
                        {.event_kind = EventKind::computed, .ends_with_event = ends_within}};
  run(experiment, {.threads = options.settings.threads, .enough = rules});
  sample.rounds = std::max<Round>(ended - 1, 0);
  sample.is_within_round = sample.rounds == 0 && is_over;
  sample.start_s = ended > 0 ? from - began : 0;
  sample.round_s = sample.is_within_round ? now - from : (last - from) / std::max(1.0, 1.0 * sample.rounds);
}

/// Fewer than 20 columns of progress.csv, and a line of a trace.
constexpr double row_bytes = 180, event_bytes = 110;
/// Tables with a row for each agent and link, and the scenario.
double table_bytes(const Experiment& experiment) {
  constexpr double agent = 130, link = 70, others = 8000;
  return others + agent * experiment.network->agents() + link * experiment.network->links();
}

class Estimator {
 public:
  Estimator(const std::vector<Scenario>& scenarios, const std::string& shown, ExperimentCache& cache,
            const EstimateOptions& options)
      : scenarios_(scenarios), shown_(shown), cache_(cache), options_(options), began_(options.clock()) {}

  Estimate make() {
    find_kinds();
    measure();
    count();
    add_up();
    return made_;
  }

 private:
  void find_kinds();
  void measure();
  void measure(std::size_t point);
  void count();
  void add_up();
  void add_up_times();

  bool is_later_than(double seconds) const { return options_.clock() - began_ > seconds; }
  std::size_t counted_like(std::size_t point) const;
  const std::optional<WorkCount>& work_of(std::size_t point) const { return counts_.at(stands_for_[point]); }
  std::optional<Round> rounds_of(std::size_t point) const {
    const auto& work = work_of(point);
    return work ? work->rounds : scenarios_[point].stop.rounds;
  }
  double result_bytes(std::size_t point, double rounds) const;
  template <class Make>
  double timed(const Make& make) const {
    const double from = options_.clock();
    make();
    return options_.clock() - from;
  }

  const std::vector<Scenario>& scenarios_;
  const std::string& shown_;
  ExperimentCache& cache_;
  const EstimateOptions& options_;
  double began_;
  std::vector<std::vector<std::size_t>> kinds_;             // points that differ in their seeds alone
  std::vector<std::size_t> kind_of_;                        // of each point
  std::vector<Sample> samples_;                             // of some kinds
  double optima_s_ = 0;                                     // data and optima of the points that were measured
  MemoryEstimate largest_;                                  // of these
  std::map<std::size_t, std::optional<WorkCount>> counts_;  // of the points that were counted
  std::vector<std::size_t> stands_for_;                     // for each point the counted one that is like it
  Estimate made_;
};

void Estimator::find_kinds() {
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < scenarios_.size(); ++i) {
    const auto [kind, is_new] = known.try_emplace(circumstances(write_fields(scenarios_[i])).dump(), kinds_.size());
    if (is_new) kinds_.emplace_back();
    kinds_[kind->second].push_back(i);
    kind_of_.push_back(kind->second);
  }
}

void Estimator::measure() {
  const std::size_t many = std::min(options_.samples, kinds_.size());
  for (std::size_t k = 0; k < many && (k == 0 || !is_later_than(options_.measuring_s)); ++k)
    measure(kinds_[k * kinds_.size() / many].front());
}

void Estimator::measure(std::size_t point) {
  Sample sample{.point = point};
  std::optional<Experiment> experiment;
  const auto assembled = [&] { experiment.emplace(assemble(scenarios_[point], shown_, cache_)); };
  sample.making_s = timed(assembled);
  if (!options_.is_prepared && scenarios_.size() > 1) {
    const double first_s = sample.making_s;
    experiment.reset();
    sample.making_s = timed(assembled);
    optima_s_ += std::max(0.0, first_s - sample.making_s);
  }
  const MemoryEstimate memory = estimate_memory(*experiment);
  if (memory.data + memory.own > largest_.data + largest_.own) largest_ = memory;
  sample.table_bytes = table_bytes(*experiment);
  run_first_rounds(*experiment, options_, sample);
  made_.sampled_rounds += static_cast<double>(sample.rounds);
  made_.is_at_least = made_.is_at_least || sample.is_within_round;
  samples_.push_back(sample);
}

/// All points if they are few, else one of each kind, or of some kinds.
void Estimator::count() {
  std::vector<std::size_t> chosen(scenarios_.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  if (chosen.size() > options_.counted) {
    chosen.clear();
    const std::size_t many = std::min(options_.counted, kinds_.size());
    for (std::size_t k = 0; k < many; ++k) chosen.push_back(kinds_[k * kinds_.size() / many].front());
  }
  const std::int64_t steps = options_.steps / std::ssize(chosen);
  const double from = options_.clock();
  for (const std::size_t i : chosen) {
    if (!counts_.empty() && options_.clock() - from > options_.counting_s) break;
    const auto work = counts_.emplace(i, count_work(scenarios_[i], shown_, cache_, steps)).first->second;
    if (work && work->is_whole) ++made_.counted_whole;
  }
  made_.counted = counts_.size();
  for (std::size_t i = 0; i < scenarios_.size(); ++i) stands_for_.push_back(counted_like(i));
}

/// Itself, the first of its kind, or else the one before it.
std::size_t Estimator::counted_like(std::size_t point) const {
  if (counts_.contains(point)) return point;
  const std::size_t first = kinds_[kind_of_[point]].front();
  if (counts_.contains(first)) return first;
  const auto after = counts_.upper_bound(point);
  return after == counts_.begin() ? after->first : std::prev(after)->first;
}

/// Roughly, by usual lengths of lines.
double Estimator::result_bytes(std::size_t point, double rounds) const {
  const RecordOptions& record = scenarios_[point].record;
  const double files = (record.trace ? 1 : 0) + (record.timeline ? 1 : 0), most = 1.0 * budget_bytes(record);
  const double events = work_of(point) ? work_of(point)->events : 0;
  double tables = 0;
  for (const Sample& sample : samples_) tables = std::max(tables, sample.table_bytes);
  return tables + row_bytes * (rounds / static_cast<double>(record.every) + 1) +
         files * std::min(most, event_bytes * events);
}

void Estimator::add_up() {
  made_.points = scenarios_.size();
  made_.sampled = samples_.size();
  made_.memory = largest_.data + largest_.own;
  made_.rounds = made_.messages = made_.bytes = made_.flops = made_.events = made_.result_bytes = 0;
  const auto add = [](std::optional<double>& sum, std::optional<double> more) {
    if (sum) sum = more ? std::optional(*sum + *more) : std::nullopt;
  };
  for (std::size_t i = 0; i < scenarios_.size(); ++i) {
    const auto& work = work_of(i);
    const bool is_known = work && work->rounds;
    const auto amount = [&](double WorkCount::*of) { return is_known ? std::optional((*work).*of) : std::nullopt; };
    std::optional<double> rounds;
    if (rounds_of(i)) rounds = static_cast<double>(*rounds_of(i));
    add(made_.rounds, rounds);
    add(made_.messages, amount(&WorkCount::messages));
    add(made_.bytes, amount(&WorkCount::bytes));
    add(made_.flops, amount(&WorkCount::flops));
    add(made_.events, amount(&WorkCount::events));
    add(made_.result_bytes, rounds ? std::optional(result_bytes(i, *rounds)) : std::nullopt);
    const StopOptions& stop = scenarios_[i].stop;
    made_.may_end_sooner = made_.may_end_sooner || stop.relative_error.has_value() || stop.metric.has_value();
  }
  if (made_.rounds) add_up_times();
}

/// Points take their share of what the measured ones take together, by their work, or by rounds if some work is
/// unknown.
void Estimator::add_up_times() {
  const bool is_counted = made_.messages && *made_.messages + *made_.flops > 0;
  const auto amount = [&](std::size_t i) {
    return is_counted ? weight(*work_of(i)) : static_cast<double>(*rounds_of(i));
  };
  double measured = 0, measured_s = 0, making_s = 0;
  for (const Sample& sample : samples_) {
    measured += amount(sample.point);
    measured_s += sample.start_s + static_cast<double>(*rounds_of(sample.point)) * sample.round_s;
    making_s += sample.making_s / static_cast<double>(samples_.size());
  }
  std::set<std::string> optima, measured_optima;  // and the data with them
  const auto key = [&](std::size_t i) { return data_key(scenarios_[i]) + write_fields(scenarios_[i].problem).dump(); };
  for (const Sample& sample : samples_) measured_optima.insert(key(sample.point));
  // Points are assembled before the first one starts, and again when they run; a single run is so once.
  const bool is_single = made_.points == 1 && !options_.is_prepared;
  double all = 0, longest = 0;
  for (std::size_t i = 0; i < scenarios_.size(); ++i) {
    const double running_s = measured > 0 ? amount(i) * measured_s / measured : 0;
    const double seconds = (is_single ? 0 : making_s) + running_s;
    all += seconds;
    longest = std::max(longest, seconds);
    optima.insert(key(i));
  }
  const double cores = options_.cores, jobs = options_.settings.jobs;
  const double each = optima_s_ / static_cast<double>(measured_optima.size());
  const double before = each * static_cast<double>(optima.size()) + making_s * static_cast<double>(made_.points);
  if (!options_.is_prepared) made_.preparation_s = is_single ? making_s : before / std::min(jobs, cores);
  // Threads share cores, and points that run side by side share memory.
  const double fit = static_cast<double>(std::max<Bytes>(0, options_.settings.memory - largest_.data)) /
                     static_cast<double>(std::max<Bytes>(1, largest_.own));
  const double at_once = std::max(1.0, std::min({jobs, cores / options_.settings.threads, fit}));
  made_.seconds = made_.preparation_s + std::max(longest, all / at_once);
}

}  // namespace

Estimate estimate(const std::vector<Scenario>& scenarios, const std::string& shown, ExperimentCache& cache,
                  const EstimateOptions& options) {
  return Estimator(scenarios, shown, cache, options).make();
}

}  // namespace lagnet
