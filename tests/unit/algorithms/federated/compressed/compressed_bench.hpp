#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "algorithms/central/gram.hpp"
#include "algorithms/compression/compressors.hpp"
#include "algorithms/interface/compression.hpp"
#include "tests/unit/algorithms/asynchronous/answers_in_order.hpp"
#include "tests/unit/algorithms/known_reference.hpp"

/// Worlds for methods whose clients answer with compressed vectors.
namespace lagnet::test {

/// Three unequal clients of least squares, with an l1 norm and a square.
inline Bench unequal_clients(Round rounds, double l1 = 0, double l2 = 0.1) {
  Bench bench = three_clients(random_problem(40, 4, l1, l2), rounds);
  bench.sizes = {10, 12, 18};
  return bench;
}

/// Five clients with eight samples each, of which a round asks some.
inline Bench five_clients(Round rounds, std::size_t asked = 5, double l2 = 0.1) {
  Bench bench{.problem = random_problem(40, 4, 0, l2), .sizes = {8, 8, 8, 8, 8}, .rounds = rounds};
  if (asked < 5) bench.model.participation = std::make_shared<const RandomSubset>(RandomSubset::of_size(1, asked));
  return bench;
}

/// The clients that a round asks, ascending.
inline std::vector<AgentId> asked_in(const Bench& bench, std::size_t round) {
  std::vector<AgentId> clients;
  for (AgentId k = 1; k <= bench.sizes.size(); ++k) clients.push_back(k);
  return bench.model.asked(static_cast<Round>(round), clients);
}

/// Two clients with one feature: gradients w - 2 and 2.5 w - 4, with weights 1/3 and 2/3 together 2 w - 10/3.
inline Bench two_curvatures(Round rounds, double l2 = 0) {
  return {.problem = problem_of(Matrix{{1}, {1}, {2}}, Vector{{2, 4, 2}}, make_loss(SquaredOptions{}), 0, l2),
          .sizes = {1, 2},
          .rounds = rounds};
}

/// The same world with jitter, copies, and losses that are repaired.
inline Bench with_repaired_losses(Bench bench) {
  bench.model.faults = {std::make_shared<const Jitter>([](Draws draws) { return draws.uniform(0, 9); }),
                        std::make_shared<const IndependentLoss>(0.3), std::make_shared<const Duplication>(0.3)};
  bench.model.repair.timeout = Duration::milliseconds(12);
  return bench;
}

/// The input of a method on the bench, with |X|_2.
inline MethodInput with_norm(const Bench& bench) {
  MethodInput given = bench.assignment();
  given.central = std::make_shared<const KnownReference>(spectral_norm(*bench.problem.X));
  return given;
}

/// -1 where the method has no such constant.
inline double constant_of(const Algorithm& method, std::string_view name) {
  for (const Constant& one : method.constants())
    if (one.first == name) return one.second;
  return -1;
}

/// The gradient of client k's f_k, its square included.
inline Vector gradient_with_square(const Bench& bench, AgentId k, const Vector& w) {
  return gradient_of(bench, k, w) + bench.problem.regularizer->l2_weight().value() * w;
}

/// The models of all rounds.
inline std::vector<Vector> gradient_descent(const Bench& bench, double step) {
  std::vector<Vector> w{Vector::Zero(bench.problem.dim())};
  for (Round t = 1; t <= bench.rounds; ++t) {
    Vector next = w.back();
    for (AgentId k = 1; k <= bench.sizes.size(); ++k)
      next -= step * share_of(bench, k) * gradient_with_square(bench, k, w.back());
    w.push_back(next);
  }
  return w;
}

/// 4 n_k d + n_k + d, and 2 d of the square.
inline Flops gradient_flops(const Bench& bench, AgentId k) {
  const Index d = bench.problem.dim(), n = bench.sizes[k - 1];
  return 4 * n * d + n + d + (bench.problem.regularizer->l2_weight().value() > 0 ? 2 * d : 0);
}

/// Q(v) as an agent's only compression of a round.
inline Vector compressed(const CompressorOptions& options, Vector v, AgentId agent, std::size_t round) {
  CompressionDraws draws(1, agent, static_cast<Round>(round));
  make_compressor(options, v.size())->compress(v, draws);
  return v;
}

inline Vector soft(const Vector& v, double by) {
  return v.unaryExpr([by](double x) { return x > by ? x - by : x < -by ? x + by : 0.0; });
}

/// The bytes of an encoding of d numbers.
inline Bytes bytes_of(const CompressorOptions& options, Index d) {
  return (make_compressor(options, d)->bits(64) + 7) / 8;
}

inline double distance(const Vector& w, const Bench& bench) { return (w - minimizer(bench.problem)).norm(); }

inline const DitheringOptions two_levels{.levels = 2, .norm = DitheringNorm::linf};
inline const DitheringOptions shrunk_levels{.levels = 2, .norm = DitheringNorm::linf, .contractive = true};

}  // namespace lagnet::test
