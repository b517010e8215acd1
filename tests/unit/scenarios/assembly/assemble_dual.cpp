#include <catch2/catch.hpp>

#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::assemble_dual_test {

namespace {

/// The small scenario as a classification over four machines.
ScenarioFile saddle(const std::string& changes = "{}") {
  ScenarioFile file = small_scenario(R"({
    "data": {"source": "gaussian_classification"}, "topology": {"kind": "star"},
    "problem": {"loss": {"kind": "smoothed_hinge", "gamma": 1}, "regularizer": {"kind": "l2"}},
    "algorithm": {"kind": "dispa"}})");
  file.document.merge_patch(Json::parse(changes));
  return file;
}

std::string problems_with(const std::string& changes) {
  return scenario_problems([&] { assembled(saddle(changes)); });
}

}  // namespace

TEST_CASE("every number of a primal-dual method that is out of its range is named, all at once") {
  CHECK(problems_with(R"({"problem": {"loss": {"gamma": 0}}, "algorithm": {"kind": "a_dispa", "tau": 0, "sigma": -1,
                          "vt": -0.1, "rounds_per_stage": 0, "local_steps": -1, "alpha_0": 1.5, "eps": -1}})") ==
        "small.json: /problem/loss/gamma: expected a number above 0, found 0\n"
        "small.json: /algorithm/tau: expected a number above 0, found 0\n"
        "small.json: /algorithm/sigma: expected a number above 0, found -1\n"
        "small.json: /algorithm/local_steps: expected an integer at least 0, found -1\n"
        "small.json: /algorithm/eps: expected a number at least 0, found -1\n"
        "small.json: /algorithm/vt: expected a number at least 0, found -0.1\n"
        "small.json: /algorithm/rounds_per_stage: expected an integer at least 1, found 0\n"
        "small.json: /algorithm/alpha_0: expected a number above 0 and at most 1, found 1.5");
  CHECK(problems_with(R"({"algorithm": {"kind": "a_dispa", "alpha_0": 0}})") ==
        "small.json: /algorithm/alpha_0: expected a number above 0 and at most 1, found 0");
  CHECK(problems_with(R"({"algorithm": {"kind": "cocoa_plus", "nu": 0, "sigma_prime": 0}})") ==
        "small.json: /algorithm/nu: expected a number above 0 and at most 1, found 0\n"
        "small.json: /algorithm/sigma_prime: expected a number above 0, found 0");
  CHECK(problems_with(R"({"algorithm": {"kind": "cocoa_plus", "nu": 1.5}})") ==
        "small.json: /algorithm/nu: expected a number above 0 and at most 1, found 1.5");
}

TEST_CASE("problems and partitions that a primal-dual method cannot work with are refused") {
  CHECK(problems_with(R"({"problem": {"regularizer": {"weight": 0}}})") ==
        "small.json: /algorithm/eps: expected above 0, since the regularizer has no square norm, found 0");
  CHECK(problems_with(R"({"problem": {"regularizer": {"weight": 0}}, "algorithm": {"eps": 0.1}})").empty());
  CHECK(problems_with(R"({"problem": {"regularizer": {"weight": -1}}})") ==
        "small.json: /problem/regularizer/weight: expected a number at least 0, found -1");
  for (const std::string loss : {"hinge", "smoothed_hinge"}) {
    const std::string found = problems_with(R"({"data": {"source": "gaussian_regression"},
                                                "problem": {"loss": {"kind": ")" +
                                            loss + R"(", "gamma": null}}})");
    CHECK_THAT(found,
               Catch::Matches("small\\.json: /data: y: sample 1 of [0-9]+: expected -1 or \\+1, found .*; losses "
                              "that take these labels: squared, huber, absolute"));
  }
  CHECK(problems_with(R"({"topology": {"agents": 22}})") ==
        "small.json: /partition: expected at least one sample for each agent that holds data, found none for agent 21");
  CHECK(problems_with(R"({"topology": {"agents": 1}})") ==
        "small.json: /topology: expected at least 2 agents, a server and a client, found 1");
  for (const auto& [last, sum] : {std::pair("4", "19"), std::pair("6", "more")})
    CHECK(problems_with(R"({"partition": {"kind": "sample_blocks", "sizes": [5, 5, 5, )" + std::string(last) + "]}}") ==
          "small.json: /partition: sample_blocks: expected sizes that add up to the 20 samples, found " +
              std::string(sum));
}

