#include "scenarios/json/document.hpp"

#include <fmt/format.h>

#include <cmath>

namespace lagnet {

const Json& Document::at(std::string_view pointer) const {
  static const Json nothing;
  if (!pointer.starts_with('/')) return nothing;
  try {
    const Json::json_pointer place{std::string(pointer)};
    return json_.contains(place) ? json_.at(place) : nothing;
  } catch (const Json::parse_error&) {
    return nothing;
  }
}

std::string Document::text(std::string_view pointer, std::string_view otherwise) const {
  const Json& found = at(pointer);
  return found.is_string() ? found.get<std::string>() : std::string(otherwise);
}

std::optional<double> Document::number(std::string_view pointer) const {
  const Json& found = at(pointer);
  return found.is_number() ? std::optional(found.get<double>()) : std::nullopt;
}

std::string first_difference(const Json& document, const Json& other, std::string_view there) {
  const Json patch = Json::diff(other, document);
  if (patch.empty()) return "";
  const std::string pointer = patch.front().at("path").get<std::string>();
  const auto value = [&](const Json& of) {
    const Json::json_pointer at(pointer);
    return of.contains(at) ? shown(of.at(at)) : std::string("missing");
  };
  return fmt::format("{} is {}, and {} {}", pointer, value(document), value(other), there);
}

Json number_or_null(std::optional<double> x) { return x && std::isfinite(*x) ? Json(*x) : Json(nullptr); }

}  // namespace lagnet
