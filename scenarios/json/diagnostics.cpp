#include "scenarios/json/diagnostics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace lagnet {

namespace {

/// Control characters in keys or file names would break "one line per problem".
std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20)
      line += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else
      line += c;
  }
  return line;
}

std::string lower_case(std::string_view word) {
  std::string lower(word);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

/// The number of edits between two words: rows of the usual table, the last three kept.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = last;
    last = row;
  }
  return last[b.size()];
}

}  // namespace

void Diagnostics::add(std::string pointer, std::string expected, std::string found, std::string inside) {
  add({std::move(pointer), std::move(expected), std::move(found), Diagnostic::Place::pointer, std::move(inside)});
}

void Diagnostics::add_new(const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& found : diagnostics) {
    if (std::ranges::find(list_, found) == list_.end()) list_.push_back(found);
  }
}

std::string Diagnostics::text() const {
  std::string text;
  for (const Diagnostic& one : list_) {
    if (!text.empty()) text += '\n';
    text += on_one_line(file_ + ": " + sentence(one));
  }
  return text;
}

std::string shown(const Json& value) {
  constexpr std::size_t longest = 60;  // bytes: enough to recognize a value, short enough for one line
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not within a UTF-8 character
  return text.substr(0, end) + "...";
}

std::string text_or_json(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string child_pointer(const std::string& pointer, std::string_view key) {
  std::string child = pointer + '/';
  for (const char c : key) {
    if (c == '~')
      child += "~0";
    else if (c == '/')
      child += "~1";
    else
      child += c;
  }
  return child;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 100;  // the table is quadratic, and typing errors are short
  if (word.empty() || word.size() > longest) return "";
  const std::string lower = lower_case(word);
  const std::string* nearest = nullptr;
  std::pair<std::size_t, bool> least;  // edits, and of two with as few the one that begins with the word
  for (const std::string& candidate : candidates) {
    const std::size_t shorter = std::min(word.size(), candidate.size());
    if (shorter == 0) continue;
    const std::size_t allowed = std::min(std::max<std::size_t>(2, candidate.size() / 3), shorter - 1);
    const std::string other = lower_case(candidate);
    const std::pair distance{edit_distance(lower, other), !other.starts_with(lower)};
    if (distance.first > allowed || (nearest && distance >= least)) continue;
    nearest = &candidate;
    least = distance;
  }
  constexpr std::size_t telling = 4;  // letters that two words begin with: stepsize and step
  for (const std::string& candidate : candidates) {
    const std::string other = lower_case(candidate);
    if (nearest || std::min(other.size(), lower.size()) < telling) continue;
    if (lower.starts_with(other) || other.starts_with(lower)) nearest = &candidate;
  }
  return nearest ? fmt::format("; did you mean {}?", *nearest) : "";
}

std::string comma_list(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

}  // namespace lagnet
