#pragma once

namespace lagnet {

/// The use of a graph, which decides how much memory it must leave: to look at it, or to run on it.
enum class GraphUse { looked_at, run_on };

}  // namespace lagnet
