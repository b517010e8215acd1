#include "algorithms/interface/attackers.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/losses/softmax.hpp"
#include "sim/base/diagnostic.hpp"

namespace lagnet::attackers_test {

namespace {

template <class Attack>
AttackOptions by(Attack attack, std::vector<std::int64_t> agents) {
  attack.agents = std::move(agents);
  return attack;
}
template <class Attack>
AttackOptions by_share(Attack attack, double fraction) {
  attack.fraction = fraction;
  return attack;
}

/// "place: expected, found" of a refusal.
std::string refusal(const std::vector<AttackOptions>& attacks) {
  try {
    const Attackers made(attacks, 4, 1);
  } catch (const Diagnosed& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("attackers replace their own answers, and no others") {
  const Attackers all({by(SignFlipAttack{.scale = 2}, {2}), by(IpmAttack{.epsilon = 0.5}, {3}),
                       by(AlieAttack{.z = 1.5}, {4}), by(ConstantAttack{.value = 7}, {5})},
                      7, 1);
  Matrix v{{1, 2, 3, 4, 5, 6}};
  const std::vector<AgentId> senders{1, 2, 3, 4, 5, 6};
  all.replace(senders, v);  // the honest ones are 1 and 6: mean 3.5, standard deviation 2.5
  CHECK(v == Matrix{{1, -4, -1.75, 3.5 - 1.5 * 2.5, 7, 6}});
  CHECK(all.is_honest(1));
  CHECK_FALSE(all.is_honest(5));
}

TEST_CASE("without an honest answer in the round, those who would look at it send their own") {
  const Attackers all({by(IpmAttack(), {1}), by(AlieAttack(), {2})}, 4, 1);
  Matrix v{{3, 5}};
  all.replace(std::vector<AgentId>{1, 2}, v);
  CHECK(v == Matrix{{3, 5}});
}

TEST_CASE("z of alie is the paper's quantile") {
  CHECK(alie_z(9, 2) == Approx(0.180).epsilon(1e-2));
  CHECK(alie_z(50, 24) == Approx(1.426).epsilon(1e-3));
  CHECK(alie_z(20, 8) == Approx(0.674).epsilon(1e-2));
  CHECK(alie_z(10, 1) == Approx(-0.140).epsilon(1e-2));
  CHECK(std::isfinite(alie_z(2, 1)));
  CHECK(std::isfinite(alie_z(9, 8)));
  CHECK(Attackers({by(AlieAttack(), {3})}, 11, 1).warnings(10).size() == 1);
  CHECK(Attackers({by(AlieAttack{.z = 1}, {3})}, 11, 1).warnings(10).empty());
}

TEST_CASE("a share of the clients is drawn once, among those that are not named") {
  const Attackers all({by(ConstantAttack(), {1}), by_share(SignFlipAttack(), 0.34)}, 11, 3);
  int attackers = 0;
  for (AgentId k = 1; k <= 10; ++k) attackers += all.is_honest(k) ? 0 : 1;
  CHECK(attackers == 1 + 3);
  CHECK_FALSE(all.is_honest(1));
  CHECK(all.is_honest(0));
}

TEST_CASE("labels are flipped for those alone who attack so") {
  const Attackers all({by(LabelFlipAttack(), {2})}, 4, 1);
  const std::vector<Index> starts{0, 0, 1, 3, 4};
  CHECK(all.labels_held(*make_loss(LogisticOptions{}), Vector{{1, -1, 1, 1}}, starts) == Vector{{1, 1, -1, 1}});
  CHECK(all.labels_held(*make_loss(SquaredOptions{}), Vector{{1, 0.5, 3, 1}}, starts) == Vector{{1, -0.5, -3, 1}});
  CHECK(all.labels_held(*make_loss(SoftmaxOptions{.classes = 5}), Vector{{0, 1, 4, 2}}, starts) ==
        Vector{{0, 3, 0, 2}});
  CHECK_THROWS_AS(all.labels_held(*make_loss(HuberOptions{}), Vector{{1, 0.5, 3, 1}}, starts), Diagnosed);
}

TEST_CASE("attackers that cannot be are refused, each at its place") {
  CHECK(refusal({by(SignFlipAttack(), {0})}) == "/attackers/0/agents/0: expected a client, found agent 0, the server");
  CHECK(refusal({by(SignFlipAttack(), {1, 4})}) ==
        "/attackers/0/agents/1: expected an agent below 4, the number of agents, found 4");
  CHECK(refusal({by(SignFlipAttack(), {1}), by(IpmAttack(), {2, 1})}) ==
        "/attackers/1/agents/1: expected each agent once, found 1 again");
  CHECK(refusal({by(SignFlipAttack(), {1, 2, 3})}) ==
        "/attackers: expected a client that does not attack, found attackers alone");
  CHECK(refusal({by(SignFlipAttack(), {1, 2}), by_share(IpmAttack(), 0.7)}) ==
        "/attackers/1/fraction: expected at most the 1 clients that no other entry has, found 2 clients");
}

}  // namespace lagnet::attackers_test
