#pragma once

#include "sim/base/errors.hpp"
#include "sim/base/types.hpp"

namespace lagnet {

/// The time that an additively homomorphic scheme takes; it is billed, not executed. The defaults are Paillier's, as in
/// T. Overman, G. Blum, D. Klabjan, "A primal-dual algorithm for hybrid federated learning" (arXiv:2210.08106).
struct CipherCosts {
  Duration encrypt = Duration::nanoseconds(18'882'000);  // of one number
  Duration decrypt = Duration::nanoseconds(18'865'000);
  Duration add = Duration::nanoseconds(54'000);  // of two ciphertexts
  std::int64_t cores = 1;                        // that work side by side

  /// The time for `count` numbers, divided evenly among the cores: that of the core with the most. At most longest().
  Duration time(Duration each, std::int64_t count) const {
    LAGNET_CHECK(count >= 0 && cores >= 1, "{} numbers on {} cores", count, cores);
    const std::int64_t of_one_core = count / cores + (count % cores > 0);
    std::int64_t ns = 0;
    return __builtin_mul_overflow(each.ns(), of_one_core, &ns) ? Duration::longest() : Duration::nanoseconds(ns);
  }
};

}  // namespace lagnet
