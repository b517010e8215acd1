#include "algorithms/objectives/regularizers/l2.hpp"

#include "algorithms/objectives/regularizers/elastic_net.hpp"

namespace lagnet {

std::shared_ptr<const Regularizer> make_regularizer(const L2Options& options) {
  return make_regularizer(ElasticNetOptions{.l1_weight = 0, .l2_weight = options.weight});
}

}  // namespace lagnet
