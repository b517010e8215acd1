#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algorithms/hybrid/hybrid.hpp"
#include "algorithms/interface/proximal_map.hpp"
#include "sim/base/options.hpp"

/// Block splitting: ADMM on the graph of A where clients hold blocks of samples x features.
///
///     minimize over x (M), in a set   F(x) = (1/N) sum_i l(y_i; label i) + r(x)   subject to y = A x (N)
///
/// Client k holds the block A_k of A, of the samples I_k and the features M_k, and copies x_k, y_k = A_k x_k of its
/// part; x on M_k equals x_k, and y_i is the sum of the y_k of all that hold sample i. With f(y) the sum of losses:
///
///     y^half    = prox of f / rho at y - y~                                           at the server
///     x^half    = prox of r / rho at x - x~, or projection                             at the server
///     (x_k^half, y_k^half) = the nearest to (x - x~_k, y_k + y~) with y_k^half = A_k x_k^half      at client k
///     x         = mean, for each feature, of x^half + x~ and of the x_k^half + x~_k that have it
///     (y, y_k)  = y^half - delta, y_k^half + delta, for each sample delta = (y^half - sum_k y_k^half) / (holders + 1)
///     x~ += x^half - x,   y~ += y^half - y,   x~_k += x_k^half - x
///
/// The projection on the graph is x_k = (I + A_k'A_k)^-1 (c + A_k'd), y_k = A_k x_k, by a Cholesky factor that is made
/// before the first round (RidgeSystem). The iterate is x^half, at the start x; it has the zeros that r makes.
/// Converges for every rho > 0, and any convex loss and r with a prox, when all clients answer. If some are not asked
/// or miss a round, their newest halves replace the missing ones, without a guarantee. The server holds the labels. A
/// round is one round trip: client k gets x and y_k + y~, m_k + n_k numbers, and sends back x_k^half + x~_k and
/// y_k^half, as many. Source: N. Parikh, S. Boyd, "Block splitting for distributed optimization", Mathematical
/// Programming Computation 6, 2014, the block splitting algorithm with its mean and exchange steps. There the x~ and
/// x~_k of a feature add up to 0, as they do here when all answer, and drop out of the mean; blocks there are the cells
/// of a grid, here any that do not overlap.
namespace lagnet {

struct BlockSplittingAdmmOptions {
  static constexpr std::string_view kind = "block_splitting_admm";
  static constexpr std::string_view summary = "ADMM on blocks of samples and features (Parikh, Boyd 2014)";
  static constexpr AlgorithmTraits traits{.server = true,
                                          .partition_by = PartitionBy::cells,
                                          .takes_regularizers = Regularizers::all,
                                          .needs_conjugate = true,
                                          .takes_constraint = true};
  double penalty = 0;  // rho
  static void fields(auto& self, auto& field) {
    field("penalty", self.penalty, "rho, the weight of the distance between copies: 0.1", above(0).required());
  }
};

class BlockSplittingAdmm final : public CellMethod {
 public:
  /// Throws Diagnosed for a loss of several scores a sample, and for a regularizer and a constraint at once.
  BlockSplittingAdmm(const BlockSplittingAdmmOptions& options, MethodInput input);

  void spawn(Host& host) const override;
  std::optional<Bytes> memory() const override;
  Remarks remarks(const RunCounts& counts) const override;

 private:
  Task<> serve(Agent& me) const;
  Task<> project(Agent& me) const;  // a client
  /// Whether a client holds anything.
  bool holds(AgentId k) const { return cells().of(k).n() > 0 && cells().of(k).m() > 0; }

  ProximalMap P_;
  double rho_;
  std::vector<DataMatrix> blocks_;  // A_k by agent, the server's empty (n_k x m_k)
};

}  // namespace lagnet
