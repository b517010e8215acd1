#pragma once

#include <string_view>

#include "tests/property/effects/key_walk.hpp"

/// Keys that have no effect on the results of some scenarios, each with the reason, and values that keys are tried with
/// where their type does not say what is valid.
namespace lagnet::test {

struct WithoutEffect {
  std::string_view world, key;  // "*" at the end stands for any rest
  std::string_view reason;
};

inline constexpr WithoutEffect without_effect[] = {
    {"texts", "name", "what tables call the run"},
    {"texts", "label", "what tables call the run"},
    {"texts", "description", "for readers"},
    {"texts", "source", "for readers"},
    {"*", "compute/encryption/*", "methods that do not encrypt take no time for it; hyfdca does"},
    {"*", "network/ciphertext_bytes", "methods that do not encrypt send no ciphertexts; hyfdca does"},
    {"*", "record/file_budget_mb", "files are below the limit; tests/cli/test_timeline.py has longer ones"},
    {"*", "stop/divergence_factor", "these runs do not diverge; one of the others does"},
    {"*", "network/outages[]/*", "a method that waits for every message ends at the first one that is lost for good"},
    {"*", "network/partitions[]/*",
     "a method that waits for every message ends at the first one that is lost for good"},
    {"*", "network/retransmit/max_timeout_ms", "messages arrive before timeouts have doubled this often"},
    {"*", "network/retransmit/retries", "messages arrive after fewer attempts"},
    {"latencies", "network/retransmit*", "nothing is lost in these runs"},
    {"*", "network/forwarding", "a message passes one limit on its path: paths have several"},
    {"*", "network/send_order", "messages of a broadcast share no limit: those of paths do"},
    {"*", "network/in_order", "messages of a link keep their order: with jitter, as in paths, they do not"},
    {"signals", "* trace/time", "another column is no time"},
    {"*", "network/profile", "all keys are stated here: it gives those that are not"},
    {"*", "network/media[]/broadcast_once", "no broadcasts among the members"},
    {"ad_psgd", "network/media[]/*", "messages pass the medium one at a time and in no time"},
    {"not tried", "network/links[]/queue*", "one message at a time is on a link of these runs; inner links have more"},
    {"not tried", "rate exponential/*", "a distribution: tried with latencies"},
    {"not tried", "rate lognormal/*", "a distribution: tried with latencies"},
    {"not tried", "rate normal/*", "a distribution: tried with latencies"},
    {"not tried", "rate pareto/*", "a distribution: tried with latencies"},
    {"not tried", "rate uniform/*", "a distribution: tried with latencies"},
    {"numerics off", "problem/*", "there are no numbers"},
    {"numerics off", "regularizer *", "there are no numbers"},
    {"numerics off", "record/optimum", "there are no numbers"},
    {"directed", "topology */gossip", "one-way methods have weights of their own in place of the gossip matrix"},
    {"topology", "topology orient/gossip", "one-way methods have weights of their own in place of the gossip matrix"},
    {"*", "topology */attempts", "draws before giving up: an earlier one serves"},
    {"*", "topology */tries", "draws before giving up: an earlier one serves"},
    {"*", "graph */attempts", "draws before giving up: an earlier one serves"},
    {"*", "topology edge_list/agents", "must agree with the file"},
    {"*", "graph edge_list/agents", "must agree with the file"},
    {"*", "topology */parallel_edges", "no edges of these files are parallel; tests/cli/test_graphs.py has some"},
    {"*", "graph */parallel_edges", "no edges of these files are parallel; tests/cli/test_graphs.py has some"},
    {"*", "graph lattice/agents", "must agree with rows and columns"},
    {"topology", "topology sequence/rounds_each", "of a sequence of one graph; others have two"},
    {"directed", "topology sequence/rounds_each", "of a sequence of one graph; others have two"},
    {"directed", "topology sequence/weights", "methods of one-way links count the links of a round"},
    {"algorithm", "topology two_level_tree/gossip", "hier_avg does not mix"},
    {"aggregations", "algorithm fed_avg/answer_weights", "these rules take all answers alike"},
    {"clients", "choice_of_clients oort/least_explore", "these runs end before its share has fallen so far"},
    {"*", "topology sequence/connected", "which graphs are refused, not what connected ones do"},
    {"constraints", "problem/regularizer", "beside a constraint all are refused but those without weight"},
    {"clients", "availability crash/state", "clients of fed_avg have no state that they could lose; ad_psgd has"},
    {"data", "data_source libsvm/sort",
     "without it other orders are refused, so that no result differs; tests/unit/scenarios/data/libsvm.cpp has them"},
    {"not tried", "* python/*", "classes in Python: tests/python has them"},
    {"not tried", "data_source arrays/*", "arrays that Python gives: tests/python has them"},
    {"not tried", "*/label_map[]/*", "one reader for all sources: tried with csv"},
};

/// Whether the text matches the pattern, in which each "*" matches any text.
inline bool matches(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() != '*')
    return !text.empty() && text.front() == pattern.front() && matches(pattern.substr(1), text.substr(1));
  for (std::size_t k = 0; k <= text.size(); ++k)
    if (matches(pattern.substr(1), text.substr(k))) return true;
  return false;
}

