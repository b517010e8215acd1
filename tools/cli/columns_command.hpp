#pragma once

#include <string>

#include "scenarios/format/column_dictionary.hpp"
#include "scenarios/json/diagnostics.hpp"
#include "tools/console/command.hpp"
#include "tools/console/terminal.hpp"

namespace lagnet::tools {

/// `lagnet list columns`: every column of every table. As JSON also the tables, as input of the documentation.
int columns_command(const Console& console);

/// A column as `lagnet describe` has it.
Json column_json(const ColumnPlaces& places);
std::string column_text(const ColumnPlaces& places, const Look& look);

}  // namespace lagnet::tools
