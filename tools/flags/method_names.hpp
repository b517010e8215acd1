#pragma once

#include <span>
#include <string_view>

namespace lagnet::tools {

/// What a paper calls a method that is another one here, with some options.
struct MethodName {
  std::string_view name, kind;
  std::string_view how;  // the rest of a sentence: "with batch"; or empty
};
std::span<const MethodName> method_names();
/// Null for any other name. Case counts for nothing, nor does "-" in place of "_".
const MethodName* method_called(std::string_view name);

}  // namespace lagnet::tools
