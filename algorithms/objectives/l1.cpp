#include "algorithms/objectives/l1.hpp"

#include "algorithms/objectives/elastic_net.hpp"

namespace lagnet {

std::shared_ptr<const Regularizer> make_regularizer(const L1Options& options) {
  return make_regularizer(ElasticNetOptions{.l1_weight = options.weight, .l2_weight = 0});
}

}  // namespace lagnet
