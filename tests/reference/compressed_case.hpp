#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "sim/accounts/ledger.hpp"
#include "sim/world/compute.hpp"
#include "tests/reference/reference_file.hpp"
#include "topologies/topology.hpp"

/// Cases of methods with compressed messages, and of others on the same data: samples that a formula gives, peers on a
/// graph, or on several in turn, or clients of a server, and numbers that compressors draw from integer arithmetic.
namespace lagnet::reference {

struct Compared;

inline constexpr Tolerance whole_numbers{.absolute = 0.25, .relative = 0, .floor = 0};
inline constexpr Tolerance of_late_rounds{.absolute = 1e-12, .relative = 1e-8, .floor = 1e-3};  // from round 100 on

/// Keys of results, each with what compares it; those that begin so where the key ends with a star.
struct Handler {
  std::string_view key;
  void (*compare)(const Compared& all, const std::string& key, const Json& want);
};

/// A method of these cases.
struct CompressedKind {
  std::string_view name;  // as "algorithm" says
  bool has_server = false;
  bool counts_visits = false;  // of a token: rounds of the file are the updates of all agents
  /// The section "algorithm" of a scenario; by default the kind of this name with the "parameters" and the compressor.
  Json (*section)(const Json& item) = nullptr;
  /// Instead of a section: makes it.
  std::unique_ptr<Algorithm> (*make)(const Json& item, MethodInput given) = nullptr;
  /// Whom the server asks in a round; by default all clients.
  std::shared_ptr<const Participation> (*participation)(const Json& item) = nullptr;
  /// Compares what the run gave with a number of the case, in place of what others do; false where others do.
  bool (*compare)(const Compared& all, const std::string& key, const Json& want) = nullptr;
  /// Of keys that it alone has, or means in its own way.
  std::span<const Handler> handlers = {};
};
/// A list for each family of methods; a method is a line of one.
const std::vector<CompressedKind>& compressed_peer_kinds();
const std::vector<CompressedKind>& compressed_server_kinds();
const std::vector<CompressedKind>& one_way_kinds();
const std::vector<CompressedKind>& optimal_peer_kinds();
const std::vector<CompressedKind>& more_local_kinds();
const std::vector<CompressedKind>& more_peer_kinds();
const std::vector<CompressedKind>& more_server_kinds();
const std::vector<CompressedKind>& second_order_kinds();

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
/// The agents that a token visits one after the other; empty where the case lists none.
std::vector<AgentId> walk_listed(const Json& item);
/// Draws that lead a token to the agents that the case lists, over these links; null where it lists none.
CompressionDraws::Given walk_of(const Json& item, const std::vector<LinkSpec>& links);

/// Messages (from, to) by round, that a case says are lost.
using LostMessages = std::map<Round, std::set<std::pair<AgentId, AgentId>>>;
LostMessages lost_messages(const Json& item);

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
/// The graphs of "rounds" that take turns, or the first of those that "uniforms" draw: links, weights, and the
/// schedule.
void add_rounds(const Json& item, CompressedCase& made);
/// How many messages a round of one exchange has.
std::int64_t messages_of_round(const Json& item, Round round);
/// Leaves out links in the rounds in which their messages are lost, so that nobody waits for these.
void add_losses(const Json& item, CompressedCase& made);

/// Compares checksums of data on the way.
CompressedCase compressed_case(const Json& item, const CompressedKind& kind, Verdict& verdict);

/// What is compared: a case with its results, and a run.
struct Compared {
  const Json& item;
  const CompressedCase& made;
  const CompressedRun& run;
  Verdict& verdict;

  Index agents() const { return made.given.network.agents; }
  void numbers_of(const std::string& what, const std::vector<double>& got, const std::vector<double>& want,
                  Round round) const {
    if (round < 100) return verdict.compare(what, got, want);
    verdict.compare(what, got, want, of_late_rounds);
  }
  /// Whole numbers of some agents, of round 2 unless said otherwise.
  void counts(const std::string& what, AgentId first, AgentId end, const Json& want,
              const std::function<double(AgentId)>& of) const {
    std::vector<double> got;
    for (AgentId k = first; k < end; ++k) got.push_back(of(k));
    verdict.compare(what, got, numbers(want), whole_numbers);
  }
  AgentAccount in_round_2(AgentId agent) const { return run.of_round(agent, 2); }
  /// Messages that were not sent, in the place of lost ones.
  std::int64_t lost_in_round_2() const {
    const LostMessages lost = lost_messages(item);
    return lost.contains(2) ? std::ssize(lost.at(2)) : 0;
  }
  void one_count(const std::string& what, std::int64_t got, const Json& want) const {
    verdict.compare(what, {static_cast<double>(got)}, {want.get<double>()}, whole_numbers);
  }
};

/// The jobs and aggregations of a case of fed_compass, whose messages take no time.
void compare_compass_schedule(const Json& item, Verdict& verdict);

}  // namespace lagnet::reference
