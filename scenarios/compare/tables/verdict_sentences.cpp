#include "scenarios/compare/tables/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/join.hpp>
#include <cmath>
#include <limits>
#include <ranges>
#include <string>
#include <utility>

#include "scenarios/compare/tables/setting_line.hpp"
#include "scenarios/format/result_columns.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/words/words.hpp"

namespace lagnet {

namespace {

constexpr std::size_t named_at_most = 6;

/// Of many sentences the first ones, and "and 3 more" with what the others do.
void append_first(const std::vector<std::string>& told, std::string_view others_do, std::vector<std::string>& all) {
  const std::size_t named = std::min(told.size(), named_at_most);
  all.insert(all.end(), told.begin(), told.begin() + std::ptrdiff_t(named));
  if (named < told.size()) all.push_back(fmt::format("and {} more {}", told.size() - named, others_do));
}

bool is_better(double value, double than, const CompareOptions& options) {
  return options.rising ? value > than : value < than;
}

/// The best value of any run of a series.
double best_of(const ComparedSeries& one, const CompareOptions& options) {
  double best = std::numeric_limits<double>::infinity() * (options.rising ? -1 : 1);
  for (const Curve& curve : one.curves)
    for (const double y : curve.y)
      if (is_better(y, best, options)) best = y;
  return best;
}

/// "182 s", "1.2 MB", "0.007 EUR".
std::string amount(double cost, const std::string& currency, const CompareOptions& options) {
  return currency == "price"
             ? fmt::format("{} {}", short_number(cost), options.money.empty() ? currency : options.money)
             : amount_text(cost, currency);
}

bool is_time(const std::string& currency) { return currency == "simulated_s"; }

/// "after 182 s", "for 1.2 MB", "for 0.007 EUR".
std::string pays(double cost, const std::string& currency, const CompareOptions& options) {
  return fmt::format("{} {}", is_time(currency) ? "after" : "for", amount(cost, currency, options));
}

/// "after 182 s (touched after 150 s)": where it did not stay there at first, both.
std::string pays(const LevelCost& cost, const std::string& currency, const CompareOptions& options) {
  const std::string text = pays(*cost.median, currency, options);
  return cost.touched < cost.median ? fmt::format("{} (touched {})", text, pays(*cost.touched, currency, options))
                                    : text;
}

std::string interval_text(const MeanInterval& ratio, double confidence) {
  if (ratio.low && ratio.high && std::isinf(*ratio.high))
    return fmt::format("{:g} %: {} or more", 100 * confidence, short_number(*ratio.low));
  if (ratio.low && ratio.high)
    return fmt::format("{:g} %: {} .. {}", 100 * confidence, short_number(*ratio.low), short_number(*ratio.high));
  return ratio.count == 1 ? "one seed, no interval" : "no common seeds, no interval";
}

/// "nids and extra", "a and b and c and 3 more": those that tie.
std::string tied_names(const LevelVerdict& row, const std::vector<ComparedSeries>& measured) {
  const std::size_t named = std::min<std::size_t>(row.tied.size(), 3);
  std::vector<std::string> names;
  for (std::size_t k = 0; k < named; ++k) names.push_back(measured[row.tied[k]].name);
  if (named < row.tied.size()) names.push_back(fmt::format("{} more", row.tied.size() - named));
  return boost::join(names, " and ");
}

/// Who is first in one currency: "ring first after 182 s, 2 times sooner than star (95 %: 1.9 .. 2.2)".
std::string sentence_of(const LevelVerdict& row, const std::vector<ComparedSeries>& measured,
                        const CompareOptions& options) {
  const auto name = [&](std::size_t place) { return measured[place].name; };
  const char* how = is_time(row.currency)     ? "sooner than"
                    : row.currency == "bytes" ? "fewer bytes than"
                                              : "cheaper than";
  const auto pays_here = [&](std::size_t place) { return pays(row.costs[place], row.currency, options); };
  const std::string cost = pays_here(*row.leader);
  const auto ahead_of = [&](const MeanInterval& ratio, std::size_t place) {
    return fmt::format("{} times {} {} ({})", ratio.mean ? short_number(*ratio.mean) : "many", how, name(place),
                       interval_text(ratio, options.bootstrap.confidence));
  };
  if (!row.next) return fmt::format("{} alone {}", name(*row.leader), cost);
  const std::string of_next = pays_here(*row.next);
  if (row.winner)
    return fmt::format("{} {} {}, {}", name(*row.leader), is_time(row.currency) ? "first" : "cheapest", cost,
                       ahead_of(row.ratio, *row.next));
  if (row.behind)
    return fmt::format("{} tie {}, {}", tied_names(row, measured), cost, ahead_of(row.ratio_behind, *row.behind));
  if (row.within_row)
    return fmt::format("no winner: {} {} and {} {} are within a row of each other", name(*row.leader), cost,
                       name(*row.within_row), pays_here(*row.within_row));
  if (!row.ratio.low) return fmt::format("no winner: {} and {} both {}", name(*row.leader), name(*row.next), cost);
  const std::string times = std::isinf(*row.ratio.high) ? short_number(*row.ratio.low) + " times or more"
                                                        : fmt::format("{} .. {} times", short_number(*row.ratio.low),
                                                                      short_number(*row.ratio.high));
  return fmt::format("no winner: {} {}, {} {}: {}", name(*row.leader), cost, name(*row.next), of_next, times);
}

/// The sentences of all levels that some series reached, the hardest first.
void tell_levels(ComparisonVerdict& verdict, const std::vector<ComparedSeries>& measured,
                 const CompareOptions& options) {
  for (const double to : options.to | std::views::reverse) {
    std::vector<std::string> parts;
    for (const LevelVerdict& row : verdict.rows)
      if (row.to == to && row.leader) parts.push_back(sentence_of(row, measured, options));
    if (!parts.empty()) verdict.sentences.push_back(fmt::format("To {}: {}", level_text(to), boost::join(parts, "; ")));
  }
}

/// "1e-1 after 2 s, 12 kB; 1e-2 after 4 s (touched after 3 s), ..", and with prices "1e-1 for 0.007 EUR, 2 s, 12 kB".
void tell_alone(ComparisonVerdict& verdict, const CompareOptions& options) {
  std::vector<std::string> parts;
  for (const double to : options.to) {
    std::string text;
    for (const char* currency : {"price", "simulated_s", "bytes"})
      for (const LevelVerdict* row : verdict.in(currency)) {
        const LevelCost& cost = row->costs[0];
        if (row->to != to || !cost.median) continue;
        text += text.empty() ? pays(cost, currency, options) : ", " + amount(*cost.median, currency, options);
      }
    if (!text.empty()) parts.push_back(fmt::format("{} {}", level_text(to), text));
  }
  if (!parts.empty()) verdict.sentences.push_back(boost::join(parts, "; "));
}

/// Runs that did not end by a stop rule: "fed_avg: deadlock after 13.6 s in 2 of 3 runs".
void tell_broken(ComparisonVerdict& verdict, const std::vector<ComparedSeries>& measured) {
  for (const ComparedSeries& series : measured)
    for (const std::string status : {"deadlock", "diverged"}) {
      const auto often_so = std::ranges::count(series.runs, status, &ComparedRun::status);
      if (often_so == 0) continue;
      const Document first(std::ranges::find(series.runs, status, &ComparedRun::status)->recorded->summary);
      const std::string when =
          status == "deadlock" ? "after " + amount_text(first.number("/stop/simulated_s").value_or(0), "simulated_s")
                               : fmt::format("in round {:.0f}", first.number("/stop/round").value_or(0));
      const std::string often =
          series.runs.size() == 1 ? "" : fmt::format(" in {} of {} runs", often_so, series.runs.size());
      const char* way_out = status == "deadlock"
                                ? "agents wait for messages that never come (network.retransmit, participation)"
                                : "a smaller step may converge";
      verdict.broken.push_back(fmt::format("{}: {} {}{}: {}", series.name, status, when, often, way_out));
    }
}

/// How long the runs went on at most: " in 2000 rounds".
std::string how_long(const std::vector<const ComparedRun*>& runs) {
  double rounds = 0;
  for (const ComparedRun* run : runs) rounds = std::max(rounds, run->last("round").value_or(0));
  return rounds > 0 ? fmt::format(" in {:.0f} rounds", rounds) : "";
}

/// The levels that no run got to, in one sentence.
void tell_unreached(ComparisonVerdict& verdict, const std::vector<const ComparedRun*>& runs,
                    const std::vector<ComparedSeries>& measured, const CompareOptions& options) {
  std::vector<double> unreached;
  for (const LevelVerdict* row : verdict.in("simulated_s"))
    if (std::ranges::all_of(row->costs, [](const LevelCost& cost) { return cost.reached_by == 0; }))
      unreached.push_back(row->to);
  if (unreached.empty()) return;
  const auto best = std::ranges::min_element(measured, [&](const ComparedSeries& a, const ComparedSeries& b) {
    return is_better(best_of(a, options), best_of(b, options), options);
  });
  const std::string of_whom = measured.size() > 1 ? fmt::format(" ({})", best->name) : "";
  const auto is_touched = [](const LevelCost& cost) { return cost.touched_by > 0; };
  const bool is_dip = std::ranges::any_of(verdict.rows, [&](const LevelVerdict& row) {
    return row.to == unreached.front() && std::ranges::any_of(row.costs, is_touched);
  });
  const std::string wayout = way_further(runs, unreached.front(), options);
  verdict.unreached =
      fmt::format("no run {} {}{}{}: {} at best{}{}", is_dip ? "stays at" : "reached", level_text(unreached.front()),
                  unreached.size() > 1 ? (options.rising ? " or more" : " or less") : "", how_long(runs),
                  short_number(best_of(*best, options)), of_whom, wayout.empty() ? "" : "; " + wayout);
  verdict.never.push_back(verdict.unreached);
}

/// The largest time that a run of the series recorded, where that is less than `cost`: ", and ended after 12 s".
std::string ended_before(const ComparedSeries& one, double cost) {
  double end = 0;
  for (const ComparedRun& run : one.runs) end = std::max(end, run.last("simulated_s").value_or(0));
  return end < cost ? fmt::format(", and its runs end after {}", amount_text(end, "simulated_s")) : "";
}

/// Who does not get to a level that another one reaches, or not in more than half of the runs: the first such level of
/// each series.
void tell_never(ComparisonVerdict& verdict, const std::vector<ComparedSeries>& measured,
                const CompareOptions& options) {
  std::vector<std::string> told;
  for (std::size_t i = 0; i < measured.size(); ++i)
    for (const LevelVerdict* time : verdict.in("simulated_s")) {
      const LevelVerdict& row = *time;
      const LevelCost& cost = row.costs[i];
      const bool is_reached = std::ranges::any_of(row.costs, [](const LevelCost& one) { return one.reached_by > 0; });
      if (!is_reached || cost.median) continue;
      const std::string often =
          cost.reached_by == 0 ? "never" : fmt::format("in {} of {} runs", cost.reached_by, cost.runs);
      const double first = row.leader ? *row.costs[*row.leader].median : 0;
      told.push_back(fmt::format("{} {} {} {}: {} at best{}", measured[i].name, often,
                                 cost.touched_by > cost.reached_by ? "stays at" : "gets to", level_text(row.to),
                                 short_number(best_of(measured[i], options)), ended_before(measured[i], first)));
      break;
    }
  append_first(told, "never get to all levels", verdict.never);
}

/// Who touches a level before it stays there, and would seem to be ahead of the leader by that: the hardest such level
/// of each series. Of the leader itself the sentence on the level says it.
void tell_dips(ComparisonVerdict& verdict, const std::vector<ComparedSeries>& measured) {
  std::vector<std::string> told;
  for (std::size_t i = 0; i < measured.size(); ++i)
    for (const LevelVerdict* time : verdict.in("simulated_s") | std::views::reverse) {
      const LevelVerdict& row = *time;
      const LevelCost& cost = row.costs[i];
      const bool is_dip = cost.touched && (!cost.median || *cost.touched < *cost.median);
      const bool seems_ahead =
          row.leader != i && (!row.leader || (cost.touched && *cost.touched < *row.costs[*row.leader].median));
      if (!is_dip || !seems_ahead) continue;
      told.push_back(fmt::format("{} touches {} {}, and {}", measured[i].name, level_text(row.to),
                                 "after " + amount_text(*cost.touched, row.currency),
                                 cost.median ? "stays there only after " + amount_text(*cost.median, row.currency)
                                 : cost.reached_by > 0
                                     ? fmt::format("stays there in {} of {} runs", cost.reached_by, cost.runs)
                                     : "does not stay there"));
      break;
    }
  append_first(told, "touch a level and do not stay", verdict.never);
}

/// Whether the run ended since it got to this very level once.
bool ended_at_level(const ComparedRun& run, double level, const CompareOptions& options) {
  const Document scenario(run.recorded->scenario);
  return options.metric == "relative_error" && scenario.number("/stop/relative_error").value_or(0) == level &&
         scenario.number("/stop/stays_rows").value_or(0) <= 1;
}

/// Where the rows leave open who is first, or whether a run stays where it ended.
void tell_doubts(ComparisonVerdict& verdict, const std::vector<const ComparedRun*>& runs,
                 const CompareOptions& options) {
  std::vector<std::string> levels;
  for (const LevelVerdict& row : verdict.rows)
    if (const std::string text = level_text(row.to); row.within_row && (levels.empty() || levels.back() != text))
      levels.push_back(text);
  const bool leaves_out = std::ranges::any_of(runs, [](const ComparedRun* run) {
    return Document(run->recorded->scenario).number("/record/every").value_or(0) > 1;
  });
  if (!levels.empty())
    verdict.remarks.push_back(
        {"within_a_row",
         {},
         fmt::format("to {}, runs are within a recorded row of each other, where nobody is first{}", comma_list(levels),
                     leaves_out ? ": give --set record.every=1" : "")});
  std::vector<std::string> ends;
  bool ended_by_goal = true;
  for (const double level : options.to)
    if (const auto last =
            std::ranges::find_if(runs, [&](const ComparedRun* run) { return run->ended_on_arrival(level); });
        last != runs.end()) {
      ends.push_back(level_text(level));
      ended_by_goal = ended_by_goal && ended_at_level(**last, level, options);
    }
  if (!ends.empty())
    verdict.remarks.insert(
        verdict.remarks.begin(),
        Remark{"end_on_arrival",
               {},
               fmt::format("runs end in the row that gets to {}: nobody knows if they would have stayed there; {}",
                           comma_list(ends), ended_by_goal ? "stop.stays_rows=20 tells" : "longer runs tell")});
}

/// Winners in time, or those that tie for it, each with the levels that it wins in a row.
struct Lead {
  std::string name;
  bool is_tie;
  int levels;
  double from, to;
};
std::vector<Lead> leads(const ComparisonVerdict& verdict, const std::vector<ComparedSeries>& measured) {
  std::vector<Lead> found;
  for (const LevelVerdict* time : verdict.in("simulated_s")) {
    const LevelVerdict& row = *time;
    if (!row.leader) continue;
    const bool is_tie = row.behind.has_value() && !row.winner;
    const std::string name = row.winner ? measured[*row.winner].name : is_tie ? tied_names(row, measured) : "";
    if (found.empty() || found.back().name != name) found.push_back({name, is_tie, 0, row.to, row.to});
    found.back().to = row.to;
    ++found.back().levels;
  }
  return found;
}

/// "fed_avg is first to 1e-1 and 1e-2, extra from 1e-3 on".
std::string headline_of(const ComparisonVerdict& verdict, const std::vector<ComparedSeries>& measured,
                        const CompareOptions& options) {
  if (verdict.rows.empty()) return "";
  const std::vector<Lead> found = leads(verdict, measured);
  if (found.empty()) return fmt::format("No level of {} was reached.", options.metric);
  if (measured.size() == 1)
    return fmt::format("{} gets to {} {}.", measured[0].name, level_text(found.back().to), [&] {
      for (const LevelVerdict* row : verdict.in("simulated_s") | std::views::reverse)
        if (const auto& cost = row->costs[0].median) return pays(*cost, "simulated_s", options);
      return std::string("at the start");
    }());
  std::vector<std::string> parts;
  for (const Lead& lead : found) {
    const bool is_last = &lead == &found.back();
    const std::string levels =
        lead.from == lead.to ? "to " + level_text(lead.from)
        : is_last && found.size() > 1
            ? fmt::format("from {} to {}", level_text(lead.from), level_text(lead.to))
            : fmt::format("to {} {} {}", level_text(lead.from), lead.levels == 2 ? "and" : "..", level_text(lead.to));
    parts.push_back(lead.name.empty() ? fmt::format("{} winner {}", parts.empty() ? "No" : "no", levels)
                    : &lead == &found.front()
                        ? fmt::format("{} {} first {}", lead.name, lead.is_tie ? "are" : "is", levels)
                        : fmt::format("{} {}", lead.name, levels));
  }
  return first_of(parts, named_at_most) + ".";
}

}  // namespace

void tell_against_baselines(ComparisonVerdict& verdict, const std::vector<ComparedSeries>& measured,
                            const Baselines& baselines, const CompareOptions& options) {
  verdict.headline = fmt::format("Compared with {}.", options.baseline);
  verdict.sentences.clear();
  const std::string long_or_much = options.against == "simulated_s" ? "long" : "much";
  for (std::size_t k = options.to.size(); k-- > 0;) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < measured.size(); ++i) {
      if (!baselines.of_series[i]) continue;
      const ComparedSeries &one = measured[i], &base = measured[*baselines.of_series[i]];
      const CostsOfSeeds costs = costs_of_seeds(base, one, options.to[k], options.against);
      const MeanInterval ratio = ratio_of_costs(costs, options.bootstrap);
      const auto gets_there = [](double cost) { return std::isfinite(cost); };
      if (std::ranges::none_of(costs.first, gets_there)) continue;
      const auto in_half = [&](const std::vector<double>& all) {
        return 2 * std::ranges::count_if(all, gets_there) > std::ssize(all);
      };
      if (std::ranges::none_of(costs.second, gets_there))
        parts.push_back(fmt::format("{} never, {} does", one.name, base.name));
      else if (!in_half(costs.first) || !in_half(costs.second))
        parts.push_back(fmt::format("{} in {} of {} runs, {} in {}", one.name,
                                    std::ranges::count_if(costs.second, gets_there), costs.second.size(), base.name,
                                    std::ranges::count_if(costs.first, gets_there)));
      else if (ratio.mean)
        parts.push_back(fmt::format("{} {} times as {} as {} ({})", one.name, short_number(*ratio.mean), long_or_much,
                                    base.name, interval_text(ratio, options.bootstrap.confidence)));
    }
    if (!parts.empty())
      verdict.sentences.push_back(
          fmt::format("To {}: {}", level_text(options.to[k]), first_of(parts, named_at_most, "; ")));
  }
}

void put_into_words(ComparisonVerdict& verdict, const std::vector<ComparedSeries>& measured,
                    const CompareOptions& options) {
  const std::vector<const ComparedRun*> runs = runs_of(measured);
  verdict.headline = headline_of(verdict, measured, options);
  if (measured.size() == 1)
    tell_alone(verdict, options);
  else
    tell_levels(verdict, measured, options);
  tell_broken(verdict, measured);
  tell_never(verdict, measured, options);
  tell_dips(verdict, measured);
  tell_unreached(verdict, runs, measured, options);
  verdict.remarks = remarks_on(measured, runs);
  tell_doubts(verdict, runs, options);
}

}  // namespace lagnet