TEST_CASE("data and dual starts that a primal-dual method cannot use are refused") {
  const TestFolder folder;
  const auto problems_of = [&](const std::string& text, const std::string& dual_start = "[]") {
    folder.write("d.libsvm", text);
    ScenarioFile file = saddle(R"({"topology": {"agents": 3}, "algorithm": {"dual_start": )" + dual_start + "}}");
    file.folder = folder.path();
    file.document["data"] = Json::parse(R"({"source": "libsvm", "path": "d.libsvm"})");
    return scenario_problems([&] { assembled(file); });
  };
  const std::string good = "1 1:1\n-1 1:2 2:1\n", d = (folder.path() / "d.libsvm").string();
  CHECK(problems_of(good).empty());
  CHECK(problems_of("1 1:inf\n-1 1:2 2:1\n") ==
        "small.json: /data: " + d + ":1: expected a finite number as the value of index 1, found \"inf\"");
  CHECK(problems_of("1 1:1\n0 1:2 2:1\n") ==
        "small.json: /data: y: sample 2 of 2: expected -1 or +1, found 0; /data/labels=sign maps 0 and 1 to -1 and +1");
  CHECK(problems_of("1 1:0\n-1 2:0\n") ==
        "small.json: /algorithm/kind: expected an algorithm for data in which all samples are 0, found dispa");
  CHECK(problems_of(good, "[-0.5, 0.5]").empty());
  CHECK(problems_of(good, "[-0.5]") ==
        "small.json: /algorithm/dual_start: expected 2 numbers, one for each sample, found 1");
  CHECK(problems_of(good, "[-0.5, -0.5]") ==
        "small.json: /algorithm/dual_start: expected numbers in the domain of the loss's conjugate, found -0.5 for "
        "sample 1 with the label -1");
}

TEST_CASE("a run of each primal-dual method writes the dual objective and a gap that bounds the error") {
  for (const std::string kind : {"dispa", "a_dispa", "cocoa_plus", "cocoa"}) {
    const Experiment made = assembled(saddle(R"({"algorithm": {"kind": ")" + kind + R"("}})"));
    CHECK(made.algorithm->metric_names() == std::vector<std::string>{"dual_objective", "duality_gap"});
    CHECK(made.optimum->certified());
    const Vector x = Vector::Constant(7, 0.1), y = -0.5 * made.problem.y;
    const std::vector<std::vector<Vector>> report{{x, y}};
    const Evaluation worth = made.algorithm->evaluate(1, report, {});
    CHECK(*worth.metrics[0] <= made.optimum->value);
    CHECK(*worth.metrics[1] >= worth.objective - made.optimum->value);
  }
}

// K stands beside sigma alone, as K / sigma: three machines with 3 sigma, one of them without samples, compute what two
// do with 2 sigma, and the shares of CoCoA+ do not look at K.
TEST_CASE("a machine without samples answers 0, and the others compute as without it") {
  const auto objectives = [](const std::string& sizes, const std::string& agents, const std::string& algorithm) {
    const Outcome outcome =
        run(assembled(saddle(R"({"partition": {"kind": "sample_blocks", "sizes": )" + sizes +
                             R"(}, "topology": {"agents": )" + agents + R"(}, "algorithm": )" + algorithm + "}")));
    std::vector<double> all;
    for (const Row& row : outcome.rows) all.push_back(row.objective.value());
    return all;
  };
  for (const std::string solver : {"spdc", "sdca", "exact"}) {
    const std::string shared = R"("order": "cyclic", "local_steps": 5, "local_solver": ")" + solver + "\"}";
    for (const std::string kind : {"dispa", "a_dispa"}) {
      const std::string first = R"({"kind": ")" + kind + R"(", "tau": 0.5, "sigma": )";
      const std::vector<double> two = objectives("[12, 8]", "3", first + "4, " + shared);
      CHECK(two.back() < two.front());
      CHECK(objectives("[12, 0, 8]", "4", first + "6, " + shared) == two);
    }
    const std::string adding = R"({"kind": "cocoa_plus", "sigma_prime": 3, )" + shared;
    CHECK(objectives("[0, 12, 8]", "4", adding) == objectives("[12, 8]", "3", adding));
  }
}

TEST_CASE("sizes of 0 are refused where every client needs samples") {
  CHECK(problems_with(R"({"algorithm": {"kind": "fed_avg", "client_step": 0.1},
                          "partition": {"kind": "sample_blocks", "sizes": [12, 0, 4, 4]}})") ==
        "small.json: /partition: expected at least one sample for each agent that holds data, found none for agent 2");
}

}  // namespace lagnet::assemble_dual_test
