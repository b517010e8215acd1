// version.h wants s4u.hpp before it.
#include <simgrid/s4u.hpp>

#include <simgrid/version.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// The finishing times of the transfers of platforms.json by SimGrid, as JSON on standard output; with a file of such
/// numbers as second argument, a comparison with it instead, and exit status 1 if they differ. See README.md.
namespace {

namespace sg4 = simgrid::s4u;
using nlohmann::json;

/// Whether SimGrid's own latency can be used. It gives a transfer a share in inverse proportion to its latency, as
/// TCP does with round-trip times, so only when all latencies of a platform are equal are the shares equal.
bool one_latency(const json& transfers) {
  for (const json& transfer : transfers)
    if (transfer["latency_s"] != transfers[0]["latency_s"]) return false;
  return true;
}

struct Flow {
  sg4::Host* from;
  sg4::Host* to;
  double start_s;
  std::uint64_t bytes;
  double finish_s;
};

/// A zone of its own for each platform, with its own links: all platforms run in one simulation without meeting.
void build(const json& platform, const sg4::NetZone* root, std::vector<Flow>& flows) {
  const std::string name = platform["name"];
  auto* zone = sg4::create_full_zone(name);
  zone->set_parent(root);
  std::vector<sg4::Host*> hosts;
  std::vector<const sg4::Link*> up, down, links;
  const auto link = [&](const std::string& what, double bandwidth) {
    return zone->create_link(name + " " + what, bandwidth)->set_latency(0.0)->seal();
  };
  for (const json& host : platform["hosts"]) {
    const std::string number = std::to_string(hosts.size());
    hosts.push_back(zone->create_host(name + " host " + number, 1e9));
    up.push_back(link("up " + number, host["up_bytes_per_s"].get<double>()));
    down.push_back(link("down " + number, host["down_bytes_per_s"].get<double>()));
  }
  for (const json& bandwidth : platform["links_bytes_per_s"])
    links.push_back(link("link " + std::to_string(links.size()), bandwidth.get<double>()));

  const json& transfers = platform["transfers"];
  const bool native = one_latency(transfers);
  const double latency = native ? transfers[0]["latency_s"].get<double>() : 0;
  const sg4::Link* wire = zone->create_link(name + " wire", 1e15)
                              ->set_latency(latency)
                              ->set_sharing_policy(sg4::Link::SharingPolicy::FATPIPE)
                              ->seal();
  std::map<std::pair<std::size_t, std::size_t>, bool> routed;
  for (const json& transfer : transfers) {
    const std::size_t from = transfer["from"], to = transfer["to"];
    if (!std::exchange(routed[{from, to}], true)) {
      std::vector<sg4::LinkInRoute> route{sg4::LinkInRoute(up[from]), sg4::LinkInRoute(wire)};
      const json via = transfer.value("via", json::array());
      for (const json& one : via.is_array() ? via : json::array({via}))
        route.emplace_back(links[one.get<std::size_t>()]);
      route.emplace_back(down[to]);
      zone->add_route(hosts[from]->get_netpoint(), hosts[to]->get_netpoint(), nullptr, nullptr, route, false);
    }
    const double start_s = transfer["start_s"].get<double>() + (native ? 0 : transfer["latency_s"].get<double>());
    flows.push_back({hosts[from], hosts[to], start_s, transfer["bytes"], 0});
  }
  zone->seal();
}

json finishing_times(sg4::Engine& engine, const json& platforms) {
  auto* root = sg4::create_full_zone("all platforms");
  std::vector<std::vector<Flow>> flows(platforms.size());
  for (std::size_t p = 0; p < platforms.size(); ++p) build(platforms[p], root, flows[p]);
  root->seal();
  for (auto& of_platform : flows)
    for (Flow& flow : of_platform)
      sg4::Actor::create("transfer", flow.from, [&flow] {
        sg4::this_actor::sleep_until(flow.start_s);
        sg4::Comm::sendto_async(flow.from, flow.to, flow.bytes)->wait();
        flow.finish_s = sg4::Engine::get_clock();
      });
  engine.run();

  json made = json::array();
  for (std::size_t p = 0; p < platforms.size(); ++p) {
    json finish = json::array();
    double makespan = 0;
    for (const Flow& flow : flows[p]) {
      finish.push_back(flow.finish_s);
      makespan = std::max(makespan, flow.finish_s);
    }
    made.push_back({{"name", platforms[p]["name"]}, {"makespan_s", makespan}, {"finish_s", finish}});
  }
  return made;
}

json read(const char* path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(std::string("cannot read ") + path);
  return json::parse(file);
}

/// Prints every finishing time that is not the recorded one. A relative 1e-6 leaves room for another version's
/// rounding.
int compare(const json& made, const json& recorded) {
  int differences = made.size() == recorded.size() ? 0 : 1;
  for (std::size_t p = 0; p < made.size() && p < recorded.size(); ++p) {
    const json &ours = made[p]["finish_s"], &theirs = recorded[p]["finish_s"];
    if (made[p]["name"] != recorded[p]["name"] || ours.size() != theirs.size()) {
      std::cout << recorded[p]["name"] << " is not the platform " << made[p]["name"] << "\n";
      ++differences;
      continue;
    }
    for (std::size_t k = 0; k < ours.size(); ++k) {
      const double now = ours[k], then = theirs[k];
      if (std::abs(now - then) <= 1e-6 * then) continue;
      std::cout << made[p]["name"] << ", transfer " << k << ": " << now << " s, recorded " << then << " s\n";
      ++differences;
    }
  }
  std::cout << made.size() << " platforms, " << differences << " differences\n";
  return differences == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  sg4::Engine engine(&argc, argv);
  if (argc != 2 && argc != 3) {
    std::cerr << "usage: simgrid_makespans PLATFORMS [MAKESPANS to compare with]\n";
    return 2;
  }
  // The fluid model alone: no factors fitted to real TCP, no acknowledgements on the way back, no bound by windows.
  // Full updates: the lazy ones of 3.32 let flows that come out of their latency together exceed the capacity of a
  // link.
  const std::vector<std::string> settings{
      "network/model:CM02",         "network/optim:Full",  "network/latency-factor:1",
      "network/bandwidth-factor:1", "network/weight-S:0",  "network/TCP-gamma:0",
      "network/crosstraffic:no",    "surf/precision:1e-9", "maxmin/precision:1e-9"};
  for (const std::string& setting : settings) sg4::Engine::set_config(setting);
  const json made = finishing_times(engine, read(argv[1]));
  if (argc == 3) {
    const json recorded = read(argv[2]);
    return compare(made, recorded.is_array() ? recorded : recorded["platforms"]);
  }

  int major = 0, minor = 0, patch = 0;
  sg_version_get(&major, &minor, &patch);
  const std::string version = std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
  std::cout << "{\"simgrid\": \"" << version << "\",\n\"command\": \"simgrid_makespans " << argv[1] << "\",\n"
            << "\"settings\": " << json(settings) << ",\n\"platforms\": [";
  for (std::size_t p = 0; p < made.size(); ++p) std::cout << (p == 0 ? "\n" : ",\n") << made[p];
  std::cout << "\n]}\n";
}
