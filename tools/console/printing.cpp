#include "tools/console/printing.hpp"

#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "scenarios/words/layout.hpp"
#include "tools/console/terminal.hpp"

namespace lagnet::tools {

namespace {

/// errno of the first write to stdout that failed.
int first_failure = 0;

void keep_failure(bool failed) {
  if (failed && first_failure == 0) first_failure = errno != 0 ? errno : EIO;
}

/// The text with control characters spelled out, as in \x1b, since names come from files that others wrote. On a
/// terminal the sequences stay by which lagnet sets colors and clears lines.
std::string neutral(std::string_view text, bool is_terminal) {
  std::string safe;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool is_wide = text[k] == '\xc2' && k + 1 < text.size() && text[k + 1] < '\xa0';  // U+0080 to U+009f
    const auto c = static_cast<unsigned char>(text[is_wide ? ++k : k]);
    const bool is_control = is_wide || (std::iscntrl(c) != 0 && c != '\n' && c != '\t' && c != '\r');
    const std::size_t end = text.find_first_not_of("0123456789;", k + 2);
    const bool is_own =
        is_terminal && text.substr(k, 2) == "\x1b[" && end < text.size() && (text[end] == 'm' || text[end] == 'K');
    safe += is_control && !is_own ? fmt::format("\\x{:02x}", c) : std::string(1, text[k]);
  }
  return safe;
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

void print_answer(const Console& console, const Json& document, const std::string& text) {
  if (console.json || !console.quiet) print_text(console.json ? indented(document) : text);
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
