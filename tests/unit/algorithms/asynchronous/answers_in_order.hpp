#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/unit/algorithms/federated/federated_bench.hpp"

/// Worlds in which it can be said beforehand who answers when.
namespace lagnet::test {

/// An answer that a server uses: whose it is, and from which version of the state it was computed.
struct OrderedAnswer {
  AgentId client = 0;
  Round version = 0;
};

/// The answers of clients that compute in no time, one way takes a client so long, and the one that answered gets the
/// new state. Every answer makes a version. No two of these times may have a small common multiple.
inline std::vector<OrderedAnswer> answers_in_order(const std::vector<std::int64_t>& latencies_ns, std::size_t count) {
  struct Client {
    std::int64_t next;
    Round version;
  };
  std::vector<Client> clients;
  for (const std::int64_t latency : latencies_ns) clients.push_back({2 * latency, 0});
  std::vector<OrderedAnswer> order;
  while (order.size() < count) {
    const auto first = std::ranges::min_element(clients, {}, &Client::next);
    const auto k = static_cast<std::size_t>(first - clients.begin());
    order.push_back({static_cast<AgentId>(k + 1), first->version});
    first->version = static_cast<Round>(order.size());
    first->next += 2 * latencies_ns[k];
  }
  return order;
}

/// Three clients of different distances, in a world where computing takes no time.
inline const std::vector<std::int64_t> three_latencies{1'000'003, 1'700'021, 4'900'019};
inline Bench free_computation(Problem problem, std::vector<Index> sizes, Round rounds,
                              std::vector<std::int64_t> latencies_ns) {
  Bench bench{.problem = std::move(problem), .sizes = std::move(sizes), .rounds = rounds};
  bench.speeds.assign(bench.sizes.size() + 1, infinite);
  bench.latencies_ns = std::move(latencies_ns);
  return bench;
}
inline Bench three_clients(Problem problem, Round rounds) {
  return free_computation(std::move(problem), {5, 15, 20}, rounds, three_latencies);
}

/// The rows of client k and its mean gradient at w, by matrix products.
inline Vector gradient_of(const Bench& bench, AgentId client, const Vector& w) {
  Index first = 0;
  for (AgentId k = 1; k < client; ++k) first += bench.sizes[k - 1];
  const Index n = bench.sizes[client - 1];
  const Matrix A = bench.problem.X->dense().middleRows(first, n);
  return A.transpose() * (A * w - bench.problem.y.segment(first, n)) / static_cast<double>(n);
}
inline double share_of(const Bench& bench, AgentId client) {
  return static_cast<double>(bench.sizes[client - 1]) / static_cast<double>(bench.problem.y.size());
}

/// Of a plain loop that does the same in another order of sums: rounding of so many updates that do not expand.
inline double rounding_of(std::size_t updates) { return 1e-15 * static_cast<double>(10 + updates); }

}  // namespace lagnet::test
