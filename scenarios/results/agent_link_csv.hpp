#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "scenarios/run/outcome.hpp"

/// Writes the tables with a row for each agent or link piece by piece, never whole in memory: a fleet has millions of
/// rows.
namespace lagnet {

/// Takes the next piece of a text.
using TextSink = std::function<void(std::string_view)>;

void write_agents_csv(const Experiment& experiment, const Outcome& outcome, const TextSink& sink);
void write_links_csv(const Experiment& experiment, const Outcome& outcome, const TextSink& sink);
/// sites.csv: for each site what its agents did and cost.
void write_sites_csv(const Experiment& experiment, const Outcome& outcome, const TextSink& sink);
/// staleness.csv: for each agent, how often updates used something from it, by its age in updates.
void write_staleness_csv(const Experiment& experiment, const Outcome& outcome, const TextSink& sink);
/// Whether it would have rows.
bool has_staleness(const Outcome& outcome);

/// samples.csv: the agent of each sample, and the sample's place among those that were read or made.
void write_samples_csv(const Experiment& experiment, const Outcome& outcome, const TextSink& sink);

/// Bytes that have passed a link, or were lost on it; not those that still wait.
Bytes carried(const LinkAccount& account);
/// The share of the run in which these bytes kept an interface or link busy; nothing if its bandwidth is unlimited.
std::optional<double> utilization(Bytes bytes, double bytes_per_s, const Outcome& outcome);

}  // namespace lagnet
