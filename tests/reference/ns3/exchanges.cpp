#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>
#include <ns3/traffic-control-module.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// How long exchanges of messages over TCP take in ns-3, as JSON on standard output; with a file of such numbers as
/// argument, a comparison with it instead, and exit status 1 if they differ. See README.md.
namespace {

using nlohmann::json;

constexpr std::uint32_t mss_bytes = 1460;
constexpr std::uint32_t header_bytes = 54;  // IPv4 20, TCP with time stamps 32, PPP 2
constexpr std::uint32_t initial_window_segments = 10;
constexpr std::uint32_t window_bytes = 6'291'456;
constexpr double pause_s = 60;  // from one exchange to the next: no acknowledgment is under way
const std::string congestion_control = "ns3::TcpLinuxReno", host_queue = "100000p", router_queue = "100p";

json settings() {
  return {{"mss_bytes", mss_bytes},
          {"header_bytes", header_bytes},
          {"initial_window_segments", initial_window_segments},
          {"window_bytes", window_bytes},
          {"segments_per_acknowledgment", 1},
          {"congestion_control", congestion_control},
          {"host_queue", host_queue},
          {"router_queue", router_queue},
          {"pause_s", pause_s}};
}

/// All else is as ns-3 comes.
void use_settings() {
  const auto set = [](const char* name, const ns3::AttributeValue& value) { ns3::Config::SetDefault(name, value); };
  set("ns3::TcpL4Protocol::SocketType", ns3::TypeIdValue(ns3::TypeId::LookupByName(congestion_control)));
  set("ns3::TcpSocket::SegmentSize", ns3::UintegerValue(mss_bytes));
  set("ns3::TcpSocket::InitialCwnd", ns3::UintegerValue(initial_window_segments));
  set("ns3::TcpSocket::DelAckCount", ns3::UintegerValue(1));
  set("ns3::TcpSocket::SndBufSize", ns3::UintegerValue(window_bytes));
  set("ns3::TcpSocket::RcvBufSize", ns3::UintegerValue(window_bytes));
  set("ns3::PointToPointNetDevice::Mtu", ns3::UintegerValue(mss_bytes + header_bytes - 2));
}

std::string version() { return std::to_string(ns3::Version::Major()) + "." + std::to_string(ns3::Version::Minor()); }

/// A connection, which carries messages both ways.
class Connection {
 public:
  using Then = std::function<void()>;
  Connection(ns3::Ptr<ns3::Node> from, ns3::Ptr<ns3::Node> to, ns3::Ipv4Address address, std::uint16_t port)
      : peer_(address, port), forth_(socket(from)), listener_(socket(to)) {
    listener_->Bind(ns3::InetSocketAddress(ns3::Ipv4Address::GetAny(), port));
    listener_->Listen();
    listener_->SetAcceptCallback(ns3::MakeNullCallback<bool, ns3::Ptr<ns3::Socket>, const ns3::Address&>(),
                                 ns3::MakeCallback(&Connection::accept, this));
    forth_->SetConnectCallback(ns3::MakeCallback(&Connection::opened, this),
                               ns3::MakeNullCallback<void, ns3::Ptr<ns3::Socket>>());
    forth_->SetRecvCallback(ns3::MakeCallback(&Connection::receive, this));
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Sends a message forth, after opening the connection if it is not open, and calls `then` when all of it is there.
  void send_forth(std::uint32_t bytes, Then then) {
    expect(bytes, std::move(then));
    if (back_)
      send(forth_, bytes);
    else
      forth_->Connect(peer_);
  }
  void send_back(std::uint32_t bytes, Then then) {
    expect(bytes, std::move(then));
    send(back_, bytes);
  }

 private:
  static ns3::Ptr<ns3::Socket> socket(const ns3::Ptr<ns3::Node>& node) {
    return ns3::Socket::CreateSocket(node, ns3::TcpSocketFactory::GetTypeId());
  }
  static void send(const ns3::Ptr<ns3::Socket>& socket, std::uint32_t bytes) {
    if (socket->Send(ns3::Create<ns3::Packet>(bytes)) != static_cast<int>(bytes))
      throw std::runtime_error("a message is larger than the buffer of its sender");
  }
  void expect(std::uint32_t bytes, Then then) {
    missing_ = bytes;
    then_ = std::move(then);
  }
  void opened(ns3::Ptr<ns3::Socket> socket) { send(socket, missing_); }
  void accept(ns3::Ptr<ns3::Socket> socket, const ns3::Address& /*of_sender*/) {
    back_ = socket;
    back_->SetRecvCallback(ns3::MakeCallback(&Connection::receive, this));
  }
  void receive(ns3::Ptr<ns3::Socket> socket) {
    while (const ns3::Ptr<ns3::Packet> packet = socket->Recv()) missing_ -= packet->GetSize();
    if (missing_ == 0) std::exchange(then_, [] {})();
  }

  ns3::InetSocketAddress peer_;
  ns3::Ptr<ns3::Socket> forth_, listener_, back_;
  std::uint32_t missing_ = 0;
  Then then_ = [] {};
};

/// Agents, links and what they exchange.
class World {
 public:
  explicit World(std::uint32_t nodes) {
    nodes_.Create(nodes);
    ns3::InternetStackHelper().Install(nodes_);
    addresses_.SetBase("10.0.0.0", "255.255.255.0");
  }
  ~World() { ns3::Simulator::Destroy(); }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// A link both ways, from an agent to another one or to a router.
  ns3::Ipv4InterfaceContainer link(std::uint32_t a, std::uint32_t b, double latency_ms, const json& cell) {
    ns3::PointToPointHelper helper;
    const auto bits = cell["mbit_per_s"].get<std::uint64_t>() * 1'000'000;
    helper.SetDeviceAttribute("DataRate", ns3::DataRateValue(ns3::DataRate(bits)));
    helper.SetChannelAttribute("Delay", ns3::TimeValue(ns3::Seconds(latency_ms / 1e3)));
    const ns3::NetDeviceContainer devices = helper.Install(nodes_.Get(a), nodes_.Get(b));
    const ns3::Ipv4InterfaceContainer ends = addresses_.Assign(devices);
    addresses_.NewNetwork();
    ns3::TrafficControlHelper().Uninstall(devices);  // it drops packets
    const bool fair = cell["hosts"] == "fair";
    queue(devices.Get(0), fair);
    if (b < cell["agents"])
      queue(devices.Get(1), fair);
    else
      set_longest(devices.Get(1), router_queue);
    return ends;
  }
  void connect(std::uint32_t from, std::uint32_t to, ns3::Ipv4Address address) {
    const auto port = static_cast<std::uint16_t>(1000 + connections_.size());
    connections_.push_back(std::make_unique<Connection>(nodes_.Get(from), nodes_.Get(to), address, port));
  }

