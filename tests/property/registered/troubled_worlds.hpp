#pragma once

#include <map>
#include <string>

/// What may befall messages and agents, as changes of a scenario by name: the worlds in which asynchronous methods must
/// keep their sums.
namespace lagnet::test {

/// Agents 2, 3 and 4 crash, two of them losing what they know.
inline constexpr const char* crashes_of_agents =
    R"({"kind": "crash", "agent": 2, "at_s": 0.4, "recovers_after_s": 0.1, "state": "lost"},
       {"kind": "crash", "agent": 3, "at_s": 0.9, "recovers_after_s": 0.3, "state": "lost"},
       {"kind": "crash", "agent": 4, "at_s": 0.7, "recovers_after_s": 0.2, "state": "kept"})";
/// The same agents are away at random times, and know all they knew when they are back.
inline constexpr const char* absences_of_agents =
    R"({"kind": "on_off", "agents": [2, 3, 4], "mean_up_s": 0.5, "mean_down_s": 0.1})";

inline std::string availability_of(const char* processes) {
  return R"("participation": {"availability": [)" + std::string(processes) + "]}";
}

/// Those that lose no message for good.
inline std::map<std::string, std::string> worlds_without_losses() {
  return {{"delays", "{}"},
          {"stragglers", R"({"compute": {"straggler": {"probability": 0.2, "factor": 20}}})"},
          {"copies out of order", R"({"network": {"duplicate_probability": 0.2,
              "reordering": {"probability": 0.2, "delay_ms": 40}}})"},
          {"losses that the network repairs",
           R"({"network": {"loss_probability": 0.2, "retransmit": {"timeout_ms": 30}}})"}};
}

/// Those of servers, whose clients send again.
inline std::map<std::string, std::string> worlds_of_servers() {
  const std::string resends = R"("algorithm": {"resend_ms": 70})";
  std::map<std::string, std::string> all = worlds_without_losses();
  all["losses that clients repair"] = R"({"network": {"loss_probability": 0.2}, )" + resends + "}";
  all["absences"] = "{" + availability_of(absences_of_agents) + ", " + resends + "}";
  all["crashes"] = "{" + availability_of(crashes_of_agents) + ", " + resends + "}";
  all["all of it"] = R"({"network": {"loss_probability": 0.1, "duplicate_probability": 0.1,
      "reordering": {"probability": 0.2, "delay_ms": 40}}, )" +
                     availability_of(crashes_of_agents) + ", " + resends + "}";
  return all;
}

/// Those of peers that make up for losses themselves, and keep what they know.
inline std::map<std::string, std::string> worlds_of_peers() {
  std::map<std::string, std::string> all = worlds_without_losses();
  all["losses"] = R"({"network": {"loss_probability": 0.3}})";
  all["losses in bursts"] = R"({"network": {"burst_loss": {"enter": 0.1, "leave": 0.3}}})";
  all["absences"] = "{" + availability_of(absences_of_agents) + "}";
  all["all of it"] = R"({"network": {"loss_probability": 0.2, "duplicate_probability": 0.1,
      "reordering": {"probability": 0.2, "delay_ms": 40},
      "outages": [{"from_s": 0.3, "until_s": 0.6, "links": [[0, 1]]}]}, )" +
                     availability_of(absences_of_agents) + "}";
  return all;
}

}  // namespace lagnet::test
