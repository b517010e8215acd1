#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "scenarios/run/run.hpp"
#include "tests/support/decompositions.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::assemble_federated_composite_test {

namespace {

/// The small scenario with a server, four clients, and this algorithm.
std::string problems_with(const std::string& algorithm, const std::string& changes = "{}") {
  ScenarioFile file = small_scenario(R"({"topology": {"kind": "star"}})");
  file.document["algorithm"] = Json::parse(algorithm);
  file.document.merge_patch(Json::parse(changes));
  return scenario_problems([&] { assembled(file); });
}

Experiment federated(const std::string& algorithm, const std::string& changes = "{}") {
  ScenarioFile file = small_scenario(R"({"topology": {"kind": "star"}})");
  file.document["algorithm"] = Json::parse(algorithm);
  file.document.merge_patch(Json::parse(changes));
  return assembled(file);
}

const std::string stages = R"({"kind": "mc_fed_da", "mu": 0.1, "gamma": 20, "stages": )";

}  // namespace

TEST_CASE("steps and counts of federated algorithms have their limits") {
  const std::string counts =
      "small.json: /algorithm/local_steps: expected an integer at least 1, found 0\n"
      "small.json: /algorithm/batch: expected an integer at least 1, found 0";
  for (const std::string kind : {"fed_avg", "scaffold", "fed_mid", "fed_dual_avg"})
    CHECK(problems_with(R"({"kind": ")" + kind +
                        R"(", "local_steps": 0, "batch": 0, "client_step": 0, "server_step": -1})") ==
          counts +
              "\nsmall.json: /algorithm/client_step: expected a number above 0, or theory, found 0\n"
              "small.json: /algorithm/server_step: expected a number above 0, found -1");
  for (const std::string kind : {"fast_fed_da", "c_fed_da"})
    CHECK(problems_with(R"({"kind": ")" + kind + R"(", "local_steps": 0, "batch": 0, "mu": -1, "gamma": 0})") ==
          counts +
              "\nsmall.json: /algorithm/mu: expected a number above 0, found -1\n"
              "small.json: /algorithm/gamma: expected a number above 0, or theory, found 0");
  CHECK(problems_with(R"({"kind": "mc_fed_da", "mu": 0, "gamma": 0, "rho": -1, "batch": 0,
                          "stages": [{"lambda": 0.1, "rounds": 1, "epsilon": -2}]})") ==
        "small.json: /algorithm/stages/0/epsilon: expected a number at least 0, found -2\n"
        "small.json: /algorithm/batch: expected an integer at least 1, found 0\n"
        "small.json: /algorithm/mu: expected a number above 0, found 0\n"
        "small.json: /algorithm/gamma: expected a number above 0, or theory, found 0\n"
        "small.json: /algorithm/rho: expected a number above 0, found -1");
  CHECK(problems_with(R"({"kind": "fast_fed_da", "mu": 0, "gamma": -2, "alpha": "polynomial", "a": 0, "rho": 0})") ==
        "small.json: /algorithm/mu: expected a number above 0, found 0\n"
        "small.json: /algorithm/gamma: expected a number above 0, or theory, found -2\n"
        "small.json: /algorithm/a: expected a number above 0, found 0\n"
        "small.json: /algorithm/rho: expected a number above 0, found 0");
  CHECK(problems_with(R"({"kind": "c_fed_da", "mu": 1, "gamma": 2, "epsilon": -0.1})") ==
        "small.json: /algorithm/epsilon: expected a number at least 0, found -0.1");
  CHECK(problems_with(R"({"kind": "scaffold", "client_step": 0.1})", R"({"stop": {"rounds": 0}})") ==
        "small.json: /stop/rounds: expected an integer at least 1, found 0");
  CHECK(problems_with(R"({"kind": "fed_mid", "client_step": 0.1})",
                      R"({"problem": {"regularizer": {"weight": -0.1}}})") ==
        "small.json: /problem/regularizer/weight: expected a number at least 0, found -0.1");
}

