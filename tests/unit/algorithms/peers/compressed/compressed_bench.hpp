#pragma once

#include <functional>

#include "algorithms/compression/compressors.hpp"
#include "tests/unit/algorithms/peers/baseline_bench.hpp"
#include "tests/unit/algorithms/peers/stacked.hpp"

/// Oracles of methods with compressed messages: the agents' vectors one below the other, and W H as a product.
namespace lagnet::test {

/// Q of each row, with the numbers that agents draw in a round of a simulation, whose seed is 1.
class StackedCompressor {
 public:
  StackedCompressor(const CompressorOptions& options, Index d) : Q_(make_compressor(options, d)) {}
  /// A round's vectors after each other: all of them take their numbers from one sequence an agent.
  std::vector<Matrix> round_of_all(Round t, const std::vector<Matrix>& all) const {
    std::vector<Matrix> compressed = all;
    for (Index i = 0; i < all[0].rows(); ++i) {
      CompressionDraws draws(1, static_cast<AgentId>(i), t);
      for (Matrix& one : compressed) {
        Vector row = one.row(i).transpose();
        Q_->compress(row, draws);
        one.row(i) = row.transpose();
      }
    }
    return compressed;
  }
  Matrix round(Round t, const Matrix& one) const { return round_of_all(t, {one})[0]; }
  const Compressor& Q() const { return *Q_; }

 private:
  std::shared_ptr<const Compressor> Q_;
};

/// One agent that holds all samples of the ring bench.
inline PeerBench one_agent(Round rounds) {
  return {.problem = normal_regression(100, 4), .sizes = {100}, .rounds = rounds};
}

/// What an agent did in round 3.
inline AgentAccount in_round_3(const PeerResult& result, AgentId agent) {
  AgentAccount done = result.accounts.at(3).at(agent);
  const AgentAccount& before = result.accounts.at(2).at(agent);
  done.flops -= before.flops;
  done.bytes_sent -= before.bytes_sent;
  return done;
}

/// The mean of the agents' iterates (d).
inline Vector mean_iterate(const PeerResult& result, std::size_t t) { return mean_of(result.reports.at(t)); }

}  // namespace lagnet::test
