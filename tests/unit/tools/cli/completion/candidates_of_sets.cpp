#include "tools/cli/completion/candidates.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "scenarios/format/kinds/listings.hpp"

namespace completion_candidates_of_sets {

using namespace lagnet;
using namespace lagnet::tools;

bool has(const std::vector<Candidate>& list, const std::string& text) {
  return std::ranges::any_of(list, [&](const Candidate& one) { return one.text == text; });
}

TEST_CASE("every list of kinds is a set and the lists are one") {
  for (const Listing& listing : listings()) {
    CHECK(has(named_candidates("listings", ""), std::string(listing.what)));
    const auto kinds = named_candidates(std::string(listing.what), "");
    CHECK(kinds.size() == listing.kinds.size());
    for (const Candidate& kind : kinds) {
      CHECK_FALSE(kind.summary.empty());
      CHECK(has(named_candidates("names", ""), kind.text));
    }
  }
  CHECK(has(named_candidates("names", ""), "network"));
  CHECK(named_candidates("nothing like this", "").empty());
}

TEST_CASE("an algorithm has its options and one that does not exist has none") {
  CHECK(has(named_candidates("options of extra", ""), "step="));
  CHECK(named_candidates("options of none", "").empty());
}

TEST_CASE("keys are completed part by part in either spelling and have those of every kind") {
  CHECK(has(named_candidates("settings", "topolo"), "topology."));
  CHECK(has(named_candidates("settings", "/topolo"), "/topology/"));
  CHECK(has(named_candidates("settings", "topology.ag"), "topology.agents="));
  CHECK(has(named_candidates("keys", "/topology/ag"), "/topology/agents"));
  CHECK(has(named_candidates("settings", "topology.k"), "topology.kind="));
  CHECK(has(named_candidates("settings", "data.so"), "data.source="));
  CHECK(has(named_candidates("settings", "/problem/loss/thr"), "/problem/loss/threshold="));
  CHECK(has(named_candidates("settings", "algorithm.st"), "algorithm.step="));
  CHECK(has(named_candidates("settings", "network.lat"), "network.latency_ms="));
  CHECK(named_candidates("settings", "topology.kind=comp").empty());
  CHECK(named_candidates("settings", "none.").empty());
}

TEST_CASE("columns are those of all tables") {
  CHECK(has(named_candidates("columns", ""), "objective"));
  CHECK(has(named_candidates("columns", ""), "bytes_sent"));
}

}  // namespace completion_candidates_of_sets