TEST_CASE("steps, penalties and accuracies of methods of one central problem have their limits") {
  CHECK(problems_with(R"({"kind": "distributed_proximal_gradient", "step": 0, "L": -1})") ==
        "small.json: /algorithm/L: expected a number above 0, found -1\n"
        "small.json: /algorithm/step: expected a number above 0, found 0");
  CHECK(problems_with(R"({"kind": "distributed_fista", "momentum": "growing", "mu": 0.1})") ==
        "small.json: /algorithm/mu: expected none with growing momentum, found 0.1");
  CHECK(problems_with(R"({"kind": "distributed_fista", "momentum": "constant"})") ==
        "small.json: /algorithm/mu: expected a number above 0, since the regularizer has no square with a weight above "
        "0, found 0");
  CHECK(problems_with(R"({"kind": "consensus_admm", "penalty": 0, "relaxation": 2, "accuracy": 0})") ==
        "small.json: /algorithm/penalty: expected a number above 0, or theory, found 0\n"
        "small.json: /algorithm/relaxation: expected a number above 0 and below 2, found 2\n"
        "small.json: /algorithm/accuracy: expected a number above 0, found 0");
  CHECK(problems_with(R"({"kind": "consensus_admm", "penalty": 1, "accuracy": 0.5})") ==
        "small.json: /algorithm/accuracy: expected none with exact local minimizers, found 0.5");
  CHECK(problems_with(R"({"kind": "consensus_admm", "penalty": 1})", R"({"problem": {"loss": {"kind": "huber"}}})") ==
        "small.json: /algorithm/local_minimizer: expected gradient, since only least squares have exact minimizers, "
        "found exact");
  CHECK(problems_with(R"({"kind": "fed_prox", "client_step": 0.1, "mu": -1})") ==
        "small.json: /algorithm/mu: expected a number at least 0, found -1");
  CHECK(problems_with(R"({"kind": "block_splitting_admm", "penalty": -1})", R"({"partition": {"kind": "blocks"}})") ==
        "small.json: /algorithm/penalty: expected a number above 0, found -1");
}

TEST_CASE("a start outside of the Euclidean ball is refused, and one elsewhere than at 0 by methods without a server") {
  const std::string normal = R"({"problem": {"start": "normal"}})";
  const std::string mid = R"({"kind": "fed_mid", "client_step": 0.1, "rho": )";
  CHECK_THAT(problems_with(mid + "0.01}", normal),
             Catch::StartsWith("small.json: /algorithm/rho: expected at least ") &&
                 Catch::EndsWith(", the norm of the start, found 0.01"));
  CHECK(problems_with(mid + "100}", normal).empty());
  CHECK(problems_with(mid + "0.01}").empty());  // 0 is in every ball
  CHECK(scenario_problems([&] {
          assembled(small_scenario(R"({"problem": {"start": "normal"}, "algorithm": {"kind": "fd_primal_dual"}})"));
        }) == "small.json: /problem/start: expected zero, where fd_primal_dual starts, found normal");
}

TEST_CASE("polynomial weights need their a, and constant ones have none") {
  CHECK(problems_with(R"({"kind": "fast_fed_da", "mu": 1, "gamma": 2, "alpha": "polynomial"})") ==
        "small.json: /algorithm/a: expected a number above 0, with polynomial weights, found null");
  CHECK(problems_with(R"({"kind": "c_fed_da", "mu": 1, "gamma": 2, "a": 3})") ==
        "small.json: /algorithm/a: expected null, with constant weights, found 3.0");
}

TEST_CASE("weights of clients must fit them and add up to 1") {
  const auto with = [](const std::string& weights) {
    return problems_with(R"({"kind": "fed_avg", "client_step": 0.1, "weights": )" + weights + "}");
  };
  CHECK(with("[0.5, 0.5]") == "small.json: /algorithm/weights: expected 4 numbers, one for each client, found 2");
  CHECK(with("[0.5, 0.25, 0.25, 0.25]") ==
        "small.json: /algorithm/weights: expected numbers that add up to 1, found a sum of 1.25");
  CHECK(with("[1.5, -0.5, 0, 0]") == "small.json: /algorithm/weights/1: expected a number at least 0, found -0.5");
  CHECK(with("[0.5, 0.25, 0.25, 0]").empty());
}

TEST_CASE("stages must be there, with positive weights, and a norm whose weight they set") {
  CHECK(problems_with(stages + "[]}") == "small.json: /algorithm/stages: expected at least one stage, found none");
  CHECK(problems_with(stages + R"([{"lambda": 0, "rounds": 0, "local_steps": 0}]})") ==
        "small.json: /algorithm/stages/0/lambda: expected a number above 0, found 0\n"
        "small.json: /algorithm/stages/0/rounds: expected an integer at least 1, found 0\n"
        "small.json: /algorithm/stages/0/local_steps: expected an integer at least 1, found 0");
  CHECK(
      problems_with(stages + R"([{"lambda": 0.1, "rounds": 3}]})", R"({"problem": {"regularizer": {"kind": "l2"}}})") ==
      "small.json: /algorithm/stages: expected a regularizer that is a multiple of a norm, whose weight the stages "
      "set, found one that is not");
  CHECK(problems_with(R"({"kind": "c_fed_da", "mu": 1, "gamma": 2, "epsilon": 3})",
                      R"({"problem": {"regularizer": {"kind": "l2"}}})") ==
        "small.json: /algorithm/epsilon: expected none, since the regularizer is no multiple of a norm, found 3");
}

