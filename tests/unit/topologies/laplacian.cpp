#include "topologies/laplacian.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "tests/unit/topologies/said.hpp"
#include "topologies/generators/families.hpp"
#include "topologies/spectrum.hpp"

namespace lagnet::laplacian_test {

namespace {

const double pi = std::acos(-1.0);

template <class Options>
Topology with_agents(std::int64_t agents) {
  Options options;
  options.agents = agents;
  return make_topology(options, 1);
}

/// 1e-9 is the accuracy that spectrum() states.
void check_spectrum(const Spectrum& found, double laplacian_max, double algebraic_connectivity) {
  CHECK(found.laplacian_max == Approx(laplacian_max).epsilon(1e-9));
  CHECK(found.algebraic_connectivity == Approx(algebraic_connectivity).epsilon(1e-9));
}

void check_methods_agree(const Topology& topology) {
  const Spectrum dense = spectrum(topology, EigenMethod::dense), sparse = spectrum(topology, EigenMethod::sparse);
  check_spectrum(sparse, dense.laplacian_max, dense.algebraic_connectivity);
}

double squared_sine(double angle) { return 4 * std::sin(angle / 2) * std::sin(angle / 2); }  // 2 - 2 cos(angle)

}  // namespace

TEST_CASE("the Laplacian holds weighted degrees and minus the weights") {
  const Topology topology(3, {{0, 1, 2}, {2, 1, 0.5}});
  Matrix expected(3, 3);
  expected << 2, -2, 0, -2, 2.5, -0.5, 0, -0.5, 0.5;
  CHECK(dense_laplacian(topology) == expected);
  CHECK(Matrix(laplacian(topology)) == expected);
}

TEST_CASE("spectra of the elementary graphs have their closed forms, by either method") {
  const EigenMethod method = GENERATE(EigenMethod::dense, EigenMethod::sparse);
  for (const std::int64_t m : {3, 4, 5, 8, 33, 64}) {
    INFO(m << " agents");
    const double count = static_cast<double>(m);
    check_spectrum(spectrum(with_agents<CompleteOptions>(m), method), count, count);
    check_spectrum(spectrum(with_agents<StarOptions>(m), method), count, 1);
    // Fiedler, "Algebraic connectivity of graphs" (1973): 2 - 2 cos(pi k / m), k = 1 .. m-1.
    check_spectrum(spectrum(with_agents<PathOptions>(m), method), squared_sine(pi * (count - 1) / count),
                   squared_sine(pi / count));
    // 2 - 2 cos(2 pi k / m).
    check_spectrum(spectrum(with_agents<RingOptions>(m), method),
                   squared_sine(2 * pi * static_cast<double>(m / 2) / count), squared_sine(2 * pi / count));
  }
  // 2k for k = 0 .. log2(m).
  check_spectrum(spectrum(with_agents<HypercubeOptions>(64), method), 12, 2);
}

TEST_CASE("the eigenvalues of a torus are sums of those of its rings") {
  LatticeOptions options;
  options.rows = 4;
  options.columns = 6;
  options.torus = true;
  // Both sides are even, so that both rings reach 4; the longer ring has the smaller first eigenvalue.
  check_spectrum(spectrum(make_topology(options, 1)), 8, squared_sine(2 * pi / 6));
}

TEST_CASE("large graphs reach their closed forms through Lanczos and through factorization") {
  check_spectrum(spectrum(with_agents<CompleteOptions>(600)), 600, 600);
  check_spectrum(spectrum(with_agents<StarOptions>(600)), 600, 1);
  check_spectrum(spectrum(with_agents<HypercubeOptions>(1024)), 20, 2);
  check_spectrum(spectrum(with_agents<RingOptions>(2000)), 4, squared_sine(2 * pi / 2000));
  check_spectrum(spectrum(with_agents<PathOptions>(2000)), squared_sine(pi * 1999 / 2000), squared_sine(pi / 2000));
}

TEST_CASE("the dense and the sparse method agree on graphs without closed forms") {
  RandomGeometricOptions near;
  near.agents = 300;
  near.radius = 0.15;
  check_methods_agree(make_topology(near, 1));
  RandomRegularOptions regular;
  regular.agents = 300;
  regular.degree = 4;
  check_methods_agree(make_topology(regular, 1));
  BarabasiAlbertOptions attachment;
  attachment.agents = 300;
  attachment.edges_per_agent = 2;
  check_methods_agree(make_topology(attachment, 1));
  check_methods_agree(with_agents<BinaryTreeOptions>(255));
  check_methods_agree(Topology(4, {{0, 1, 10}, {1, 2, 0.1}, {2, 3, 3}, {3, 0, 0.2}}));
}

TEST_CASE("the sparse method gives bitwise the same numbers each time") {
  const Topology topology = with_agents<BinaryTreeOptions>(700);
  const Spectrum first = spectrum(topology), second = spectrum(topology);
  CHECK(first.laplacian_max == second.laplacian_max);
  CHECK(first.algebraic_connectivity == second.algebraic_connectivity);
}

TEST_CASE("one agent has infinite connectivity and a disconnected graph none") {
  CHECK(spectrum(Topology(1, {})).laplacian_max == 0);
  CHECK(spectrum(Topology(1, {})).algebraic_connectivity == std::numeric_limits<double>::infinity());
  CHECK(spectrum(Topology(2, {})).laplacian_max == 0);
  CHECK(spectrum(Topology(2, {})).algebraic_connectivity == 0);
  for (const EigenMethod method : {EigenMethod::dense, EigenMethod::sparse}) {
    const Spectrum halves = spectrum(Topology(5, {{0, 1}, {1, 2}, {3, 4}}), method);
    CHECK(halves.laplacian_max == Approx(3).epsilon(1e-9));  // of the path of three
    CHECK(halves.algebraic_connectivity == 0);
  }
  CHECK(spectrum(Topology(2, {{0, 1, 3}}), EigenMethod::sparse).algebraic_connectivity == Approx(6).epsilon(1e-12));
}

TEST_CASE("degree statistics count neighbors, not weights") {
  const DegreeStatistics star = degree_statistics(with_agents<StarOptions>(5));
  CHECK(star.min == 1);
  CHECK(star.mean == 8.0 / 5);
  CHECK(star.max == 4);
  CHECK(degree_statistics(Topology(2, {{0, 1, 7}})).max == 1);
}

TEST_CASE("distances of paths, rings and stars have their closed forms") {
  const Distances path = distances(with_agents<PathOptions>(10));
  CHECK(path.diameter == 9);
  CHECK(path.mean_path_length == Approx(11.0 / 3).epsilon(1e-14));  // (m + 1) / 3
  CHECK(path.exact);
  CHECK(distances(with_agents<RingOptions>(9)).diameter == 4);
  const Distances star = distances(with_agents<StarOptions>(6));
  CHECK(star.diameter == 2);
  CHECK(star.mean_path_length == Approx(2 - 2.0 / 6).epsilon(1e-14));  // 5 of the 15 pairs are neighbors
  CHECK(distances(Topology(1, {})).diameter == 0);
}

TEST_CASE("distances of a large graph come from a sample and say so") {
  const Distances path = distances(with_agents<PathOptions>(20000));
  CHECK_FALSE(path.exact);
  CHECK(path.diameter == 19999);  // the farthest agent from anywhere on a path is an end, and from there the other end
  // Over 64 even places x of a unit line, x^2 + (1-x)^2 over 2 has the mean 1/3 + 1/(12 64^2) up to the uneven end
  // (1/64).
  CHECK(path.mean_path_length == Approx(20000 / 3.0).epsilon(0.02));
}

TEST_CASE("a disconnected graph has no diameter") {
  CHECK(said([] { distances(Topology(3, {{0, 1}})); }) == "distances: expected a connected graph, found 2 components");
}

}  // namespace lagnet::laplacian_test
