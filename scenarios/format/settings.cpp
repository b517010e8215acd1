#include "scenarios/format/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "scenarios/json/json_file.hpp"

namespace lagnet {

namespace {

using Tokens = std::vector<std::string>;

/// Where a value is put, and what is put there.
struct Put {
  Tokens at;
  Json value;
};

Put put_of(const std::string& setting) {
  const std::size_t equals = setting.find('=');
  const std::string pointer = setting_pointer(setting.substr(0, equals)), text = setting.substr(equals + 1);
  return {pointer_tokens(pointer).value_or(Tokens{}), json_or_text(text)};
}

std::vector<Put> puts_of(const std::vector<std::string>& settings) {
  std::vector<Put> puts;
  for (const std::string& setting : settings) puts.push_back(put_of(setting));
  return puts;
}

std::string pointer_of(const Tokens& tokens) {
  std::string pointer;
  for (const std::string& token : tokens) pointer = child_pointer(pointer, token);
  return pointer;
}

/// The option that has put it, as it is typed.
std::string option_of(const Put& put) {
  const bool is_swept = put.at.size() == 2 && put.at.front() == "sweep" && put.at.back().starts_with('/');
  if (is_swept) return (put.at.back() == "/algorithm" ? "--algorithm or --sweep " : "--sweep ") + put.at.back();
  const std::string pointer = pointer_of(put.at);
  return (pointer == "/algorithm" ? "--algorithm or --set " : "--set ") + pointer;
}

bool is_within(const Tokens& inner, const Tokens& outer) {
  return inner.size() >= outer.size() && std::equal(outer.begin(), outer.end(), inner.begin());
}

/// The part of what was put that a value at this pointer replaces; nothing if it leaves all of it.
std::optional<std::string> replaced_part(const Put& put, const std::string& pointer) {
  const auto later = pointer_tokens(pointer);
  if (!later || put.at.empty()) return std::nullopt;
  if (is_within(put.at, *later)) return pointer_of(put.at);
  if (!is_within(*later, put.at)) return std::nullopt;
  const Json* at = &put.value;
  for (std::size_t k = put.at.size(); k < later->size(); ++k) {
    if (!at->is_object() || !at->contains((*later)[k])) return std::nullopt;
    at = &(*at)[(*later)[k]];
  }
  return pointer;
}

/// The pointers that are keys of an object.
void add_pointers(const Json& object, std::vector<std::string>& pointers) {
  if (!object.is_object()) return;
  for (const auto& [key, value] : object.items())
    if (key.starts_with('/')) pointers.push_back(key);
}

Json member(const Json& object, const char* key) { return object.is_object() ? object.value(key, Json()) : Json(); }

/// What the values of a sweep replace. The points of a list all set the same keys.
std::vector<std::string> swept_pointers(const Json& sweep) {
  std::vector<std::string> pointers;
  add_pointers(sweep, pointers);
  if (const Json points = member(sweep, "points"); points.is_array() && !points.empty())
    add_pointers(points.front(), pointers);
  for (const char* drawn : {"random", "latin_hypercube"})
    add_pointers(member(member(sweep, drawn), "ranges"), pointers);
  return pointers;
}

std::vector<std::string> tuned_pointers(const Json& tune) {
  std::vector<std::string> pointers;
  add_pointers(member(tune, "ranges"), pointers);
  if (!member(tune, "seeds").empty()) pointers.emplace_back("/seed");
  return pointers;
}

void report(const std::vector<Put>& puts, const std::vector<std::string>& pointers, const std::string& section,
            const std::string& way_out, Diagnostics& diagnostics) {
  for (const Put& put : puts)
    for (const std::string& pointer : pointers)
      if (const auto part = replaced_part(put, pointer))
        diagnostics.add(option_of(put), fmt::format("a value that {} does not replace", section),
                        fmt::format("{}, which {} sets to other values; {}", *part, section, way_out));
}

/// Reports each setting whose value a later one replaces.
void check_set_once(const std::vector<Put>& puts, Diagnostics& diagnostics) {
  for (auto put = puts.begin(); put != puts.end(); ++put) {
    if (put->at.empty() || std::ranges::find(put->at, "-") != put->at.end()) continue;  // it adds to a list
    const auto later = std::find_if(
        put + 1, puts.end(), [&](const Put& other) { return !other.at.empty() && is_within(put->at, other.at); });
    if (later != puts.end())
      diagnostics.add(option_of(*put), "each key once", option_of(*later) + " after it, which replaces its value");
  }
}

}  // namespace

void apply_settings(Json& document, const std::vector<std::string>& settings, Diagnostics& diagnostics) {
  for (const std::string& setting : settings) apply_setting(document, setting, diagnostics);
  if (settings.empty() || !diagnostics.empty()) return;
  const std::vector<Put> puts = puts_of(settings);
  check_set_once(puts, diagnostics);
  report(puts, swept_pointers(member(document, "sweep")), "/sweep",
         "use --sweep KEY=VALUES for a swept key, or leave the sweep out with --set 'sweep={}'", diagnostics);
}

void check_tune_leaves(const Json& document, const std::vector<std::string>& settings, Diagnostics& diagnostics) {
  report(puts_of(settings), tuned_pointers(member(document, "tune")), "/tune", "change its ranges or seeds instead",
         diagnostics);
}

void check_full_leaves(const Json& document, const std::vector<std::string>& settings, Diagnostics& diagnostics) {
  std::vector<std::string> pointers;
  add_pointers(member(document, "full"), pointers);
  report(puts_of(settings), pointers, "/full", "leave --full out, or change the section full", diagnostics);
}

}  // namespace lagnet
