#include "topologies/gossip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/decompositions.hpp"
#include "tests/unit/topologies/said.hpp"
#include "topologies/generators/families.hpp"

namespace lagnet::gossip_test {

namespace {

const double pi = std::acos(-1.0);

template <class Options>
Topology with_agents(std::int64_t agents) {
  Options options;
  options.agents = agents;
  return make_topology(options, 1);
}

SparseMatrix sparse(const Matrix& dense) { return dense.sparseView(); }

}  // namespace

TEST_CASE("the weights are those of their definitions") {
  const Topology path(3, {{0, 1, 5}, {1, 2}});  // degrees 1, 2, 1; the edge weight 5 plays no part
  Matrix expected(3, 3);
  const double third = 1.0 / 3;
  expected << 1 - third, third, 0, third, 1 - (third + third), third, 0, third, 1 - third;
  CHECK(Matrix(gossip_matrix(path, GossipWeights::metropolis)) == expected);
  CHECK(Matrix(gossip_matrix(path, GossipWeights::max_degree)) == expected);

  const Topology kite(4, {{0, 1}, {1, 2}, {0, 2}, {2, 3}});  // degrees 2, 2, 3, 1
  CHECK(gossip_matrix(kite, GossipWeights::metropolis).coeff(0, 1) == third);
  CHECK(gossip_matrix(kite, GossipWeights::metropolis).coeff(2, 3) == 0.25);
  CHECK(gossip_matrix(kite, GossipWeights::max_degree).coeff(0, 1) == 0.25);
  CHECK(gossip_matrix(kite, GossipWeights::max_degree).coeff(3, 3) == 0.75);
  const Matrix lazy = gossip_matrix(kite, GossipWeights::lazy_metropolis);
  const Matrix half = (Matrix::Identity(4, 4) + Matrix(gossip_matrix(kite))) / 2;
  CHECK((lazy - half).cwiseAbs().maxCoeff() <= 1e-16);  // half an ulp of the diagonal, which is summed in another order
}

TEST_CASE("every gossip matrix is doubly stochastic, symmetric and non-negative") {
  ErdosRenyiOptions random;
  random.agents = 40;
  random.probability = 0.2;
  for (const auto& [weights, name] : spellings(GossipWeights{})) {
    INFO(name);
    CHECK(sentences(gossip_problems(gossip_matrix(make_topology(random, 1), weights))) == "");
    CHECK(sentences(gossip_problems(gossip_matrix(with_agents<StarOptions>(9), weights))) == "");
    CHECK(sentences(gossip_problems(gossip_matrix(Topology(1, {}), weights))) == "");
    CHECK(spectral_gap(gossip_matrix(Topology(1, {}), weights)) == 1);
  }
}

TEST_CASE("the spectral gaps of complete graphs and rings are known") {
  // Metropolis on a complete graph averages in one round; the lazy one halves every difference.
  CHECK(spectral_gap(gossip_matrix(with_agents<CompleteOptions>(7))) == Approx(1).epsilon(1e-12));
  CHECK(spectral_gap(gossip_matrix(with_agents<CompleteOptions>(7), GossipWeights::lazy_metropolis)) ==
        Approx(0.5).epsilon(1e-12));
  // A ring has the eigenvalues 1 - (2 - 2 cos(2 pi k / m)) / 3, from which lambda_2 and lambda_m.
  CHECK(spectral_gap(gossip_matrix(with_agents<RingOptions>(12))) ==
        Approx((2 - 2 * std::cos(2 * pi / 12)) / 3).epsilon(1e-12));
  CHECK(spectral_gap(gossip_matrix(with_agents<RingOptions>(2000))) ==
        Approx(4 * std::sin(pi / 2000) * std::sin(pi / 2000) / 3).epsilon(1e-9));
}

TEST_CASE("the spectral gap counts a negative eigenvalue near -1") {
  // Eigenvalues 1 and 1 - 2w.
  CHECK(spectral_gap(sparse(Matrix{{0.1, 0.9}, {0.9, 0.1}})) == Approx(0.2).epsilon(1e-12));
  CHECK(spectral_gap(sparse(Matrix{{0, 1}, {1, 0}})) ==
        Approx(0).margin(1e-15));  // 2 less an eigenvalue 2, to two ulps
}

TEST_CASE("the spectral gap is that of all eigenvalues of W") {
  RandomGeometricOptions near;
  near.agents = 40;
  near.radius = 0.35;
  for (const auto& [weights, name] : spellings(GossipWeights{})) {
    INFO(name);
    const SparseMatrix w = gossip_matrix(make_topology(near, 1), weights);
    const Vector values = testing::eigenvalues(Matrix(w));  // the last one is 1
    const double second = std::max(std::abs(values[0]), std::abs(values[38]));
    CHECK(spectral_gap(w) == Approx(1 - second).epsilon(1e-11));  // rounding of order 40 eps over a gap of order 0.01
  }
}

TEST_CASE("a disconnected graph has no spectral gap") {
  CHECK(spectral_gap(gossip_matrix(Topology(4, {{0, 1}, {2, 3}}))) == 0);
  CHECK(spectral_gap(gossip_matrix(Topology(2, {}))) == 0);
}

TEST_CASE("an invalid gossip matrix is reported entry by entry") {
  CHECK(sentences(gossip_problems(SparseMatrix(2, 3))) == "W: expected a square matrix, found 2 by 3");
  CHECK(sentences(gossip_problems(sparse(Matrix{{1.25, -0.25}, {-0.25, 1.25}}))) ==
        "W(1,0): expected a finite number that is not negative, found -0.25\n"
        "W(0,1): expected a finite number that is not negative, found -0.25");
  const Matrix lopsided{{0.5, 0.5}, {0.25, 0.5}};
  CHECK(sentences(gossip_problems(sparse(lopsided))) ==
        "W(1,0): expected W(0,1), which is 0.5, found 0.25\n"
        "W(0,1): expected W(1,0), which is 0.25, found 0.5\n"
        "row 1 of W: expected the sum 1, found 0.75");
  CHECK(said([&] { spectral_gap(sparse(lopsided)); }) == sentences(gossip_problems(sparse(lopsided))));
}

TEST_CASE("rows of a gossip matrix are in the order of the neighbors, and weights outside the edges are refused") {
  const Topology path(3, {{1, 2}, {0, 1}});
  const auto rows = gossip_rows(path, gossip_matrix(path, GossipWeights::lazy_metropolis));
  REQUIRE(rows.size() == 3);
  CHECK(rows[1].neighbors == std::vector<double>{1.0 / 6, 1.0 / 6});
  CHECK(rows[0].neighbors == std::vector<double>{1.0 / 6});
  CHECK(rows[1].own == Approx(2.0 / 3));
  Matrix w(3, 3);
  w << 0.5, 0.25, 0.25, 0.25, 0.5, 0.25, 0.25, 0.25, 0.5;
  CHECK(said([&] { gossip_rows(path, sparse(w)); }) ==
        "W(0,2): expected 0, since there is no such edge, found 0.25\n"
        "W(2,0): expected 0, since there is no such edge, found 0.25");
  w(0, 0) = 0.6;
  CHECK(said([&] { gossip_rows(path, sparse(w)); }) == "row 0 of W: expected the sum 1, found 1.1");
  CHECK(said([&] {
          gossip_rows(Topology(2, {{0, 1}}), gossip_matrix(path));
        }) == "W: expected 2 rows, one an agent, found 3");
}

TEST_CASE("the spectrum of a gossip matrix is that of a dense solver") {
  const Topology ring = with_agents<RingOptions>(7);
  for (const auto weights : {GossipWeights::metropolis, GossipWeights::lazy_metropolis}) {
    const SparseMatrix w = gossip_matrix(ring, weights);
    const Vector values = testing::eigenvalues(Matrix(w));
    const GossipSpectrum found = gossip_spectrum(w);
    CHECK(found.lowest == Approx(values[0]).margin(1e-12));  // eigenvalues of matrices of norm 1
    CHECK(found.rho == Approx(std::max(std::abs(values[0]), values[5])).epsilon(1e-12));
  }
  CHECK(gossip_spectrum(gossip_matrix(Topology(1, {}))).rho == 0);
}

TEST_CASE("Weights of edges make the gossip matrix w_ij / (1 + max(v_i, v_j)), which is Metropolis' for weights of 1") {
  const Topology path(3, {{0, 1, 3}, {1, 2, 0.5}});  // v = 3, 3.5, 0.5
  Matrix expected(3, 3);
  const double a = 3 / 4.5, b = 0.5 / 4.5;
  expected << 1 - a, a, 0, a, 1 - (a + b), b, 0, b, 1 - b;
  CHECK(Matrix(gossip_matrix(path, GossipWeights::edge_weights)) == expected);
  const Topology plain(3, {{0, 1}, {1, 2}});
  CHECK(Matrix(gossip_matrix(plain, GossipWeights::edge_weights)) == Matrix(gossip_matrix(plain)));
}

TEST_CASE("A gossip matrix of one's own is held against its graph, entry by entry") {
  const auto problems = [](const Topology& graph, std::vector<std::vector<double>> rows) {
    Matrix w(rows.size(), rows.front().size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < rows[i].size(); ++j) w(static_cast<Index>(i), static_cast<Index>(j)) = rows[i][j];
    return sentences(gossip_problems_on(graph, w.sparseView()));
  };
  const Topology path(3, {{0, 1}, {1, 2}}), pair(2, {{0, 1}});
  CHECK(problems(path, {{0.5, 0.5, 0}, {0.5, 0.25, 0.25}, {0, 0.25, 0.75}}).empty());
  CHECK(problems(path, {{0.5, 0.25, 0.25}, {0.25, 0.5, 0.25}, {0.25, 0.25, 0.5}}) ==
        "W(2,0): expected 0, since the graph has no such edge, found 0.25\n"
        "W(0,2): expected 0, since the graph has no such edge, found 0.25");
  CHECK(problems(pair, {{0.5, 0.5}, {0.25, 0.75}}) ==
        "W(1,0): expected W(0,1), which is 0.5, found 0.25\nW(0,1): expected W(1,0), which is 0.25, found 0.5");
  CHECK(problems(pair, {{0.5, 0.25}, {0.25, 0.75}}) == "row 0 of W: expected the sum 1, found 0.75");
  CHECK(problems(path, {{1, 0}, {0, 1}}) == "W: expected 3 rows and 3 columns, one an agent, found 2 by 2");
  CHECK(
      problems(pair, {{0, 1}, {1, 0}}) ==
      "W: expected a lowest eigenvalue above -1, so that agents come to agree, found -1: agents swap their values for "
      "ever; larger entries W(i,i) help");
  CHECK(problems(pair, {{1, 0}, {0, 1}}) ==
        "W: expected a second eigenvalue below 1, so that all agents come to agree, found 1: its entries above 0 leave "
        "agents apart");
}

}  // namespace lagnet::gossip_test