TEST_CASE("stages with growing weights, or another last one than the problem's, are warned of") {
  CHECK(federated(stages + R"([{"lambda": 0.02, "rounds": 3}, {"lambda": 0.01, "rounds": 9}]})").warnings.empty());
  CHECK(
      texts_of(federated(stages + R"([{"lambda": 0.02, "rounds": 3}, {"lambda": 0.04, "rounds": 9}]})").warnings) ==
      std::vector<std::string>{
          "the weight of stage 1, 0.04, is above that of the stage before, 0.02: the method is meant for falling ones",
          "the last stage's weight, 0.04, is not the problem's, 0.01: the objective is with the latter"});
}

TEST_CASE("a nuclear norm needs a matrix, and groups must cover the coefficients") {
  const std::string mid = R"({"kind": "fed_mid", "client_step": 0.1})";
  const auto with = [&](const std::string& regularizer) {
    return problems_with(mid, R"({"problem": {"regularizer": )" + regularizer + "}}");
  };
  CHECK(with(R"({"kind": "nuclear", "weight": 0.1})") ==
        "small.json: /problem/regularizer/kind: expected a regularizer of vectors, since the model is a vector of "
        "7 numbers, found nuclear");
  CHECK(with(R"({"kind": "group_lasso", "weight": 0.1})") ==
        "small.json: /problem/regularizer/group_size: expected a number, since the model is a vector and has no rows, "
        "found null");
  CHECK(with(R"({"kind": "group_lasso", "weight": 0.1, "group_size": 3})") ==
        "small.json: /problem/regularizer/group_size: expected a divisor of 7, the number of coefficients, found 3");
  CHECK(with(R"({"kind": "group_lasso", "weight": -0.1, "group_size": 7})") ==
        "small.json: /problem/regularizer/weight: expected a number at least 0, found -0.1");
}

TEST_CASE("regularizers that are not separable are refused with divided features") {
  CHECK(scenario_problems([] {
          assembled(small_scenario(
              R"({"problem": {"regularizer": {"kind": "group_lasso", "weight": 0.1, "group_size": 7}}})"));
        }) ==
        "small.json: /problem/regularizer/kind: expected a regularizer that is a sum over coefficients, for an "
        "algorithm that divides them, found one that is not");
  CHECK_THAT(scenario_problems(
                 [] { assembled(small_scenario(R"({"problem": {"loss": {"kind": "softmax", "classes": 3}}})")); }),
             Catch::Contains("small.json: /problem/loss/kind: expected a loss of one score a sample, for an algorithm "
                             "that divides the features, found softmax"));
}

TEST_CASE("labels other than classes are refused") {
  CHECK_THAT(problems_with(R"({"kind": "fed_avg", "client_step": 0.1})",
                           R"({"data": {"source": "gaussian_classification"},
                               "problem": {"loss": {"kind": "softmax", "classes": 3}}})"),
             Catch::Contains("expected a class, an integer from 0 to 2, found -1"));
}

TEST_CASE("without numbers a softmax loss needs the number of its classes") {
  const std::string avg = R"({"kind": "fed_avg", "client_step": 0.1})";
  CHECK(problems_with(avg, R"({"numerics": "off", "problem": {"loss": {"kind": "softmax"}}})") ==
        "small.json: /problem/loss/classes: expected a number of classes, since no labels determine it, "
        "found null");
  CHECK(problems_with(avg, R"({"numerics": "off", "problem": {"loss": {"kind": "softmax", "classes": 3}}})").empty());
}

