#include "scenarios/format/kinds/claim_kinds.hpp"

#include <fmt/format.h>

namespace lagnet {

std::string Bounds::words() const {
  if (low && high) return fmt::format("from {:.4g} to {:.4g}", *low, *high);
  return low ? fmt::format("at least {:.4g}", *low) : fmt::format("at most {:.4g}", high.value_or(0));
}

}  // namespace lagnet
