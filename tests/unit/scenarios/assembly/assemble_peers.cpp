#include <catch2/catch.hpp>
#include <string>

#include "scenarios/run/run.hpp"
#include "tests/support/decompositions.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"

namespace lagnet::assemble_peers_test {

namespace {

/// The small scenario with accelerated gradient tracking under an l1 norm.
ScenarioFile tracking(const std::string& changes = "{}") {
  ScenarioFile file = small_scenario(R"({
    "problem": {"regularizer": {"kind": "none", "weight": null}, "constraint": {"kind": "l1_ball", "radius": 1}},
    "algorithm": {"kind": "accel_tracking"}, "stop": {"rounds": 400}, "record": {"every": 100}})");
  file.document.merge_patch(Json::parse(changes));
  return file;
}

std::string problems_with(const std::string& changes) {
  return scenario_problems([&] { assembled(tracking(changes)); });
}

}  // namespace

TEST_CASE("agents that hold samples reach an optimum whose certificate is a gap of Frank and Wolfe") {
  const Experiment made = assembled(tracking(R"({"algorithm": {"gossip_rounds": 6}, "stop": {"rounds": 1000}})"));
  CHECK(made.partition.starts == std::vector<Index>{0, 4, 8, 12, 16, 20});
  REQUIRE(made.optimum);
  CHECK(made.optimum->certificate.kind == CertificateKind::duality_gap);
  CHECK(made.optimum->certified());
  CHECK(made.problem.constraint->excess(made.optimum->theta) <= 1e-14);
  const Outcome outcome = run(made);
  CHECK(outcome.rows.back().relative_error.value() < 1e-6);
  CHECK(outcome.rows.front().relative_error.value() == 1);
  CHECK_FALSE(outcome.failed());
}

TEST_CASE("a radius may be a share of the l1 norm of the least squares fit to the samples") {
  const auto with = [](double share) {
    return tracking(R"({"problem": {"constraint": {"radius": null, "radius_of_fit": )" + std::to_string(share) + "}}}");
  };
  const Experiment half = assembled(with(0.5));
  const Matrix X = half.problem.X->dense();
  const Vector fit = testing::least_squares(X, half.problem.y);
  const Vector far = Vector::Constant(X.cols(), 100);
  // Two algorithms for the fit, each to a rounding error times the condition number, which is below 100 here.
  CHECK(half.problem.constraint->project(far).lpNorm<1>() == Approx(0.5 * fit.lpNorm<1>()).epsilon(1e-12));
  const Vector theta = assembled(with(1.5)).optimum->theta;  // the fit is inside
  CHECK((theta - fit).norm() <= 1e-6 * fit.norm());
}

TEST_CASE("the gossip matrix is lazy Metropolis unless the topology says otherwise") {
  const NetworkFacts lazy = assembled(tracking()).facts;
  const NetworkFacts plain = assembled(tracking(R"({"topology": {"gossip": "metropolis"}})")).facts;
  REQUIRE(lazy.gossip.size() == 5);  // a ring
  CHECK(lazy.gossip[2].own == Approx(2.0 / 3));
  CHECK(lazy.gossip[2].neighbors[0] == Approx(1.0 / 6));
  CHECK(plain.gossip[2].own == Approx(1.0 / 3));
  CHECK(lazy.gossip_lowest >= 0);
  CHECK(plain.gossip_lowest < 0);
  CHECK(assembled(small_scenario()).facts.gossip.empty());
}

TEST_CASE("peers with different numbers of samples minimize the objective of a server with clients, with its optimum") {
  const std::string uneven =
      R"("partition": {"kind": "sample_blocks", "sizes": [2, 3, 4, 5, 6]}, "stop": {"rounds": 2000})";
  const std::string huber = R"("problem": {"loss": {"kind": "huber", "threshold": 1}})";
  const Experiment pooled = assembled(tracking("{" + uneven + "," + huber + "}"));
  REQUIRE(pooled.optimum->certified());
  CHECK(pooled.optimum->value == assembled(tracking("{" + huber + "}")).optimum->value);
  const Outcome outcome = run(pooled);
  CHECK(outcome.rows.front().relative_error.value() == 1);
  CHECK(outcome.rows.back().relative_error.value() < 1e-6);
}

