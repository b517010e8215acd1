#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/format/kinds/python_class.hpp"
#include "tests/property/registered/scenarios_of_algorithms.hpp"

/// Worlds in which more messages are alive than one block of memory holds: under the address sanitizer they show
/// whether each payload is within its block.
namespace lagnet::many_messages_test {

namespace {

constexpr std::int64_t one_block = 1024;  // payloads of four numbers

/// How many agents had a message of several numbers under way at the same time.
class SendersUnderWay final : public Listener {
 public:
  void on_event(const SimEvent& what) override {
    if (what.amount < least_bytes) return;
    const AgentId sender = what.what == EventKind::sent ? what.agent : what.peer;
    if (sender >= under_way_.size()) under_way_.resize(sender + 1);
    if (what.what == EventKind::sent) {
      if (under_way_[sender]++ == 0) most_ = std::max(most_, ++senders_);
    } else if (--under_way_[sender] == 0) {
      --senders_;
    }
  }
  bool wants(EventKind what) const override { return what == EventKind::sent || what == EventKind::delivered; }
  std::int64_t most() const { return most_; }

 private:
  static constexpr Bytes least_bytes = 2 * 8;
  std::vector<std::int64_t> under_way_;  // by sender
  std::int64_t senders_ = 0, most_ = 0;
};

/// A model of four numbers; of methods that split the features, four samples. Messages take half a second, and all
/// agents send their first ones before that; of those that wait for an answer, one in two or more.
Json with_many(Json document, const AlgorithmTraits& traits) {
  const Index agents_with_data = traits.has_rounds() ? 1100 : 2200;
  const bool splits_features = traits.partition_by == PartitionBy::features;
  document["data"]["samples"] = splits_features ? 4 : 2 * agents_with_data;
  document["data"]["features"] = splits_features ? agents_with_data - 1 : 3;  // and the intercept
  document["network"] = {{"latency_ms", 500}};
  document["compute"] = {{"speed_flops_per_s", traits.has_rounds() ? 1e9 : 300}};  // else a fast peer never waits
  Json& algorithm = document["algorithm"];
  if (algorithm.contains("compressor") && algorithm["compressor"].contains("format"))
    algorithm["compressor"]["format"] = "float32";
  document["stop"] = traits.has_rounds() ? Json{{"rounds", 2}} : Json{{"simulated_s", 1.2}};
  document["record"] = traits.has_rounds() ? Json{{"optimum", false}} : Json{{"optimum", false}, {"every_s", 1}};
  Json& topology = document["topology"];
  if (traits.two_levels)
    topology = {{"kind", "two_level_tree"}, {"edges", 4}, {"clients_per_edge", agents_with_data / 4}};
  else if (traits.server)
    topology = {{"kind", "star"}, {"agents", agents_with_data + 1}};
  else if (traits.takes_directed)
    topology = {{"kind", "directed_exponential"}, {"agents", agents_with_data}};
  else if (topology["kind"] == "path")  // of methods for trees
    topology["agents"] = agents_with_data;
  else if (traits.needs_two_sides)
    topology = {{"kind", "ring"}, {"agents", agents_with_data}};
  else
    topology = {{"kind", "random_regular"}, {"agents", agents_with_data}, {"degree", 4}};
  return document;
}

std::int64_t senders_under_way(const Json& document) {
  ExperimentCache cache;
  const Experiment experiment = assemble(read_scenario({"many.json", "/nowhere", document}), "many.json", cache);
  SendersUnderWay senders;
  const auto world = experiment.simulation(1);
  world->listen(senders);
  world->run();
  return senders.most();
}

}  // namespace

TEST_CASE("Every method runs with more messages alive than one block of memory holds") {
  for (const auto& entry : AlgorithmFamily::catalogue().entries()) {
    if (entry->kind == python_kind) continue;                  // classes of the user's
    if (entry->kind == std::string_view("walkman")) continue;  // one message at a time, whatever the agents
    CAPTURE(std::string(entry->kind));
    const AlgorithmTraits traits = test::traits_of_registered(*entry);
    const Json small = test::scenario_with(*entry, traits);
    if (!test::is_of_one_agent(small)) CHECK(senders_under_way(with_many(small, traits)) > one_block);
  }
}

}  // namespace lagnet::many_messages_test
