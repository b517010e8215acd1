#include "scenarios/files/interruption.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

namespace lagnet {

namespace {

namespace fs = std::filesystem;

struct Begun {
  fs::path path;
  bool kept = false;
};

struct State {
  std::recursive_mutex mutex;
  std::condition_variable_any changed;
  std::vector<Begun> begun;  // in the order of their beginnings
  std::optional<fs::path> result;
  int commits = 0;  // under way, one within the other
};

/// Never destroyed: the thread that waits for signals outlives main().
State& state() {
  static auto* const only = new State;
  return *only;
}

void remove_begun(const std::vector<Begun>& begun) {
  std::error_code ignored;
  for (const auto& [path, kept] : begun)
    // Runs may still be adding files: further passes take what the first has missed.
    for (int pass = 0; pass < 100 && !kept && fs::exists(fs::symlink_status(path, ignored)); ++pass)
      fs::remove_all(path, ignored);
}

}  // namespace

Unfinished::Unfinished(fs::path path) : path_(std::move(path)) {
  const std::lock_guard lock(state().mutex);
  state().begun.push_back({path_});
  state().changed.notify_all();
}

Unfinished::~Unfinished() {
  const std::lock_guard lock(state().mutex);
  std::erase_if(state().begun, [this](const Begun& one) { return one.path == path_; });
}

void Unfinished::keep(bool wanted) {
  const std::lock_guard lock(state().mutex);
  for (Begun& one : state().begun)
    if (one.path == path_) one.kept = wanted;
}

Commit::Commit(fs::path result) : result_(std::move(result)) {
  state().mutex.lock();
  ++state().commits;
}

Commit::~Commit() {
  --state().commits;
  state().mutex.unlock();
}

void Commit::done() {
  if (state().commits == 1) state().result = result_;
}

void end_by_interruption(std::chrono::milliseconds patience, const std::function<void(Leftovers)>& end) {
  State& now = state();
  std::unique_lock lock(now.mutex);
  if (now.result && now.begun.empty()) now.changed.wait_for(lock, patience, [&] { return !now.begun.empty(); });
  remove_begun(now.begun);
  const auto kept = std::ranges::find_if(now.begun, &Begun::kept);
  end({.kept = kept == now.begun.end() ? std::nullopt : std::optional(kept->path), .result = now.result});
  std::abort();
}

void yield_to_interruption() { const std::lock_guard lock(state().mutex); }

}  // namespace lagnet
