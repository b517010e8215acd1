#include "algorithms/objectives/regularizers/none.hpp"

#include "algorithms/objectives/regularizers/elastic_net.hpp"

namespace lagnet {

std::shared_ptr<const Regularizer> make_regularizer(const NoneOptions& /*options*/) {
  return make_regularizer(ElasticNetOptions{});
}

}  // namespace lagnet
