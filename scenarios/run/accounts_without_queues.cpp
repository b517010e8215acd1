#include "scenarios/run/accounts_without_queues.hpp"

namespace lagnet {

AccountsOfResources accounts_of(const Network& network, const Ledger& ledger) {
  ResourceAccounts accounts(network);
  for (AgentId from = 0; from < network.agents(); ++from)
    for (LinkId k = 0; k < network.links_of(from).size(); ++k) {
      const LinkId link = network.first_link(from) + k;
      const LinkAccount traffic = ledger.link(link);
      for (std::size_t place = 0; place < network.path_length(link); ++place) {
        const ResourceId id = network.on_path(from, link, place);
        if (!accounts.counts(id)) continue;
        accounts.pass(id, {.messages = traffic.messages_delivered,
                           .bytes = traffic.bytes_delivered,
                           .busy = Network::transmission_time(traffic.bytes_delivered, network.rate(id, link))});
      }
    }
  return accounts.until(Time::never());
}

}  // namespace lagnet
