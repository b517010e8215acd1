#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "scenarios/json/diagnostics.hpp"
#include "tools/console/command.hpp"

namespace lagnet::tools {

/// A command prints to stdout through these functions, which spell out control characters. A text that cannot be
/// written does not end the command, since a run's files are worth more than its line; the first failure is kept for
/// output_failure().
void print_text(std::string_view text);

template <class... Args>
void print_out(fmt::format_string<Args...> format, Args&&... args) {
  print_text(fmt::format(format, std::forward<Args>(args)...));
}

/// JSON as it is printed, with the line's end. Names of files may contain bytes that are not UTF-8, which JSON cannot
/// contain; U+FFFD replaces them.
std::string indented(const Json& document);

/// What a command answers: the document with --json, otherwise the text, unless --quiet suppresses it.
void print_answer(const Console& console, const Json& document, const std::string& text);

/// A message for stderr; one that cannot be written is lost.
void print_message(std::string_view text);

template <class... Args>
void print_err(fmt::format_string<Args...> format, Args&&... args) {
  print_message(fmt::format(format, std::forward<Args>(args)...));
}

/// The same, a line for each of its lines, or more on a terminal that is too narrow: these are broken between words.
void print_wrapped(const std::string& message);

/// The same on stdout.
void print_sentences(const std::string& text);

/// Hands on all that was printed so far.
void flush_output();

/// Hands on the rest; why not all could be written, or "".
std::string output_failure();

}  // namespace lagnet::tools
