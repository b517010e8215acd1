#pragma once

#include <functional>
#include <string>

#include "tools/report/page.hpp"

namespace lagnet::tools {

struct ServeOptions {
  std::string folder;                 // of results, complete or not, or where they will be
  std::string command;                // as it was typed, for the page
  std::string address = "127.0.0.1";  // an IP address
  unsigned short port = 0;            // 0: any that is free
  bool ends_with_input = false;       // else only a signal ends it
};

/// Serves the page of a folder of results (README.md), at a low priority, until it is ended. `listening` gets the
/// address of the page once it can be requested. Throws std::invalid_argument for an invalid IP address, and
/// std::system_error if nothing can listen there.
void serve(const ReportTexts& texts, const ServeOptions& options,
           const std::function<void(const std::string&)>& listening);

}  // namespace lagnet::tools
