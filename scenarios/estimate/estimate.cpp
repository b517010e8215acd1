#include "scenarios/estimate/estimate.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/assembly/memory_estimate.hpp"
#include "scenarios/estimate/count_work.hpp"
#include "scenarios/estimate/makespan.hpp"

namespace lagnet {

namespace {

/// Names what data, and what optimum, a scenario needs; without the seed, of what kind they are.
std::string data_kind(const Scenario& scenario) { return scenario.data.write().dump(); }
std::string optimum_key(const Scenario& scenario) { return data_key(scenario) + write_fields(scenario.problem).dump(); }
std::string optimum_kind(const Scenario& scenario) {
  return data_kind(scenario) + write_fields(scenario.problem).dump();
}

/// The seconds that such work takes on some machine: only their ratios matter.
double weight(const WorkCount& work) {
  constexpr double message = 150e-9, byte = 0.3e-9, flop = 0.5e-9;
  return message * work.messages + byte * work.bytes + flop * work.flops;
}

/// Points that differ in their seeds alone.
struct Kind {
  std::vector<std::size_t> points;
  double cost = 0;          // of all of them, by weight
  std::size_t sampled = 0;  // the point that was
  double assembling_s = 0;  // where data and optimum are there
  std::optional<RunSample> sample = {};
};

class Estimator {
 public:
  Estimator(const std::vector<Scenario>& scenarios, const std::string& shown, ExperimentCache& cache,
            const EstimateOptions& options)
      : scenarios_(scenarios), shown_(shown), cache_(cache), options_(options), began_(options.clock()) {}

  Estimate make() {
    find_kinds();
    count();
    sample();
    add_up();
    return made_;
  }

 private:
  void find_kinds();
  void count();
  void sample();
  void sample(Kind& kind);
  void add_up();
  void add_up_times(const std::vector<double>& seconds);
  double preparation_s() const;

