#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "scenarios/data/data_set.hpp"
#include "scenarios/data/generators/data_shape.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// Classes 0 .. c-1 as seen by clients that differ in style and in their shares of the classes, like handwriting of
/// many writers: x = prototype of the class + style of the client + noise N(0,1). Prototypes and styles have
/// independent normal entries of variance separation^2/d and style^2/d, so that they are about `separation` and `style`
/// long. A client's shares of the classes are a draw of the symmetric Dirichlet distribution. Samples are in the order
/// of clients, so that the partition `samples` gives each client its own. A client's data depend on its number and the
/// seed, not on the numbers of clients or samples. A test set has fresh samples of the same clients. It replaces the
/// EMNIST data of Bao, Crawshaw, Luo, Liu (2022), figures 3 and 4: it has their form, not their numbers.
struct FederatedClassificationOptions {
  std::int64_t clients = 0;
  std::int64_t samples_per_client = 0;
  std::int64_t features = 0;
  std::int64_t classes = 0;
  double separation = 4;
  double style = 1;
  double noise = 1;
  double concentration = 0.5;
  double scale = 1;
  std::int64_t test_samples_per_client = 0;

  static constexpr std::string_view kind = "federated_classification";
  static constexpr std::string_view summary = "classes around prototypes, clients with styles and label skew";
  static void fields(auto& self, auto& field) {
    declare_clients(self, field);
    field("features", self.features, "number of columns d", at_least(1).required());
    field("classes", self.classes, "c, labels 0 to c-1", at_least(2).required());
    field("separation", self.separation, "about the length of a class's prototype", at_least(0));
    field("style", self.style, "about the length of the vector that a client adds to all its samples", at_least(0));
    field("noise", self.noise, "standard deviation of the noise on each feature", at_least(0));
    field("concentration", self.concentration,
          "parameter of the Dirichlet distribution of a client's classes; smaller is more skewed",
          within(min_concentration, max_concentration));
    field("scale", self.scale, "factor on X", above(0));
    declare_test_samples(self, field);
  }
  DataShape shape() const {
    DataShape shape = DataShape::plain(1.0 * clients * samples_per_client, features);
    shape.others = 1.0 * classes * features;
    return shape;
  }

 private:
  static constexpr double min_concentration = 1e-3, max_concentration = 1e6;
};

/// Options must be within their limits. No coefficients are known to be true.
DataSet load(const FederatedClassificationOptions& options, std::uint64_t seed);

}  // namespace lagnet
