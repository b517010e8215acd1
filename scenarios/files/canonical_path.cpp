#include "scenarios/files/canonical_path.hpp"

#include <system_error>

namespace lagnet {

namespace fs = std::filesystem;

fs::path canonical_path(const fs::path& path) {
  fs::path whole = fs::absolute(path);
  if (!whole.has_filename()) whole = whole.parent_path();
  const bool has_name = whole.has_filename() && whole.filename() != "." && whole.filename() != "..";
  std::error_code error;
  const fs::path real = fs::weakly_canonical(has_name ? whole.parent_path() : whole, error);
  if (error) return whole.lexically_normal();  // the next use of the path reports the error
  return has_name ? real / whole.filename() : real;
}

}  // namespace lagnet
