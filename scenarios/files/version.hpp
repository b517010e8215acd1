#pragma once

#include <string_view>

namespace lagnet {

/// Of this program, as its results name it: "1.0.0".
std::string_view version();

}  // namespace lagnet