TEST_CASE("without numbers a ball whose cost depends on them is refused") {
  const std::string off = R"({"numerics": "off"})";
  CHECK(problems_with(R"({"kind": "c_fed_da", "mu": 1, "gamma": 2})", off).empty());
  CHECK_THAT(problems_with(R"({"kind": "c_fed_da", "mu": 1, "gamma": 2, "epsilon": 1})", off),
             Catch::Contains("/algorithm/kind: expected an algorithm that offers timing with numerics off"));
  CHECK(problems_with(stages + R"([{"lambda": 0.1, "rounds": 3}]})", off).empty());
  CHECK_THAT(problems_with(stages + R"([{"lambda": 0.1, "rounds": 3, "epsilon": 2}]})", off),
             Catch::Contains("/algorithm/kind: expected an algorithm that offers timing with numerics off"));
}

TEST_CASE("with the clients' own weights there is no relative error, and the summary says why") {
  const Experiment made = federated(R"({"kind": "fed_avg", "client_step": 0.1, "weights": [0.25, 0.25, 0.25, 0.25]})");
  const Outcome outcome = run(made);
  CHECK_FALSE(outcome.rows.back().relative_error);
  CHECK(outcome.rows.back().objective.value() == Approx(made.problem.objective(Vector::Zero(7))).epsilon(1));
  const Experiment plain = federated(R"({"kind": "fed_avg", "client_step": 0.1})");
  const Outcome usual = run(plain);
  CHECK(usual.rows.back().relative_error);
  // Clients of five samples each: the same objective, added up by client.
  CHECK(outcome.rows.back().objective.value() == Approx(usual.rows.back().objective.value()).epsilon(1e-14));
}

TEST_CASE("iterates that are no longer finite end the run as diverged, nuclear norms included") {
  const Outcome outcome = run(federated(R"({"kind": "fed_mid", "client_step": 1e200})"));
  CHECK(outcome.diverged);
  const Outcome groups =
      run(federated(R"({"kind": "fed_dual_avg", "client_step": 1e200})",
                    R"({"problem": {"regularizer": {"kind": "group_lasso", "weight": 0.1, "group_size": 7}}})"));
  CHECK(groups.diverged);
}

TEST_CASE("theory's values of federated methods follow from the largest curvature of any client, and runs converge") {
  const std::string l2 = R"({"problem": {"regularizer": {"kind": "l2", "weight": 0.5}}, "stop": {"rounds": 200}})";
  const auto constant = [&](const std::string& algorithm, const std::string& name, const std::string& changes) {
    const Experiment made = federated(algorithm, changes);
    for (const auto& [key, value] : made.algorithm->constants())
      if (key == name) return value;
    return 0.0;
  };
  const Experiment made = federated(R"({"kind": "fed_avg"})", l2);
  const Matrix X = made.problem.X->dense();
  const std::vector<Index>& starts = made.partition.starts;
  double L = 0;
  for (std::size_t k = 0; k + 1 < starts.size(); ++k) {
    const Matrix own = X.middleRows(starts[k], starts[k + 1] - starts[k]);
    const Matrix gram = own.transpose() * own / static_cast<double>(own.rows());
    L = std::max(L, testing::eigenvalues(gram).maxCoeff());
  }
  L += 0.5;
  const double tolerance = 1e-10;  // two solvers of the same eigenvalues
  for (const char* kind : {"fed_avg", "scaffold", "fed_mid", "fed_dual_avg"}) {
    const std::string algorithm = fmt::format(R"({{"kind": "{}", "local_steps": 3, "server_step": 2}})", kind);
    CHECK(constant(algorithm, "eta_c", l2) == Approx(1 / (2 * L * 3 * 2)).epsilon(tolerance));
    const Outcome outcome = run(federated(algorithm, l2));
    CHECK(outcome.rows.back().objective.value() < 0.5 * outcome.error_scale.initial);
  }
  CHECK(constant(R"({"kind": "fast_fed_da", "mu": 0.1})", "gamma", l2) == Approx(L).epsilon(tolerance));
  CHECK(constant(R"({"kind": "c_fed_da", "mu": 0.1, "local_steps": 4})", "gamma", l2) ==
        Approx(L / 4).epsilon(tolerance));
  CHECK(constant(R"({"kind": "fast_fed_da", "mu": 0.1, "alpha": "polynomial", "a": 3})", "gamma", l2) ==
        Approx(2 * 0.1 * 27).epsilon(1e-15));
  const Matrix all = X.transpose() * X / static_cast<double>(X.rows());
  CHECK(constant(R"({"kind": "consensus_admm"})", "penalty", l2) ==
        Approx(testing::eigenvalues(all).maxCoeff() / 4).epsilon(tolerance));
}

}  // namespace lagnet::assemble_federated_composite_test
