#pragma once

#include <string>
#include <string_view>

namespace lagnet::tools {

/// The script by which a shell ("bash", "zsh", "fish") completes command lines of lagnet: it asks
/// `lagnet complete -- WORD..`. InternalError for another shell.
std::string_view shell_script(const std::string& shell);

}  // namespace lagnet::tools
