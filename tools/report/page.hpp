#pragma once

#include <optional>
#include <string_view>

namespace lagnet::tools {

/// The texts that reports are put together from; they are part of the program.
struct ReportTexts {
  std::string_view page_template;   // page.html, with @model@ and the like where the others go
  std::string_view page_style;      // page.css
  std::string_view page_scripts;    // page/*.js
  std::string_view figure_scripts;  // those of them that need no page
  std::string_view chart_library;   // Apache ECharts
  std::string_view licenses;        // of the chart library and of what is in it
  std::string_view script_hashes;   // of both scripts of the page, as its policy names them
};

/// Nothing if the program was built without npm.
std::optional<ReportTexts> report_texts();

}  // namespace lagnet::tools