TEST_CASE("agents that weigh alike have an optimum of their own, for losses of any kind") {
  for (const char* loss : {R"({"kind": "squared"})", R"({"kind": "huber", "threshold": 1})"}) {
    const Experiment even = assembled(tracking(
        std::string(R"({"partition": {"kind": "sample_blocks", "sizes": [2, 3, 4, 5, 6]}, "stop": {"rounds": 2000},
                        "problem": {"agent_weights": "even", "loss": )") +
        loss + "}}"));
    REQUIRE(even.optimum->certified());
    const Outcome outcome = run(even);
    CHECK(outcome.rows.front().relative_error.value() == 1);
    CHECK(outcome.rows.back().relative_error.value() < 1e-6);
    CHECK(outcome.error_scale.floor <= outcome.rows.back().relative_error.value());
  }
}

TEST_CASE("a tolerance below the accuracy of the optimum's certificate is refused before the run") {
  CHECK(problems_with(R"({"stop": {"relative_error": 1e-17}})")
            .starts_with("small.json: /stop/relative_error: expected at least "));
}

TEST_CASE("a regularizer that a method does not know is refused, with those that take it") {
  const auto refusal = [](const char* algorithm, const char* regularizer) {
    return scenario_problems([&] {
      ScenarioFile file =
          tracking(std::string(R"({"problem": {"constraint": {"kind": "none", "radius": null}}, "algorithm": )") +
                   algorithm + "}");
      file.document["problem"]["regularizer"] = Json::parse(regularizer);
      assembled(file);
    });
  };
  const char* const l1 = R"({"kind": "l1", "weight": 0.1})";
  CHECK(
      refusal(R"({"kind": "gradient_tracking"})", l1) ==
      "small.json: /problem/regularizer/kind: expected l2 or none, since gradient_tracking has no prox (these take it: "
      "gossip_averaging, accel_tracking, netlasso, dpag, proximal_gradient, accelerated_proximal_gradient, dgd, extra, "
      "nids, pairwise_gossip, ad_psgd, choco_gossip, lead, subgradient_push, push_sum), found l1");
  CHECK(refusal(R"({"kind": "gradient_tracking"})", R"({"kind": "l2", "weight": 0.1})").empty());
  CHECK(refusal(R"({"kind": "extra"})", l1).empty());
}

TEST_CASE("an objective far above the start ends the run as diverged, and the rows up to there are kept") {
  const std::string wild =
      R"("algorithm": {"alpha": 0.01, "beta": 1},
         "problem": {"constraint": {"kind": "none", "radius": null}})";
  const Outcome outcome = run(assembled(tracking("{" + wild + R"(, "record": {"every": 1}})")));
  CHECK(outcome.diverged);
  CHECK(outcome.failed());
  CHECK(outcome.stop == StopReason::diverged);
  const Row& last = outcome.rows.back();
  CHECK(last.round < 400);
  CHECK(last.objective.value() > 1e6 * outcome.error_scale.initial);
  CHECK(outcome.rows[outcome.rows.size() - 2].objective.value() <= 1e6 * outcome.error_scale.initial);
  REQUIRE(outcome.remarks.size() == 1);
  CHECK_THAT(outcome.remarks[0].text, Catch::StartsWith("diverged in round ") &&
                                          Catch::EndsWith("stop.divergence_factor times that of the start"));
  ScenarioFile endless = tracking("{" + wild + R"(, "stop": {"rounds": 5}})");
  endless.document["stop"]["divergence_factor"] = nullptr;
  const Outcome large = run(assembled(endless));
  CHECK_FALSE(large.diverged);
  CHECK(large.rows.back().objective.value() > 1e6 * large.error_scale.initial);
  endless.document["stop"]["rounds"] = 400;
  const Outcome overflow = run(assembled(endless));
  CHECK(overflow.diverged);
  CHECK_THAT(overflow.remarks.at(0).text, Catch::EndsWith("objective, iterate or metric is not finite"));
}

