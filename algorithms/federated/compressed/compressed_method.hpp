#pragma once

#include <span>
#include <string_view>

#include "algorithms/federated/bases/composite.hpp"
#include "algorithms/interface/compression.hpp"

/// The base of methods whose clients answer with compressed vectors, of which clients and server keep sums: every
/// answer must arrive, and once.
namespace lagnet {

/// Traits of these methods, and why no message may be missing.
constexpr AlgorithmTraits compressed_server_traits(Regularizers regularizers, std::string_view every_message) {
  return {.server = true,
          .partition_by = PartitionBy::samples,
          .takes_regularizers = regularizers,
          .square = SquareStands::in_every_f,
          .every_message = every_message,
          .timing_only = true};
}

class CompressedMethod : public CompositeMethod {
 protected:
  /// Throws Diagnosed as CompositeMethod and make_compressor() do.
  CompressedMethod(std::string_view kind, const AlgorithmTraits& traits, const CompressorOptions& compressor,
                   MethodInput given, Index client_vectors)
      : CompositeMethod(kind, traits, std::move(given), client_vectors), Q_(compressor, this->given()) {}

  /// sum <- sum_k pi_k c_k, c_k (d) the answers  (d)
  void take_mean(std::span<const Message> answers, StateVector& sum) const {
    sum.setZero();
    clients().add_mean(answers, 1, sum);
  }
  /// Its cost, 2 nz flops for each answer, nz the numbers that the compressor keeps, with `more` additional flops and
  /// passes.
  Cost mean_of_kept_work(std::size_t answers, Flops more, Index passes) const {
    const auto m = static_cast<Index>(answers);
    return vector_work(2 * m * Q_.kept() + more, m + passes);
  }
  /// c_Q flops.
  Cost compression_work() const { return vector_work(Q_.flops(), 2); }

  const Compression Q_;
};

}  // namespace lagnet
