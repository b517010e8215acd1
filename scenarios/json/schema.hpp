#pragma once

#include <functional>
#include <map>
#include <string>

#include "scenarios/json/fields.hpp"

/// JSON Schema (draft 2020-12) from the declarations that the reader uses.
///
/// The schema accepts what the reader accepts. It accepts more where JSON Schema does not know better: an integer
/// beyond 64 bits, or beyond 2^53 and written as 1e17, and what a struct's check() refuses.
namespace lagnet {

/// Builds the schemas of values; parts used in several places are kept apart, under "$defs".
class SchemaBuilder {
 public:
  /// The schema of an object to which fields are added.
  static Json open_object();

  void add_fields(Json& object_schema, const StructType& type, const void* defaults);

  /// A reference to a definition, made on first use; it may refer to itself. `owner` detects two definitions with the
  /// same name, which is an InternalError.
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

/// The schema document of an options struct that is a whole file.
template <OptionsStruct Options>
Json schema_of(const Options& defaults = {}) {
  SchemaBuilder builder;
  const Json top = field_type<Options>().schema(builder, &defaults, {});
  return builder.document(top);
}

}  // namespace lagnet
