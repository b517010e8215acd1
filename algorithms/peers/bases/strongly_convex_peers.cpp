#include "algorithms/peers/bases/strongly_convex_peers.hpp"

#include <fmt/format.h>

#include <utility>

namespace lagnet {

StronglyConvexPeers::StronglyConvexPeers(const OwnCurvatureOptions& options, MethodInput input, std::string_view kind,
                                         const AlgorithmTraits& traits)
    : PeerAlgorithm(std::move(input), kind, traits) {
  if (given().timing_only) return;
  if (options.mu) {
    mu_ = positive("mu", *options.mu);
  } else {
    mu_ = need_strong_convexity(least_curvature_of_agents(), 0, "theory");
  }
  L_ = options.L ? positive("L", *options.L) : largest_curvature_of_agents("L");
  if (L_ >= mu_) return;
  if (options.L) throw Diagnosed("L", fmt::format("at least mu, which is {:.6g}", mu_), fmt::format("{}", L_));
  if (options.mu) throw Diagnosed("mu", fmt::format("at most L, which is {:.6g}", L_), fmt::format("{}", mu_));
  L_ = mu_;  // they are equal but for the rounding of both
}

}  // namespace lagnet