  void load_data(const Scenario& scenario);
  bool is_later_than(double seconds) const { return options_.clock() - began_ > seconds; }
  std::size_t counted_like(std::size_t point) const;
  const std::optional<WorkCount>& work_of(std::size_t point) const;
  std::optional<Round> rounds_of(std::size_t point) const {
    const auto& work = work_of(point);
    return work ? work->rounds : scenarios_[point].stop.rounds;
  }
  const Kind& measured_like(std::size_t point) const;
  double seconds_of(std::size_t point, double rounds) const;
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
  std::vector<Kind> kinds_;
  std::vector<std::size_t> kind_of_;                        // of each point
  std::map<std::size_t, std::optional<WorkCount>> counts_;  // of the points that were counted
  std::vector<std::size_t> stands_for_;                     // for each point the counted one that is like it
  std::vector<std::size_t> measured_;                       // kinds, the costliest first
  std::map<std::string, double> data_s_, optimum_s_;        // by their kind
  std::shared_ptr<const DataSet> loaded_;                   // the last one, so that the next question finds it
  MemoryEstimate largest_;                                  // of the points that were measured
  Estimate made_;
};

void Estimator::find_kinds() {
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < scenarios_.size(); ++i) {
    const auto [kind, is_new] = known.try_emplace(circumstances(write_fields(scenarios_[i])).dump(), kinds_.size());
    if (is_new) kinds_.emplace_back();
    kinds_[kind->second].points.push_back(i);
    kind_of_.push_back(kind->second);
  }
}

/// All points if they are few, else one of each kind, or of some kinds.
void Estimator::count() {
  std::vector<std::size_t> chosen(scenarios_.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  if (chosen.size() > options_.counted) {
    chosen.clear();
    const std::size_t many = std::min(options_.counted, kinds_.size());
    for (std::size_t k = 0; k < many; ++k) chosen.push_back(kinds_[k * kinds_.size() / many].points.front());
  }
  const std::int64_t steps = options_.steps / std::ssize(chosen);
  for (const std::size_t i : chosen) {
    if (!counts_.empty() && is_later_than(options_.counting_s)) break;
    if (data_key(without_numbers(scenarios_[i])) == data_key(scenarios_[i])) load_data(scenarios_[i]);
    const auto work = counts_.emplace(i, count_work(scenarios_[i], shown_, cache_, steps)).first->second;
    if (work && work->is_whole) ++made_.counted_whole;
  }
  made_.counted = counts_.size();
  for (std::size_t i = 0; i < scenarios_.size(); ++i) stands_for_.push_back(counted_like(i));
}

/// Itself, the first of its kind, or else the one before it.
std::size_t Estimator::counted_like(std::size_t point) const {
  if (counts_.contains(point)) return point;
  const std::size_t first = kinds_[kind_of_[point]].points.front();
  if (counts_.contains(first)) return first;
  const auto after = counts_.upper_bound(point);
  return after == counts_.begin() ? after->first : std::prev(after)->first;
}

const std::optional<WorkCount>& Estimator::work_of(std::size_t point) const { return counts_.at(stands_for_[point]); }

/// The costliest kinds, and those first whose work could not be counted.
void Estimator::sample() {
  for (Kind& kind : kinds_)
    for (const std::size_t i : kind.points)
      kind.cost += work_of(i) ? weight(*work_of(i)) : std::numeric_limits<double>::infinity();
  std::vector<std::size_t> order(kinds_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t k) { return kinds_[k].cost; });
  for (const std::size_t k : order) {
    if (measured_.size() == options_.samples || (!measured_.empty() && is_later_than(options_.measuring_s))) break;
    sample(kinds_[k]);
    measured_.push_back(k);
  }
}

/// Of each kind of data what is loaded first is measured.
void Estimator::load_data(const Scenario& scenario) {
  const double seconds = timed([&] { loaded_ = cache_.data(scenario); });
  data_s_.try_emplace(data_kind(scenario), seconds);
}

void Estimator::sample(Kind& kind) {
  kind.sampled = kind.points.front();
  const Scenario& scenario = scenarios_[kind.sampled];
  load_data(scenario);
  std::optional<Experiment> experiment;
  kind.assembling_s = timed([&] { experiment.emplace(assemble(scenario, shown_, cache_)); });
  if (!options_.is_prepared && scenarios_.size() > 1) {
    const double first_s = kind.assembling_s;
    experiment.reset();
    kind.assembling_s = timed([&] { experiment.emplace(assemble(scenario, shown_, cache_)); });
    optimum_s_.try_emplace(optimum_kind(scenario), std::max(0.0, first_s - kind.assembling_s));
  }
  const MemoryEstimate memory = estimate_memory(*experiment);
  if (memory.data + memory.own > largest_.data + largest_.own) largest_ = memory;
  made_.memory = largest_.data + largest_.own;
  kind.sample = sample_run(*experiment, options_.threads, options_.clock, options_.sample_s);
  ++made_.sampled;
  made_.sampled_rounds += static_cast<double>(kind.sample->rounds);
  made_.is_at_least = made_.is_at_least || kind.sample->is_within_round;
}

/// Of the same kind, or else of the same algorithm, or the costliest.
const Kind& Estimator::measured_like(std::size_t point) const {
  if (const Kind& own = kinds_[kind_of_[point]]; own.sample) return own;
  const auto algorithm = [&](std::size_t k) { return scenarios_[kinds_[k].sampled].algorithm.kind(); };
  const auto same = std::ranges::find(measured_, scenarios_[point].algorithm.kind(), algorithm);
  return kinds_[same == measured_.end() ? measured_.front() : *same];
}

double Estimator::seconds_of(std::size_t point, double rounds) const {
  const Kind& like = measured_like(point);
  const RecordOptions& record = scenarios_[point].record;
  if (like.sample && &like == &kinds_[kind_of_[point]]) return like.assembling_s + like.sample->seconds(record, rounds);
  const auto &work = work_of(point), &of_sample = work_of(like.sampled);
  const auto rounds_of_sample = rounds_of(like.sampled);
  if (!work || !of_sample || !rounds_of_sample || !(weight(*of_sample) > 0))
    return like.assembling_s + like.sample->seconds(record, rounds);
  const double whole = like.sample->seconds(scenarios_[like.sampled].record, static_cast<double>(*rounds_of_sample));
  return like.assembling_s + whole * weight(*work) / weight(*of_sample);
}

/// Each data set and optimum once, and every point assembled, before it is assembled again and runs.
double Estimator::preparation_s() const {
  const auto of_kind = [](const std::map<std::string, double>& known, const std::string& kind) {
    if (const auto found = known.find(kind); found != known.end()) return found->second;
    double longest = 0;
    for (const auto& [other, seconds] : known) longest = std::max(longest, seconds);
    return longest;
  };
  std::set<std::string> seen;
  double sum = 0, longest = 0;
  for (std::size_t i = 0; i < scenarios_.size(); ++i) {
    double seconds = measured_like(i).assembling_s;
    if (seen.insert(data_key(scenarios_[i])).second) seconds += of_kind(data_s_, data_kind(scenarios_[i]));
    if (seen.insert(optimum_key(scenarios_[i])).second) seconds += of_kind(optimum_s_, optimum_kind(scenarios_[i]));
    sum += seconds;
    longest = std::max(longest, seconds);
  }
  return std::max(longest, sum / std::min(options_.budget.jobs, options_.cores));
}

void Estimator::add_up() {
  made_.points = scenarios_.size();
  made_.rounds = made_.messages = made_.bytes = made_.flops = made_.events = made_.result_bytes = 0;
  const auto add = [](std::optional<double>& sum, std::optional<double> more) {
    if (sum) sum = more ? std::optional(*sum + *more) : std::nullopt;
  };
  std::vector<double> seconds;
  for (std::size_t i = 0; i < scenarios_.size(); ++i) {
    const Scenario& scenario = scenarios_[i];
    const auto& work = work_of(i);
    const bool is_known = work && work->rounds;
    const auto amount = [&](double WorkCount::*of) { return is_known ? std::optional((*work).*of) : std::nullopt; };
    const std::optional<Round> rounds = rounds_of(i);
    add(made_.rounds, rounds ? std::optional(static_cast<double>(*rounds)) : std::nullopt);
    add(made_.messages, amount(&WorkCount::messages));
    add(made_.bytes, amount(&WorkCount::bytes));
    add(made_.flops, amount(&WorkCount::flops));
    add(made_.events, amount(&WorkCount::events));
    made_.may_end_sooner =
        made_.may_end_sooner || scenario.stop.relative_error.has_value() || scenario.stop.metric.has_value();
    if (!rounds) {
      made_.result_bytes.reset();
      continue;
    }
    const auto all = static_cast<double>(*rounds);
    add(made_.result_bytes, measured_like(i).sample->bytes(scenario.record, all));
    seconds.push_back(seconds_of(i, all));
  }
  if (seconds.size() == scenarios_.size()) add_up_times(seconds);
}

void Estimator::add_up_times(const std::vector<double>& seconds) {
  const std::vector<MemoryNeed> needs(seconds.size(), {.own = largest_.own, .shared = largest_.data});
  const double all = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  // More threads than cores share these.
  const double cores = options_.cores, at_once = std::min(1.0 * options_.threads, cores) / cores;
  if (!options_.is_prepared) made_.preparation_s = preparation_s();
  // A single run is assembled once, with its optimum.
  const double again = options_.is_prepared || seconds.size() > 1 ? 0 : kinds_.front().assembling_s;
  made_.seconds = made_.preparation_s - again + std::max(makespan(seconds, needs, options_.budget), all * at_once);
}

}  // namespace

Estimate estimate(const std::vector<Scenario>& scenarios, const std::string& shown, ExperimentCache& cache,
                  const EstimateOptions& options) {
  return Estimator(scenarios, shown, cache, options).make();
}

}  // namespace lagnet
