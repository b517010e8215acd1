#pragma once

#include <string>
#include <vector>

#include "scenarios/json/diagnostics.hpp"

/// The names of series of runs in tables, on the page and on the terminal.
namespace lagnet {

/// Where a scenario, or a point of a sweep, has the name of its series.
inline constexpr const char* label_pointer = "/label";

/// An algorithm, a loss or a regularizer in JSON as it is called: one in Python as its class, {"kind": "MyDGD",
/// "options": ..}; anything else as it is.
Json as_called(Json section);

/// A value in a sentence or a heading: 10, "lattice", the kind of an object.
std::string value_text(const Json& value);

/// "ring" for a kind, "agents=16" for anything else, and "latency_ms=5" for the value of a distribution.
std::string named_value(std::string pointer, const Json& value);

/// A distinct name for each of some scenarios: its key "label", or else the values in which it differs, "fed_avg
/// on_off", kinds first. Only as many values are named as it takes, also beside a label that several scenarios have. A
/// single scenario has the name of its algorithm. All names differ; if values do not suffice, a number follows: "(2)".
std::vector<std::string> series_names(const std::vector<Json>& scenarios);

/// The label of a scenario; "" if it has none.
std::string label_of(const Json& scenario);

}  // namespace lagnet
