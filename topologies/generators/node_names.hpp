#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/types.hpp"

namespace lagnet {

/// The agent of each node (m): of ids that are exactly 0 .. m-1, in any order, these numbers; else the node's place in
/// the list. So a graph has the same agents at the same nodes in each format.
std::vector<AgentId> agents_of_ids(const std::vector<std::string>& ids);

/// Whether a name is UTF-8 without control characters, as results and pages need it.
bool is_printable_utf8(std::string_view name);

/// Distinct names of nodes (m): the label of a node, or its id if it has no label; a label that several nodes have is
/// followed by the id, "Geneva (7)"; what is not printable becomes a space. Empty if each of them is the node's number.
std::vector<std::string> names_of_nodes(const std::vector<std::string>& ids, const std::vector<std::string>& labels);

}  // namespace lagnet
