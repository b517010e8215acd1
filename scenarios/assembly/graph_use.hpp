#pragma once

namespace lagnet {

/// What a graph is made for, which decides what memory it must leave: to look at it, or to run on it.
enum class GraphUse { looked_at, run_on };

}  // namespace lagnet
