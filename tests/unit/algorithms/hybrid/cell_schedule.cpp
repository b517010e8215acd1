#include "algorithms/hybrid/cell_schedule.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/algorithms/hybrid/hyfdca_bench.hpp"

namespace lagnet::cell_schedule_test {

using namespace lagnet::test;
using namespace lagnet::test::hyfdca_bench;

TEST_CASE("an iteration has its participants, the chosen samples, their holders, and the newcomers' missed updates") {
  // 2 groups of 6 samples x 2 groups of 3 features: clients 1 and 2 hold the first samples, 3 and 4 the others.
  const MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 2, 2, 3);
  const Lists listed{{1, 3}, {1, 2}, {1, 2}};
  CellSchedule schedule(*given.cells, {.H = 2, .picker = SamplePicker::cyclic},
                        [&](Round t) { return listed[static_cast<std::size_t>(t - 1)]; });
  const auto first = schedule.of(1), second = schedule.of(2), third = schedule.of(3);
  CHECK(first->newcomers == std::vector<AgentId>{1, 3});
  CHECK(first->S == std::vector<Index>{0, 1, 6, 7});
  CHECK(first->part(1).holders == std::vector<Index>{1, 1});
  CHECK(second->newcomers == std::vector<AgentId>{2});
  CHECK(second->part(2).stale == std::vector<Index>{0, 1});  // that client 1 chose in iteration 1
  CHECK(second->part(1).picks == std::vector<Index>{2, 3});
  CHECK(second->part(2).picks == std::vector<Index>{0, 1});
  CHECK(second->part(1).active == std::vector<Index>{0, 1, 2, 3});
  CHECK(second->part(1).holders == std::vector<Index>{2, 2});
  CHECK(second->part(1).stale.empty());
  CHECK(second->has_A);
  CHECK(second->part(2).gets_duals);
  CHECK_FALSE(second->part(1).gets_duals);
  CHECK_FALSE(second->begins_unasked(1));
  CHECK_FALSE(third->has_A);
  CHECK_FALSE(third->has_B);
  CHECK(third->has_C);
  CHECK(third->begins_unasked(1));
  CHECK_FALSE(third->begins_unasked(3));
}

TEST_CASE("inner products are exchanged for all rows, or only for active ones") {
  const MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 2, 2, 1);
  for (const bool selected : {false, true}) {
    CellSchedule schedule(*given.cells, {.H = 2, .picker = SamplePicker::cyclic, .selected = selected}, [](Round) {
      return std::vector<AgentId>{1, 2, 3, 4};
    });
    const auto now = schedule.of(1);
    const RowSet& rows = now->part(2).exchanged;
    CHECK(rows.is_all() == !selected);
    CHECK(rows.size() == (selected ? 2 : 6));
    if (selected) CHECK(rows.listed() == now->part(2).active);
  }
}

TEST_CASE("if answers may be missing, a client that did not finish an iteration is a newcomer to the next") {
  const MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 2, 2, 3);
  for (const bool may_lose_state : {false, true}) {
    CellSchedule schedule(
        *given.cells,
        {.H = 2, .picker = SamplePicker::cyclic, .may_lack_answers = true, .may_lose_state = may_lose_state},
        [](Round) {
          return std::vector<AgentId>{1, 2, 3, 4};
        });
    CHECK_FALSE(schedule.foreseen(1));
    schedule.of(1);
    schedule.close({1, 2, 3, 4});
    CHECK(schedule.of(2)->newcomers.empty());
    CHECK_FALSE(schedule.of(2)->begins_unasked(1));
    schedule.close({1, 3, 4});
    const auto third = schedule.of(3);
    CHECK(third->newcomers == std::vector<AgentId>{2});
    CHECK(third->of_A == std::vector<AgentId>{2});
    CHECK(third->part(2).known_until == (may_lose_state ? 0 : 1));
    CHECK(third->part(2).stale == (may_lose_state ? std::vector<Index>{0, 1, 2, 3} : std::vector<Index>{2, 3}));
    CHECK(third->part(1).known_until == 2);
  }
}

TEST_CASE("an iteration that lies far back is forgotten") {
  const MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 2, 2, 3);
  CellSchedule schedule(*given.cells, {.may_lack_answers = true}, [](Round) { return std::vector<AgentId>{1, 2}; });
  for (Round t = 1; t <= 40; ++t) {
    schedule.of(t);
    schedule.close({1, 2});
  }
  CHECK(schedule.begun(30));
  CHECK_FALSE(schedule.begun(20));
  CHECK_FALSE(schedule.begun(41));
}

}  // namespace lagnet::cell_schedule_test