  /// The seconds of a first and of a later exchange, until the last message is there.
  std::vector<double> exchange_s(std::uint32_t bytes, bool answered) {
    std::vector<double> last_s(2, 0);
    std::size_t arrived = 0;
    for (std::size_t k = 0; k < last_s.size(); ++k)
      ns3::Simulator::Schedule(
          ns3::Seconds(pause_s * static_cast<double>(k)), [this, bytes, answered, k, &last_s, &arrived] {
            const ns3::Time start = ns3::Simulator::Now();
            for (const auto& one : connections_)
              one->send_forth(bytes, [start, bytes, answered, k, &last_s, &arrived, connection = one.get()] {
                const auto there = [start, k, &last_s, &arrived] {
                  ++arrived;
                  last_s[k] = std::max(last_s[k], (ns3::Simulator::Now() - start).GetSeconds());
                };
                if (answered)
                  connection->send_back(bytes, there);
                else
                  there();
              });
          });
    ns3::Simulator::Run();
    if (arrived != last_s.size() * connections_.size()) throw std::runtime_error("a message did not arrive");
    return last_s;
  }

 private:
  static void set_longest(const ns3::Ptr<ns3::NetDevice>& device, const std::string& packets) {
    ns3::DynamicCast<ns3::PointToPointNetDevice>(device)->GetQueue()->SetMaxSize(ns3::QueueSize(packets));
  }
  /// What waits at a host: one queue for all, or one for each connection, in turn.
  static void queue(const ns3::Ptr<ns3::NetDevice>& device, bool fair) {
    set_longest(device, fair ? "2p" : host_queue);
    if (!fair) return;
    ns3::TrafficControlHelper helper;
    helper.SetRootQueueDisc("ns3::FqCoDelQueueDisc", "MaxSize", ns3::QueueSizeValue(ns3::QueueSize(host_queue)),
                            "Target", ns3::StringValue("1000s"));  // no packet waits too long
    helper.Install(device);
  }

