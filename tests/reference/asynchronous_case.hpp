#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "sim/accounts/ledger.hpp"
#include "tests/reference/reference_file.hpp"

/// Cases of asynchronous methods: worlds in which compute times, latencies and losses are given, and no two events
/// happen at one instant.
namespace lagnet::reference {

/// A method of these cases.
struct AsynchronousKind {
  std::string_view name;  // as "algorithm" says
  bool has_server = true;
  /// The method of a case; checks the keys of "params".
  std::unique_ptr<Algorithm> (*make)(const Json& params, MethodInput given) = nullptr;
  bool starts_at_zero = false;   // else where the file says
  bool measures_spread = false;  // the file's objective is sum_i |x_i - mean|^2
};
/// Those with a server, and those of peers.
const std::vector<AsynchronousKind>& server_kinds();
const std::vector<AsynchronousKind>& peer_kinds();

/// The problem of a case, who holds what, and where its method starts.
MethodInput asynchronous_assignment(const Json& item, const AsynchronousKind& kind);

/// A run of a case.
struct AsynchronousRun {
  struct Row {
    Round round = 0;  // the server's version, or the smallest number of an agent's updates
    std::int64_t updates = 0;
    AgentAccount total;
    std::int64_t lost = 0;  // of the messages sent: the file counts them when they set out, the accounts when they end
    std::vector<std::vector<Vector>> parts;  // of each agent's newest report
  };
  std::vector<Row> rows;
  std::vector<std::pair<std::int64_t, AgentId>> updates;  // when, and whose answer caused it or who made it
  std::map<std::int64_t, std::int64_t> staleness;         // how often what was used was so old
};
AsynchronousRun run_asynchronous_case(const Json& item, const AsynchronousKind& kind, const Algorithm& algorithm);

}  // namespace lagnet::reference
