#include "algorithms/asynchronous/dave_pg.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "tests/unit/algorithms/asynchronous/answers_in_order.hpp"

namespace lagnet::dave_pg_test {

using namespace lagnet::test;

namespace {

/// The model of each version.
std::vector<Vector> models(const Bench& bench, const DavePgOptions& options) {
  const auto method = make_algorithm(options, bench.assignment());
  std::vector<Vector> all;
  for (const auto& parts : simulate(bench, *method).parts)
    all.push_back(method->evaluate(0, std::vector<std::vector<Vector>>{parts}, {}).iterate);
  return all;
}

}  // namespace

TEST_CASE("DAve-PG with one client is proximal gradient descent, p steps an answer") {
  const Bench bench{.problem = lasso(20, 4, 0.1), .sizes = {20}, .rounds = 30};
  for (const std::int64_t p : {1, 3}) {
    const auto z = models(bench, {.step = 0.2, .repetitions = p});
    Vector x = Vector::Zero(4);
    for (std::size_t t = 1; t <= 30; ++t) {
      for (std::int64_t i = 0; i < p; ++i) x = bench.problem.regularizer->prox(x - 0.2 * gradient_of(bench, 1, x), 0.2);
      CHECK((z[t] - x).norm() <= rounding_of(static_cast<std::size_t>(p) * t));
    }
  }
}

TEST_CASE("DAve-PG's server adds up the changes of the clients' steps, from differences or whole vectors") {
  const Bench bench = three_clients(lasso(40, 4, 0.05), 60);
  const double gamma = 0.3;
  const auto differences = simulate(bench, DavePgOptions{.step = gamma, .repetitions = 2}).w;
  const auto whole = simulate(bench, DavePgOptions{.step = gamma, .repetitions = 2, .send = DaveMessages::whole}).w;
  std::vector<Vector> xbar{Vector::Zero(4)};
  std::vector<Vector> x(4, Vector::Zero(4));
  for (const auto& [k, version] : answers_in_order(three_latencies, 60)) {
    const double pi = share_of(bench, k);
    Vector D = Vector::Zero(4);
    for (int i = 0; i < 2; ++i) {
      const Vector z = bench.problem.regularizer->prox(xbar[static_cast<std::size_t>(version)] + D, gamma);
      const Vector y = z - gamma * gradient_of(bench, k, z);
      D += pi * (y - x[k]);
      x[k] = y;
    }
    xbar.push_back(xbar.back() + D);
    CHECK((differences[xbar.size() - 1] - xbar.back()).norm() <= rounding_of(2 * xbar.size()));
    CHECK((whole[xbar.size() - 1] - xbar.back()).norm() <= rounding_of(2 * xbar.size()));
  }
}

TEST_CASE("DAve-PG reaches the minimizer, its zeros included, with a step that depends on neither delays nor clients") {
  for (const std::int64_t far : {4'900'019, 70'000'003}) {  // up to 70 times as far as the nearest client
    const Bench bench = free_computation(lasso(40, 4, 0.2), {5, 15, 20}, 20000, {1'000'003, 1'700'021, far});
    const Vector best = minimizer(bench.problem);
    const Vector w = models(bench, {}).back();  // 1/L
    CHECK((w - best).norm() < 1e-6);            // the certificate's gap of 1e-10 bounds the distance by about its root
    for (Index i = 0; i < 4; ++i) CHECK((w[i] == 0) == (best[i] == 0));
  }
}

TEST_CASE("DAve-PG sends whole vectors if answers may be missing, or warns if an option forbids it") {
  const Bench bench{.problem = random_problem(20, 4), .sizes = {8, 12}, .rounds = 1};
  MethodInput given = bench.assignment();
  CHECK(make_algorithm(DavePgOptions{}, given)->warnings().empty());
  given.may_lack_answers = true;
  CHECK(make_algorithm(DavePgOptions{}, given)->warnings().empty());
  CHECK(make_algorithm(DavePgOptions{.send = DaveMessages::difference}, given)->warnings().size() == 1);
  given.may_lose_messages = true;
  CHECK(make_algorithm(DavePgOptions{}, given)->warnings().size() == 1);
  CHECK(make_algorithm(DavePgOptions{.resend_ms = 9}, given)->warnings().empty());
}

TEST_CASE("DAve-PG warns of a step above 2 by the least and the largest curvature of its clients' losses") {
  // Means of squares 1 and 4: the bound is 2/5.
  const Bench bench{.problem = problem_of(Matrix{{1}, {2}, {2}}, Vector{{1, 1, 1}}), .sizes = {1, 2}, .rounds = 1};
  const auto warnings = [&bench](std::optional<double> step) {
    return make_algorithm(DavePgOptions{.step = step}, bench.assignment())->warnings();
  };
  CHECK(warnings({}).empty());
  CHECK(warnings(0.25).empty());
  CHECK(warnings(0.4).empty());
  REQUIRE(warnings(0.41).size() == 1);
  CHECK(warnings(0.41)[0].text.find("algorithm.step is 0.41, above 2 / (mu + L) = 0.4, ") != std::string::npos);
  MethodInput given = bench.assignment();
  given.timing_only = true;
  CHECK(make_algorithm(DavePgOptions{.step = 9}, given)->warnings().empty());
}

TEST_CASE("a client with fewer samples than coefficients has no curvature along some of them") {
  // One sample of two coefficients: mu is 0, L the largest of |a|^2 = 2 and 1.
  const Bench bench{
      .problem = problem_of(Matrix{{1, 1}, {1, 0}, {0, 1}}, Vector{{1, 1, 1}}), .sizes = {1, 2}, .rounds = 1};
  CHECK(make_algorithm(DavePgOptions{.step = 0.99}, bench.assignment())->warnings().empty());
  CHECK(make_algorithm(DavePgOptions{.step = 1.01}, bench.assignment())->warnings().size() == 1);
}

}  // namespace lagnet::dave_pg_test
