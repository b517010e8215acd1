#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "algorithms/compression/compressors.hpp"
#include "algorithms/interface/algorithm.hpp"
#include "sim/agents/agent.hpp"

namespace lagnet {

/// Q at the agents of a method that compresses vectors of the problem's d entries:
///
///     u = Q_.draws(me, t);                      // before a round's first kernel
///     auto compress = [&] { q = x - x_hat; Q_(q, u); };
///     ...
///     co_await me.exchange(Q_.payload(me, q));  // q itself, billed by the bits of its encoding
class Compression {
 public:
  /// Throws Diagnosed as make_compressor() does.
  Compression(const CompressorOptions& options, const MethodInput& given)
      : Compression(make_compressor(options, given.problem.dim()), given) {}
  /// Of vectors of another size.
  Compression(std::shared_ptr<const Compressor> Q, const MethodInput& given)
      : Q_(std::move(Q)), given_draws_(given.compression_draws) {}

  const Compressor& compressor() const { return *Q_; }
  Flops flops() const { return Q_->flops(); }  // c_Q
  Index kept() const { return Q_->kept(); }    // nz

  /// The numbers that an agent draws in a round.
  CompressionDraws draws(const Agent& me, Round round) const {
    if (given_draws_) return {given_draws_, me.id(), round};
    return {me.seed(), me.id(), round};
  }
  /// v <- Q(v) (d), in a kernel. Throws Divergence.
  void operator()(Eigen::Ref<Vector> v, CompressionDraws& draws) const { Q_->compress(v, draws); }

  /// A message of decoded vectors (d each): one after the other, in as many bytes as their encodings fill.
  template <class... Vectors>
  Payload payload(const Agent& me, const Vectors&... decoded) const {
    return Payload::as_encoding(Payload::joined(decoded...), bytes(me.bytes_per_scalar(), sizeof...(decoded)));
  }
  /// The size of a message of `vectors` vectors, without its header.
  Bytes bytes(Bytes bytes_per_scalar, Index vectors = 1) const {
    return (vectors * Q_->bits(8 * bytes_per_scalar) + 7) / 8;
  }

  /// delta, and omega where there is one.
  std::vector<Constant> constants() const {
    std::vector<Constant> all{{"delta", Q_->delta()}};
    if (Q_->omega()) all.emplace_back("omega", *Q_->omega());
    return all;
  }

 private:
  std::shared_ptr<const Compressor> Q_;
  CompressionDraws::Given given_draws_;
};

}  // namespace lagnet
