#pragma once

#include <string>

#include "scenarios/json/diagnostics.hpp"
#include "tools/report/page.hpp"

namespace lagnet::tools {

/// JSON for use in a script element: neither "</script" nor "<!--" can be in it.
std::string in_script(const Json& value);

/// The page about a model (README.md), which asks no server for anything.
std::string filled_page(const ReportTexts& texts, const Json& model);

/// The same page without a model: it asks the server that it comes from for one, again and again.
std::string live_page(const ReportTexts& texts);

}  // namespace lagnet::tools
