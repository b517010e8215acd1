#include <fmt/format.h>
#include <simgrid/s4u.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/bench/peers/measured.hpp"
#include "tools/bench/peers/simgrid_model.hpp"

/// simgrid_star LINKS BYTES ROUNDS [SERVER_BYTES_PER_S]: the messages of fed_avg on a star with SimGrid's actors and
/// mailboxes. LINKS is the links.csv of a run of lagnet with agent 0 as the server. In each round the server sends a
/// message of BYTES bytes to every client, each client answers with as many, and the server waits for all. With a
/// fourth argument the server has an interface of that bandwidth for each direction, which its messages share.
namespace lagnet::bench {

namespace {

namespace sg4 = simgrid::s4u;

struct StarLink {
  std::size_t from, to;
  double latency_s, bytes_per_s;
};

struct Star {
  std::uint64_t message_bytes = 0;
  int rounds = 0;
  sg4::Mailbox* to_server = nullptr;
  std::vector<sg4::Mailbox*> to_client;
};

/// The first four columns: from, to, latency_s, bandwidth_bytes_per_s.
std::vector<StarLink> read_links(const char* path) {
  std::ifstream file(path);
  std::vector<StarLink> links;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    StarLink link{};
    if (std::sscanf(line.c_str(), "%zu,%zu,%lf,%lf", &link.from, &link.to, &link.latency_s, &link.bytes_per_s) != 4)
      throw std::runtime_error(fmt::format("{}: not a links.csv: {}", path, line));
    links.push_back(link);
  }
  if (links.empty()) throw std::runtime_error(fmt::format("{}: no links", path));
  return links;
}

void serve(const Star& star) {
  static char model;  // SimGrid sends addresses; their content does not matter
  star.to_server->set_receiver(sg4::Actor::self());
  for (int t = 0; t < star.rounds; ++t) {
    for (sg4::Mailbox* client : star.to_client) client->put_init(&model, star.message_bytes)->detach();
    for (std::size_t k = 0; k < star.to_client.size(); ++k) star.to_server->get<char>();
  }
}

void answer(const Star& star, sg4::Mailbox* mail) {
  static char update;
  mail->set_receiver(sg4::Actor::self());
  for (;;) {
    mail->get<char>();
    star.to_server->put_init(&update, star.message_bytes)->detach();
  }
}

/// The server is host 0. Its interface, if there is one, is a link on all routes of that direction.
std::vector<sg4::Host*> make_platform(const std::vector<StarLink>& links, double server_bytes_per_s) {
  auto* zone = sg4::create_full_zone("star");
  const auto link = [&](const std::string& name, double bandwidth, double latency) {
    return zone->create_link(name, bandwidth)->set_latency(latency)->seal();
  };
  std::vector<sg4::Host*> hosts;
  for (std::size_t agent = 0; agent <= links.size() / 2; ++agent)
    hosts.push_back(zone->create_host(fmt::format("agent {}", agent), 1e9));
  const bool shared = server_bytes_per_s > 0;
  const sg4::Link* up = shared ? link("server up", server_bytes_per_s, 0) : nullptr;
  const sg4::Link* down = shared ? link("server down", server_bytes_per_s, 0) : nullptr;
  for (const StarLink& way : links) {
    std::vector<sg4::LinkInRoute> route;
    if (shared && way.from == 0) route.emplace_back(up);
    route.emplace_back(link(fmt::format("{} to {}", way.from, way.to), way.bytes_per_s, way.latency_s));
    if (shared && way.to == 0) route.emplace_back(down);
    zone->add_route(hosts.at(way.from)->get_netpoint(), hosts.at(way.to)->get_netpoint(), nullptr, nullptr, route,
                    false);
  }
  zone->seal();
  return hosts;
}

void measure(sg4::Engine& engine, char** argv, double server_bytes_per_s) {
  const std::vector<sg4::Host*> hosts = make_platform(read_links(argv[1]), server_bytes_per_s);
  Star star{.message_bytes = std::strtoull(argv[2], nullptr, 10), .rounds = std::atoi(argv[3])};
  star.to_server = sg4::Mailbox::by_name("server");
  double ended_s = 0;
  for (std::size_t k = 1; k < hosts.size(); ++k) {
    star.to_client.push_back(sg4::Mailbox::by_name(fmt::format("client {}", k)));
    sg4::Actor::create("client", hosts[k], [&star, k] { answer(star, star.to_client[k - 1]); })->daemonize();
  }
  sg4::Actor::create("server", hosts[0], [&] {
    serve(star);
    ended_s = sg4::Engine::get_clock();
  });
  const double began = cpu_s();
  engine.run();
  print_measured(2 * std::ssize(star.to_client) * star.rounds, cpu_s() - began, ended_s);
}

}  // namespace
}  // namespace lagnet::bench

int main(int argc, char** argv) {
  simgrid::s4u::Engine engine(&argc, argv);
  lagnet::bench::use_simgrid_model();
  if ((argc != 4 && argc != 5) || std::atoi(argv[2]) < 1 || std::atoi(argv[3]) < 1) {
    fmt::print(stderr, "expected LINKS BYTES ROUNDS [SERVER_BYTES_PER_S]\n");
    return 2;
  }
  lagnet::bench::measure(engine, argv, argc == 5 ? std::atof(argv[4]) : 0);
}
