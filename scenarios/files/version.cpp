#include "scenarios/files/version.hpp"

namespace lagnet {

std::string_view version() { return LAGNET_VERSION; }

}  // namespace lagnet
