#include "sim/base/draws.hpp"

#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

namespace {
template <std::size_t N>
double polynomial(const std::array<double, N>& coefficients, double x) {
  double value = coefficients[N - 1];
  for (std::size_t i = N - 1; i-- > 0;) value = value * x + coefficients[i];
  return value;
}
}  // namespace

double normal_quantile(double p) {
  constexpr std::array a{3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                         1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                         3.3430575583588128105e+4, 2.5090809287301226727e+3};
  constexpr std::array b{1.0,
                         4.2313330701600911252e+1,
                         6.8718700749205790830e+2,
                         5.3941960214247511077e+3,
                         2.1213794301586595867e+4,
                         3.9307895800092710610e+4,
                         2.8729085735721942674e+4,
                         5.2264952788528545610e+3};
  constexpr std::array c{1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                         3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                         2.27238449892691845833e-2, 7.74545014278341407640e-4};
  constexpr std::array d{1.0,
                         2.05319162663775882187e0,
                         1.67638483018380384940e0,
                         6.89767334985100004550e-1,
                         1.48103976427480074590e-1,
                         1.51986665636164571966e-2,
                         5.47593808499534494600e-4,
                         1.05075007164441684324e-9};
  constexpr std::array e{6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                         2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                         2.71155556874348757815e-5, 2.01033439929228813265e-7};
  constexpr std::array f{1.0,
                         5.99832206555887937690e-1,
                         1.36929880922735805310e-1,
                         1.48753612908506148525e-2,
                         7.86869131145613259100e-4,
                         1.84631831751005468180e-5,
                         1.42151175831644588870e-7,
                         2.04426310338993978564e-15};
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(a, r) / polynomial(b, r);
  }
  const double r = std::sqrt(-std::log(q < 0 ? p : 1 - p));
  const double tail =
      r <= 5 ? polynomial(c, r - 1.6) / polynomial(d, r - 1.6) : polynomial(e, r - 5) / polynomial(f, r - 5);
  return q < 0 ? -tail : tail;
}

Draws Draws::between(std::uint64_t seed, Purpose purpose, AgentId from, AgentId to, Round round,
                     std::uint32_t occasion) {
  Draws draws(seed, purpose, from, round);
  const auto block = r123::Philox4x32{}({{occasion, purpose.id(), from, to}}, draws.key_);
  draws.key_ = {{block.v[0], block.v[1]}};
  return draws;
}

double Draws::exponential() { return -std::log(uniform()); }

std::uint64_t Draws::below(std::uint64_t bound) {
  LAGNET_CHECK(bound >= 1, "an empty range has nothing to draw");
  // Lemire, "Fast random integer generation in an interval" (2019): the high half of a 128-bit product, redrawn for the
  // few low halves that would favor some values.
  __extension__ using Wide = unsigned __int128;
  const std::uint64_t rejected = (0 - bound) % bound;
  Wide product;
  do {
    product = static_cast<Wide>(bits()) * bound;
  } while (static_cast<std::uint64_t>(product) < rejected);
  return static_cast<std::uint64_t>(product >> 64);
}

std::vector<std::uint32_t> Draws::permutation(std::uint32_t count) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  for (std::uint32_t left = count; left > 1; --left) std::swap(order[left - 1], order[below(left)]);
  return order;
}

std::vector<std::uint32_t> Draws::distinct(std::uint32_t count, std::uint32_t picked) {
  LAGNET_CHECK(picked <= count, "{} of {} numbers", picked, count);
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  for (std::uint32_t i = 0; i < picked; ++i) std::swap(order[i], order[i + below(count - i)]);
  order.resize(picked);
  return order;
}

}  // namespace lagnet