  ns3::NodeContainer nodes_;
  ns3::Ipv4AddressHelper addresses_;
  std::vector<std::unique_ptr<Connection>> connections_;
};

/// A server and clients, each on a link of its own: it sends to all, each answers.
std::vector<double> star(const json& cell) {
  const std::uint32_t agents = cell["agents"];
  World world(agents);
  for (std::uint32_t client = 1; client < agents; ++client)
    world.connect(0, client, world.link(0, client, cell["latency_ms"], cell).GetAddress(1));
  return world.exchange_s(cell["bytes"], true);
}

/// All send at once to the next agent, or to both neighbors, over a connection for each direction.
std::vector<double> ring(const json& cell, bool both_ways) {
  const std::uint32_t agents = cell["agents"];
  World world(agents);
  for (std::uint32_t a = 0; a < agents; ++a) {
    const std::uint32_t b = (a + 1) % agents;
    const ns3::Ipv4InterfaceContainer ends = world.link(a, b, cell["latency_ms"], cell);
    world.connect(a, b, ends.GetAddress(1));
    if (both_ways) world.connect(b, a, ends.GetAddress(0));
  }
  return world.exchange_s(cell["bytes"], false);
}

/// As the star, but each agent has one link to a router, half of the latency long: all messages share the server's.
std::vector<double> shared_interface(const json& cell) {
  const std::uint32_t agents = cell["agents"], router = agents;
  const double half_ms = cell["latency_ms"].get<double>() / 2;
  World world(agents + 1);
  world.link(0, router, half_ms, cell);
  for (std::uint32_t client = 1; client < agents; ++client)
    world.connect(0, client, world.link(client, router, half_ms, cell).GetAddress(0));
  ns3::Ipv4GlobalRoutingHelper::PopulateRoutingTables();
  return world.exchange_s(cell["bytes"], true);
}

json cells() {
  json made = json::array();
  const auto add = [&](const char* name, int agents, const char* hosts, int mbit_per_s, const std::vector<int>& sizes) {
    for (const int latency_ms : {1, 10, 50})
      for (const int bytes : sizes)
        made.push_back({{"exchange", name},
                        {"agents", agents},
                        {"hosts", hosts},
                        {"latency_ms", latency_ms},
                        {"mbit_per_s", mbit_per_s},
                        {"bytes", bytes}});
  };
  for (const int mbit_per_s : {10, 100}) {
    add("star", 4, "fifo", mbit_per_s, {1'000, 100'000, 1'000'000});
    add("ring", 5, "fifo", mbit_per_s, {1'000, 100'000, 1'000'000});
    for (const char* hosts : {"fifo", "fair"}) add("ring both ways", 5, hosts, mbit_per_s, {1'000, 100'000, 1'000'000});
  }
  for (const char* hosts : {"fifo", "fair"})
    add("shared interface", 11, hosts, 10, {1'000, 10'000, 100'000, 1'000'000});
  return made;
}

std::vector<double> exchange_s(const json& cell) {
  const std::string name = cell["exchange"];
  if (name == "star") return star(cell);
  return name == "shared interface" ? shared_interface(cell) : ring(cell, name == "ring both ways");
}

json read(const char* path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(std::string("cannot read ") + path);
  return json::parse(file);
}

/// Prints every exchange that does not take as long as recorded. Times of one version are equal to the nanosecond; a
/// relative 1e-6 leaves room for how they are printed.
int compare(json made, json recorded) {
  int differences = made.size() == recorded.size() ? 0 : 1;
  for (std::size_t k = 0; k < made.size() && k < recorded.size(); ++k) {
    const std::vector<double> ours = made[k]["exchange_s"], theirs = recorded[k]["exchange_s"];
    made[k].erase("exchange_s");
    recorded[k].erase("exchange_s");
    const auto is_near = [](double now, double then) { return std::abs(now - then) <= 1e-6 * then; };
    if (made[k] == recorded[k] && std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(), is_near)) continue;
    std::cout << made[k] << ": " << json(ours) << " s, recorded " << recorded[k] << ": " << json(theirs) << " s\n";
    ++differences;
  }
  std::cout << made.size() << " exchanges by ns-3 " << version() << ", " << differences << " differences\n";
  return differences == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2) {
    std::cerr << "usage: ns3_exchanges [EXCHANGES to compare with]\n";
    return 2;
  }
  use_settings();
  json made = cells();
  for (json& cell : made) cell["exchange_s"] = exchange_s(cell);
  if (argc == 2) return compare(made, read(argv[1])["exchanges"]);
  std::cout << "{\"ns-3\": \"" << version() << "\",\n\"command\": \"ns3_exchanges > exchanges.json\",\n"
            << "\"settings\": " << settings() << ",\n\"exchanges\": [";
  for (std::size_t k = 0; k < made.size(); ++k) std::cout << (k == 0 ? "\n" : ",\n") << made[k];
  std::cout << "\n]}\n";
}
