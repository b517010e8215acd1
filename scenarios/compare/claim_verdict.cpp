#include "scenarios/compare/claim_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <map>

#include "scenarios/files/result_folder.hpp"

namespace lagnet {

namespace {

/// A number of the findings, ascending; nan is last.
std::vector<double> sorted(const std::vector<DrawFinding>& draws, double Finding::*number) {
  std::vector<double> numbers;
  for (const DrawFinding& draw : draws) numbers.push_back(draw.finding.*number);
  std::ranges::sort(numbers, [](double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; });
  return numbers;
}

double middle_of(const std::vector<double>& ascending) {
  const std::size_t half = ascending.size() / 2;
  if (ascending.size() % 2 == 1 || ascending[half - 1] == ascending[half]) return ascending[half];
  return (ascending[half - 1] + ascending[half]) / 2;
}

std::string shown_deciding(double x, bool is_share) {
  if (std::isnan(x)) return "undefined";
  return is_share ? fmt::format("{:.3g} %", 100 * x) : shown_measure(x);
}

}  // namespace

std::size_t Verdict::holding() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(draws, [](const DrawFinding& draw) { return draw.finding.holds; }));
}

Outcomes Verdict::outcome() const {
  const double share = static_cast<double>(holding()) / static_cast<double>(draws.size());
  if (share >= share_to_hold) return Outcomes::hold;
  return share <= share_to_fail ? Outcomes::fail : Outcomes::depend;
}

Ends Verdict::share_interval() const {
  // Without numbers of 80 bits, which valgrind does not have: it would end every program with them at its start.
  using Doubles = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  using Binomial = boost::math::binomial_distribution<double, Doubles>;
  const auto trials = static_cast<double>(draws.size()), successes = static_cast<double>(holding());
  constexpr double each_side = 0.025;
  return {Binomial::find_lower_bound_on_p(trials, successes, each_side),
          Binomial::find_upper_bound_on_p(trials, successes, each_side)};
}

double Verdict::median() const { return middle_of(sorted(draws, &Finding::deciding)); }
double Verdict::slack() const { return middle_of(sorted(draws, &Finding::times_within)); }

Ends Verdict::range() const {
  const std::vector<double> numbers = sorted(draws, &Finding::deciding);
  return {numbers.front(), numbers.back()};
}

std::string Verdict::measured() const {
  const Finding& first = draws.front().finding;
  if (draws.size() == 1) return first.measured;
  const auto [low, high] = range();
  return fmt::format("{} {} ({} .. {})", first.called, shown_deciding(median(), first.is_share),
                     shown_deciding(low, first.is_share), shown_deciding(high, first.is_share));
}

std::string Verdict::word() const {
  switch (outcome()) {
    case Outcomes::hold:
      return "holds";
    case Outcomes::fail:
      return "fails";
    case Outcomes::depend:
      break;
  }
  return "depends on the draw";
}

Verdict verdict_on(const Choice<ClaimFamily>& claim, const std::vector<const RecordedRun*>& runs) {
  Verdict verdict{claim.common(), {}};
  std::map<std::uint64_t, std::vector<const RecordedRun*>> of_seed;
  for (const RecordedRun* run : runs) of_seed[run->seed()].push_back(run);
  if (of_seed.empty() || verdict.claim.seeds == ClaimSeeds::together) {
    DrawFinding all{{}, evaluate(claim, runs)};
    for (const auto& [seed, its_runs] : of_seed) all.seeds.push_back(seed);
    verdict.draws.push_back(std::move(all));
    return verdict;
  }
  for (const auto& [seed, its_runs] : of_seed) verdict.draws.push_back({{seed}, evaluate(claim, its_runs)});
  return verdict;
}

std::vector<Verdict> verdicts(const std::vector<Choice<ClaimFamily>>& claims, const std::vector<RecordedRun>& runs) {
  std::vector<const RecordedRun*> all;
  for (const RecordedRun& run : runs) all.push_back(&run);
  std::vector<Verdict> found;
  for (const auto& claim : claims) {
    try {
      found.push_back(verdict_on(claim, all));
    } catch (const OutputError& error) {
      throw OutputError(fmt::format("claim \"{}\": {}", claim.common().statement, error.what()));
    }
  }
  return found;
}

}  // namespace lagnet
