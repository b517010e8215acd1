#include "sim/machine/workers.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <thread>
#include <vector>

namespace lagnet::workers_test {

namespace {

template <class Kernel>
void load(Job& job, const Kernel& kernel) {
  job.run = [](const void* context) { (*static_cast<const Kernel*>(context))(); };
  job.context = &kernel;
}

}  // namespace

TEST_CASE("for_each calls the body once for every index, on any number of threads", "[threads]") {
  for (const unsigned threads : {0u, 1u, 2u, 4u})
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{100}}) {
      Workers workers(threads);
      std::vector<std::atomic<int>> calls(count);
      workers.for_each(count, [&](std::size_t i) { ++calls[i]; });
      for (const auto& c : calls) REQUIRE(c == 1);
    }
}

TEST_CASE("A job has run when finish() returns, on any number of threads", "[threads]") {
  for (const unsigned threads : {1u, 2u, 4u}) {
    Workers workers(threads);
    constexpr int count = 50;
    std::vector<int> result(count);
    std::vector<Job> jobs(count);
    const auto kernel = [&](int i) { return [&result, i] { result[static_cast<std::size_t>(i)] = i * i; }; };
    std::vector<decltype(kernel(0))> kernels;
    for (int i = 0; i < count; ++i) kernels.push_back(kernel(i));
    for (std::size_t i = 0; i < count; ++i) {
      load(jobs[i], kernels[i]);
      workers.start(jobs[i]);
    }
    for (int i = count; i-- > 0;) {
      workers.finish(jobs[static_cast<std::size_t>(i)]);
      REQUIRE(result[static_cast<std::size_t>(i)] == i * i);
    }
  }
}

TEST_CASE("A job keeps its exception", "[threads]") {
  for (const unsigned threads : {1u, 2u}) {
    Workers workers(threads);
    const auto kernel = [] { throw std::runtime_error("no pivot"); };
    Job job;
    load(job, kernel);
    workers.start(job);
    workers.finish(job);
    REQUIRE(job.error);
    CHECK_THROWS_WITH(std::rethrow_exception(job.error), "no pivot");
  }
}

TEST_CASE("A job that runs again forgets its earlier exception") {
  Workers workers(1);
  const auto bad = [] { throw std::runtime_error("no pivot"); };
  const auto good = [] {};
  Job job;
  load(job, bad);
  workers.start(job);
  load(job, good);
  workers.start(job);
  CHECK_FALSE(job.error);
}

TEST_CASE("With one thread a job runs in the caller's", "[threads]") {
  Workers workers(1);
  std::thread::id where;
  const auto kernel = [&] { where = std::this_thread::get_id(); };
  Job job;
  load(job, kernel);
  workers.start(job);
  CHECK(where == std::this_thread::get_id());
  CHECK(workers.threads() == 1);
}

TEST_CASE("Workers that go away run their jobs first", "[threads]") {
  std::atomic<int> ran = 0;
  const auto kernel = [&] { ++ran; };
  std::vector<Job> jobs(20);
  {
    Workers workers(2);
    for (Job& job : jobs) {
      load(job, kernel);
      workers.start(job);
    }
  }
  CHECK(ran == 20);
}

}  // namespace lagnet::workers_test
