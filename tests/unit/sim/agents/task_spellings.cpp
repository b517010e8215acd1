#include <catch2/catch.hpp>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sim/agents/task.hpp"
#include "tests/unit/sim/counted.hpp"

/// The spellings of co_await that algorithms may use. g++ 12 destroys temporaries of other spellings twice: aggregates,
/// lambdas with captures, braced lists and ?: inside a statement with co_await. Each one here is run to its end without
/// a wait, run to its end with a wait in every child, and destroyed in each of its waits.
namespace lagnet::task_spellings_test {

using lagnet::test::Counted;

namespace {

struct Gate {
  bool shut = false;  // whether children wait
  std::coroutine_handle<> waiting;
};

struct Pass {
  Gate* gate;
  explicit Pass(Gate* at) noexcept : gate(at) {}
  bool await_ready() const noexcept { return !gate->shut; }
  void await_suspend(std::coroutine_handle<> who) const noexcept { gate->waiting = who; }
  void await_resume() const noexcept {}
};

Task<Counted> make(Gate& gate, int value) {
  co_await Pass(&gate);
  co_return Counted(value);
}
Task<int> take(Gate& gate, Counted what) {
  co_await Pass(&gate);
  co_return what.value;
}
Task<int> look(Gate& gate, const Counted& what) {
  co_await Pass(&gate);
  co_return what.value;
}
template <class Function>
Task<int> call(Gate& gate, const Function& function) {
  co_await Pass(&gate);
  co_return function();
}
Task<int> fail(Gate& gate, Counted what) {
  co_await Pass(&gate);
  throw std::runtime_error(std::to_string(what.value));
}

struct Pair {
  Counted first;
  int second;
  Pair(Counted a, int b) : first(std::move(a)), second(b) {}  // user-declared: not an aggregate
};
Task<int> take_pair(Gate& gate, Pair pair) {
  co_await Pass(&gate);
  co_return pair.first.value + pair.second;
}
int add(const Counted& a, const Counted& b) { return a.value + b.value; }

// Every spelling returns 7.

Task<int> named_and_moved(Gate& gate) {
  Counted named(7);
  co_return co_await take(gate, std::move(named));
}
Task<int> temporary(Gate& gate) { co_return co_await take(gate, Counted(7)); }
Task<int> temporary_with_constructor(Gate& gate) { co_return co_await take_pair(gate, Pair(Counted(5), 2)); }
Task<int> reference_to_temporary(Gate& gate) { co_return co_await look(gate, Counted(7)); }
Task<int> named_lambda(Gate& gate) {
  const Counted captured(7);
  const auto function = [captured] { return captured.value; };
  co_return co_await call(gate, function);
}
Task<int> two_arguments(Gate& gate) { co_return add(co_await make(gate, 3), co_await make(gate, 4)); }
Task<int> conditions(Gate& gate) {
  int sum = 0;
  if ((co_await make(gate, 1)).value == 1) sum += 3;
  while ((co_await make(gate, sum)).value < 5) ++sum;
  switch ((co_await make(gate, sum)).value) {
    case 5:
      sum += 2;
      break;
    default:
      sum = 0;
  }
  co_return sum;
}
Task<int> logical_and(Gate& gate) {
  const bool both = (co_await make(gate, 1)).value == 1 && (co_await make(gate, 2)).value == 2;
  const bool neither = (co_await make(gate, 1)).value == 2 && (co_await make(gate, 2)).value == 2;
  co_return both && !neither ? 7 : 0;
}
Task<int> value_kept(Gate& gate) {
  auto kept = co_await make(gate, 7);
  co_return kept.value;
}
Task<int> reference_kept(Gate& gate) {
  const Counted& kept = co_await make(gate, 7);
  co_return kept.value;
}
Task<int> assigned(Gate& gate) {
  Counted kept(1);
  kept = co_await make(gate, 7);
  co_return kept.value;
}
Task<int> containers(Gate& gate) {
  std::vector<Counted> all;
  all.push_back(co_await make(gate, 1));
  all.emplace_back(co_await make(gate, 2));
  const auto owned = std::make_unique<Counted>(co_await make(gate, 3));
  const auto maybe = std::optional<Counted>(co_await make(gate, 1));
  co_return all[0].value + all[1].value + owned->value + maybe->value;
}
Task<int> bound_pair(Gate& gate) {
  const auto [a, b] = std::pair(co_await make(gate, 3), co_await make(gate, 4));
  co_return a.value + b.value;
}
Task<int> loop_over_kept(Gate& gate) {
  std::vector<Counted> kept;
  kept.push_back(co_await make(gate, 3));
  kept.push_back(co_await make(gate, 4));
  int sum = 0;
  for (const Counted& one : kept) sum += co_await look(gate, one);
  co_return sum;
}
Task<int> member_of_result(Gate& gate) { co_return (co_await make(gate, 7)).value; }
Task<int> discarded(Gate& gate) {
  co_await make(gate, 1);
  co_return 7;
}
Task<int> nested_call(Gate& gate) { co_return co_await take(gate, co_await make(gate, 7)); }
Task<int> tried(Gate& gate) {
  int code = 0;
  const Counted around(1);
  try {
    const Counted inside(2);
    co_await fail(gate, Counted(7));
  } catch (const std::runtime_error& error) {
    code = std::stoi(error.what());
  }
  co_return code;
}

struct Spelling {
  const char* name;
  Task<int> (*run)(Gate&);
};
constexpr Spelling spellings_in_use[] = {
    {"named object moved in", named_and_moved},
    {"temporary", temporary},
    {"temporary of a class with a user-declared constructor", temporary_with_constructor},
    {"const reference to a temporary", reference_to_temporary},
    {"lambda in a named variable", named_lambda},
    {"two awaits as arguments of one call", two_arguments},
    {"awaits in conditions of if, while, switch", conditions},
    {"awaits on both sides of &&", logical_and},
    {"auto x = co_await", value_kept},
    {"const T& x = co_await", reference_kept},
    {"x = co_await", assigned},
    {"push_back, emplace_back, make_unique, optional of co_await", containers},
    {"structured binding of a pair of two awaits", bound_pair},
    {"loop over a named container with an await inside", loop_over_kept},
    {"member of an awaited value", member_of_result},
    {"awaited value discarded", discarded},
    {"await inside an await's argument", nested_call},
    {"await inside try", tried},
};

/// Runs until the end, or destroys the coroutine in its wait number `waits` (counted from 1). True if it came to its
/// end.
bool run(const Spelling& spelling, Gate& gate, int waits) {
  const Task<int> task = spelling.run(gate);
  task.handle().resume();
  for (int wait = 1; !task.done(); ++wait) {
    if (wait == waits) return false;
    std::exchange(gate.waiting, nullptr).resume();
  }
  REQUIRE(task.result() == 7);
  return true;
}

void check_all_destroyed_once() {
  REQUIRE(Counted::alive().empty());
  REQUIRE(Counted::faults() == 0);
}

}  // namespace

TEST_CASE("Every spelling of co_await in use destroys each object once when nothing waits") {
  for (const Spelling& spelling : spellings_in_use) {
    INFO(spelling.name);
    Gate gate;
    REQUIRE(run(spelling, gate, 0));
    check_all_destroyed_once();
  }
}

TEST_CASE("Every spelling of co_await in use destroys each object once when every child waits") {
  for (const Spelling& spelling : spellings_in_use) {
    INFO(spelling.name);
    Gate gate{.shut = true};
    REQUIRE(run(spelling, gate, 0));
    check_all_destroyed_once();
  }
}

TEST_CASE("Every spelling of co_await in use destroys each object once when it ends in the middle of a wait") {
  for (const Spelling& spelling : spellings_in_use) {
    bool ended = false;
    for (int waits = 1; !ended; ++waits) {
      INFO(spelling.name << ", destroyed in wait " << waits);
      Gate gate{.shut = true};
      ended = run(spelling, gate, waits);
      check_all_destroyed_once();
    }
  }
}

}  // namespace lagnet::task_spellings_test
