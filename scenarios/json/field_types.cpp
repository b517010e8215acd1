#include "scenarios/json/field_types.hpp"

#include <algorithm>

#include "scenarios/json/fields.hpp"
#include "scenarios/json/schema.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

void StructType::read(const Json& value, void* out, const Limits&, const std::string& pointer,
                      Diagnostics& diagnostics) const {
  ObjectReader reader(value, pointer, diagnostics);
  reader.read(*this, out);
  reader.finish();
}

void StructType::write_into(Json& object, const void* options) const {
  for (const Field& field : fields(options)) {
    const bool is_new = object.emplace(std::string(field.key), field.type->write(field.value, field.limits)).second;
    LAGNET_CHECK(is_new, "field {} is declared twice", field.key);
  }
}

Json StructType::write(const void* value, const Limits&) const {
  Json object = Json::object();
  write_into(object, value);
  return object;
}

Json StructType::schema(SchemaBuilder& builder, const void* initial, const Limits&) const {
  Json schema = SchemaBuilder::open_object();
  builder.add_fields(schema, *this, initial);
  return schema;
}

void StructType::describe(const void* initial, const std::string& prefix, std::vector<FieldText>& texts) const {
  for (const Field& field : fields(initial)) {
    FieldText text;
    text.key = prefix + std::string(field.key);
    text.type = field.type->words();
    text.required = field.must_be_given();
    if (!text.required && field.type->has_default())
      text.default_value = field.type->write(field.value, field.limits).dump();
    text.limits = limits_words(field.type->real_limits(field.limits));
    text.description = field.description;
    text.word_for_none = field.limits.word_for_none;
    texts.push_back(text);
    field.type->describe_inside(field.value, text.key, texts);
  }
}

bool StructType::must_be_given(const void* initial) const {
  return std::ranges::any_of(fields(initial), [](const Field& field) { return field.must_be_given(); });
}

void StructType::change_paths(Json& value, const PathChange& change) const {
  if (!value.is_object()) return;
  for (const Field& field : fields(initial()))
    if (const auto member = value.find(std::string(field.key)); member != value.end())
      field.type->change_paths(*member, change);
}

void StructType::list_integers(const void* value, const std::string& pointer, std::string_view,
                               std::vector<IntegerOption>& found) const {
  for (const Field& field : fields(value))
    field.type->list_integers(field.value, child_pointer(pointer, field.key), field.key, found);
}

void OptionalType::read(const Json& value, void* out, const Limits& limits, const std::string& pointer,
                        Diagnostics& diagnostics) const {
  reset(out);
  if (value.is_null() || (!limits.word_for_none.empty() && value == limits.word_for_none)) return;
  inner_.read(value, emplace(out), limits, pointer, diagnostics);
}

Json OptionalType::write(const void* value, const Limits& limits) const {
  if (const void* inner = get(value)) return inner_.write(inner, {});
  return limits.word_for_none.empty() ? Json(nullptr) : Json(limits.word_for_none);
}

Json OptionalType::schema(SchemaBuilder& builder, const void*, const Limits& limits) const {
  return or_word(or_null(inner_.schema(builder, inner_initial(), limits)), limits.word_for_none);
}

void OptionalType::list_integers(const void* value, const std::string& pointer, std::string_view key,
                                 std::vector<IntegerOption>& found) const {
  if (const void* inner = get(value)) inner_.list_integers(inner, pointer, key, found);
}

void ListType::read(const Json& value, void* out, const Limits& limits, const std::string& pointer,
                    Diagnostics& diagnostics) const {
  if (!value.is_array()) return diagnostics.add(pointer, "a list", shown(value));
  clear(out);
  for (std::size_t i = 0; i < value.size(); ++i)
    inner_.read(value[i], add(out), limits, child_pointer(pointer, std::to_string(i)), diagnostics);
}

Json ListType::write(const void* value, const Limits&) const {
  Json list = Json::array();
  for (std::size_t i = 0; i < size(value); ++i) list.push_back(inner_.write(at(value, i), {}));
  return list;
}

Json ListType::schema(SchemaBuilder& builder, const void*, const Limits& limits) const {
  return Json{{"type", "array"}, {"items", inner_.schema(builder, inner_initial(), limits)}};
}

void ListType::change_paths(Json& value, const PathChange& change) const {
  if (!value.is_array()) return;
  for (Json& element : value) inner_.change_paths(element, change);
}

void ListType::list_integers(const void* value, const std::string& pointer, std::string_view key,
                             std::vector<IntegerOption>& found) const {
  for (std::size_t i = 0; i < size(value); ++i)
    inner_.list_integers(at(value, i), child_pointer(pointer, std::to_string(i)), key, found);
}

void EnumType::read(const Json& value, void* out, const Limits&, const std::string& pointer,
                    Diagnostics& diagnostics) const {
  if (const auto place = read_name(value, names_, pointer, diagnostics)) set(out, *place);
}

}  // namespace lagnet
