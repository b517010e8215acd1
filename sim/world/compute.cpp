#include "sim/world/compute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>
#include <string>

#include "sim/base/diagnostic.hpp"

namespace lagnet {

namespace {

/// What is wrong with an agent's speeds, or "".
std::string fault(std::span<const SpeedPiece> pieces) {
  if (pieces.empty() || pieces.front().from != Time()) return "expected a speed from time 0 on, found none";
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    if (k > 0 && pieces[k].from <= pieces[k - 1].from)
      return fmt::format("expected speeds from ascending times, found {} ns after {} ns", pieces[k].from.ns(),
                         pieces[k - 1].from.ns());
    const bool is_last = k + 1 == pieces.size();
    if (!(is_last ? pieces[k].flops_per_s > 0 : pieces[k].flops_per_s >= 0))
      return fmt::format("expected a {} flops per second, found {}", is_last ? "speed above 0" : "speed of at least 0",
                         pieces[k].flops_per_s);
  }
  return "";
}

std::string fault(const Straggler& straggler) {
  if (straggler.probability >= 0 && straggler.probability <= 1 && straggler.factor >= 1 && straggler.mean_rounds >= 1)
    return "";
  return fmt::format(
      "stragglers: expected a probability from 0 to 1, a factor and mean_rounds of at least 1, found {}, {} and {}",
      straggler.probability, straggler.factor, straggler.mean_rounds);
}

}  // namespace

ComputeModel::ComputeModel(const std::vector<double>& speed_flops_per_s) : first_{0} {
  for (const double speed : speed_flops_per_s) add_agent(std::array{SpeedPiece{Time(), speed}});
  check();
}

ComputeModel::ComputeModel(const ComputeSpec& spec)
    : first_{0},
      memory_bandwidth_(spec.memory_bandwidth_bytes_per_s),
      straggler_(spec.straggler),
      seed_(spec.seed),
      update_times_(spec.update_times),
      has_rounds_(spec.has_rounds) {
  for (const auto& pieces : spec.speed) add_agent(pieces);
  check();
  last_round_.assign(update_times_.size(), -1);
  if (!straggler_) return;
  const double p = straggler_->probability;
  chain_.emplace(p, (1 - p) / straggler_->mean_rounds);
  slow_.resize(agents());
}

void ComputeModel::add_agent(std::span<const SpeedPiece> added) {
  if (curve_.empty() || !std::ranges::equal(pieces(agents() - 1), added)) {
    pieces_.insert(pieces_.end(), added.begin(), added.end());
    first_.push_back(static_cast<std::uint32_t>(pieces_.size()));
  }
  curve_.push_back(static_cast<std::uint32_t>(first_.size() - 2));
}

void ComputeModel::check() const {
  std::vector<Diagnostic> faults;
  const auto add = [&](std::string text) {
    if (!text.empty()) faults.push_back({"", "", std::move(text)});
  };
  for (AgentId a = 0; a < agents(); ++a)
    if (const std::string text = fault(pieces(a)); !text.empty()) add(fmt::format("agent {}: {}", a, text));
  const std::size_t bandwidths = memory_bandwidth_.size();
  if (bandwidths != 0 && bandwidths != agents())
    add(fmt::format("expected a memory bandwidth for each of {} agents, found {}", agents(), bandwidths));
  for (std::size_t a = 0; a < bandwidths; ++a)
    if (!(memory_bandwidth_[a] > 0))
      add(fmt::format("agent {}: expected a memory bandwidth above 0 bytes per second, found {}", a,
                      memory_bandwidth_[a]));
  if (straggler_) add(fault(*straggler_));
  if (!update_times_.empty() && update_times_.size() != agents())
    add(fmt::format("expected update times for each of {} agents, found {}", agents(), update_times_.size()));
  for (std::size_t a = 0; a < update_times_.size(); ++a)
    if (update_times_[a].empty() || std::ranges::any_of(update_times_[a], [](Duration d) { return d < Duration(); }))
      add(fmt::format("agent {}: expected update times, none below 0", a));
  if (!faults.empty()) throw Diagnosed(std::move(faults));
}

Duration ComputeModel::given_time(AgentId agent, Round round, bool is_update) const {
  if (has_rounds_) {
    is_update = round != last_round_[agent];
    last_round_[agent] = round;
  }
  if (!is_update) return {};
  const auto& times = update_times_[agent];
  const Duration given = times[static_cast<std::size_t>(round) % times.size()];
  return is_slow(agent, round) ? Duration::seconds(given.in_seconds() * straggler_->factor) : given;
}

Duration ComputeModel::time(AgentId agent, Round round, Time start, Cost work, bool is_update) const {
  if (!update_times_.empty()) return given_time(agent, round, is_update);
  const double factor = is_slow(agent, round) ? straggler_->factor : 1;
  const Duration computing = flops_time(agent, start, static_cast<double>(work.flops) * factor);
  if (memory_bandwidth_.empty()) return computing;
  return std::max(computing, Duration::seconds(static_cast<double>(work.bytes) * factor / memory_bandwidth_[agent]));
}

bool ComputeModel::is_slow(AgentId agent, Round round) const {
  return chain_ && chain_->is_bad(seed_, Purpose{"straggler"}, agent, round, slow_[agent]);
}

Duration ComputeModel::flops_time(AgentId agent, Time start, double flops) const {
  if (flops == 0) return {};  // even if the agent pauses
  const SpeedPiece* piece = pieces(agent).data();
  const SpeedPiece* const end = piece + pieces(agent).size();
  if (end - piece > 1)  // the last piece that has begun
    piece = std::upper_bound(piece, end, start, [](Time t, const SpeedPiece& p) { return t < p.from; }) - 1;
  Time at = start;
  for (; piece + 1 != end; ++piece) {
    const double done = (piece[1].from - at).in_seconds() * piece->flops_per_s;
    if (flops <= done) break;
    flops -= done;
    at = piece[1].from;
  }
  return at - start + Duration::seconds(flops / piece->flops_per_s);
}

}  // namespace lagnet
