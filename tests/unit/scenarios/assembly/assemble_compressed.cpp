#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"

namespace lagnet::assemble_compressed_test {

namespace {

/// The small scenario with a method for compressed messages and no regularizer, then with these changes.
Experiment made_of(const std::string& changes) {
  ScenarioFile file = small_scenario(R"({"problem": {"regularizer": {"kind": "none", "weight": null}},
      "algorithm": {"kind": "choco_sgd", "step": 0.1, "gamma": 0.3, "compressor": {"kind": "top_k", "k": 2}}})");
  file.document.merge_patch(Json::parse(changes));
  return assembled(file);
}

std::string told(const std::string& changes) {
  return scenario_problems([&] { made_of(changes); });
}
std::string told_of(const std::string& compressor) {
  return told(R"({"algorithm": {"compressor": )" + compressor + "}}");
}
bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("everything by which a message may be missing is refused at once and with one reason") {
  const std::string text = told(R"({
    "network": {"loss_probability": 0.1, "burst_loss": {"enter": 0.1, "leave": 0.5},
                "partitions": [{"from_s": 1, "until_s": 2, "groups": [[0, 1]]}],
                "outages": [{"from_s": 1, "until_s": 2, "links": [[0, 1]]}]},
    "participation": {"missing_neighbor": {"kind": "skip", "deadline_ms": 9},
                      "availability": [{"kind": "on_off", "mean_up_s": 1, "mean_down_s": 0.1}]},
    "topology": {"changes": {"kind": "random_matchings"}}})");
  const std::string why = "since choco_sgd sends differences that must arrive once";
  CHECK(says(text, "/network/loss_probability: expected 0, or retransmit, " + why + ", found 0.1"));
  CHECK(says(text, "/network/burst_loss: expected null, or retransmit, " + why));
  CHECK(says(text, "/network/partitions: expected none, or retransmit, " + why + ", found [{"));
  CHECK(says(text, "/network/outages: expected none, or retransmit, " + why));
  CHECK(says(text, "/participation/missing_neighbor/kind: expected wait, " + why + ", found skip"));
  CHECK(says(text, "/participation/availability: expected none, " + why));
  CHECK(says(text, "/topology/changes: expected null, " + why + ", found random_matchings"));
}

TEST_CASE("losses sent again, copies and messages that overtake each other are accepted") {
  CHECK(told(R"({"network": {"loss_probability": 0.1, "duplicate_probability": 0.1, "retransmit": {"timeout_ms": 20},
                             "reordering": {"probability": 0.1, "delay_ms": 9},
                             "outages": [{"from_s": 1, "until_s": 2, "links": [[0, 1]]}]}})")
            .empty());
}

TEST_CASE("invalid options of compressors are refused with their limits") {
  CHECK(says(told_of(R"({"k": 0})"), "/algorithm/compressor/k: expected an integer at least 1, found 0"));
  CHECK(says(told_of(R"({"k": null})"), "/algorithm/compressor: expected one of k and fraction, found neither"));
  CHECK(says(told_of(R"({"fraction": 0.5})"),
             "/algorithm/compressor/fraction: expected one of k and fraction, found both"));
  CHECK(says(told_of(R"({"k": null, "fraction": 1.5})"), "/algorithm/compressor/fraction: expected"));
  CHECK(says(told_of(R"({"value_bits": 8})"), "/algorithm/compressor/value_bits: expected 64, 32 or 16, found 8"));
  const auto dithering = [](const std::string& more) {
    return told_of(R"({"kind": "dithering", "k": null, )" + more + "}");
  };
  CHECK(says(dithering(R"("levels": 0)"), "/algorithm/compressor/levels: expected an integer from 1 to 2147483648"));
  CHECK(says(dithering(R"("levels": 2147483649)"), "/algorithm/compressor/levels: expected an integer from 1"));
  CHECK(says(dithering(R"("block": 0)"), "/algorithm/compressor/block: expected"));
  CHECK(says(told_of(R"({"kind": "natural", "k": null, "exponent_bits": 9})"),
             "/algorithm/compressor/exponent_bits: expected 8 or 11, found 9"));
  CHECK(says(told_of(R"({"kind": "rounding", "k": null, "format": "float8"})"),
             "/algorithm/compressor/format: expected one of float32, float16, bfloat16"));
}

TEST_CASE("a compressor is an unknown key of an algorithm that has none") {
  const std::string text = told(R"({"algorithm": {"kind": "dgd", "gamma": null}})");
  CHECK(says(text, "/algorithm/compressor: expected one of the keys"));
}

