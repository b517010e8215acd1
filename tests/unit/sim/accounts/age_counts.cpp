#include "sim/accounts/age_counts.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "sim/base/draws.hpp"

namespace lagnet::age_counts_test {

TEST_CASE("Ages are counted whatever their order, however many come") {
  AgeCounts counts;
  std::map<std::int64_t, std::int64_t> want;
  const auto counted = [&counts] {
    std::map<std::int64_t, std::int64_t> all{{-7, 1}};
    counts.add_to(all);
    return all;
  };
  CHECK(counts.empty());
  Draws draws(3, Purpose{"ages"});
  for (int n = 0; n < 3000; ++n) {
    const auto age = static_cast<std::int64_t>(draws.below(n < 100 ? 3 : 400)) - 1;
    counts.add(age);
    ++want[age];
    if (n % 97 == 0 || n < 40) {
      auto with_what_was_there = want;
      with_what_was_there[-7] = 1;
      CHECK(counted() == with_what_was_there);
    }
  }
  CHECK_FALSE(counts.empty());
  std::map<std::int64_t, std::int64_t> all;
  counts.add_to(all);
  CHECK(all == want);
}

}  // namespace lagnet::age_counts_test
