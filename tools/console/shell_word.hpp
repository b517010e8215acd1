#pragma once

#include <string>

namespace lagnet::tools {

/// A text as one word of a shell, whatever it is made of: in quotes.
std::string shell_quoted(const std::string& text);

/// The same, in quotes only where a shell needs them.
std::string shell_word(const std::string& text);

}  // namespace lagnet::tools
