#include "scenarios/format/features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/format/retimable.hpp"
#include "scenarios/times/timed_run.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::features_test {

namespace {

using Reasons = std::vector<std::string>;

Json sections(const std::string& network) { return Json{{"network", Json::parse(network)}}; }

SetFeatures of(const std::string& changes) { return set_features(read_scenario(small_scenario(changes))); }

template <class Family>
std::vector<std::string> undeclared_kinds(const std::string& section, const std::string& name, bool in_list = false) {
  std::vector<std::string> found;
  for (const std::string& kind : Family::catalogue().kinds()) {
    const Json choice{{"kind", kind}};
    const Json set{{section, {{name, in_list ? Json::array({choice}) : choice}}}};
    if (!set_features(set, Json::object()).list.front().is_declared()) found.push_back(kind);
  }
  return found;
}

}  // namespace

TEST_CASE("a feature that nothing declares is refused wherever an effect could matter") {
  const SetFeatures added = set_features(sections(R"({"token_bucket": {"bytes": 9e5}, "retransmit": {}})"),
                                         sections(R"({"token_bucket": null, "retransmit": null})"));
  REQUIRE(added.list.size() == 2);
  CHECK(added.list.front().is_declared());
  CHECK(why_values_depend_on_time(added) == Reasons{"network.token_bucket: nothing declares what it does to a run"});
  const Effects& effects = added.list.back().effects();
  CHECK(!effects.are_in_recursion());
  CHECK(effects.needs_numbers);
  CHECK(effects.in_processes == InProcesses::no);
  for (const bool for_answers : {true, false}) {
    Diagnostics problems("s.json");
    if (for_answers)
      check_losses_repaired(added, "all are needed", problems);
    else
      check_every_message(added, "all are needed", true, problems);
    CHECK(problems.text() ==
          "s.json: /network/token_bucket: expected null, or retransmit, since all are needed, found "
          "{\"bytes\":900000.0}");
  }
}

TEST_CASE("a kind that nothing declares is refused beside declared ones of its key") {
  const auto features = [](const char* speed) {
    return set_features(Json{{"compute", {{"speed_flops_per_s", Json::parse(speed)}}}}, Json::object());
  };
  CHECK(why_values_depend_on_time(features(R"({"kind": "classes"})")).empty());
  CHECK(why_values_depend_on_time(features(R"({"kind": "lognormal"})")).empty());
  CHECK(why_values_depend_on_time(features(R"({"kind": "warming_up"})")) ==
        Reasons{"compute.speed_flops_per_s: nothing declares what it does to a run"});
  CHECK(why_values_depend_on_time(set_features(
            Json{{"participation", {{"availability", {{{"kind", "crash"}}, {{"kind", "strike"}}}}}}},
            Json::object())) == Reasons{"participation.availability: nothing declares what it does to a run"});
}

TEST_CASE("every option and every kind of the sections has a line") {
  const auto undeclared = [](const StructType& type, const std::string& section) {
    std::vector<std::string> found;
    for (const Field& field : type.fields(type.initial())) {
      Json value = field.type->write(field.value, field.limits);
      if (value.is_null()) value = Json{{"kind", "constant"}};  // of an optional one with kinds
      Json usual = Json::object();
      const auto has_line = [&](const Json& with) {
        return set_features(Json{{section, {{field.key, with}}}}, usual).list.front().is_declared();
      };
      if (value.is_array() && value.empty()) value = Json{{"kind", "crash"}};
      if (!has_line(value) && !has_line(1)) found.emplace_back(field.key);
    }
    return found;
  };
  CHECK(undeclared(struct_type<NetworkOptions>(), "network").empty());
  CHECK(undeclared(struct_type<ComputeOptions>(), "compute").empty());
  CHECK(undeclared(struct_type<ParticipationOptions>(), "participation").empty());
  CHECK(undeclared_kinds<LatencyFamily>("network", "latency_ms").empty());
  CHECK(undeclared_kinds<SpeedFamily>("compute", "speed_flops_per_s").empty());
  CHECK(undeclared_kinds<ClockFamily>("compute", "clock").empty());
  CHECK(undeclared_kinds<ClientsFamily>("participation", "clients").empty());
  CHECK(undeclared_kinds<MissingNeighborFamily>("participation", "missing_neighbor").empty());
  CHECK(undeclared_kinds<AvailabilityFamily>("participation", "availability", true).empty());
  CHECK(undeclared_kinds<TopologyChangeFamily>("topology", "changes").empty());
}

