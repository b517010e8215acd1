#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/json/fields.hpp"
#include "sim/base/types.hpp"

/// How a scenario says which agent, node or column it means: by its number or its name. An agent has the name of its
/// node in a graph that has names.
namespace lagnet {

class SchemaBuilder;

/// A field that reads itself: 3, or "Oslo".
struct NameOrNumber {
  std::int64_t number = 0;
  std::string name = {};  // empty: the number

  NameOrNumber() = default;
  NameOrNumber(std::int64_t given) : number(given) {}  // NOLINT: a number is one
  bool has_value() const { return true; }
  void read(const Json& value, const std::string& pointer, Diagnostics& diagnostics);
  Json write() const;
  static Json schema(SchemaBuilder& builder);
  static std::string type_words() { return "integer or string"; }
  auto operator<=>(const NameOrNumber&) const = default;
};

class Topology;

/// Finds agents by their names.
class AgentNames {
 public:
  /// Agents 0 .. agents - 1 without names.
  AgentNames(AgentId agents) : agents_(agents) {}  // NOLINT: their number says all
  explicit AgentNames(const Topology& topology);

  AgentId agents() const { return agents_; }
  /// No value if it is not an agent.
  std::optional<AgentId> find(const NameOrNumber& agent) const;
  /// The expectation if find() gives nothing: "agents below 5", or a node's name, with a similar one.
  std::string expected(const NameOrNumber& agent) const;

 private:
  AgentId agents_;
  std::vector<std::string> names_;                       // by agent; empty without names
  std::vector<std::pair<std::string, AgentId>> sorted_;  // by name
};

/// "agent 3", "agent 3 and 2 others"
std::string first_agents(const std::vector<AgentId>& agents);

/// The agent as messages show it: 3, or "Oslo".
std::string shown(const NameOrNumber& agent);

}  // namespace lagnet
