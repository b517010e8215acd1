#include "sim/exchange/lossy_inbox.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/sim/world.hpp"

namespace lagnet::loose_inbox_test {

using namespace lagnet::test;

namespace {

constexpr MissingNeighborKind wait = MissingNeighborKind::wait;
constexpr MissingNeighborKind skip = MissingNeighborKind::skip;
constexpr MissingNeighborKind reuse_last = MissingNeighborKind::reuse_last;

/// The message of exchange `number` of a round, from the neighbor at a slot (agent slot + 10).
Message of(Round round, std::uint32_t number, std::uint32_t slot, double value) {
  Message message(slot + 10, round, exchange_tag, scalar(value));
  message.exchange = number;
  return message;
}

struct Taken {
  std::vector<double> values;  // by slot; -1 where there is none
  std::vector<std::uint32_t> without;
  std::vector<Cause> why;
  std::vector<double> outdated;
};

struct Inbox {
  Inbox(std::size_t neighbors, MissingNeighborKind kind) : inbox(neighbors, {.kind = kind}), all(neighbors, true) {}
  EventKind put(Round round, std::uint32_t number, std::uint32_t slot, double value) {
    return inbox.put(of(round, number, slot, value), slot);
  }
  void begin(Round round, std::uint32_t number) { inbox.begin({round, number}, all); }
  Taken take() {
    std::vector<LossyInbox::Gap> may_miss_rounds;
    std::vector<Message> outdated;
    Taken taken;
    for (const Message& message : inbox.take(may_miss_rounds, outdated))
      taken.values.push_back(message.body ? message.body.data()[0] : -1);
    for (const auto& [slot, why] : may_miss_rounds) {
      taken.without.push_back(slot);
      taken.why.push_back(why);
    }
    for (const Message& message : outdated) taken.outdated.push_back(message.body.data()[0]);
    return taken;
  }
  LossyInbox inbox;
  std::vector<bool> all;
};

using Slots = std::vector<std::uint32_t>;
using Values = std::vector<double>;
using Causes = std::vector<Cause>;

}  // namespace

TEST_CASE("A loose exchange is complete when all expected neighbors have sent, before or after it began") {
  for (const MissingNeighborKind kind : {wait, skip, reuse_last}) {
    Inbox in(3, kind);
    CHECK(in.put(1, 1, 2, 2.5) == EventKind::delivered);
    in.begin(1, 1);
    CHECK(in.inbox.waited_for() == Slots{0, 1});
    CHECK(in.put(1, 1, 0, 0.5) == EventKind::delivered);
    CHECK_FALSE(in.inbox.complete());
    CHECK(in.put(1, 1, 1, 1.5) == EventKind::delivered);
    CHECK(in.inbox.complete());
    const Taken taken = in.take();
    CHECK(taken.values == Values{0.5, 1.5, 2.5});
    CHECK(taken.without.empty());
    CHECK(taken.outdated.empty());
  }
}

TEST_CASE("A neighbor that is not expected is not waited for, and its message is taken all the same") {
  Inbox in(2, skip);
  in.all = {true, false};
  in.begin(1, 1);
  CHECK(in.inbox.waited_for() == Slots{0});
  in.put(1, 1, 1, 1.5);
  CHECK_FALSE(in.inbox.complete());
  in.put(1, 1, 0, 0.5);
  CHECK(in.inbox.complete());
  CHECK(in.take().values == Values{0.5, 1.5});
}

TEST_CASE("An expired exchange leaves out missing senders") {
  Inbox in(3, skip);
  in.begin(1, 1);
  in.put(1, 1, 1, 1.5);
  in.inbox.expire();
  CHECK(in.inbox.complete());
  const Taken taken = in.take();
  CHECK(taken.values == Values{-1, 1.5, -1});
  CHECK(taken.without == Slots{0, 2});
  CHECK(taken.why == Causes{Cause::deadline, Cause::deadline});
  CHECK(in.put(1, 1, 0, 0.5) == EventKind::late);
  in.begin(1, 2);  // the expiry was that of one exchange
  CHECK_FALSE(in.inbox.complete());
}

TEST_CASE("A second message of the same exchange is a duplicate while the first waits") {
  for (const MissingNeighborKind kind : {wait, skip, reuse_last}) {
    Inbox in(2, kind);
    in.begin(1, 1);
    in.put(1, 1, 0, 0.5);
    CHECK(in.put(1, 1, 0, 9.5) == EventKind::duplicate);
    CHECK_FALSE(in.inbox.complete());
    in.put(1, 2, 0, 0.75);
    CHECK(in.put(1, 2, 0, 9.5) == EventKind::duplicate);
    in.put(1, 1, 1, 1.5);
    CHECK(in.take().values == Values{0.5, 1.5});
  }
}

TEST_CASE("A neighbor in a later exchange will not send the present one, unless everything is waited for") {
  for (const MissingNeighborKind kind : {skip, reuse_last}) {
    Inbox in(2, kind);
    in.begin(1, 2);
    in.put(1, 2, 1, 1.5);
    in.put(3, 1, 0, 0.5);
    CHECK(in.inbox.complete());
    const Taken taken = in.take();
    CHECK(taken.values == Values{-1, 1.5});
    CHECK(taken.why == Causes{Cause::moved_on});
    in.begin(3, 1);
    CHECK(in.inbox.waited_for() == Slots{1});  // the later message has waited for its exchange
  }
  Inbox patient(2, wait);
  patient.begin(1, 2);
  patient.put(1, 2, 1, 1.5);
  patient.put(3, 1, 0, 0.5);
  CHECK(patient.inbox.waited_for() == Slots{0});
  patient.put(1, 2, 0, 0.25);  // overtaken by the one before
  CHECK(patient.inbox.complete());
  CHECK(patient.take().values == Values{0.25, 1.5});
}

TEST_CASE("Where a message overtakes another of the same neighbor, the neighbor is counted once") {
  for (const MissingNeighborKind kind : {wait, skip, reuse_last}) {
    Inbox in(2, kind);
    in.begin(1, 1);
    in.put(1, 2, 0, 0.75);
    in.put(1, 1, 0, 0.5);
    in.put(1, 3, 0, 0.875);
    CHECK_FALSE(in.inbox.complete());
    in.put(1, 1, 1, 1.5);
    CHECK(in.inbox.complete());
    CHECK(in.take().values == Values{0.5, 1.5});
  }
}

TEST_CASE("Messages of exchanges that the agent skipped are outdated") {
  Inbox in(2, skip);
  in.begin(1, 1);
  for (const std::uint32_t slot : {0u, 1u}) in.put(1, 1, slot, slot);
  in.take();
  in.put(2, 1, 0, 2.5);
  in.put(2, 2, 0, 3.5);
  in.put(4, 1, 1, 4.5);
  CHECK(in.inbox.newest_round() == 4);
  in.begin(4, 1);
  in.inbox.expire();
  const Taken taken = in.take();
  CHECK(taken.values == Values{-1, 4.5});
  CHECK(taken.outdated == Values{2.5, 3.5});
  CHECK(in.inbox.newest_round() == -1);
}

TEST_CASE("With skip a gap stays, with reuse_last the last value of the same exchange of a round fills it") {
  for (const MissingNeighborKind kind : {skip, reuse_last}) {
    Inbox in(1, kind);
    in.begin(1, 1);
    in.put(1, 1, 0, 11);
    in.take();
    in.begin(1, 2);
    in.put(1, 2, 0, 12);
    in.take();
    for (const std::uint32_t number : {1u, 2u}) {
      in.begin(2, number);
      in.inbox.expire();
      const Taken taken = in.take();
      CHECK(taken.values == Values{kind == skip ? -1.0 : 10.0 + number});
      CHECK(taken.without == Slots{0});  // a gap, even where an older value stands in
    }
  }
}

TEST_CASE("A value that came too late is the last one from then on, but never replaces a newer one") {
  Inbox in(1, reuse_last);
  in.begin(3, 1);
  in.inbox.expire();
  CHECK(in.take().values == Values{-1});  // nothing to use again yet
  CHECK(in.put(2, 1, 0, 20) == EventKind::late);
  CHECK(in.put(3, 1, 0, 30) == EventKind::late);
  CHECK(in.put(1, 1, 0, 10) == EventKind::late);
  CHECK(in.put(3, 1, 0, 31) == EventKind::duplicate);
  in.begin(4, 1);
  in.inbox.expire();
  CHECK(in.take().values == Values{30});
}

}  // namespace lagnet::loose_inbox_test
