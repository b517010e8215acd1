#include "sim/participation_sets.hpp"

#include <catch2/catch.hpp>
#include <numeric>

namespace lagnet::participation_sets_test {

namespace {

std::vector<AgentId> first_clients(std::size_t count) {
  std::vector<AgentId> list(count);
  std::iota(list.begin(), list.end(), 1u);
  return list;
}

}  // namespace

TEST_CASE("A fraction goes to the nearest number of clients, halves up, and at least to one") {
  const auto size = [](double fraction, std::size_t count) {
    return NearestShare(1, fraction).chosen(1, first_clients(count)).size();
  };
  CHECK(size(0.9, 9) == 8);       // 8.1
  CHECK(size(0.5, 9) == 5);       // 4.5
  CHECK(size(0.1, 25) == 3);      // 2.5
  CHECK(size(0.1, 144) == 14);    // 14.4
  CHECK(size(0.01, 9) == 1);      // 0.09
  CHECK(size(0.145, 100) == 15);  // 14.499999999999998 in binary
  CHECK(size(1, 9) == 9);
  const auto clients = first_clients(9);
  CHECK(NearestShare(3, 0.5).chosen(4, clients) == RandomSubset::of_size(3, 5).chosen(4, clients));
  CHECK_THROWS_WITH(NearestShare(1, 0), "expected a fraction above 0 and at most 1, found 0");
}

TEST_CASE("Contiguous sets take turns and must have one size") {
  const auto clients = first_clients(6);
  const ContiguousSets three(3);
  CHECK(three.chosen(1, clients) == std::vector<AgentId>{1, 2});
  CHECK(three.chosen(2, clients) == std::vector<AgentId>{3, 4});
  CHECK(three.chosen(3, clients) == std::vector<AgentId>{5, 6});
  CHECK(three.chosen(4, clients) == three.chosen(1, clients));
  CHECK(three.problems(clients).empty());
  CHECK(ContiguousSets(4).problems(clients) ==
        std::vector<std::string>{
            "groups: expected a divisor of 6, the number of candidates, for contiguous sets, found 4"});
  CHECK_THROWS_WITH(ContiguousSets(1), "expected at least 2 sets, found 1");
}

TEST_CASE("Where nobody may take part, those who do are those of independent participation") {
  const auto clients = first_clients(3);
  const PossiblyNobody maybe(7, 0.2);
  const IndependentParticipation somebody(7, 0.2);
  std::size_t empty = 0;
  for (Round round = 1; round <= 200; ++round) {
    const auto members = maybe.chosen(round, clients);
    if (members.empty())
      ++empty;
    else
      CHECK(members == somebody.chosen(round, clients));
  }
  // 200 draws of probability 0.8^3 = 0.512: six standard deviations of 7.1 around 102.
  CHECK(empty > 60);
  CHECK(empty < 145);
  CHECK_THROWS_WITH(PossiblyNobody(1, 1.5), "expected a probability above 0 and at most 1, found 1.5");
}

}  // namespace lagnet::participation_sets_test
