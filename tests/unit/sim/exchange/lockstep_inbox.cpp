#include "sim/exchange/lockstep_inbox.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "sim/base/draws.hpp"

namespace lagnet::lockstep_inbox_test {

namespace {

Message of_exchange(std::uint32_t exchange, double value) {
  Message message(0, exchange, exchange_tag, Payload(Vector::Constant(1, value)));
  message.exchange = exchange;
  return message;
}

std::vector<double> values(const LockstepInbox& inbox) {
  std::vector<double> all;
  for (const LockstepInbox::Entry& entry : inbox.entries()) all.push_back(entry.body ? entry.body.data()[0] : -1);
  return all;
}

}  // namespace

TEST_CASE("A neighbor may be one exchange ahead and no further where it waits for this agent") {
  LockstepInbox inbox;
  CHECK(inbox.put(of_exchange(1, 10), 0, 2));  // before the first one has begun
  CHECK_FALSE(inbox.put(of_exchange(2, 20), 0, 2));
  CHECK(inbox.begin(2) == 1);
  CHECK(values(inbox) == std::vector<double>{10, -1});
  CHECK(inbox.put(of_exchange(2, 20), 0, 2));
  CHECK_FALSE(inbox.put(of_exchange(2, 20), 0, 2));  // once more
  CHECK_FALSE(inbox.complete());
  CHECK(inbox.completed_by(of_exchange(1, 11)));
  CHECK(inbox.put(of_exchange(1, 11), 1, 2));
  CHECK(inbox.complete());
  inbox.clear();
  CHECK(inbox.begin(2) == 2);
  CHECK(values(inbox) == std::vector<double>{20, -1});
}

TEST_CASE("Messages of later exchanges wait for their turn, in any order of arrival") {
  LockstepInbox inbox;
  const auto put = [&](std::uint32_t exchange, std::uint32_t slot) {
    const Message message = of_exchange(exchange, 10.0 * exchange + slot);
    return inbox.put(message, slot, 2) || inbox.put_further(message, slot, 2);
  };
  CHECK(put(5, 0));
  CHECK(put(2, 0));
  CHECK_FALSE(put(5, 0));  // once more
  CHECK(put(1, 0));
  for (std::uint32_t exchange = 1; exchange <= 6; ++exchange) {
    CAPTURE(exchange);
    CHECK(inbox.begin(2) == exchange);
    CHECK(inbox.count() == exchange);
    if (exchange == 2) CHECK(put(3, 0));
    if (exchange == 2) CHECK(put(4, 0));
    if (exchange == 4) CHECK(put(6, 0));
    CHECK_FALSE(inbox.complete());
    CHECK(put(exchange, 1));
    CHECK(inbox.complete());
    CHECK(values(inbox) == std::vector<double>{10.0 * exchange, 10.0 * exchange + 1});
    if (exchange > 1) CHECK_FALSE(put(exchange - 1, 1));  // too late
    inbox.clear();
  }
}

TEST_CASE("With neighbors any number of exchanges ahead each exchange gets its own messages") {
  Draws draws(3, Purpose{"inbox"});
  constexpr std::uint32_t last = 200, neighbors = 3;
  LockstepInbox inbox;
  std::vector<std::uint32_t> sent(neighbors, 0);  // by each neighbor
  const auto send_next = [&](std::uint32_t slot) {
    const std::uint32_t exchange = ++sent[slot];
    const Message message = of_exchange(exchange, exchange + 0.1 * slot);
    if (!inbox.put(message, slot, neighbors)) REQUIRE(inbox.put_further(message, slot, neighbors));
  };
  for (std::uint32_t exchange = 1; exchange <= last; ++exchange) {
    REQUIRE(inbox.begin(neighbors) == exchange);
    for (std::uint32_t slot = 0; slot < neighbors; ++slot) {
      for (std::uint64_t more = draws.below(4); more > 0 && sent[slot] < last; --more) send_next(slot);
      if (sent[slot] < exchange) send_next(slot);
    }
    REQUIRE(inbox.complete());
    for (std::uint32_t slot = 0; slot < neighbors; ++slot) REQUIRE(values(inbox)[slot] == exchange + 0.1 * slot);
    inbox.clear();
  }
}

}  // namespace lagnet::lockstep_inbox_test
