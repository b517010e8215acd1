#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "algorithms/peers/bases/peers.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// Options of methods whose steps follow from bounds 0 < mu <= L on the curvature of every f_i.
struct OwnCurvatureOptions {
  std::optional<double> mu, L;
  static void fields(auto& self, auto& field) {
    field("mu", self.mu,
          "least curvature of every f_i, an l2 regularizer included; theory: with the squared loss from the least "
          "eigenvalues of X_i'X_i / n_i, with others the regularizer's weight",
          above(0).or_word("theory"));
    field("L", self.L,
          "largest curvature of any f_i, an l2 regularizer included; theory: from the largest |X_i|^2 / n_i",
          above(0).or_word("theory"));
  }
  void check(auto& report) const {
    if (mu && L && *L < *mu) report("L", "at least mu", *L);
  }
};

/// The base of methods of peers whose f_i are smooth and strongly convex.
class StronglyConvexPeers : public PeerAlgorithm {
 protected:
  /// Throws Diagnosed unless 0 < mu <= L, and as PeerAlgorithm does.
  StronglyConvexPeers(const OwnCurvatureOptions& options, MethodInput input, std::string_view kind,
                      const AlgorithmTraits& traits);

  double mu() const { return mu_; }  // 0 in a timing-only run, like L
  double L() const { return L_; }

 private:
  double mu_ = 0, L_ = 0;
};

}  // namespace lagnet
