#include "scenarios/distributions.hpp"

namespace lagnet {

double draw(const ConstantOptions& options, Draws) { return options.value; }
double draw(const UniformOptions& options, Draws draws) { return draws.uniform(options.low, options.high); }

}  // namespace lagnet
