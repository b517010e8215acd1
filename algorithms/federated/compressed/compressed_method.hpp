#pragma once

#include <span>
#include <string_view>

#include "algorithms/federated/bases/composite.hpp"
#include "algorithms/interface/compression.hpp"

/// The base of methods whose clients answer with compressed vectors, of which clients and server keep sums: every
/// answer must arrive, and once.
namespace lagnet {

/// Traits of these methods, why no message may be missing, and which clients a round may ask all the same.
constexpr AlgorithmTraits compressed_server_traits(Regularizers regularizers, std::string_view every_message,
                                                   Cohorts cohorts = Cohorts::all) {
  return {.server = true,
          .partition_by = PartitionBy::samples,
          .takes_regularizers = regularizers,
          .square = SquareStands::in_every_f,
          .every_message = every_message,
          .cohorts = cohorts,
          .timing_only = true};
}

class CompressedMethod : public CompositeMethod {
 protected:
  /// Throws Diagnosed as CompositeMethod and make_compressor() do.
  CompressedMethod(std::string_view kind, const AlgorithmTraits& traits, const CompressorOptions& compressor,
                   MethodInput given, Index client_vectors)
      : CompositeMethod(kind, traits, std::move(given), client_vectors), Q_(compressor, this->given()) {}

  /// omega of an unbiased compressor, 0 of rounding, of which it warns. Throws Diagnosed, in the name of a method of
  /// that kind, for one that is biased by more.
  double need_omega(const CompressorOptions& options, std::string_view kind) {
    need_unbiased(Q_.compressor(), options, kind);
    add_warnings(warn_unless_unbiased(Q_.compressor(), kind));
    return Q_.compressor().omega().value_or(0);
  }

  /// sum <- sum_k pi_k c_k over the clients that were asked, c_k (d) their answers  (d)
  void take_mean(std::span<const Message> answers, StateVector& sum) const {
    sum.setZero();
    for (const Message& answer : answers) sum += clients().pi(answer.from) * part_of(answer.body, 0, d());
  }
  /// Its cost, 2 nz flops for each answer, nz the numbers that the compressor keeps, with `more` additional flops and
  /// passes.
  Cost mean_of_kept_work(std::size_t answers, Flops more, Index passes) const {
    const auto m = static_cast<Index>(answers);
    return vector_work(2 * m * Q_.kept() + more, m + passes);
  }
  /// c_Q flops.
  Cost compression_work() const { return compression_work(Q_); }
  Cost compression_work(const Compression& Q) const { return vector_work(Q.flops(), 2); }

  const Compression Q_;
};

}  // namespace lagnet
