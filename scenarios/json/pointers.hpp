#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// JSON pointers (RFC 6901), and keys of settings that stand for them.
namespace lagnet {

/// The keys and indices on the way of a JSON pointer to a member; nothing if the text is no such pointer.
std::optional<std::vector<std::string>> pointer_tokens(std::string_view pointer);

/// The pointer that a setting's key stands for: topology.agents, topology/agents or /topology/agents.
std::string setting_pointer(std::string_view key);

}  // namespace lagnet
