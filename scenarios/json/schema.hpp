#pragma once

#include <functional>
#include <map>
#include <string>

#include "scenarios/json/fields.hpp"

/// JSON Schema (draft 2020-12) from the declarations that the reader uses.
///
/// The schema accepts what the reader accepts. It accepts more in three cases that JSON Schema cannot tell apart or
/// does not know: an integer written as 4.0, an integer beyond 64 bits, and what a struct's check() refuses.
namespace lagnet {

class SchemaBuilder;

/// A type that reads itself and can say its schema.
template <class T>
concept HasSchema = ReadsItself<T> && requires(SchemaBuilder& builder) {
  { T::schema(builder) } -> std::same_as<Json>;
};

/// Builds the schemas of values; parts used in several places are kept apart, under "$defs".
class SchemaBuilder {
 public:
  /// The schema of an object to which fields are added.
  static Json open_object();

  template <OptionsStruct Options>
  void add_fields(Json& object_schema, const Options& defaults);

  /// The schema of a value; `initial` gives the defaults of the fields within it.
  template <class T>
  Json value(const T& initial, const Limits& limits);

  /// A reference to a definition, made on first use; it may refer to itself. `owner` tells apart two definitions that
  /// were given one name by mistake: InternalError.
  Json reference(const std::string& name, const void* owner, const std::function<Json()>& make);

  /// A whole schema document from the schema of its top.
  Json document(const Json& top) const;

 private:
  std::map<std::string, const void*> owners_;
  Json definitions_ = Json::object();
};

/// {"type": type} with the bounds of `limits`.
Json number_schema(const char* type, const Limits& limits);
/// The same schema that accepts null, too.
Json or_null(Json schema);
/// The same schema that accepts this text, too; as it is for none.
Json or_word(Json schema, std::string_view word);
/// Adds a property to the schema of an object. Twice the same key: InternalError.
void add_property(Json& object_schema, std::string_view key, Json property, std::string_view description,
                  bool required);

/// The visitor that adds properties.
struct SchemaField {
  SchemaBuilder& builder;
  Json& object_schema;
  template <class T>
  void operator()(std::string_view key, const T& initial, std::string_view description, Limits limits = {}) {
    Json property = builder.value(initial, limits);
    const bool required = must_be_given(initial, limits);
    if constexpr (!OptionsStruct<T>) {  // the fields of a struct have their own defaults
      if (!required) property["default"] = write_field(initial, limits);
    }
    add_property(object_schema, key, std::move(property), description, required);
  }
};

template <OptionsStruct Options>
void SchemaBuilder::add_fields(Json& object_schema, const Options& defaults) {
  SchemaField field{*this, object_schema};
  Options::fields(defaults, field);
}

template <class T>
Json SchemaBuilder::value(const T& initial, const Limits& limits) {
  if constexpr (std::same_as<T, Json>) {
    return Json::object();  // anything
  } else if constexpr (is_optional<T>) {
    return or_word(or_null(value(typename T::value_type{}, limits)), limits.word_for_none);
  } else if constexpr (is_vector<T>) {
    return Json{{"type", "array"}, {"items", value(typename T::value_type{}, limits)}};
  } else if constexpr (OptionsStruct<T>) {
    Json schema = open_object();
    add_fields(schema, initial);
    return schema;
  } else if constexpr (SpelledEnum<T>) {
    return Json{{"enum", names_of<T>()}};
  } else if constexpr (HasSchema<T>) {
    return T::schema(*this);
  } else if constexpr (IsOneOf<T>) {
    return OneOfJson<T>::schema(*this);
  } else if constexpr (std::same_as<T, bool>) {
    return Json{{"type", "boolean"}};
  } else if constexpr (std::same_as<T, std::string> || std::same_as<T, std::filesystem::path>) {
    return Json{{"type", "string"}};
  } else if constexpr (std::same_as<T, double>) {
    return number_schema("number", limits);
  } else if constexpr (std::same_as<T, std::uint64_t>) {
    return number_schema("integer", natural(limits));
  } else {
    static_assert(std::same_as<T, std::int64_t>, "no type that a field may have");
    return number_schema("integer", limits);
  }
}

/// The schema document of an options struct that is a whole file.
template <OptionsStruct Options>
Json schema_of(const Options& defaults = {}) {
  SchemaBuilder builder;
  const Json top = builder.value(defaults, {});
  return builder.document(top);
}

}  // namespace lagnet