TEST_CASE("options of compressed methods keep to their limits") {
  const auto options = [](const std::string& algorithm) { return told(R"({"algorithm": )" + algorithm + "}"); };
  const std::string wrong = options(R"({"step": 0, "gamma": 1.5, "decay": 2, "horizon": 0})");
  for (const char* key : {"step", "gamma", "decay", "horizon"})
    CHECK(says(wrong, "/algorithm/" + std::string(key) + ": expected"));
  CHECK(says(options(R"({"decay": 0.5, "horizon": 9})"), "/algorithm/horizon: expected null, or no decay, found 9"));
  CHECK(says(options(R"({"kind": "lead", "alpha": 0})"), "/algorithm/alpha: expected a number above 0 and at most 1"));
  CHECK(says(options(R"({"kind": "beer", "gamma": 0})"), "/algorithm/gamma: expected a number above 0 and at most 1"));
}

TEST_CASE("gamma has no default and null asks for that of theory") {
  ScenarioFile file = small_scenario(R"({"problem": {"regularizer": {"kind": "none", "weight": null}},
                                         "algorithm": {"kind": "choco_gossip"}})");
  CHECK(says(scenario_problems([&] { assembled(file); }), "/algorithm: expected key \"gamma\""));
  file.document["algorithm"]["gamma"] = nullptr;
  CHECK(assembled(file).algorithm->constants().front().first == "gamma");
}

TEST_CASE("smooth methods take only l2, and lead takes regularizers with a prox") {
  const std::string l1 = R"({"problem": {"regularizer": {"kind": "l1", "weight": 0.1}}, )";
  CHECK(says(told(l1 + R"("algorithm": {"kind": "beer"}})"),
             "/problem/regularizer/kind: expected l2 or none, since beer has no prox"));
  CHECK(told(l1 + R"("algorithm": {"kind": "lead"}})").empty());
  CHECK(says(told(R"({"problem": {"constraint": {"kind": "l2_ball", "radius": 1}}, "algorithm": {"kind": "lead"}})"),
             "/problem/constraint/kind: expected none, since lead does not keep iterates in a set"));
  for (const char* loss : {"hinge", "absolute"})
    CHECK(says(told(R"({"data": {"source": "gaussian_classification"}, "problem": {"loss": {"kind": ")" +
                    std::string(loss) + R"("}}})"),
               "algorithm"));
}

TEST_CASE("a warning names cases outside the theory") {
  const auto warnings = [](const std::string& algorithm) {
    return made_of(R"({"algorithm": )" + algorithm + "}").warnings;
  };
  CHECK(warnings("{}").empty());
  CHECK(warnings(R"({"compressor": {"kind": "rand_k"}})").size() == 1);
  CHECK(warnings(R"({"compressor": {"kind": "rand_k", "scaled": false}})").empty());
  CHECK(warnings(R"({"kind": "lead"})").size() == 1);
  CHECK(warnings(R"({"kind": "lead", "compressor": {"kind": "natural", "k": null}})").empty());
  CHECK(warnings(R"({"kind": "beer", "compressor": {"kind": "natural", "k": null}})").size() == 1);
}

TEST_CASE("numbers that are not finite any more end a run as diverged before they are sent") {
  const Experiment experiment = made_of(R"({"algorithm": {"step": 1e9, "gamma": 1, "compressor": {"k": 7}},
      "stop": {"rounds": 1000, "divergence_factor": null}, "record": {"every": 1000}})");
  const Outcome outcome = run(experiment);
  CHECK(outcome.stop == StopReason::diverged);
  CHECK(outcome.diverged);
  REQUIRE_FALSE(outcome.remarks.empty());
  CHECK_THAT(outcome.remarks[0].text,
             Catch::Matches("agent [0-4], round [0-9]+: entry [0-6] of what is compressed is not finite"));
  CHECK(run(experiment, {.threads = 3}).trace_hash == outcome.trace_hash);
  CHECK(run(experiment, {.threads = 3}).remarks == outcome.remarks);
}

TEST_CASE("messages of a run have the size of their encodings and a header") {
  const auto bytes = [](const std::string& changes) {
    const AgentAccount total = run(made_of(changes)).ledger.total();
    return total.bytes_sent / total.messages_sent;
  };
  CHECK(bytes("{}") == (2 * 64 + 2 * 3 + 7) / 8);
  CHECK(bytes(R"({"network": {"header_bytes": 66}})") == (2 * 64 + 2 * 3 + 7) / 8 + 66);
  CHECK(bytes(R"({"network": {"bytes_per_scalar": 4}})") == (2 * 32 + 2 * 3 + 7) / 8);
  CHECK(bytes(R"({"network": {"bytes_per_scalar": 4}, "algorithm": {"compressor": {"value_bits": 16}}})") ==
        (2 * 16 + 2 * 3 + 7) / 8);
  CHECK(bytes(R"({"network": {"index_bytes": 4}})") == (2 * 64 + 2 * 3 + 7) / 8);
  CHECK(bytes(R"({"algorithm": {"kind": "beer"}})") == (2 * (2 * 64 + 2 * 3) + 7) / 8);
  CHECK(bytes(R"({"numerics": "off"})") == (2 * 64 + 2 * 3 + 7) / 8);
}

}  // namespace lagnet::assemble_compressed_test
