#include "scenarios/run/network_remarks.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

namespace lagnet::growing_queues_test {

namespace {

/// Rows at seconds 0 to 8 with these numbers of messages in flight, and a staleness.
std::vector<Row> rows(std::int64_t (*in_flight)(std::int64_t s)) {
  std::vector<Row> all;
  for (std::int64_t s = 0; s <= 8; ++s) {
    Row& row = all.emplace_back();
    row.at = Time() + Duration::seconds(static_cast<double>(s));
    row.total.messages_received = 100 * s;
    row.total.messages_lost = 7;
    row.total.queueing = Duration::nanoseconds(1);
    row.total.messages_sent = 100 * s + 7 + in_flight(s);
    row.staleness_mean = static_cast<double>(10 * s);
  }
  return all;
}

}  // namespace

TEST_CASE("growing numbers of messages in flight are reported with the remedy") {
  const auto grows = [](std::int64_t s) { return 250 * s; };
  CHECK(growing_queues(rows(grows), 2)->text ==
        "messages queue without limit: 1000 were in flight at 4 s and 2000 at the end, and what updates use is ever "
        "older (40, then 80 updates); agents send faster than their links carry: more bandwidth (network), or fewer "
        "updates a second (compute.clock, or a slower compute.speed_flops_per_s), ends that");
  CHECK_FALSE(growing_queues(rows(grows), 501));  // fewer than four on each link
}

TEST_CASE("queues that have filled, few messages and few rows are no remark") {
  CHECK_FALSE(growing_queues(rows([](std::int64_t s) { return std::min<std::int64_t>(2000, 900 * s); }), 2));
  CHECK_FALSE(growing_queues(rows([](std::int64_t s) { return s == 8 ? std::int64_t{2000} : 0; }), 2));
  CHECK_FALSE(growing_queues(rows([](std::int64_t) { return std::int64_t{5000}; }), 2));
  CHECK_FALSE(growing_queues({}, 2));
}

}  // namespace lagnet::growing_queues_test