TEST_CASE("methods and sets refuse all unsupported options at once") {
  CHECK(problems_with(R"({"problem": {"constraint": {"radius": -1}},
                          "algorithm": {"mu": 0, "alpha": 0, "beta": 2, "gossip_rounds": 0},
                          "stop": {"rounds": 0}})") ==
        "small.json: /problem/constraint/radius: expected a number at least 0, found -1\n"
        "small.json: /algorithm/mu: expected a number above 0, found 0\n"
        "small.json: /algorithm/alpha: expected a number above 0, found 0\n"
        "small.json: /algorithm/beta: expected a number above 0 and at most 1, found 2\n"
        "small.json: /algorithm/gossip_rounds: expected an integer from 1 to 1000000, found 0\n"
        "small.json: /stop/rounds: expected an integer at least 1, found 0");
  CHECK(problems_with(R"({"algorithm": {"mu": 2, "L": 1}})") ==
        "small.json: /algorithm/L: expected at least mu, found 1.0");
  CHECK(problems_with(R"({"algorithm": {"gossip_rounds": 2, "gossip_target": 0.1}})") ==
        "small.json: /algorithm/gossip_target: expected one of gossip_rounds and gossip_target, found both of them");
  CHECK(problems_with(R"({"algorithm": {"mu": 1e9}})")
            .starts_with("small.json: /algorithm/L: expected at least mu, found "));
  CHECK(problems_with(R"({"problem": {"constraint": {"kind": "box", "radius": null, "bound": -1}}})") ==
        "small.json: /problem/constraint/bound: expected a number at least 0, found -1");
  CHECK(problems_with(R"({"problem": {"constraint": {"kind": "box", "radius": null, "omega": 0}}})") ==
        "small.json: /problem/constraint/omega: expected a number above 0, found 0");
  CHECK(problems_with(R"({"problem": {"constraint": {"radius_of_fit": 0.5}}})") ==
        "small.json: /problem/constraint/radius: expected one of radius and radius_of_fit, found both of them");
  CHECK(problems_with(R"({"problem": {"constraint": {"radius": null}}})") ==
        "small.json: /problem/constraint/radius: expected one of radius and radius_of_fit, found neither of them");
  CHECK(problems_with(R"({"problem": {"loss": {"kind": "huber", "threshold": 1},
                                      "constraint": {"radius": null, "radius_of_fit": 0.5}}})") ==
        "small.json: /problem/constraint/radius_of_fit: expected the squared loss, found huber");
  CHECK(problems_with(R"({"problem": {"constraint": {"kind": "box", "radius": null}}})") ==
        "small.json: /problem/constraint/bound: expected one of bound and omega, found neither of them");
  CHECK(problems_with(R"({"problem": {"constraint": {"kind": "nuclear_ball"}}})") ==
        "small.json: /problem/constraint/rows: expected rows of a matrix, since these data have a vector of "
        "coefficients, found none");
  CHECK(problems_with(R"({"algorithm": {"kind": "fd_primal_dual"}})") ==
        "small.json: /problem/constraint/kind: expected none, since fd_primal_dual does not keep iterates in a set, "
        "found l1_ball");
  CHECK(
      problems_with(R"({"algorithm": {"kind": "gossip_averaging"}, "problem": {"agent_weights": "even"}})") ==
      "small.json: /problem/constraint/kind: expected none, since gossip_averaging does not keep iterates in a set "
      "(these take it: accel_tracking, netlasso, dpag, proximal_gradient, accelerated_proximal_gradient, dgd, extra, "
      "nids), found l1_ball\n"
      "small.json: /problem/agent_weights: expected samples, since gossip_averaging weighs agents by them "
      "(these take it: accel_tracking, netlasso, dpag, proximal_gradient, accelerated_proximal_gradient, dgd, extra, "
      "nids, gradient_tracking, decentralized_admm, k_gt, led, lt_admm, relay_sgd, ad_psgd, asy_sonata, edge_admm, "
      "walkman, choco_sgd, lead, beer, push_diging, push_pull, subgradient_push, ssda, msda, apapc, opapc, adom_plus, "
      "network_dane), found even");
  CHECK(problems_with(R"({"data": {"samples": 3}})") ==
        "small.json: /partition: expected at least one sample for each agent that holds data, found none for agent 3 "
        "and 1 other");
  CHECK(problems_with(R"({"algorithm": {"kind": "proximal_gradient"}})") ==
        "small.json: /algorithm/kind: expected an algorithm for several agents, or a topology with 1 agent, found "
        "proximal_gradient with 5 agents");
}

TEST_CASE("a loss of several scores makes the peers' iterates matrices, whose run has its rank and its accuracy") {
  const Experiment made = assembled(tracking(R"({
    "data": {"source": "federated_classification", "clients": 5, "samples_per_client": 8, "features": 4, "classes": 3,
             "samples": null},
    "problem": {"loss": {"kind": "softmax"}, "constraint": {"kind": "nuclear_ball"}},
    "algorithm": {"mu": 0.1, "gossip_rounds": 4}, "stop": {"rounds": 200},
    "record": {"metrics": ["rank", "accuracy", "train_loss"]}})"));
  CHECK(made.problem.shape.rows == 4);
  CHECK(made.problem.shape.cols == 3);
  const Outcome outcome = run(made);
  CHECK(outcome.stop == StopReason::rounds);
  CHECK(outcome.rows.back().objective.value() < outcome.rows.front().objective.value());
  REQUIRE(outcome.rows.back().metrics.size() == 6);  // three of the method's own
  CHECK(outcome.rows.front().metrics[3].value() == 0);
  CHECK(outcome.rows.back().metrics[3].value() >= 1);
  CHECK(outcome.rows.back().metrics[4].value() > outcome.rows.front().metrics[4].value());
  CHECK(outcome.rows.back().metrics[5].value() == Approx(outcome.rows.back().objective.value()).epsilon(1e-13));
}

TEST_CASE("an odd number of rounds of an indefinite gossip matrix is warned of") {
  const Experiment odd = assembled(tracking(R"({"topology": {"gossip": "metropolis"}})"));
  REQUIRE(odd.warnings.size() == 1);
  CHECK_THAT(odd.warnings[0].text, Catch::StartsWith("the gossip matrix W has the eigenvalue -0.206"));
  CHECK(assembled(tracking(R"({"topology": {"gossip": "metropolis"}, "algorithm": {"gossip_rounds": 2}})"))
            .warnings.empty());
}

}  // namespace lagnet::assemble_peers_test
