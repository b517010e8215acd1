#pragma once

#include <cstddef>

namespace lagnet::tools {

bool is_terminal(int descriptor);
/// Columns of the terminal there; 80 where there is none, or where it does not say.
std::size_t terminal_columns(int descriptor);

}  // namespace lagnet::tools
