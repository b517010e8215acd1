#include "sim/realtime/stream.hpp"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "sim/realtime/certificates.hpp"
#include "tests/unit/sim/realtime/peers_support.hpp"
#include "tests/unit/sim/realtime/tls_keys.hpp"

namespace lagnet::tls_test {

using namespace peers_test;

namespace {

/// Two processes; the second calls the first.
struct Two {
  explicit Two(std::shared_ptr<const Tls> tls_of_first, std::shared_ptr<const Tls> tls_of_second) {
    listening = options_of(0, {0, 0});
    listening.listener = listener_at(context, port);
    listening.tls = std::move(tls_of_first);
    calling = options_of(1, {port, 0});
    calling.listener = listener_at(context, unused);
    calling.tls = std::move(tls_of_second);
  }
  io_context context;
  std::uint16_t port = 0, unused = 0;
  PeersOptions listening, calling;
};

/// What the first process says when the second one comes, and that nothing of it has reached the first one.
void is_refused(Two& two, const std::string& first_says) {
  Process first(two.context, two.listening), second(two.context, two.calling);
  second.send(1);
  run_until(two.context, [&] { return !first.warnings.empty(); });
  INFO(first.warnings.front());
  CHECK(first.has_warned_of(first_says));
  CHECK(first.rounds.empty());
  CHECK_FALSE(first.peers.have_met());
  CHECK_FALSE(second.peers.have_met());
  first.peers.close();
  second.peers.close();
}

/// The certificate of process 1 of another run, which trusts this run's authority.
TlsFiles with_foreign_certificate(const Keys& own, const Keys& other) {
  TlsFiles files = other.of(1);
  files.authority = own.of(1).authority;
  return files;
}

constexpr std::int64_t day_s = 86400;
std::int64_t now_s() { return times_from_now(0).until_s; }

}  // namespace

TEST_CASE("Processes with certificates of one run exchange messages") {
  const Keys keys("one");
  Two two(keys.tls(0), keys.tls(1));
  Process first(two.context, two.listening), second(two.context, two.calling);
  run_until(two.context, [&] { return first.peers.have_met() && second.peers.have_met(); });
  for (Round round = 0; round < 300; ++round) {
    first.send(round);
    second.send(round);
  }
  run_until(two.context, [&] { return first.peers.have_all() && second.peers.have_all(); });
  CHECK(first.rounds == first_rounds(300));
  CHECK(second.rounds == first_rounds(300));
  CHECK(first.warnings.empty());
  CHECK(second.warnings.empty());
  first.peers.close();
  second.peers.close();
}

TEST_CASE("A private key that others may read or write is refused with the remedy") {
  const Keys keys("modes");
  const std::filesystem::path key = keys.of(0).key;
  for (const unsigned mode : {0644u, 0640u, 0604u, 0620u, 0601u}) {
    std::filesystem::permissions(key, static_cast<std::filesystem::perms>(mode));
    CHECK_THROWS_WITH(keys.tls(0),
                      fmt::format("{0}: expected a private key that its owner alone can read, found mode {1:04o}; run "
                                  "`chmod 600 {0}`, and make new keys if others may have read it",
                                  key.string(), mode));
  }
  for (const unsigned mode : {0400u, 0600u, 0700u}) {
    std::filesystem::permissions(key, static_cast<std::filesystem::perms>(mode));
    CHECK_NOTHROW(keys.tls(0));
  }
}

TEST_CASE("A process without a certificate, or with one of another run, is refused") {
  const Keys keys("refusing"), others("foreign");
  SECTION("another run") {
    Two two(keys.tls(0), others.tls(1));
    is_refused(two, "which has not greeted: ");
  }
  SECTION("plain text") {
    Two two(keys.tls(0), nullptr);
    is_refused(two, "which has not greeted: ");
  }
}

TEST_CASE("A process in plain text, or of another authority, is rejected by its caller") {
  const Keys keys("believing"), others("unbelieved");
  for (const auto& tls_of_first : {std::shared_ptr<const Tls>(), others.tls(0)}) {
    Two two(tls_of_first, keys.tls(1));
    Process first(two.context, two.listening), second(two.context, two.calling);
    first.send(1);
    run_until(two.context, [&] { return !second.warnings.empty(); });
    CHECK(second.has_warned_of("process 0 at 127.0.0.1:" + std::to_string(two.port) + " has not greeted: "));
    CHECK(second.rounds.empty());
    CHECK_FALSE(second.peers.have_met());
    first.peers.close();
    second.peers.close();
  }
}

TEST_CASE("A process is not believed that it is another one of its run") {
  const Keys keys("names", times_from_now(1), 3);
  Two two(keys.tls(0), keys.tls(2));  // process 2, which says that it is process 1
  Process first(two.context, two.listening);
  Process second(two.context, two.calling);
  run_until(two.context, [&] { return !first.warnings.empty(); });
  CHECK(first.has_warned_of("has no certificate of process 1"));
  CHECK_FALSE(first.peers.have_met());
  first.peers.close();
  second.peers.close();
}

TEST_CASE("An expired certificate, or one for another process, is reported before anything is sent") {
  const Keys keys("good"), old("old", {now_s() - 2 * day_s, now_s() - day_s}),
      early("early", {now_s() + day_s, now_s() + 2 * day_s}), others("others");
  const auto problem = [](const TlsFiles& files, std::uint32_t process) -> std::string {
    try {
      Tls tls(files, process);
    } catch (const RunError& error) {
      return error.what();
    }
    return "";
  };
  using Catch::Contains;
  CHECK(problem(keys.of(0), 0).empty());
  CHECK_THAT(problem(old.of(0), 0), Contains("certificate has expired"));
  CHECK_THAT(problem(early.of(0), 0), Contains("certificate is not yet valid"));
  CHECK_THAT(problem(keys.of(0), 1), Contains("it is not of process 1"));
  CHECK_THAT(problem(with_foreign_certificate(keys, others), 1), Contains("the certificate would be refused"));
  TlsFiles mixed = keys.of(0);
  mixed.key = keys.of(1).key;
  CHECK_THAT(problem(mixed, 0), Contains(mixed.key.string()));
  mixed.key = keys.of(0).key.string() + "_that_is_missing";
  CHECK_THAT(problem(mixed, 0), Contains(mixed.key.string()));
}

}  // namespace lagnet::tls_test