/// The entry for a key in a world; null if there is none.
inline const WithoutEffect* named_without_effect(std::string_view world, std::string_view key) {
  for (const WithoutEffect& one : without_effect)
    if (matches(one.world, world) && matches(one.key, key)) return &one;
  return nullptr;
}

/// Of paths and of what changes with time.
inline Hints network_hints() {
  const auto json = [](const char* text) { return Json::parse(text); };
  return {{"network/underlay/agents", {json(R"(["a", "b", "c", "a", "b", "c", "a", "a"])")}},
          {"network/underlay/links[]/ends", {json(R"(["b", "c"])"), json(R"(["c", "a"])")}},
          {"network/underlay/path", {"more_nodes.graphml"}},
          {"network/underlay/routes", {json(R"([{"from": "b", "to": "a", "via": ["c"]}])"), json("[]")}},
          {"network/underlay/routes[]/from", {"b"}},
          {"network/underlay/routes[]/via", {json("[]")}},
          {"network/media[]/agents", {json("[0, 1, 2]")}},
          {"network/sites",
           {json(R"([{"name": "a", "agents": 3, "provider": "x", "price": {"same_site_per_gb": 1000,
              "other_site_per_gb": 2000, "internet_per_gb": 9000}, "energy": {"idle_w": 5}, "carbon_g_per_kwh": 9},
              {"name": "b", "agents": 3, "provider": "x"}, {"name": "c", "agents": 2}])"),
            json(R"([{"name": "a", "agents": 3, "provider": "x", "price": {"same_site_per_gb": 1000,
              "other_site_per_gb": 2000, "internet_per_gb": 9000}, "energy": {"idle_w": 5}, "carbon_g_per_kwh": 9},
              {"name": "b", "agents": 3, "provider": "x"}, {"name": "c", "agents": 3}])")}},
          {"network/sites[]/agents", {4}},
          {"network/sites[]/node", {"r"}},
          {"network/sites[]/server", {json(R"({"up_bytes_per_s": 2000})")}},
          {"network/profile", {"phones"}},
          {"network/server_site", {"b"}},
          {"*/column", {"delay", 1}},
          {"rate schedule/at_s", {json("[0, 0.02]")}},
          {"latency schedule/at_s", {json("[0, 0.02]")}},
          {"number_over_time schedule/at_s", {json("[0, 0.02]")}},
          {"*/time", {0}},
          {"rate trace/path", {"more_rates.csv"}},
          {"latency trace/path", {"more_rates.csv"}},
          {"number_over_time trace/path", {"more_rates.csv"}}};
}

/// Of quadratic costs and what couples them.
inline Hints quadratic_hints() {
  return {{"data_source quadratics/path", {"more_costs.csv", "even_costs.csv"}},
          {"data_source quadratics/coupling_path", {"more_coupling.csv"}},
          {"data_source quadratics/limits_path", {"more_limits.csv"}},
          {"metric primal_variables/variables", {Json::parse("[1]")}}};
}

