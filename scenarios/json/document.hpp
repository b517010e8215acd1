#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scenarios/json/diagnostics.hpp"

namespace lagnet {

/// A recorded document, read by JSON pointers: a member that is missing, or of another type, is nothing. It is a view
/// of the JSON, which must outlive it.
class Document {
 public:
  Document(const Json& json) : json_(json) {}
  Document(Json&&) = delete;

  /// Null if there is nothing, or if the text is no pointer.
  const Json& at(std::string_view pointer) const;
  /// Whether there is something that is not null.
  bool has(std::string_view pointer) const { return !at(pointer).is_null(); }
  /// `otherwise` if there is no text.
  std::string text(std::string_view pointer, std::string_view otherwise = "") const;
  std::optional<double> number(std::string_view pointer) const;

 private:
  const Json& json_;
};

/// A number of a document, which knows neither nan nor inf: null for these, and for none.
Json number_or_null(std::optional<double> x);

/// The first value in which a document differs from another one: "/seed is 2, and 1 there"; "" if they are equal.
std::string first_difference(const Json& document, const Json& other, std::string_view there);

}  // namespace lagnet
