#pragma once

#include <CLI/App.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "scenarios/compare/tables/comparison.hpp"
#include "tools/console/command.hpp"

namespace lagnet::tools {

/// The printed verdict of a comparison: network and data, the headline, and its sentences, in lines of at most
/// `columns` columns.
std::string verdict_text(const ComparedRuns& comparison, std::size_t columns);

/// Adds the option --to, the levels that are compared. Its help begins with `what` and ends with `of_others`.
void add_levels(CLI::App& command, std::vector<double>& to, const std::string& what, const std::string& of_others);

/// Adds the option --where, of values "KEY=VALUE" that runs must have.
void add_where(CLI::App& command, std::vector<std::string>& where);

/// Adds the subcommand `compare`, which sets the console's exit status.
void add_compare(CLI::App& app, Console& console);

}  // namespace lagnet::tools