/// "*/agents" is tried for every key that is called so.
inline Hints hints() {
  const auto json = [](const char* text) { return Json::parse(text); };
  const Json edges = json("[[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 0]]"),
             other_edges = json("[[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 1]]");
  Hints all{{"topology edges/edges", {edges, other_edges}},
            {"graph edges/edges", {edges, other_edges}},
            {"topology edges/names", {json(R"(["a", "b", "c", "d", "e", "f", "g", "h"])")}},
            {"graph edges/names", {json(R"(["a", "b", "c", "d", "e", "f", "g", "h"])")}},
            {"topology edge_list/path", {"edges.csv", "other.csv"}},
            {"graph edge_list/path", {"plain_edges.csv", "more_edges.csv"}},
            {"data_source csv/path", {"samples.csv", "tests.csv"}},
            {"data_source libsvm/index_base", {0}},
            {"data_source npy/path", {"samples.npy"}},
            {"data_source npy/labels_path", {"labels.txt"}},
            {"*/test_path", {"tests.csv"}},
            {"*/label_name", {"a"}},
            {"*/label_column", {1}},
            {"*/server_optimizer", {json(R"({"kind": "sgd", "momentum": 0.5})")}},
            {"algorithm fed_nova/effective_steps", {2.5}},  // without momentum the names give the same
            {"choice_of_clients cyclic/groups", {2, 4}},
            {"choice_of_clients tiers/policy", {json("[1, 0, 0]")}},  // of three tiers, as in the world
            {"speed list/values", {json("[1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6]")}},
            {"latency matrix/agents", {json(R"(["a", "b", "c", "a", "b", "c", "a", "a"])")}},
            {"*/metric", {"objective", "bytes"}},
            {"*/to_metric", {"bytes", "objective"}},
            {"*/x", {"bytes"}},
            {"*/y", {"objective"}},
            {"*/at", {json(R"({"round": 3})")}},
            {"*/first", {json(R"({"relative_error": 0.5})")}},
            {"*/each", {json(R"(["/seed"])")}},
            {"*/where", {json(R"({"/algorithm/kind": "dgd"})"), json(R"({"/seed": 1})")}},
            {"*/curves", {json(R"(["/network/header_bytes"])")}},
            {"*/over", {"/seed", "/network/header_bytes"}},
            {"*/values", {json("[5000, 1]"), json(R"(["dgd", "extra"])")}},
            {"claim best/value", {"dgd"}},
            {"*/across", {"/algorithm/kind"}},
            {"*/down", {"/algorithm/kind"}},
            {"*/rounds", {json(R"({"at_least": 1, "at_most": 5})"), 2, 40}},
            {"full", {json(R"({"/stop/rounds": 8})")}},
            {"sweep", {json(R"({"/seed": [1, 2]})")}},
            {"tune/seeds", {json("[1, 2]")}},
            {"tune/latencies_s", {json("[0.1]")}},
            {"tune/ranges", {json(R"({"/algorithm/step": {"low": 0.02, "high": 0.1}})")}},
            {"*/links", {json("[[0, 1]]")}},
            {"*/groups", {json("[[0, 1, 2]]")}},
            {"network/links", {json(R"([{"links": [[0, 1]], "latency_ms": 50, "bandwidth_bytes_per_s": 2e4}])")}},
            {"network/interfaces", {json(R"([{"agents": [1], "up_bytes_per_s": 1e5, "down_bytes_per_s": 1e5}])")}},
            {"network/interfaces[]/agents", {json("[1]"), json("[2]")}},
            {"speed lognormal/low", {5e5}},
            {"speed normal/low", {9.5e5}},
            {"stop/simulated_s", {0.05, 0.005}},
            {"stop/divergence_factor", {1.5}},
            {"*/repeat_s", {0.6}},
            {"*/max_samples", {40, 16}},
            {"*/samples", {40, 50}},
            {"*/features", {6, 7}},
            {"*/agents", {8, 9}},
            {"*/agent", {1, 2}},
            {"*/from_s", {0.004}},
            {"*/at_s", {0.1}},
            {"*/until_s", {0.06}},
            {"*/sigma", {0.5, 0.4}},
            {"*/low", {1}},
            {"*/high", {4}},
            {"record/timeline_window_s", {json("[0, 0.05]")}},
            {"compute/update_ms", {20}}};
  all.merge(network_hints());
  all.merge(quadratic_hints());
  return all;
}

}  // namespace lagnet::test
