#pragma once

#include <string_view>

namespace lagnet::tools {

/// The text between the marks of algorithms/README.md.
std::string_view proofs_text();

}  // namespace lagnet::tools
