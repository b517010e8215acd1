#pragma once

// Tests are written for Catch2 2. In Catch2 3 this header has the place of that name, and gives what has moved.
#include <catch2/catch_all.hpp>
#include <string>

using Catch::Approx;

namespace Catch {
using Matchers::EndsWith;
using Matchers::Matches;
using Matchers::Message;
using Matchers::StartsWith;
using Matchers::VectorContains;
inline auto Contains(const std::string& part) { return Matchers::ContainsSubstring(part); }
}  // namespace Catch
