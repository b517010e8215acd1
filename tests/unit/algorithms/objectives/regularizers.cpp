#include <catch2/catch.hpp>
#include <limits>

#include "algorithms/objectives/elastic_net.hpp"
#include "algorithms/objectives/l1.hpp"
#include "algorithms/objectives/l2.hpp"
#include "algorithms/objectives/none.hpp"

using namespace lagnet;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

TEST_CASE("Each proximal map is its closed form") {
  const Vector q = (Vector(4) << -3, -0.5, 0.25, 2).finished();
  CHECK(make_regularizer(NoneOptions{})->prox(q, 4) == q);
  CHECK(make_regularizer(L1Options{.weight = 0.5})->prox(q, 1) == (Vector(4) << -2.5, 0, 0, 1.5).finished());
  CHECK(make_regularizer(L2Options{.weight = 1.5})->prox(q, 2) == Vector(q / 4));
  const auto both = make_regularizer(ElasticNetOptions{.l1_weight = 0.5, .l2_weight = 1});
  CHECK(both->prox(q, 1) == (Vector(4) << -1.25, 0, 0, 0.75).finished());
}

TEST_CASE("Each value and conjugate is its closed form") {
  const Vector q = (Vector(3) << -3, 0.5, 2).finished();
  CHECK(make_regularizer(NoneOptions{})->conjugate(q) == infinity);
  CHECK(make_regularizer(L1Options{.weight = 2})->value(q) == 11);
  CHECK(make_regularizer(L1Options{.weight = 2})->conjugate(q) == infinity);
  CHECK(make_regularizer(L1Options{.weight = 3})->conjugate(q) == 0);
  CHECK(make_regularizer(L2Options{.weight = 4})->value(q) == 26.5);
  CHECK(make_regularizer(L2Options{.weight = 4})->conjugate(q) == 13.25 / 8);
  const auto both = make_regularizer(ElasticNetOptions{.l1_weight = 1, .l2_weight = 4});
  CHECK(both->value(q) == 32);
  CHECK(both->conjugate(q) == 5.0 / 8);  // (2^2 + 1^2) / (2 * 4)
}

TEST_CASE("A weight that is negative or not finite is refused") {
  CHECK_THROWS_WITH(make_regularizer(L1Options{.weight = -1}),
                    "l1 weight: expected a finite number of at least 0, found -1");
  CHECK_THROWS_WITH(make_regularizer(ElasticNetOptions{.l1_weight = 1, .l2_weight = infinity}),
                    "l2 weight: expected a finite number of at least 0, found inf");
}
