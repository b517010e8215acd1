#pragma once

#include <string_view>

namespace lagnet {

/// The version of this program, as its results name it: "1.0.0".
std::string_view version();

}  // namespace lagnet
