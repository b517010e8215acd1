#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "sim/accounts/ledger.hpp"
#include "sim/world/compute.hpp"
#include "tests/reference/reference_file.hpp"
#include "topologies/topology.hpp"

/// Cases of methods with compressed messages, and of others on the same data: samples that a formula gives, peers on a
/// graph, or on several in turn, or clients of a server, and numbers that compressors draw from integer arithmetic.
namespace lagnet::reference {

/// A method of these cases.
struct CompressedKind {
  std::string_view name;  // as "algorithm" says
  bool has_server = false;
  /// The section "algorithm" of a scenario; by default the kind of this name with the "parameters" and the compressor.
  Json (*section)(const Json& item) = nullptr;
  /// Instead of a section: makes it.
  std::unique_ptr<Algorithm> (*make)(const Json& item, MethodInput given) = nullptr;
};
/// A list for each family of methods; a method is a line of one.
const std::vector<CompressedKind>& compressed_peer_kinds();
const std::vector<CompressedKind>& compressed_server_kinds();
const std::vector<CompressedKind>& one_way_kinds();
const std::vector<CompressedKind>& optimal_peer_kinds();

/// The kind of this name, with the "parameters" but some, and the "compressor" where there is one.
Json section_of(const Json& item, std::string_view kind, const std::vector<std::string>& but = {});

/// The rows of agent i of as many as there are counts of rows: X[r][j] = sin((a + shift i) + b r + c j + e r j)
/// (1 + scale j), u[r] = sum_j X[r][j] cos(j) + tilt sin(i+1) X[r][0] + s0 sin(s1 r + s2 + i); y is u, or its sign.
/// Compares checksums.
void add_data(const Json& data, const std::vector<Index>& counts, Index d, MethodInput& given, Verdict& verdict);

/// Least squares of as many agents as there are times d numbers in y, each with the unit vectors as samples: the
/// minimizer of an agent's own samples are its labels.
Problem unit_samples(Vector y, Index d);

/// u(agent, round, index) of the files' text "uniforms". Throws std::runtime_error for another text.
CompressionDraws::Given uniforms_of(const Json& item);

/// A run of a case.
struct CompressedRun {
  std::map<Round, std::vector<std::vector<Vector>>> reports;  // by round and agent
  /// Of each agent when it reported the round; of all when a server did.
  std::map<Round, std::vector<AgentAccount>> accounts;
  /// What an agent did from one report to the next.
  AgentAccount of_round(AgentId agent, Round round) const;
};

/// A case made into things.
struct CompressedCase {
  const CompressedKind& kind;
  MethodInput given;  // rounds: up to the last that has numbers, at least 2
  std::vector<LinkSpec> links;
  LinkDirections directions = LinkDirections::both;
  std::unique_ptr<Algorithm> algorithm;
  WorldModel model = {};
  std::uint64_t seed = 1;
  std::optional<ComputeModel> compute = {};  // nothing: 1e9 flops per s
  CompressedRun run() const;
};
/// Compares checksums of data on the way.
CompressedCase compressed_case(const Json& item, const CompressedKind& kind, Verdict& verdict);

/// The jobs and aggregations of a case of fed_compass, whose messages take no time.
void compare_compass_schedule(const Json& item, Verdict& verdict);

}  // namespace lagnet::reference
