#include "sim/exchange/neighbor_sums.hpp"

#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "sim/base/draws.hpp"
#include "sim/exchange/blocked_sum_kernels.hpp"

namespace lagnet::neighbor_sums_test {

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

/// Where pieces of a sum go, which must come exactly once each, with the receiver's own entries beside them.
struct Place {
  Vector sum;
  const Vector* own = nullptr;
  static void take(const void* context, Index first, VectorView own, VectorView piece) {
    auto& place = *static_cast<Place*>(const_cast<void*>(context));
    REQUIRE(own == place.own->segment(first, piece.size()));
    REQUIRE(place.sum.segment(first, piece.size()).array().isNaN().all());
    place.sum.segment(first, piece.size()) = piece;
  }
};

/// Sums to be made on a random graph, with a place for each.
struct Case {
  Case(AgentId agents, Index size, double probability, bool weighted) : rows(agents), places(agents) {
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
      own_weights.push_back(weighted ? draws.normal() : 0);
      places[a] = {Vector::Constant(size, std::nan("")), &rows[a]};
      const Vector start = weighted ? Vector(own_weights[a] * rows[a]) : Vector(Vector::Zero(size));
      expected.push_back(oracle(a, senders[a], weights[a], rows, start));
    }
  }
  NeighborSum sum(AgentId a) {
    return {.receiver = a,
            .senders = senders[a],
            .rows = pointers[a],
            .weights = weights[a],
            .own = rows[a].data(),
            .own_weight = own_weights[a],
            .size = rows[a].size(),
            .taker = {Place::take, &places[a]}};
  }
  std::vector<Vector> sums() const {
    std::vector<Vector> all;
    for (const Place& place : places) all.push_back(place.sum);
    return all;
  }
  std::vector<Vector> rows, expected;
  std::vector<Place> places;
  std::vector<std::vector<AgentId>> senders;
  std::vector<std::vector<double>> weights;
  std::vector<double> own_weights;
  std::vector<std::vector<const double*>> pointers;
};

}  // namespace

