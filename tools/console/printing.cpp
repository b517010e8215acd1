#include "tools/console/printing.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "tools/console/neutral.hpp"
#include "tools/console/terminal.hpp"
#include "tools/console/text_layout.hpp"

namespace lagnet::tools {

namespace {

/// errno of the first write to stdout that failed.
int first_failure = 0;

void keep_failure(bool failed) {
  if (failed && first_failure == 0) first_failure = errno != 0 ? errno : EIO;
}

}  // namespace

void print_text(std::string_view text) {
  const std::string safe = neutral(text, is_terminal(STDOUT_FILENO));
  errno = 0;
  keep_failure(std::fwrite(safe.data(), 1, safe.size(), stdout) < safe.size());
}

std::string indented(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void print_message(std::string_view text) {
  const std::string safe = neutral(text, is_terminal(STDERR_FILENO));
  if (std::fwrite(safe.data(), 1, safe.size(), stderr) < safe.size()) std::clearerr(stderr);
}

namespace {

/// In lines that fit where they go.
std::string fitted(const std::string& text, int descriptor) {
  constexpr std::size_t indent = 4;
  const std::size_t columns = line_columns(descriptor);
  return (columns == any_columns ? text : wrapped(text, columns, indent)) + "\n";
}

}  // namespace

void print_wrapped(const std::string& message) { print_message(fitted(message, STDERR_FILENO)); }

void print_sentences(const std::string& text) { print_text(fitted(text, STDOUT_FILENO)); }

void flush_output() {
  errno = 0;
  keep_failure(std::fflush(stdout) != 0);
}

std::string output_failure() {
  flush_output();
  return first_failure == 0 ? "" : std::generic_category().message(first_failure);
}

}  // namespace lagnet::tools
