#include "tools/console/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

namespace lagnet::tools {

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

std::size_t terminal_columns(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace lagnet::tools
