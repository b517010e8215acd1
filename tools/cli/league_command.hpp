#pragma once

namespace CLI {
class App;
}

/// `league run`, `table`, `page` and `verify`, which the Python package executes: an entry may be a class in Python.
namespace lagnet::tools {

struct Console;

void add_league(CLI::App& app, Console& console);

}  // namespace lagnet::tools
