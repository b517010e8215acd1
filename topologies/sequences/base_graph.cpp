#include "topologies/sequences/base_graph.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

namespace lagnet {

namespace {

using Agents = std::vector<AgentId>;
using Edges = std::vector<Edge>;  // of a round
using Rounds = std::vector<Edges>;

/// The factors of n that are at most k + 1, ascending, as often as they go, the largest first.
std::vector<std::size_t> factors_of(std::size_t n, std::size_t k) {
  std::vector<std::size_t> factors;
  for (std::size_t f = k + 1; f >= 2; --f)
    for (; n % f == 0; n /= f) factors.push_back(f);
  std::ranges::reverse(factors);
  return factors;
}

std::size_t smooth_part(std::size_t n, std::size_t k) {
  const std::vector<std::size_t> factors = factors_of(n, k);
  return std::accumulate(factors.begin(), factors.end(), std::size_t{1}, std::multiplies<>());
}

void add_clique(std::span<const AgentId> members, Edges& edges) {
  const double share = 1 / static_cast<double>(members.size());
  for (std::size_t a = 0; a < members.size(); ++a)
    for (std::size_t b = a + 1; b < members.size(); ++b) edges.push_back({members[a], members[b], share});
}

void append(const Edges& more, Edges& edges) { edges.insert(edges.end(), more.begin(), more.end()); }

/// (1): a round for each digit of an agent's place, whose clique has all values of it; an empty one for a single agent.
Rounds hyper_hypercube(const Agents& V, std::size_t k) {
  if (V.size() == 1) return Rounds(1);
  Rounds rounds;
  std::size_t stride = 1;
  for (const std::size_t f : factors_of(V.size(), k)) {
    Edges& edges = rounds.emplace_back();
    for (std::size_t first = 0; first < V.size(); ++first) {
      if (first / stride % f != 0) continue;
      Agents clique;
      for (std::size_t j = 0; j < f; ++j) clique.push_back(V[first + j * stride]);
      add_clique(clique, edges);
    }
    stride *= f;
  }
  return rounds;
}

/// A block of (2): a digit times a power of k + 1 agents.
struct Block {
  Agents agents;
  std::vector<Agents> parts;   // as many as the digit says
  Rounds all;                  // of H of its agents
  std::vector<Rounds> each;    // of H of its parts, or of its agents if they are at most k
  std::vector<Agents> free;    // of the parts, whom nobody has taken in this round
  std::size_t rounds_run = 0;  // of `each`
};

std::vector<Block> blocks_of(const Agents& V, std::size_t k) {
  std::size_t power = 1;
  while (power <= V.size() / (k + 1)) power *= k + 1;
  std::vector<Block> blocks;
  for (std::size_t first = 0; first < V.size(); power /= k + 1) {
    const std::size_t digit = (V.size() - first) / power;
    if (digit == 0) continue;
    Block& block = blocks.emplace_back();
    for (std::size_t part = 0; part < digit; ++part, first += power)
      block.parts.emplace_back(V.begin() + static_cast<std::ptrdiff_t>(first),
                               V.begin() + static_cast<std::ptrdiff_t>(first + power));
    for (const Agents& part : block.parts) block.agents.insert(block.agents.end(), part.begin(), part.end());
    block.all = hyper_hypercube(block.agents, k);
    if (block.agents.size() <= k)
      block.each = {block.all};
    else
      for (const Agents& part : block.parts) block.each.push_back(hyper_hypercube(part, k));
  }
  return blocks;
}

/// What block `giver` does for those after it: each of their agents is a neighbor of one agent of each of its parts.
void pass_on(std::vector<Block>& blocks, std::size_t giver, std::size_t k, Edges& edges) {
  Block& from = blocks[giver];
  std::size_t left = 0;  // agents from this block on
  for (std::size_t l = giver; l < blocks.size(); ++l) left += blocks[l].agents.size();
  const double weight = static_cast<double>(from.agents.size()) / static_cast<double>(from.parts.size() * left);
  from.free = from.parts;
  for (std::size_t l = blocks.size() - 1; l > giver; --l)
    for (const AgentId agent : blocks[l].agents)
      for (Agents& part : from.free) {
        edges.push_back({agent, part.back(), weight});
        part.pop_back();
      }
  Agents rest;
  for (const Agents& part : from.free) rest.insert(rest.end(), part.begin(), part.end());
  const std::span<const AgentId> all = rest;
  for (std::size_t first = 0; first < all.size(); first += k + 1)
    add_clique(all.subspan(first, std::min(k + 1, all.size() - first)), edges);
}

/// (2)
Rounds simple_base_graph(const Agents& V, std::size_t k) {
  if (smooth_part(V.size(), k) == V.size()) return hyper_hypercube(V, k);
  std::vector<Block> blocks = blocks_of(V, k);
  const std::size_t first_rounds = blocks[0].all.size(), last_rounds = hyper_hypercube(blocks[0].parts[0], k).size();
  Rounds rounds(first_rounds + last_rounds + 1);
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    Edges& edges = rounds[r];
    for (std::size_t l = 0; l < blocks.size(); ++l) {
      Block& block = blocks[l];
      if (r < first_rounds) {
        append(block.all[r % block.all.size()], edges);
        continue;
      }
      const std::size_t giver = r - first_rounds;
      if (l > giver) continue;  // the giver's edges have its agents
      if (l == giver && l + 1 < blocks.size()) {
        pass_on(blocks, giver, k, edges);
        continue;
      }
      for (const Rounds& part : block.each) append(part[block.rounds_run % part.size()], edges);
      ++block.rounds_run;
    }
  }
  return rounds;
}

/// Rounds of several groups of agents, which have as many rounds, side by side.
template <class Make>
Rounds side_by_side(const std::vector<Agents>& groups, Make&& make) {
  Rounds rounds;
  for (const Agents& group : groups) {
    const Rounds more = make(group);
    rounds.resize(more.size());
    for (std::size_t r = 0; r < more.size(); ++r) append(more[r], rounds[r]);
  }
  return rounds;
}

/// (3)
Rounds base_graph(std::size_t m, std::size_t k) {
  Agents all(m);
  std::iota(all.begin(), all.end(), AgentId{0});
  Rounds simple = simple_base_graph(all, k);
  const std::size_t p = smooth_part(m, k), q = m / p;
  std::vector<Agents> groups(p), across(q);
  for (const AgentId i : all) {
    groups[i / q].push_back(i);
    across[i % q].push_back(i);
  }
  Rounds rounds = side_by_side(groups, [k](const Agents& V) { return simple_base_graph(V, k); });
  const Rounds last = side_by_side(across, [k](const Agents& V) { return hyper_hypercube(V, k); });
  rounds.insert(rounds.end(), last.begin(), last.end());
  return simple.size() < rounds.size() ? simple : rounds;
}

}  // namespace

std::vector<Topology> base_graph_rounds(std::int64_t agents, std::int64_t k) {
  std::vector<Topology> graphs;
  for (Edges& edges : base_graph(static_cast<std::size_t>(agents), static_cast<std::size_t>(k)))
    graphs.emplace_back(agents, std::move(edges));
  return graphs;
}

}  // namespace lagnet
