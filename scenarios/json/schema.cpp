#include "scenarios/json/schema.hpp"

#include <cmath>

namespace lagnet {

namespace {

/// A bound as an integer if it is one: "minimum": 1 reads better than 1.0.
Json bound(double limit) {
  constexpr double exact = 0x1p53;  // whole doubles up to here convert without loss
  if (std::abs(limit) <= exact && limit == std::floor(limit)) return Json(static_cast<std::int64_t>(limit));
  return Json(limit);
}

}  // namespace

Json number_schema(const char* type, const Limits& limits) {
  Json schema{{"type", type}};
  if (std::isfinite(limits.low)) schema[limits.low_excluded ? "exclusiveMinimum" : "minimum"] = bound(limits.low);
  if (std::isfinite(limits.high)) schema[limits.high_excluded ? "exclusiveMaximum" : "maximum"] = bound(limits.high);
  return schema;
}

Json or_null(Json schema) {
  if (schema.empty()) return schema;  // accepts anything already
  if (schema.contains("enum")) {
    schema["enum"].push_back(nullptr);
    return schema;
  }
  if (const auto type = schema.find("type"); type != schema.end() && type->is_string()) {
    *type = Json::array({*type, "null"});
    return schema;
  }
  return Json{{"anyOf", Json::array({std::move(schema), Json{{"type", "null"}}})}};
}

Json or_word(Json schema, std::string_view word) {
  if (word.empty()) return schema;
  return Json{{"anyOf", Json::array({std::move(schema), Json{{"const", word}}})}};
}

void add_property(Json& object_schema, std::string_view key, Json property, std::string_view description,
                  bool required) {
  property["description"] = description;
  const bool is_new = object_schema["properties"].emplace(std::string(key), std::move(property)).second;
  LAGNET_CHECK(is_new, "field {} is declared twice", key);
  if (required) object_schema["required"].push_back(key);
}

Json SchemaBuilder::open_object() {
  return Json{{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
}

void SchemaBuilder::add_fields(Json& object_schema, const StructType& type, const void* defaults) {
  for (const Field& field : type.fields(defaults)) {
    Json property = field.type->schema(*this, field.value, field.limits);
    const bool required = field.must_be_given();
    if (!required && field.type->has_default()) property["default"] = field.type->write(field.value, field.limits);
    add_property(object_schema, field.key, std::move(property), field.description, required);
  }
}

Json SchemaBuilder::reference(const std::string& name, const void* owner, const std::function<Json()>& make) {
  const auto [known, is_new] = owners_.emplace(name, owner);
  LAGNET_CHECK(known->second == owner, "two definitions are called {}", name);
  if (is_new) {
    Json definition = make();  // may meet this name again: it is known by now
    definitions_[name] = std::move(definition);
  }
  return Json{{"$ref", "#/$defs/" + name}};
}

Json SchemaBuilder::document(const Json& top) const {
  Json document{{"$schema", "https://json-schema.org/draft/2020-12/schema"}};
  document.update(top);
  if (!definitions_.empty()) document["$defs"] = definitions_;
  return document;
}

}  // namespace lagnet
