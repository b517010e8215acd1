#pragma once

#include <string>

#include "scenarios/json/diagnostics.hpp"
#include "tools/report/page.hpp"

namespace lagnet::tools {

/// JSON that may stand in a script element: neither "</script" nor "<!--" can be in it.
std::string in_script(const Json& value);

/// The page about a model (README.md).
std::string filled_page(const ReportTexts& texts, const Json& model);

}  // namespace lagnet::tools
