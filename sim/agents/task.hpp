#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

#include "sim/machine/frame_pool.hpp"

/// Task<T>: a lazy coroutine that owns its frame. The run loop starts and resumes the task of an agent; a task may
/// await another one:
///
///     Task<double> measure(Agent& me);
///     ...
///     const double value = co_await measure(me);
///
/// A child starts at once when awaited and its parent goes on without suspending if the child finished meanwhile, so a
/// long row of children that never wait does not grow the stack, in any build. A child that did wait hands over to its
/// parent when it ends.
namespace lagnet {

template <class T = void>
class Task;

namespace detail {

/// The exceptions that tasks threw, by promise, until they are taken: too rare for a place in every frame.
class ThrownErrors {
 public:
  static void put(const void* promise, std::exception_ptr error);
  static std::exception_ptr take(const void* promise);
};

class TaskPromiseBase {
 public:
  TaskPromiseBase() : parent_(FramePool::latest_size() << flag_bits | size_bit) {}
  TaskPromiseBase(const TaskPromiseBase&) = delete;
  TaskPromiseBase& operator=(const TaskPromiseBase&) = delete;
  ~TaskPromiseBase() {
    if (threw()) ThrownErrors::take(this);
  }

  /// Resumed at the end, when the parent had to wait.
  void set_parent(std::coroutine_handle<> parent) { parent_ = reinterpret_cast<std::uintptr_t>(parent.address()); }
  std::coroutine_handle<> parent() const {
    if (keeps_size()) return nullptr;
    return std::coroutine_handle<>::from_address(reinterpret_cast<void*>(parent_ & ~threw_bit));
  }
  /// The size of this coroutine's frame, in bytes; 0 once a parent waits for it.
  std::size_t frame_size() const { return keeps_size() ? parent_ >> flag_bits : 0; }
  void rethrow_if_threw() {
    if (!threw()) return;
    parent_ &= ~threw_bit;
    std::rethrow_exception(ThrownErrors::take(this));
  }

  static void* operator new(std::size_t size) { return FramePool::allocate(size); }
  static void operator delete(void* frame, std::size_t size) noexcept { FramePool::release(frame, size); }

  struct AtEnd {
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
      const auto next = ended.promise().parent();
      return next ? next : std::noop_coroutine();
    }
    void await_resume() const noexcept {}
  };
  std::suspend_always initial_suspend() const noexcept { return {}; }
  AtEnd final_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept {
    ThrownErrors::put(this, std::current_exception());
    parent_ |= threw_bit;
  }

 private:
  static constexpr std::uintptr_t threw_bit = 1, size_bit = 2;  // frames lie at multiples of 16
  static constexpr unsigned flag_bits = 2;
  bool threw() const { return (parent_ & threw_bit) != 0; }
  bool keeps_size() const { return (parent_ & size_bit) != 0; }
  std::uintptr_t parent_;  // or, while there is none, the size of the frame
};

template <class T>
struct TaskPromise : TaskPromiseBase {
  std::optional<T> value;
  Task<T> get_return_object();
  template <class U>
  void return_value(U&& result) {
    value.emplace(std::forward<U>(result));
  }
  T result() {
    rethrow_if_threw();
    return std::move(*value);
  }
};

template <>
struct TaskPromise<void> : TaskPromiseBase {
  Task<void> get_return_object();
  void return_void() const noexcept {}
  void result() { rethrow_if_threw(); }
};

}  // namespace detail

template <class T>
class [[nodiscard]] Task {
 public:
  using promise_type = detail::TaskPromise<T>;
  using Handle = std::coroutine_handle<promise_type>;

  Task() noexcept {}
  explicit Task(Handle handle) noexcept : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  explicit operator bool() const { return static_cast<bool>(handle_); }
  bool done() const { return handle_.done(); }
  /// The frame, for the run loop, which resumes it.
  std::coroutine_handle<> handle() const { return handle_; }
  std::size_t frame_size() const { return handle_.promise().frame_size(); }
  /// Rethrows the task's exception; only when done().
  T result() const { return handle_.promise().result(); }

  bool await_ready() const {
    handle_.resume();
    return handle_.done();
  }
  void await_suspend(std::coroutine_handle<> parent) const noexcept { handle_.promise().set_parent(parent); }
  T await_resume() const { return handle_.promise().result(); }

 private:
  Handle handle_ = nullptr;
};

namespace detail {
template <class T>
Task<T> TaskPromise<T>::get_return_object() {
  return Task<T>(std::coroutine_handle<TaskPromise<T>>::from_promise(*this));
}
inline Task<void> TaskPromise<void>::get_return_object() {
  return Task<void>(std::coroutine_handle<TaskPromise<void>>::from_promise(*this));
}
}  // namespace detail

}  // namespace lagnet
