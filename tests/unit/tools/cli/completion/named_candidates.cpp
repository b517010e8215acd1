#include "tools/cli/completion/named_candidates.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "checkout_paths.hpp"
#include "scenarios/format/kinds/listings.hpp"

namespace completion_named_candidates {

using namespace lagnet;
using namespace lagnet::tools;

bool has(const std::vector<Candidate>& list, const std::string& text) {
  return std::ranges::any_of(list, [&](const Candidate& one) { return one.text == text; });
}

TEST_CASE("every list of kinds is a set and the lists are one") {
  for (const Listing& listing : listings()) {
    CHECK(has(named_candidates({"listings", ""}), std::string(listing.what)));
    const auto kinds = named_candidates({std::string(listing.what), ""});
    CHECK(kinds.size() == listing.kinds.size());
    for (const Candidate& kind : kinds) {
      CHECK_FALSE(kind.summary.empty());
      CHECK(has(named_candidates({"names", ""}), kind.text));
    }
  }
  CHECK(has(named_candidates({"names", ""}), "network"));
  CHECK(named_candidates({"nothing like this", ""}).empty());
}

TEST_CASE("an algorithm has its options and one that does not exist has none") {
  CHECK(has(named_candidates({"options of extra", ""}), "step="));
  CHECK(named_candidates({"options of none", ""}).empty());
}

TEST_CASE("keys are those of the kinds in the scenario that was typed and of its settings") {
  const std::string scenario = LAGNET_SOURCE_DIR "/scenarios/examples/quickstart.json";
  REQUIRE(std::filesystem::exists(scenario));
  const Question typed{"settings", "/algorithm/", scenario, {"algorithm.kind=extra"}};
  const Question other{"settings", "/algorithm/", scenario, {"algorithm.kind=fd_primal_dual"}};
  CHECK(has(named_candidates(typed), "/algorithm/step="));
  CHECK_FALSE(has(named_candidates(typed), "/algorithm/tau="));
  CHECK(has(named_candidates(other), "/algorithm/tau="));
  // What cannot be read is no scenario, and a setting may be half typed.
  const Question broken{"settings", "/algorithm/", LAGNET_SOURCE_DIR "/README.md", {"algorithm", "@none", "/a/b/="}};
  CHECK(has(named_candidates(broken), "/algorithm/tau="));
}

TEST_CASE("a file behind the sign of a setting is completed folder by folder") {
  const std::string examples = LAGNET_SOURCE_DIR "/scenarios/examples/";
  CHECK(has(named_candidates({"settings", "@" LAGNET_SOURCE_DIR "/scenarios/e"}),
            "@" LAGNET_SOURCE_DIR "/scenarios/examples/"));
  CHECK(has(named_candidates({"settings", "@" + examples}), "@" + examples + "quickstart.json"));
  CHECK(named_candidates({"settings", "@/no/such/folder/"}).empty());
}

}  // namespace completion_named_candidates
