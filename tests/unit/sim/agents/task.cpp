#include "sim/agents/task.hpp"

#include <catch2/catch.hpp>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "tests/unit/sim/counted.hpp"

namespace lagnet::task_test {

using lagnet::test::Counted;

namespace {

/// Where coroutines wait: keeps the handle, as a run loop would.
struct Gate {
  std::coroutine_handle<> waiting;
  void open() { std::exchange(waiting, nullptr).resume(); }
};

struct Pass {
  Gate* gate;
  explicit Pass(Gate* at) noexcept : gate(at) {}
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> who) const noexcept { gate->waiting = who; }
  void await_resume() const noexcept {}
};

Task<int> number(int value) { co_return value; }

Task<int> number_later(Gate& gate, int value) {
  co_await Pass(&gate);
  co_return value;
}

Task<> set(bool& flag) {
  flag = true;
  co_return;
}

Task<> throw_runtime_error() {
  throw std::runtime_error("two levels down");
  co_return;
}

Task<int> pass_on_error(Gate* gate) {
  if (gate) co_await Pass(gate);
  co_await throw_runtime_error();
  co_return 1;
}

Task<> catch_error(Gate* gate, std::string& text) {
  try {
    co_await pass_on_error(gate);
  } catch (const std::runtime_error& error) {
    text = error.what();
  }
}

Task<long> sum_of_children(int count) {
  long sum = 0;
  for (int i = 0; i < count; ++i) sum += co_await number(i);
  co_return sum;
}

Task<long> sum_of_waiting_children(Gate& gate, int count) {
  long sum = 0;
  for (int i = 0; i < count; ++i) sum += co_await number_later(gate, i);
  co_return sum;
}

/// One child that waits, then many that don't: these run inside the end of the first.
Task<long> sum_after_one_that_waits(Gate& gate, int count) {
  long sum = co_await number_later(gate, 0);
  for (int i = 0; i < count; ++i) sum += co_await number(i);
  co_return sum;
}

Task<int> nested(Gate& gate, int depth) {
  if (depth == 0) {
    co_await Pass(&gate);
    co_return 0;
  }
  const int below = co_await nested(gate, depth - 1);
  co_return below + 1;
}

Task<> hold_while_waiting(Gate& gate, Counted) {
  const Counted local(2);
  co_await Pass(&gate);
}

Task<> hold_and_call(Gate& gate) {
  const Counted mine(1);
  co_await hold_while_waiting(gate, Counted(3));
}

Task<std::unique_ptr<int>> owned(int value) { co_return std::make_unique<int>(value); }

}  // namespace

TEST_CASE("A task does nothing before it is resumed") {
  bool ran = false;
  const Task<> task = set(ran);
  CHECK_FALSE(ran);
  CHECK_FALSE(task.done());
  task.handle().resume();
  CHECK(ran);
  CHECK(task.done());
}

TEST_CASE("A task that was never resumed frees its parameters") {
  Gate gate;
  { const Task<> task = hold_while_waiting(gate, Counted(1)); }
  CHECK(Counted::alive().empty());
  CHECK(Counted::faults() == 0);
}

TEST_CASE("A task gives its result, also one that can only be moved") {
  const Task<int> task = number(42);
  task.handle().resume();
  CHECK(task.result() == 42);
  const Task<std::unique_ptr<int>> pointer = owned(7);
  pointer.handle().resume();
  CHECK(*pointer.result() == 7);
}

TEST_CASE("An exception passes through two tasks to the caller of the result") {
  const Task<int> task = pass_on_error(nullptr);
  task.handle().resume();
  REQUIRE(task.done());
  CHECK_THROWS_WITH(task.result(), "two levels down");
}

TEST_CASE("A parent catches its grandchild's exception, at once or after a wait") {
  std::string text;
  const Task<> at_once = catch_error(nullptr, text);
  at_once.handle().resume();
  CHECK(text == "two levels down");

  Gate gate;
  text.clear();
  const Task<> later = catch_error(&gate, text);
  later.handle().resume();
  CHECK(text.empty());
  gate.open();
  CHECK(text == "two levels down");
  CHECK(later.done());
}

TEST_CASE("A million children that finish at once do not grow the stack") {
  constexpr int count = 1'000'000;
  const Task<long> task = sum_of_children(count);
  task.handle().resume();
  REQUIRE(task.done());
  CHECK(task.result() == static_cast<long>(count) * (count - 1) / 2);
}

TEST_CASE("A million children after one that waited do not grow the stack") {
  constexpr int count = 1'000'000;
  Gate gate;
  const Task<long> task = sum_after_one_that_waits(gate, count);
  task.handle().resume();
  gate.open();
  REQUIRE(task.done());
  CHECK(task.result() == static_cast<long>(count) * (count - 1) / 2);
}

TEST_CASE("A hundred thousand children that each wait do not grow the stack") {
  constexpr int count = 100'000;
  Gate gate;
  const Task<long> task = sum_of_waiting_children(gate, count);
  task.handle().resume();
  while (!task.done()) gate.open();
  CHECK(task.result() == static_cast<long>(count) * (count - 1) / 2);
}

TEST_CASE("A wait at the bottom of nested tasks suspends all, and its end goes up through all") {
  Gate gate;
  const Task<int> task = nested(gate, 100);
  task.handle().resume();
  CHECK_FALSE(task.done());
  gate.open();
  REQUIRE(task.done());
  CHECK(task.result() == 100);
}

TEST_CASE("A task knows the size of its frame, and ends as it does without it") {
  Gate gate;
  Task<int> child = number_later(gate, 5);
  CHECK(child.frame_size() >= 2 * sizeof(void*) + sizeof(gate) + sizeof(int));  // what it resumes with, and its locals
  CHECK(number(1).frame_size() < child.frame_size());                           // which waits for nothing
  child.handle().resume();
  gate.open();
  CHECK(child.result() == 5);
  const Task<int> parent = nested(gate, 1);
  const std::size_t size = parent.frame_size();
  parent.handle().resume();
  CHECK(parent.frame_size() == size);
  gate.open();
  CHECK(parent.result() == 1);
}

TEST_CASE("Destroying a suspended task destroys its locals, its parameters and its children's, once each") {
  Gate gate;
  {
    const Task<> task = hold_and_call(gate);
    task.handle().resume();
    CHECK(Counted::alive().size() >= 3);  // mine, local, and the parameter with its source
  }
  CHECK(Counted::alive().empty());
  CHECK(Counted::faults() == 0);
}

TEST_CASE("A moved task belongs to its new owner") {
  Task<int> first = number(1);
  Task<int> second = std::move(first);
  CHECK_FALSE(static_cast<bool>(first));  // NOLINT(bugprone-use-after-move): this is what is tested
  second.handle().resume();
  CHECK(second.result() == 1);
  Task<int> third = number(3);
  third = std::move(second);
  CHECK(third.result() == 1);
}

}  // namespace lagnet::task_test
