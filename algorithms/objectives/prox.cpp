#include "algorithms/objectives/prox.hpp"

namespace lagnet {

Vector Regularizer::prox_conjugate(VectorRef u, double c) const { return u - c * prox(u / c, 1 / c); }

}  // namespace lagnet
