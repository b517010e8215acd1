#pragma once

#include <string>

namespace lagnet::tools {

/// Prints a text for people like print_text(), but through a pager where stdout is a terminal with fewer rows and one
/// is wanted: $LAGNET_PAGER, else $PAGER, else less. An empty one is none, and one that does not exist is left out.
/// Whoever leaves it before the end has seen enough.
void print_paged(const std::string& text, bool is_wanted);

}  // namespace lagnet::tools