TEST_CASE("Sums of neighbors have the bits of the plain loops, each alone and all together, on 1 and 3 threads",
          "[threads]") {
  // Sizes below, at and above the strips of 64 and 1024 entries and the length that is worth a batch; a few agents,
  // and enough of them that groups get tables (4 * 2^6 additions saved: 60 agents of probability 0.9 do).
  Workers one(1), three(3);
  for (const AgentId agents : {2u, 3u, 7u, 60u})
    for (const Index size : {0, 1, 63, 256, 1025})
      for (const double probability : {0.1, 0.5, 0.9, 1.0})
        for (const bool weighted : {false, true}) {
          INFO(agents << " agents, " << size << " entries, probability " << probability << ", weighted " << weighted);
          Case alone(agents, size, probability, weighted);
          for (AgentId a = 0; a < agents; ++a) add_up(alone.sum(a), agents);
          REQUIRE(alone.sums() == alone.expected);
          for (Workers* workers : {&one, &three}) {
            Case together(agents, size, probability, weighted);
            std::vector<NeighborSum> batch;
            for (AgentId a = agents; a-- > 0;) batch.push_back(together.sum(a));  // in any order
            NeighborSums sums;
            sums.add_up(batch, agents, *workers);
            REQUIRE(together.sums() == together.expected);
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
    for (AgentId a = 0; a < agents; a += 3) REQUIRE(some.places[a].sum == some.expected[a]);

    // Agent 1's neighbors are an exchange ahead: they have sent other vectors, here copies.
    std::vector<Vector> copies = some.rows;
    for (std::size_t k = 0; k < some.senders[1].size(); ++k) some.pointers[1][k] = copies[some.senders[1][k]].data();
    for (const AgentId a : {1u, 2u}) some.places[a].sum.setConstant(std::nan(""));
    batch = {some.sum(1), some.sum(2)};
    sums.add_up(batch, agents, workers);
    REQUIRE(some.places[1].sum == some.expected[1]);
    REQUIRE(some.places[2].sum == some.expected[2]);
  }
}

TEST_CASE("A plan made for some sums does not serve others of the same size") {
  Workers workers(1);
  const AgentId agents = 60;
  NeighborSums sums;
  for (const bool weighted : {false, true, false})
    for (const double probability : {0.9, 0.89, 0.9}) {
      Case some(agents, 256, probability, weighted);
      std::vector<NeighborSum> batch;
      for (AgentId a = 0; a < agents; ++a) batch.push_back(some.sum(a));
      sums.add_up(batch, agents, workers);
      REQUIRE(some.sums() == some.expected);
    }
}

TEST_CASE("Deferred sums are added up and the kernels started only when they are finished, all at once") {
  Workers workers(1);
  Case some(5, 300, 0.6, false);
  NeighborSums sums;
  std::vector<std::uint64_t> tickets;
  for (AgentId a = 0; a < 5; ++a) tickets.push_back(sums.defer(some.sum(a)));
  struct Look {
    const Case* some;
    bool saw_sums = false;
  } look{&some};
  Job job;
  job.run = [](const void* context) {
    auto& at = *static_cast<Look*>(const_cast<void*>(context));
    at.saw_sums = at.some->sums() == at.some->expected;
  };
  job.context = &look;
  sums.defer(job);
  CHECK(sums.is_deferred(tickets.front()));
  CHECK(some.places[0].sum.array().isNaN().all());
  sums.finish_deferred(5, workers);
  CHECK(look.saw_sums);
  CHECK_FALSE(sums.is_deferred(tickets.front()));
  CHECK_FALSE(sums.is_deferred(tickets.back()));
  CHECK(sums.is_deferred(sums.defer(some.sum(0))));
}

namespace {

constexpr Index receivers = 5;

/// As many tables as are used together, the first one of these rows from their entry 2 on, the others of later ones.
Vector tables_of(const StripKernels& kernels, const std::vector<const double*>& rows, Index count) {
  Vector tables = Vector::Zero(static_cast<Index>(tables_at_once * table_size));
  for (std::size_t k = 0; k < tables_at_once; ++k)
    kernels.make_table(rows.data(), 2 + static_cast<Index>(k), count, tables.data() + k * table_size);
  return tables;
}

/// For each receiver and table one, zero among them.
std::vector<std::uint16_t> some_masks() {
  std::vector<std::uint16_t> masks;
  for (std::size_t i = 0; i < static_cast<std::size_t>(receivers) * tables_at_once; ++i)
    masks.push_back(static_cast<std::uint16_t>(i * 37 % 64 * table_width));
  return masks;
}

}  // namespace

TEST_CASE("All variants of the strip kernels give the bits of the baseline") {
  const auto variants = strip_kernel_variants();
  CHECK(variants.front()->name == std::string("baseline"));
  CHECK(variants.back() == &strip_kernels());
  const Index size = 77;  // no multiple of any number of lanes
  std::vector<Vector> rows;
  std::vector<const double*> pointers;
  std::vector<double> weights;
  for (AgentId k = 0; k < 8; ++k) {
    rows.push_back(noise(size + 3, k));
    weights.push_back(noise(1, 50 + k)[0]);
  }
  for (const Vector& row : rows) pointers.push_back(row.data());
  const std::vector<std::uint16_t> masks = some_masks();
  const auto results = [&](const StripKernels& kernels) {
    std::vector<Vector> all;
    const auto made = [&](const auto& make) {
      all.push_back(noise(size, 70));
      make(all.back().data());
    };
    made([&](double* sum) { kernels.add(rows[0].data(), size, sum); });
    made([&](double* sum) { kernels.add_both(rows[0].data(), rows[1].data(), size, sum); });
    for (std::size_t count = 1; count <= 6; ++count) {
      made([&](double* sum) { kernels.add_group(pointers.data(), count, 3, size, sum); });
      made([&](double* sum) { kernels.add_weighted_group(pointers.data(), weights.data(), count, 3, size, sum); });
    }
    for (const Index count : {Index{3}, table_width}) {
      all.push_back(tables_of(kernels, pointers, count));
      all.push_back(noise(receivers * table_width, 71));
      kernels.add_from_tables(all[all.size() - 2].data(), masks.data(), receivers, all.back().data());
    }
    return all;
  };
  const std::vector<Vector> expected = results(*variants.front());
  for (const StripKernels* kernels : variants) {
    INFO(kernels->name);
    CHECK(results(*kernels) == expected);
  }
}

TEST_CASE("tables have the sums of all subsets of their rows, in order, and sums take an entry of each") {
  std::vector<Vector> rows;
  std::vector<const double*> pointers;
  for (AgentId k = 0; k < group_size; ++k) rows.push_back(noise(20, k));
  for (const Vector& row : rows) pointers.push_back(row.data());
  pointers[2] = nullptr;
  for (const Index count : {Index{3}, table_width}) {
    const Vector tables = tables_of(strip_kernels(), pointers, count);
    const auto entry = [&](std::size_t table, std::size_t mask, Index i) {
      return tables[static_cast<Index>(table * table_size + mask * table_width) + i];
    };
    for (std::size_t mask = 0; mask < 64; ++mask)
      for (Index i = 0; i < count; ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < group_size; ++k)
          if (mask >> k & 1 && k != 2) sum += rows[k][2 + i];
        REQUIRE(entry(0, mask, i) == sum);
      }
    const std::vector<std::uint16_t> masks = some_masks();
    Vector sums = noise(receivers * table_width, 71);
    const Vector before = sums;
    strip_kernels().add_from_tables(tables.data(), masks.data(), receivers, sums.data());
    for (Index r = 0; r < receivers; ++r)
      for (Index i = 0; i < count; ++i) {
        double sum = before[r * table_width + i];
        for (std::size_t k = 0; k < tables_at_once; ++k)
          sum += entry(k, masks[static_cast<std::size_t>(r) * tables_at_once + k] / table_width, i);
        REQUIRE(sums[r * table_width + i] == sum);
      }
  }
}

}  // namespace lagnet::neighbor_sums_test
