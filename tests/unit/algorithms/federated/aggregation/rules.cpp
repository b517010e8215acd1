#include "algorithms/federated/aggregation/rules.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <vector>

#include "sim/base/draws.hpp"

namespace lagnet::rules_test {

namespace {

Answered normal_answers(Index d, Index n) {
  Draws draws(5, Purpose{"test answers"});
  Answered all{Matrix(d, n), Vector(n)};
  for (double& x : all.v.reshaped()) x = draws.normal();
  for (double& q : all.q) q = draws.uniform(0.1, 1);
  all.q /= all.q.sum();
  return all;
}

template <class Rule>
Vector combined(const Rule& rule, const Answered& answered) {
  Vector z = Vector::Zero(answered.v.rows());
  return rule.combine(answered, z).a;
}

/// Of one entry each.
Answered values(const Vector& v, const Vector& q) { return {v.transpose(), q}; }

}  // namespace

TEST_CASE("rules that leave nothing out are means") {
  const Answered all = normal_answers(6, 7);
  const Vector mean = all.v * all.q, even = all.v.rowwise().mean();
  constexpr double rounding = 1e-15;  // of 7 numbers of size 1
  CHECK((combined(MeanRule(), all) - mean).norm() < rounding);
  CHECK((combined(TrimmedMeanRule{.trim = 0, .weighted = true}, all) - mean).norm() < rounding);
  CHECK((combined(TrimmedMeanRule{.trim = 0}, all) - even).norm() < rounding);
  CHECK((combined(KrumRule{.attackers = 0, .keep = 7}, all) - even).norm() < rounding);
  CHECK((combined(KrumRule{.attackers = 2, .keep = 50, .weighted = true}, all) - mean).norm() < rounding);
  CHECK((combined(CenteredClippingRule{.radius = 1e6, .weighted = true}, all) - mean).norm() < rounding);
  CHECK((combined(GeometricMedianRule{.smoothing = 1e9, .iterations = 5}, all) - even).norm() < rounding);
}

TEST_CASE("one answer is the result of every rule but krum and clipping") {
  const Answered one = normal_answers(4, 1);
  const Vector v = one.v.col(0);
  for (const bool weighted : {false, true}) {
    CHECK(combined(CoordinateMedianRule{.weighted = weighted}, one) == v);
    CHECK(combined(TrimmedMeanRule{.trim = 0.49, .weighted = weighted}, one) == v);
    CHECK((combined(GeometricMedianRule{.weighted = weighted}, one) - v).norm() < 1e-15);
  }
  CHECK(combined(CenteredClippingRule{.radius = v.norm() / 2}, one).isApprox(v / 2));
}

TEST_CASE("medians are those of sorted values, and of their weights") {
  const Vector v{{5, -1, 3, 3}};
  const auto median = [&](bool weighted, const Vector& q) {
    return combined(CoordinateMedianRule{.weighted = weighted}, values(v, q))[0];
  };
  CHECK(median(false, Vector::Constant(4, 0.25)) == 3);
  CHECK(median(true, Vector{{0.6, 0.2, 0.1, 0.1}}) == 5);
  CHECK(median(true, Vector{{0.5, 0.2, 0.1, 0.2}}) == 4);  // half lies below 5: between 3 and 5
  CHECK(median(true, Vector{{0, 1, 0, 0}}) == -1);
  CHECK(combined(CoordinateMedianRule(), values(Vector{{1, 4}}, Vector{{0.9, 0.1}}))[0] == 2.5);
}

TEST_CASE("trimming takes the lower agent's value first where two are equal") {
  // Of 1, 1, 2, 9 one is cut at each end: agent 0's and agent 3's. The weights of those that stay are 2 and 3.
  const Answered all = values(Vector{{1, 1, 2, 9}}, Vector{{0.1, 0.2, 0.3, 0.4}});
  CHECK(combined(TrimmedMeanRule{.trim = 0.25, .weighted = true}, all)[0] == Approx((0.2 * 1 + 0.3 * 2) / 0.5));
  CHECK(combined(TrimmedMeanRule{.trim = 0.25}, all)[0] == 1.5);
  CHECK(TrimmedMeanRule{.trim = 0.1}.left_out(10) == 1);  // 0.1 * 10 is 1, whatever its rounding
  CHECK(TrimmedMeanRule{.trim = 0.2}.left_out(4) == 0);
}

TEST_CASE("krum keeps the vectors whose neighbors are near") {
  const Answered all = values(Vector{{0, 0.1, 0.2, 10, -8}}, Vector::Constant(5, 0.2));
  const KrumRule rule{.attackers = 1};
  CHECK(rule.scores(all.v).isApprox(Vector{{0.05, 0.02, 0.05, 9.8 * 9.8 + 9.9 * 9.9, 64 + 8.1 * 8.1}}));
  CHECK(combined(rule, all)[0] == 0.1);
  CHECK(KrumRule{.attackers = 1, .keep = 2}.kept(rule.scores(all.v)) == std::vector<Index>{0, 1});
  CHECK(rule.least_answers() == 5);
}

TEST_CASE("krum's scores of long answers are those of whole differences, also of answers that are alike") {
  Answered all = normal_answers(1000, 7);
  all.v.col(3) = all.v.col(2) * (1 + 1e-12);
  const Vector scores = KrumRule{.attackers = 2}.scores(all.v);
  for (Index i = 0; i < 7; ++i) {
    std::vector<double> others;
    for (Index j = 0; j < 7; ++j)
      if (j != i) others.push_back((all.v.col(i) - all.v.col(j)).squaredNorm());
    std::ranges::sort(others);
    CHECK(scores[i] == Approx(others[0] + others[1] + others[2]).epsilon(1e-13));
  }
  all.v.col(0) = all.v.col(1) = all.v.col(3);
  const Vector alike = KrumRule{.attackers = 2}.scores(all.v);  // 2 and its three neighbors
  CHECK(alike[2] == Approx(3 * (all.v.col(2) - all.v.col(3)).squaredNorm()).epsilon(1e-13));
  CHECK(alike[2] > 0);
}

TEST_CASE("the geometric median is where unit vectors to all points add up to zero, and stops at its accuracy") {
  const Answered all = normal_answers(3, 9);
  Vector z;
  const Aggregate found = GeometricMedianRule{.iterations = 5000, .accuracy = 1e-13}.combine(all, z);
  Vector sum = Vector::Zero(3);
  for (Index k = 0; k < 9; ++k) sum += (all.v.col(k) - found.a).normalized();
  CHECK(sum.norm() < 1e-9);  // Weiszfeld steps contract by less than 1 - 1e-3 here
  CHECK(found.more % (5 * 9 * 3 + 2 * 9) == 0);
  CHECK(found.more < 5000 * (5 * 9 * 3 + 2 * 9));
}

TEST_CASE("centered clipping goes on from its last result, and no answer moves it by more than its share") {
  Answered all = normal_answers(4, 5);
  const CenteredClippingRule rule{.radius = 0.5};
  Vector z = Vector::Zero(4);
  const Vector first = rule.combine(all, z).a;
  CHECK(z == first);
  Vector expected = first;
  for (Index k = 0; k < 5; ++k) {
    const Vector difference = all.v.col(k) - first;
    expected += std::min(1.0, 0.5 / difference.norm()) / 5 * difference;
  }
  CHECK((rule.combine(all, z).a - expected).norm() < 1e-15);
  Vector moved = Vector::Zero(4);
  all.v.col(2).setConstant(1e9);
  CHECK((rule.combine(all, moved).a - first).norm() <= 2 * 0.5 / 5 * (1 + 1e-12));
}

TEST_CASE("sorting n values takes n clog2(n) comparisons by the bill") {
  const std::vector<std::pair<Index, Index>> known{{1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {8, 3}, {9, 4}, {1024, 10}};
  for (const auto& [n, e] : known) CHECK(clog2(n) == e);
  CHECK(CoordinateMedianRule{.weighted = true}.flops(7, 5) == CoordinateMedianRule().flops(7, 5) + 35);
}

}  // namespace lagnet::rules_test
