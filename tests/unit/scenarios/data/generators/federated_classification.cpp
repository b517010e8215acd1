#include "scenarios/data/generators/federated_classification.hpp"

#include <cmath>

#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/data/generators/laws.hpp"

namespace lagnet::federated_classification_test {

using namespace laws;

TEST_CASE("classes lie around their prototypes, shifted by their client's style") {
  FederatedClassificationOptions options{.clients = 30,
                                         .samples_per_client = 4,
                                         .features = 50,
                                         .classes = 3,
                                         .separation = 3,
                                         .style = 0,
                                         .noise = 0,
                                         .test_samples_per_client = 2};
  const DataSet bare = load(options, 1);
  options.style = 0.5;
  const Matrix styles = load(options, 1).X.dense() - bare.X.dense();
  std::vector<Index> first(3, -1);  // sample of each class
  for (Index i = 0; i < bare.y.size(); ++i) {
    const auto label = static_cast<std::size_t>(bare.y[i]);
    REQUIRE(label < 3);
    if (first[label] < 0) first[label] = i;
    CHECK(bare.X.dense().row(i) == bare.X.dense().row(first[label]));
    CHECK((styles.row(i) - styles.row(i / 4 * 4)).cwiseAbs().maxCoeff() < 10 * eps);  // of sums of size about 1
  }
  for (const Index i : first)
    CHECK(std::abs(bare.X.dense().row(i).squaredNorm() / 9 - 1) < sigmas * std::sqrt(2.0 / 50));
  const double styles_mean = styles.squaredNorm() / 120 / 0.25;  // of 30 chi-squares of 50 degrees, over 50
  CHECK(std::abs(styles_mean - 1) < sigmas * std::sqrt(2.0 / 1500));
  CHECK(bare.test->X.rows() == 60);
}

TEST_CASE("a client's classes come in Dirichlet shares") {
  const double a = 0.5;
  const Index K = 3000, c = 4;
  const DataSet data = load(
      FederatedClassificationOptions{
          .clients = K, .samples_per_client = 2, .features = 1, .classes = c, .concentration = a},
      1);
  double same = 0, zeros = 0;
  for (Index k = 0; k < K; ++k) {
    same += data.y[2 * k] == data.y[2 * k + 1];
    zeros += data.y[2 * k] == 0;
  }
  // Two draws by one client's shares agree with probability sum of E q^2 = (a + 1) / (c a + 1) = 1/2.
  const double p = (a + 1) / (c * a + 1);
  CHECK(std::abs(same / K - p) < sigmas * std::sqrt(p * (1 - p) / K));
  CHECK(std::abs(zeros / K - 0.25) < sigmas * std::sqrt(0.25 * 0.75 / K));
}

}  // namespace lagnet::federated_classification_test
