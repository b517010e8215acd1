#include "sim/neighbor_sums.hpp"

#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "sim/draws.hpp"
#include "sim/strip_kernels.hpp"

using namespace lagnet;

namespace {

Vector noise(Index size, AgentId which) {
  Draws draws(1, Purpose("neighbor sums"), which);
  Vector v(size);
  for (double& x : v) x = draws.normal() * std::exp(5 * draws.normal());  // so that every order has bits of its own
  return v;
}

/// The order of neighbor_sums.hpp, as plainly as can be.
Vector oracle(AgentId receiver, const std::vector<AgentId>& senders, const std::vector<double>& weights,
              const std::vector<Vector>& all, const Vector& start) {
  Vector sum = start;
  if (weights.empty() && all.size() >= 3 && senders.size() == all.size() - 1) {
    for (Index i = 0; i < sum.size(); ++i) {
      double below = 0, above = 0;
      for (std::size_t j = 0; j < receiver; ++j) below += all[j][i];
      for (std::size_t j = all.size(); j-- > receiver + 1;) above += all[j][i];
      sum[i] = below + above;
    }
    return sum;
  }
  for (Index i = 0; i < sum.size(); ++i)
    for (std::size_t k = 0; k < senders.size();) {
      const AgentId group = senders[k] / 6;
      const auto term = [&](std::size_t s) { return (weights.empty() ? 1 : weights[s]) * all[senders[s]][i]; };
      double partial = term(k++);
      for (; k < senders.size() && senders[k] / 6 == group; ++k) partial += term(k);
      sum[i] += partial;
    }
  return sum;
}

/// Sums to be made on a random graph, with a place for each.
struct Case {
  Case(AgentId agents, Index size, double probability, bool weighted) : rows(agents), sums(agents) {
    Draws draws(static_cast<std::uint64_t>(agents), Purpose("graph"), static_cast<AgentId>(100 * probability));
    for (AgentId a = 0; a < agents; ++a) rows[a] = noise(size, a);
    senders.resize(agents);
    weights.resize(agents);
    pointers.resize(agents);
    for (AgentId a = 0; a < agents; ++a) {
      for (AgentId b = 0; b < agents; ++b)
        if (a != b && draws.bernoulli(probability)) senders[a].push_back(b);
      for (const AgentId b : senders[a]) {
        pointers[a].push_back(rows[b].data());
        if (weighted) weights[a].push_back(draws.normal());
      }
      sums[a] = weighted ? noise(size, agents + a) : Vector::Zero(size);
      expected.push_back(oracle(a, senders[a], weights[a], rows, sums[a]));
    }
  }
  NeighborSum sum(AgentId a) { return {a, senders[a], pointers[a], weights[a], sums[a].data(), sums[a].size()}; }
  std::vector<Vector> rows, sums, expected;
  std::vector<std::vector<AgentId>> senders;
  std::vector<std::vector<double>> weights;
  std::vector<std::vector<const double*>> pointers;
};

}  // namespace

TEST_CASE("Sums of neighbors have the bits of the plain loops, each alone and all together, on 1 and 3 threads") {
  // Sizes below, at and above the strips of 64 and 1024 entries and the length that is worth a batch; a few agents,
  // and so many that groups get tables (4 * 2^6 additions saved: 60 agents of probability 0.9 do).
  Workers one(1), three(3);
  for (const AgentId agents : {2u, 3u, 7u, 60u})
    for (const Index size : {0, 1, 63, 256, 1025})
      for (const double probability : {0.1, 0.5, 0.9, 1.0})
        for (const bool weighted : {false, true}) {
          INFO(agents << " agents, " << size << " entries, probability " << probability << ", weighted " << weighted);
          Case alone(agents, size, probability, weighted);
          for (AgentId a = 0; a < agents; ++a) add_up(alone.sum(a), agents);
          REQUIRE(alone.sums == alone.expected);
          for (Workers* workers : {&one, &three}) {
            Case together(agents, size, probability, weighted);
            std::vector<NeighborSum> batch;
            for (AgentId a = agents; a-- > 0;) batch.push_back(together.sum(a));  // in any order
            NeighborSums sums;
            sums.add_up(batch, agents, *workers);
            REQUIRE(together.sums == together.expected);
          }
        }
}

TEST_CASE("A part of the receivers, and receivers of different exchanges, get the same bits") {
  Workers workers(1);
  const AgentId agents = 40;
  const Index size = 300;
  for (const double probability : {0.5, 1.0}) {
    Case some(agents, size, probability, false);
    NeighborSums sums;
    std::vector<NeighborSum> batch;
    for (AgentId a = 0; a < agents; a += 3) batch.push_back(some.sum(a));
    sums.add_up(batch, agents, workers);
    for (AgentId a = 0; a < agents; a += 3) REQUIRE(some.sums[a] == some.expected[a]);

    // Agent 1's neighbors are an exchange ahead: they have sent other vectors, here copies.
    std::vector<Vector> copies = some.rows;
    for (std::size_t k = 0; k < some.senders[1].size(); ++k) some.pointers[1][k] = copies[some.senders[1][k]].data();
    batch = {some.sum(1), some.sum(2)};
    sums.add_up(batch, agents, workers);
    REQUIRE(some.sums[1] == some.expected[1]);
    REQUIRE(some.sums[2] == some.expected[2]);
  }
}

TEST_CASE("All variants of the strip kernels give the bits of the baseline") {
  const auto variants = strip_kernel_variants();
  CHECK(variants.front()->name == std::string("baseline"));
  CHECK(variants.back() == &strip_kernels());
  const Index size = 77;  // no multiple of any number of lanes
  std::vector<Vector> rows;
  std::vector<const double*> pointers;
  std::vector<double> weights;
  for (AgentId k = 0; k < 6; ++k) {
    rows.push_back(noise(size + 3, k));
    weights.push_back(noise(1, 50 + k)[0]);
  }
  for (const Vector& row : rows) pointers.push_back(row.data());
  const auto results = [&](const StripKernels& kernels) {
    std::vector<Vector> all;
    const auto made = [&](const auto& make) {
      all.push_back(noise(size, 70));
      make(all.back().data());
    };
    made([&](double* sum) { kernels.add(rows[0].data(), size, sum); });
    made([&](double* sum) { kernels.add_both(rows[0].data(), rows[1].data(), size, sum); });
    for (std::size_t count = 0; count <= 4; ++count)
      made([&](double* sum) { kernels.add_each(pointers.data(), count, size, sum); });
    for (std::size_t count = 1; count <= 6; ++count) {
      made([&](double* sum) { kernels.add_group(pointers.data(), count, 3, size, sum); });
      made([&](double* sum) { kernels.add_weighted_group(pointers.data(), weights.data(), count, 3, size, sum); });
    }
    Vector table = Vector::Zero(64 * 80);
    std::vector<const double*> with_a_gap = pointers;
    with_a_gap[2] = nullptr;
    kernels.make_table(with_a_gap.data(), 6, 2, size, 80, table.data());
    all.push_back(table);
    return all;
  };
  const std::vector<Vector> expected = results(*variants.front());
  for (const StripKernels* kernels : variants) {
    INFO(kernels->name);
    CHECK(results(*kernels) == expected);
  }
  // And the table is what it says.
  const Vector& table = expected.back();
  for (unsigned mask = 0; mask < 64; ++mask) {
    double sum = 0;
    for (unsigned k = 0; k < 6; ++k)
      if (mask >> k & 1 && k != 2) sum += rows[k][2 + 5];
    REQUIRE(table[mask * 80 + 5] == sum);
  }
}
