#include "scenarios/assembly/make_faults.hpp"

#include <fmt/format.h>

namespace lagnet {

namespace {

Window window(double from_s, std::optional<double> until_s) {
  Window made;
  made.from = Time() + Duration::seconds(from_s);
  if (until_s) made.until = Time() + Duration::seconds(*until_s);
  return made;
}

std::shared_ptr<const FaultRule> make_partition_rule(const PartitionWindowOptions& options, const AgentNames& names,
                                                     CheckReport& report) {
  std::vector<std::uint32_t> group(names.agents(), 0);  // 0: those that are not listed
  for (std::size_t g = 0; g < options.groups.size(); ++g)
    for (const AgentName& agent : options.groups[g]) {
      const std::string place = fmt::format("groups/{}", g);
      const auto id = names.find(agent);
      if (!id)
        report(place, names.expected(agent), agent);
      else if (group[*id] != 0)
        report(place, "each agent once", agent);
      else
        group[*id] = static_cast<std::uint32_t>(g + 1);
    }
  return std::make_shared<Partition>(window(options.from_s, options.until_s), std::move(group));
}

std::shared_ptr<const FaultRule> make_outages(const std::vector<OutageOptions>& all, const Network& network,
                                              const AgentNames& names, Diagnostics& diagnostics) {
  std::vector<std::vector<Window>> windows(network.links());
  const auto link_of = [&](const AgentName& one, const AgentName& other) {
    const auto from = names.find(one), to = names.find(other);
    return from && to ? network.find(*from, *to) : no_link;
  };
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < all[i].links.size(); ++k) {
      const auto& ends = all[i].links[k];
      const LinkId link = link_of(ends[0], ends[1]);
      if (link == no_link) {
        diagnostics.add(fmt::format("/network/outages/{}/links/{}", i, k), "a link of the topology",
                        shown(write_value(ends)));
        continue;
      }
      const Window off = window(all[i].from_s, all[i].until_s);
      windows[link].push_back(off);
      const LinkId back = all[i].both_ways ? link_of(ends[1], ends[0]) : no_link;
      if (back != no_link) windows[back].push_back(off);
    }
  return std::make_shared<LinkOutages>(std::move(windows));
}

}  // namespace

Repair make_repair(const std::optional<RetransmitOptions>& options) {
  Repair repair;
  if (!options) return repair;
  repair.timeout = Duration::milliseconds(options->timeout_ms);
  repair.longest = Duration::milliseconds(options->max_timeout_ms);
  repair.retries = static_cast<std::uint32_t>(options->retries);
  return repair;
}

std::vector<std::shared_ptr<const FaultRule>> make_faults(const NetworkOptions& options, const Network& network,
                                                          const AgentNames& names, Diagnostics& diagnostics) {
  std::vector<std::shared_ptr<const FaultRule>> rules;
  const auto* fixed = options.jitter_ms.options_as<ConstantOptions>();
  if (!fixed || fixed->value > 0)
    rules.push_back(std::make_shared<Jitter>([jitter = options.jitter_ms](Draws draws) { return jitter.make(draws); }));
  if (options.reordering)
    rules.push_back(std::make_shared<Reordering>(options.reordering->probability,
                                                 Duration::milliseconds(options.reordering->delay_ms)));
  for (std::size_t i = 0; i < options.partitions.size(); ++i) {
    CheckReport report(fmt::format("/network/partitions/{}", i), diagnostics);
    rules.push_back(make_partition_rule(options.partitions[i], names, report));
  }
  if (!options.outages.empty()) rules.push_back(make_outages(options.outages, network, names, diagnostics));
  if (options.burst_loss) {
    const BurstLossOptions& burst = *options.burst_loss;
    rules.push_back(std::make_shared<BurstLoss>(
        network.links(), BurstLoss::Options{burst.enter, burst.leave, burst.loss_when_good, burst.loss_when_bad}));
  }
  if (options.loss_probability > 0) rules.push_back(std::make_shared<IndependentLoss>(options.loss_probability));
  if (options.duplicate_probability > 0) rules.push_back(std::make_shared<Duplication>(options.duplicate_probability));
  return rules;
}

}  // namespace lagnet
