#include "tools/bench/read_pass.hpp"

#include <array>

namespace lagnet::bench {

double read_pass(const DenseView& X) {
  // Sixteen sums, so that no addition waits for the one before it: the memory is measured, not the adder.
  constexpr Index lanes = 16;
  std::array<double, lanes> sums{};
  const double* entry = X.data();
  const Index whole = X.size() / lanes * lanes;
  for (Index i = 0; i < whole; i += lanes)
    for (Index k = 0; k < lanes; ++k) sums[static_cast<std::size_t>(k)] += entry[i + k];
  double total = 0;
  for (Index i = whole; i < X.size(); ++i) total += entry[i];
  for (const double sum : sums) total += sum;
  return total;
}

}  // namespace lagnet::bench
