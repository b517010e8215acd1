#pragma once

#include <vector>

#include "algorithms/peers/accel_tracking.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"

/// Iterates of peers written down for all agents at once, one agent's vector a row (m x d): oracles for the agents.
namespace lagnet::test {

inline Matrix gradients(const PeerAlgorithm& method, const Matrix& at) {
  Matrix all(at.rows(), at.cols());
  for (Index i = 0; i < at.rows(); ++i)
    all.row(i) = method.gradient(static_cast<AgentId>(i), Vector(at.row(i))).transpose();
  return all;
}
inline Matrix projected(const Constraint& set, const Matrix& at) {
  Matrix all(at.rows(), at.cols());
  for (Index i = 0; i < at.rows(); ++i) all.row(i) = set.project(Vector(at.row(i))).transpose();
  return all;
}

/// How far the agents' iterates of a round are from these.
inline double distance(const PeerResult& result, std::size_t t, const Matrix& expected) {
  double largest = 0;
  for (Index i = 0; i < expected.rows(); ++i)
    largest = std::max(largest, (result.theta(t, static_cast<AgentId>(i)) - Vector(expected.row(i))).norm());
  return largest;
}

/// Accelerated tracking under a constraint, (23a) to (23e), after each round.
struct StackedTracking {
  Matrix w, z, g, y, v, theta;
};
inline std::vector<StackedTracking> stacked_tracking(const PeerBench& bench, const AccelTracking& method, Index K) {
  const double alpha = method.constants().at(0).second, beta = method.constants().at(1).second;
  const Matrix zero = Matrix::Zero(bench.agents(), bench.problem.dim());
  std::vector<StackedTracking> states{{zero, zero, zero, zero, zero, zero}};
  for (Round t = 1; t <= bench.rounds; ++t) {
    StackedTracking at = states.back();
    at.w = at.z = (at.theta + beta * at.v) / (1 + beta);  // (23a)
    for (Index k = 0; k < K; ++k) at.z = bench.W() * at.z;
    const Matrix h = gradients(method, at.z);
    at.y += h - at.g;
    for (Index k = 0; k < K; ++k) at.y = bench.W() * at.y;
    at.g = h;
    at.v = projected(*bench.problem.constraint, (1 - beta) * at.v + beta * at.z - at.y / (alpha * beta));  // (23d)
    at.theta = beta * at.v + (1 - beta) * at.theta;                                                        // (23e)
    states.push_back(at);
  }
  return states;
}

}  // namespace lagnet::test
