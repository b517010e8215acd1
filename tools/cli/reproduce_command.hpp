#pragma once

#include <string>
#include <vector>

#include "tools/console/command.hpp"

namespace lagnet::tools {

/// The papers' figures, each as PAPER/FIGURE. Throws InputError if there are none.
std::vector<std::string> paper_figures();
/// The papers with their figures and what these show.
int papers_command(const Console& console);
/// The papers' figures: "PAPER" or "PAPER/FIGURE"; of nothing, which there are. `pdf` is a file for all panels of the
/// one figure that was asked for, "" for none.
int reproduce_command(const RunRequest& request, const std::string& pdf, const Console& console);

}  // namespace lagnet::tools
