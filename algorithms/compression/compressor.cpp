#include "algorithms/compression/compressor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/errors.hpp"

namespace lagnet {

void Compressor::compress(Eigen::Ref<Vector> x, CompressionDraws& draws) const {
  LAGNET_CHECK(x.size() == d_, "{} entries for a compressor of {}", x.size(), d_);
  if ((x.array() * 0).sum() != 0) {  // NaN where an entry is not finite: by vectors, which allFinite() does not use
    const auto wrong = std::ranges::find_if(x, [](double entry) { return !std::isfinite(entry); });
    throw Divergence(fmt::format("agent {}, round {}: entry {} of what is compressed is not finite", draws.agent(),
                                 draws.round(), wrong - x.begin()));
  }
  apply(x, draws);
}

}  // namespace lagnet
