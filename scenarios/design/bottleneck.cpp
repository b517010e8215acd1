#include "scenarios/design/bottleneck.hpp"

#include <algorithm>
#include <vector>

namespace lagnet {

namespace {

struct Load {
  std::int64_t messages = 0;
  double s_per_byte = 0;
  void add(double bytes_per_s) {
    ++messages;
    s_per_byte += 1 / bytes_per_s;
  }
};

/// Adds what an agent sends. Members of its medium who hear one broadcast share its way up to there.
void add_messages_of(const Network& network, AgentId from, std::vector<Load>& loads) {
  const Underlay::Medium* const own = network.medium_of_agent(from);
  std::optional<double> slowest;  // of those who hear it
  ResourceId cell = 0;
  for (LinkId k = 0; k < network.neighbors(from).size(); ++k) {
    const LinkId link = network.first_link(from) + k;
    const bool hears = own && own->broadcasts_once && network.medium_of_agent(network.link(link).to) == own;
    bool is_own = !(hears && slowest);  // what the message passes next, it passes alone
    bool is_before = hears;
    if (hears) slowest = std::min(slowest.value_or(own->bandwidth_bytes_per_s), network.radio_bytes_per_s(*own, link));
    for (std::size_t place = 0; place < network.path_length(link); ++place) {
      const ResourceId id = network.on_path(from, link, place);
      if (network.is_medium(id) && is_before) {
        cell = id;
        is_own = true;
        is_before = false;
      } else if (network.is_medium(id) || is_own) {
        loads[id].add(network.rate(id, link));
      }
    }
  }
  if (slowest) loads[cell].add(*slowest);
}

}  // namespace

std::optional<Bottleneck> bottleneck(const Network& network) {
  std::vector<Load> loads(network.resources());
  for (AgentId from = 0; from < network.agents(); ++from) add_messages_of(network, from, loads);
  const auto longest = std::ranges::max_element(loads, {}, &Load::s_per_byte);
  if (longest == loads.end() || longest->s_per_byte == 0) return std::nullopt;
  std::int64_t as_long = 0, limited = 0;
  for (const Load& load : loads) {
    as_long += std::int64_t{load.s_per_byte == longest->s_per_byte};
    limited += std::int64_t{load.s_per_byte > 0};
  }
  const auto resource = static_cast<ResourceId>(longest - loads.begin());
  if (longest->messages == 1 && as_long == limited && network.is_link(resource)) return std::nullopt;
  return Bottleneck{.resource = resource,
                    .messages = longest->messages,
                    .bytes_per_s = network.rate(resource),
                    .s_per_byte = longest->s_per_byte,
                    .others = as_long - 1};
}

}  // namespace lagnet
