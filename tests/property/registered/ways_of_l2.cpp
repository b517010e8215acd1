#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/assembly/catalogues/python_parts.hpp"
#include "scenarios/run/run.hpp"
#include "tests/property/registered/scenarios_of_algorithms.hpp"

/// What each method declares of l2 (AlgorithmTraits::square), which `lagnet describe` prints, against what it does.
namespace lagnet::ways_of_l2_test {

namespace {

/// What a run asked the regularizer for, and where it ended.
struct Calls {
  int prox = 0, subgradient = 0;
  Vector iterate = {};
};

/// (b/2) |theta|^2, which counts what it is asked for.
class CountedL2 final : public Regularizer {
 public:
  CountedL2(Calls& calls, double weight) : calls_(calls), b(weight) {}
  double value(VectorRef theta) const override { return b / 2 * theta.squaredNorm(); }
  Vector prox(VectorRef q, double step) const override {
    ++calls_.prox;
    return q / (1 + step * b);
  }
  double conjugate(VectorRef q) const override { return q.squaredNorm() / (2 * b); }
  std::optional<Vector> subgradient(VectorRef theta) const override {
    ++calls_.subgradient;
    return b * theta;
  }
  std::optional<double> l1_weight() const override { return 0; }
  std::optional<double> l2_weight() const override { return b; }

 private:
  Calls& calls_;
  const double b;
};

/// Stands where the regularizer of a scenario is a class in Python.
class CountedParts final : public PythonParts {
 public:
  CountedParts(Calls& calls, double weight) : calls_(calls), weight_(weight) { set_python_parts(this); }
  ~CountedParts() override { set_python_parts(nullptr); }
  std::shared_ptr<const Loss> loss(const PythonLossOptions&) const override { return nullptr; }
  std::shared_ptr<const Regularizer> regularizer(const PythonRegularizerOptions&) const override {
    return std::make_shared<const CountedL2>(calls_, weight_);
  }
  MadeMetric metric(const PythonMetricOptions&) const override { return {}; }

 private:
  Calls& calls_;
  const double weight_;
};

/// Of a short run.
Calls calls_of(Json document, double weight) {
  Calls calls;
  const CountedParts parts(calls, weight);
  document["problem"]["regularizer"] = {{"kind", "python"}, {"class", "test:CountedL2"}};
  document["record"]["optimum"] = false;
  ExperimentCache cache;
  const Experiment experiment = assemble(read_scenario({"l2.json", "/nowhere", document}), "l2.json", cache);
  calls = {};  // of the run alone
  const Outcome outcome = run(experiment);
  REQUIRE_FALSE(outcome.failed());
  REQUIRE(outcome.rows.size() > 1);
  calls.iterate = outcome.iterate;
  return calls;
}

}  // namespace

TEST_CASE("every algorithm treats l2 as it declares: by gradient, by prox, or in a subproblem") {
  int by_prox = 0, by_gradient = 0;
  for (const auto& entry : AlgorithmFamily::catalogue().entries()) {
    const AlgorithmTraits traits = test::traits_of_registered(*entry);
    if (entry->kind == python_kind || traits.takes_regularizers == Regularizers::none) continue;
    CAPTURE(std::string(entry->kind));
    const Json document = test::scenario_with(*entry, traits);
    if (document["problem"]["regularizer"]["kind"] != "l2") continue;  // it takes multiples of norms alone
    const Calls calls = calls_of(document, 0.01);
    CHECK(calls.iterate != calls_of(document, 0.1).iterate);
    if (traits.takes_regularizers == Regularizers::smooth) {
      CHECK(calls.prox == 0);
      // Solvers of agents' problems know l2 by its weight; so do clients, which add b theta to their gradients.
      if (!traits.server) CHECK((calls.subgradient == 0) == (traits.square == SquareStands::in_subproblems));
      ++by_gradient;
      continue;
    }
    CAPTURE(calls.prox, calls.subgradient);
    switch (traits.square) {
      case SquareStands::in_prox:
        CHECK((calls.prox > 0 && calls.subgradient == 0));
        ++by_prox;
        break;
      case SquareStands::in_subgradient:
        CHECK((calls.prox == 0 && calls.subgradient > 0));
        ++by_gradient;
        break;
      case SquareStands::in_every_f:  // as a number, b
      case SquareStands::smooth_in_every_f:
      case SquareStands::in_subproblems:
        CHECK((calls.prox == 0 && calls.subgradient == 0));
    }
  }
  CHECK(by_prox > 10);
  CHECK(by_gradient > 10);
}

}  // namespace lagnet::ways_of_l2_test
