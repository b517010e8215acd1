#pragma once

#include <functional>
#include <string>

#include "sim/base/array.hpp"
#include "sim/base/draws.hpp"

namespace lagnet {

constexpr Purpose compression_purpose{"compression"};

/// The numbers in (0, 1) that compressors draw at one agent in one round, one after the other: those of the seed, or
/// given ones. A round that compresses several vectors takes all of them from one sequence.
class CompressionDraws {
 public:
  /// The index-th number of an agent's round, from 0, in place of drawn ones.
  using Given = std::function<double(AgentId, Round, Index)>;

  CompressionDraws() : CompressionDraws(0, 0, 0) {}
  CompressionDraws(std::uint64_t seed, AgentId agent, Round round)
      : draws_(seed, compression_purpose, agent, round), agent_(agent), round_(round) {}
  CompressionDraws(Given given, AgentId agent, Round round) : CompressionDraws(0, agent, round) {
    given_ = std::move(given);
  }

  double uniform() {
    ++taken_;
    return given_ ? given_(agent_, round_, taken_ - 1) : draws_.uniform();
  }
  Index taken() const { return taken_; }  // so far
  AgentId agent() const { return agent_; }
  Round round() const { return round_; }

 private:
  Draws draws_;
  Given given_;
  AgentId agent_ = 0;
  Round round_ = 0;
  Index taken_ = 0;
};

}  // namespace lagnet