TEST_CASE("an option is set where it differs from the usual value") {
  CHECK(of(R"({"network": {"latency_ms": 1, "jitter_ms": 0, "loss_probability": 0, "sharing": "fifo"}})").list.empty());
  const SetFeatures some = of(R"({"network": {"jitter_ms": 3, "sharing": "fair", "retransmit": {}},
                                  "participation": {"enough": 2}})");
  Reasons keys;
  for (const SetFeature& one : some.list) keys.push_back(one.key);
  CHECK(keys == Reasons{"network.latency_ms", "network.sharing", "network.jitter_ms", "network.retransmit",
                        "participation.enough"});
  CHECK(some.are_losses_repaired);
}

TEST_CASE("links that lose messages are declared so, in the engine, too") {
  for (const char* links : {R"("links": [{"links": [[0, 1]], "loss_probability": 0.2}])",
                            R"("links": [{"links": [[0, 1]], "queue": {"messages": 9},
                      "loss_probability": {"kind": "schedule", "at_s": [1], "values": [0.2]}}])",
                            R"("underlay": {"nodes": 2, "agents": [0, 1, 1, 1, 1],
                        "links": [{"ends": ["0", "1"], "latency_ms": 1, "loss_probability": 0.2}]})"}) {
    CAPTURE(links);
    const auto changes = [&](const char* more) { return fmt::format(R"({{"network": {{{}{}}}}})", links, more); };
    ExperimentCache cache;
    const auto model_loses = [&](const std::string& document) {
      const ScenarioFile file = small_scenario(document);
      const Experiment made = assemble(read_scenario(file), "small.json", cache);
      return made.model.may_lose_messages(*made.network);
    };
    CHECK(model_loses(changes("")));
    CHECK_FALSE(model_loses(changes(R"(, "retransmit": {})")));
    const SetFeatures lossy = of(changes(""));
    CHECK(lossy.list.back().effects().draws_per_message);
    CHECK(lossy.list.back().effects().in_processes == InProcesses::left_out);
    REQUIRE(why_values_depend_on_time(lossy).size() == 1);
    CHECK(
        why_values_depend_on_time(lossy).front() ==
        lossy.list.back().key +
            ": a message that is lost for good changes what its receiver computes; network.retransmit sends it again");
    CHECK(why_not_in_recursion(lossy).back() == lossy.list.back().key + ": it is drawn for every message");
    CHECK(why_values_depend_on_time(of(changes(R"(, "retransmit": {})"))).empty());
    Diagnostics problems("s.json");
    check_losses_repaired(lossy, "all are needed", problems);
    check_losses_repaired(of(changes(R"(, "retransmit": {})")), "all are needed", problems);
    CHECK(problems.count() == 1);
  }
  const SetFeatures never = of(R"({"network": {"links": [{"links": [[0, 1]], "loss_probability": 0}]}})");
  CHECK(never.list.back().effects().losses == Losses::none);
}

TEST_CASE("declared losses are those of the rules in the engine") {
  for (const char* network :
       {R"({"jitter_ms": 3})", R"({"loss_probability": 0.2})", R"({"burst_loss": {"enter": 0.1, "leave": 0.5}})",
        R"({"duplicate_probability": 0.1})", R"({"reordering": {"probability": 0.1, "delay_ms": 5}})",
        R"({"partitions": [{"from_s": 1, "groups": [[0, 1]]}]})",
        R"({"outages": [{"from_s": 1, "links": [[0, 1]]}]})"}) {
    CAPTURE(network);
    ExperimentCache cache;
    const ScenarioFile file = small_scenario(std::string(R"({"network": )") + network + "}");
    const Experiment made = assemble(read_scenario(file), "small.json", cache);
    REQUIRE(made.model.faults.size() == 1);
    const SetFeature feature = set_features(made.scenario).list.back();
    CHECK(made.model.faults.front()->loses() == (feature.effects().losses != Losses::none));
    CHECK(feature.effects().in_processes == InProcesses::left_out);
  }
}

}  // namespace lagnet::features_test
