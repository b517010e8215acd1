#include <simgrid/s4u.hpp>

#include <memory>
#include <string>
#include <vector>

#include "tools/bench/peers/measured.hpp"
#include "tools/bench/peers/phold.hpp"
#include "tools/bench/peers/simgrid_model.hpp"

/// PHOLD with SimGrid's actors and mailboxes: a host, an actor and a mailbox for each agent, links that have latency
/// alone. An actor takes its messages in the order in which they were sent, as get() of SimGrid 3.32 gives them: one
/// that is on its way holds up those that were sent later and have come. So a run ends later than lagnet's, except for
/// ping-pong.
namespace lagnet::bench {

namespace {

namespace sg4 = simgrid::s4u;

struct Token {
  std::int64_t message;
  std::int64_t hops;
};

struct Run {
  const Phold& phold;
  std::vector<Token> tokens;
  std::int64_t arrivals;  // that are still to come
  std::vector<sg4::Mailbox*> mailboxes;
  double ended_s = 0;
};

void send(Run& run, AgentId from, Token& token) {
  const AgentId to = run.phold.neighbor(from, run.phold.choice(token.message, token.hops));
  run.mailboxes[to]->put_init(&token, 1)->detach();
}

void send_on(Run& run, AgentId me) {
  run.mailboxes[me]->set_receiver(sg4::Actor::self());  // messages travel without waiting for get()
  for (std::size_t message = me; message < run.tokens.size(); message += run.phold.agents())
    send(run, me, run.tokens[message]);
  for (;;) {
    Token& token = *run.mailboxes[me]->get<Token>();
    if (--run.arrivals == 0) {
      run.ended_s = sg4::Engine::get_clock();
      sg4::Actor::kill_all();
      return;
    }
    ++token.hops;
    send(run, me, token);
  }
}

std::vector<sg4::Host*> make_platform(const Phold& phold) {
  auto* zone = sg4::create_full_zone("phold");
  std::vector<sg4::Host*> hosts;
  for (AgentId a = 0; a < phold.agents(); ++a) hosts.push_back(zone->create_host("host " + std::to_string(a), 1e9));
  for (AgentId a = 0; a < phold.agents(); ++a)
    for (std::uint32_t k = 0; k < phold.degree(); ++k) {
      const AgentId to = phold.neighbor(a, k);
      const sg4::Link* link = zone->create_link(std::to_string(a) + " to " + std::to_string(to), simgrid_no_limit)
                                  ->set_latency(phold.latency(a, k).in_seconds())
                                  ->set_sharing_policy(sg4::Link::SharingPolicy::FATPIPE)
                                  ->seal();
      zone->add_route(hosts[a]->get_netpoint(), hosts[to]->get_netpoint(), nullptr, nullptr,
                      std::vector<sg4::LinkInRoute>{sg4::LinkInRoute(link)}, false);
    }
  zone->seal();
  return hosts;
}

void measure(sg4::Engine& engine, const PholdArguments& given) {
  const Phold phold(given.agents);
  Run run{.phold = phold, .tokens = {}, .arrivals = given.arrivals, .mailboxes = {}};
  for (std::int64_t message = 0; message < given.population; ++message) run.tokens.push_back({message, 0});
  const std::vector<sg4::Host*> hosts = make_platform(phold);
  for (AgentId a = 0; a < given.agents; ++a) run.mailboxes.push_back(sg4::Mailbox::by_name(std::to_string(a)));
  for (AgentId a = 0; a < given.agents; ++a)
    sg4::Actor::create(std::to_string(a), hosts[a], [&run, a] { send_on(run, a); });
  const double began = cpu_s();
  engine.run();
  print_measured(given.arrivals, cpu_s() - began, run.ended_s);
}

}  // namespace
}  // namespace lagnet::bench

int main(int argc, char** argv) {
  simgrid::s4u::Engine engine(&argc, argv);
  const auto given = lagnet::bench::PholdArguments::read(argc, argv);
  if (!given) return 2;
  lagnet::bench::use_simgrid_model();
  lagnet::bench::measure(engine, *given);
}
