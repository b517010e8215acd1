#pragma once

#include <array>
#include <string>
#include <vector>

#include "sim/base/array.hpp"
#include "sim/base/gossip_row.hpp"
#include "sim/base/options.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// How a gossip matrix W (m x m, symmetric, doubly stochastic, zero between agents that are not neighbors) follows from
/// the degrees d_i, or from the weights w_ij of the edges, whose sums are v_i = sum over j of w_ij. Xiao, Boyd, "Fast
/// linear iterations for distributed averaging" (2004) and Xiao, Boyd, Lall, "A scheme for robust distributed sensor
/// fusion based on average consensus" (2005).
enum class GossipWeights {
  metropolis,       // W_ij = 1 / (1 + max(d_i, d_j))
  max_degree,       // W_ij = 1 / (1 + largest degree)
  lazy_metropolis,  // (I + metropolis) / 2, which has no negative eigenvalue
  edge_weights      // W_ij = w_ij / (1 + max(v_i, v_j)): metropolis where all weights are 1
};
constexpr auto spellings(GossipWeights) {
  return std::array{
      Spelling{GossipWeights::metropolis, "metropolis"}, Spelling{GossipWeights::max_degree, "max_degree"},
      Spelling{GossipWeights::lazy_metropolis, "lazy_metropolis"}, Spelling{GossipWeights::edge_weights, "weights"}};
}

/// Every diagonal entry is stored; it is 1 minus the other entries of its row, added in ascending order. Throws
/// Diagnosed for a digraph.
SparseMatrix gossip_matrix(const Topology& topology, GossipWeights weights = GossipWeights::metropolis);

/// Why this W cannot be the gossip matrix of this topology: what gossip_problems() finds, with `names` for the agents,
/// an entry between agents that are no neighbors, another size, or a spectral gap of 0, with which agents never agree.
std::vector<Diagnostic> gossip_problems_on(const Topology& topology, const SparseMatrix& w, double tolerance = 1e-12);

/// Why W is no gossip matrix, one text for each problem; none if it is square, finite, non-negative, exactly symmetric,
/// and its rows sum to 1 within `tolerance`.
std::vector<Diagnostic> gossip_problems(const SparseMatrix& w, double tolerance = 1e-12);

/// The eigenvalues that determine the speed of gossip.
struct GossipSpectrum {
  double rho = 0;     // |W - 11'/m|_2 = max(|lambda_2|, |lambda_m|): the factor on the distance to the mean in a round
  double lowest = 1;  // lambda_m; W is positive semidefinite if it is at least 0
  double second = 1;  // lambda_2
};
/// 0, 1 and 1 for one agent; rho is 1 if the graph of W is disconnected. Throws Diagnosed if gossip_problems finds
/// any.
GossipSpectrum gossip_spectrum(const SparseMatrix& w);

/// Each agent's row of W. Throws Diagnosed if gossip_problems finds any, for a weight that is no edge's, and if the
/// sizes differ.
std::vector<GossipRow> gossip_rows(const Topology& topology, const SparseMatrix& w);

/// 1 - max(|lambda_2|, |lambda_m|): a round of gossip reduces the distance to the average by at least this share. 1 for
/// one agent, and 0 if the graph of W is disconnected or lambda_m = -1. Throws Diagnosed if gossip_problems finds
/// any.
double spectral_gap(const SparseMatrix& w);

}  // namespace lagnet
