#include "sim/world/ciphers.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "tests/unit/sim/world.hpp"

namespace lagnet::ciphers_test {

using namespace lagnet::test;

namespace {

Task<> use_ciphers(Agent& me, std::int64_t count, std::vector<Time>& ends) {
  co_await me.encrypt(count);
  ends.push_back(me.now());
  co_await me.decrypt(count);
  ends.push_back(me.now());
  co_await me.add_ciphertexts(count);
  ends.push_back(me.now());
}

Task<> send_encrypted(Agent& me, Index plain, Index encrypted) {
  co_await me.encrypt(encrypted);
  me.send(1, 1, Payload::with_ciphertexts(Vector::Ones(plain + encrypted), encrypted));
}

Task<> receive_and_decrypt(Agent& me) {
  const Message message = co_await me.receive();
  co_await me.decrypt(message.body.encrypted());
  me.report(1);
}

WorldModel ciphers(std::int64_t cores) {
  WorldModel model;
  model.ciphers = {.encrypt = span(1000), .decrypt = span(700), .add = span(30), .cores = cores};
  return model;
}

}  // namespace

TEST_CASE("Cores share the numbers, and the one with most of them decides") {
  const CipherCosts one{.cores = 1}, four{.cores = 4};
  for (const auto& [count, share] : {std::pair{0, 0}, {1, 1}, {3, 1}, {4, 1}, {5, 2}, {8, 2}, {9, 3}}) {
    CHECK(one.time(span(100), count) == span(100 * count));
    CHECK(four.time(span(100), count) == span(100 * share));
  }
  CHECK_THROWS_AS(one.time(span(1), -1), InternalError);
  CHECK_THROWS_AS(CipherCosts{.cores = 0}.time(span(1), 1), InternalError);
}

TEST_CASE("The costs are Paillier's unless said otherwise") {
  const CipherCosts paillier;
  CHECK(paillier.time(paillier.encrypt, 100) == Duration::milliseconds(1888.2));
  CHECK(paillier.time(paillier.decrypt, 100) == Duration::milliseconds(1886.5));
  CHECK(paillier.time(paillier.add, 100) == Duration::milliseconds(5.4));
}

TEST_CASE("Encryption, decryption and addition take their times on the agent's cores, and no flops") {
  for (const std::int64_t cores : {1, 4}) {
    World world(1, {}, {.model = ciphers(cores)});
    std::vector<Time> ends;
    world.spawn(0, use_ciphers(world.agent(0), 10, ends));
    world.run();
    const std::int64_t share = cores == 1 ? 10 : 3;
    CHECK(ends == std::vector{at(1000 * share), at(1700 * share), at(1730 * share)});
    CHECK(world.ledger.agent(0).encrypting == span(1730 * share));
    CHECK(world.ledger.agent(0).flops == 0);
    CHECK(world.ledger.agent(0).computing == Duration());
  }
}

TEST_CASE("An operation longer than all simulated time takes the longest representable time") {
  const CipherCosts costs{.encrypt = span(1'000'000'000), .cores = 2};
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  CHECK(costs.time(costs.encrypt, most) == Duration::longest());
  CHECK(costs.time(costs.encrypt, 18'446'744'071) == span(9'223'372'036'000'000'000));  // of half as many
  CHECK(costs.time(span(1), most) == span(most / 2 + 1));
}

TEST_CASE("No numbers take no time") {
  World world(1, {}, {.model = ciphers(1)});
  std::vector<Time> ends;
  world.spawn(0, use_ciphers(world.agent(0), 0, ends));
  world.run();
  CHECK(ends == std::vector<Time>(3, at(0)));
}

TEST_CASE("An encrypted message travels at the size of its ciphertexts") {
  // 3 plain numbers and 5 ciphertexts: 24 + 500 bytes at 1 byte/ns, 100 ns of latency; 2 turns of 4 cores.
  std::vector<LinkSpec> links;
  join(links, 0, 1, 100, 1e9);
  World world(2, links, {.wire = {.ciphertext_bytes = 100}, .model = ciphers(4)});
  world.spawn(0, send_encrypted(world.agent(0), 3, 5));
  world.spawn(1, receive_and_decrypt(world.agent(1)));
  CHECK(world.run().last_report == at(2 * 1000 + 524 + 100 + 2 * 700));
  CHECK(world.ledger.agent(0).bytes_sent == 524);
}

TEST_CASE("An agent that goes down in the course of an encryption finishes it afterwards") {
  WorldModel model = ciphers(1);
  model.availability = without(1, {{.agent = 0, .from = at(400), .until = at(5000)}});
  World world(1, {}, {.model = model});
  std::vector<Time> ends;
  world.spawn(0, use_ciphers(world.agent(0), 1, ends));
  world.run();
  CHECK(ends.at(0) == at(5000 + 600));
  CHECK(world.ledger.agent(0).encrypting == span(1730));
  CHECK(world.ledger.agent(0).away == span(4600));
}

}  // namespace lagnet::ciphers_test
