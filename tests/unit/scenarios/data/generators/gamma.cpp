#include "scenarios/data/generators/gamma.hpp"

#include "tests/unit/scenarios/data/generators/laws.hpp"

namespace lagnet::gamma_test {

using namespace laws;

TEST_CASE("chi-square draws follow the chi-square law") {
  for (const Index degrees : {1, 2, 3, 10, 16384}) {
    Draws draws(7, Purpose{"test"}, static_cast<AgentId>(degrees));
    std::vector<double> sample(20000);
    for (double& value : sample) value = chi_square(draws, degrees);
    INFO(degrees << " degrees");
    CHECK(distance_from_chi_square(sample, degrees) < 1);
    // The test sees a law that is off by one degree.
    if (degrees <= 10) CHECK(distance_from_chi_square(sample, degrees + 1) > 1);
  }
}

}  // namespace lagnet::gamma_test
