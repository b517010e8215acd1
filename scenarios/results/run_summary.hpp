#pragma once

#include "scenarios/json/diagnostics.hpp"
#include "scenarios/run/outcome.hpp"

namespace lagnet {

/// The first facts about a graph in summary.json and `lagnet topology`: agents, edges and degrees.
Json graph_facts(const Topology& topology);

/// The summary's facts about the data.
Json data_facts(const Experiment& experiment);

/// The warnings of a summary.json. Earlier versions wrote texts alone, which have no code.
Remarks warnings_in(const Json& summary);
/// As summary.json has them: [{"code": .., "numbers": {..}, "text": ..}, ..].
Json as_json(const Remarks& remarks);

/// The bound in a summary's key `bound`, if there is one.
std::optional<RateBound> bound_in(const Json& summary);

/// summary.json.
Json summary(const Experiment& experiment, const Outcome& outcome);

}  // namespace lagnet
