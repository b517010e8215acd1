#include "sim/base/errors.hpp"

#include <catch2/catch.hpp>

namespace lagnet::errors_test {

TEST_CASE("AgentError has agent, time and text") {
  const AgentError error(3, Time::nanoseconds(1500), 7, "step size is 0");
  CHECK(std::string(error.what()) == "agent 3 at 1500 ns: step size is 0");
  CHECK(error.agent == 3);
  CHECK(error.at == Time::nanoseconds(1500));
  CHECK(error.round == 7);
}

TEST_CASE("Deadlock has one line for each waiting agent") {
  const Deadlock one(Time::nanoseconds(7), {{2, "any message"}});
  CHECK(std::string(one.what()) ==
        "deadlock at 7 ns: no event is left and 1 agent still waits\n"
        "  agent 2 waits for any message");
  const Deadlock two(Time::nanoseconds(8), {{0, "its timer"}, {4, "round 1 of agents 2, 3"}});
  CHECK(std::string(two.what()) ==
        "deadlock at 8 ns: no event is left and 2 agents still wait\n"
        "  agent 0 waits for its timer\n"
        "  agent 4 waits for round 1 of agents 2, 3");
  CHECK(two.at == Time::nanoseconds(8));
  CHECK(two.waiting.size() == 2);
}

TEST_CASE("Deadlock shows ten agents and counts the rest") {
  std::vector<Deadlock::Waiting> waiting;
  for (AgentId id = 0; id < 13; ++id) waiting.push_back({id, "any message"});
  const Deadlock error(Time(), waiting);
  const std::string text = error.what();
  CHECK(text.find("agent 9 waits") != std::string::npos);
  CHECK(text.find("agent 10 waits") == std::string::npos);
  CHECK(text.ends_with("\n  and 3 more"));
  CHECK(error.waiting.size() == 13);
}

TEST_CASE("A failed check names file, line, condition and detail, without the folder of the build") {
  const int agents = 2;
  std::string text;
  const int line = __LINE__ + 2;
  try {
    LAGNET_CHECK(agents > 5, "{} agents", agents);
  } catch (const InternalError& error) {
    text = error.what();
  }
  CHECK(text == fmt::format("errors.cpp:{}: check failed: agents > 5: 2 agents", line));
}

TEST_CASE("A check that holds does not format its detail") {
  int formatted = 0;
  const auto detail = [&] { return ++formatted; };
  LAGNET_CHECK(formatted == 0, "{}", detail());
  CHECK(formatted == 0);
  CHECK_THROWS_AS([&] { LAGNET_CHECK(formatted == 1, "{}", detail()); }(), InternalError);
  CHECK(formatted == 1);
}

}  // namespace lagnet::errors_test
