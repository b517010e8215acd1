#include "scenarios/json/field_types.hpp"

#include <algorithm>

#include "scenarios/json/fields.hpp"
#include "scenarios/json/one_of.hpp"
#include "scenarios/json/schema.hpp"
#include "sim/base/errors.hpp"
#include "sim/base/round_counts.hpp"

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

namespace {

/// 3; [3, 5], one for each client; [[3, 4, 5], 5], by rounds; or {"kind": "uniform", "low": 1, "high": 5}.
class RoundCountsType final : public FieldType {
  using Lists = RoundCounts::Lists;
  static constexpr Limits limits = at_least(1);

  void read(const Json& value, void* out, const Limits&, const std::string& pointer,
            Diagnostics& diagnostics) const override {
    const std::size_t before = diagnostics.count();
    RoundCounts::Given given;
    if (value.is_object()) {
      read_value(value, given.emplace<DrawnCounts>(), {}, pointer, diagnostics);
    } else if (value.is_array()) {
      auto& lists = given.emplace<Lists>(value.size());
      for (std::size_t k = 0; k < value.size(); ++k)
        read_entry(value[k], lists[k], child_pointer(pointer, std::to_string(k)), diagnostics);
      if (lists.empty()) diagnostics.add(pointer, "one or more numbers", shown(value));
    } else {
      read_value(value, given.emplace<std::int64_t>(), limits, pointer, diagnostics);
    }
    if (diagnostics.count() == before) *static_cast<RoundCounts*>(out) = RoundCounts(std::move(given));
  }

  static void read_entry(const Json& value, std::vector<std::int64_t>& of_agent, const std::string& pointer,
                         Diagnostics& diagnostics) {
    if (value.is_array() && value.empty()) return diagnostics.add(pointer, "one or more numbers", shown(value));
    if (value.is_array()) return read_value(value, of_agent, limits, pointer, diagnostics);
    read_value(value, of_agent.emplace_back(), limits, pointer, diagnostics);
  }

  Json write(const void* value, const Limits&) const override {
    const auto& given = static_cast<const RoundCounts*>(value)->given();
    if (const auto* drawn = std::get_if<DrawnCounts>(&given)) return write_value(*drawn);
    const auto* lists = std::get_if<Lists>(&given);
    if (!lists) return Json(std::get<std::int64_t>(given));
    Json all = Json::array();
    for (const auto& of_agent : *lists) all.push_back(of_agent.size() == 1 ? Json(of_agent[0]) : Json(of_agent));
    return all;
  }

  Json schema(SchemaBuilder& builder, const void*, const Limits&) const override {
    const Json number = number_schema("integer", limits);
    const Json by_round{{"type", "array"}, {"items", number}, {"minItems", 1}};
    const Json of_agents{
        {"type", "array"}, {"items", Json{{"anyOf", Json::array({number, by_round})}}}, {"minItems", 1}};
    return Json{{"anyOf", Json::array({number, of_agents, field_type<DrawnCounts>().schema(builder, nullptr, {})})}};
  }
  std::string words() const override { return "integer, list of them or of lists, or drawn number"; }
  Limits real_limits(const Limits&) const override { return limits; }

  void list_integers(const void* value, const std::string& pointer, std::string_view key,
                     std::vector<IntegerOption>& found) const override {
    const auto& counts = *static_cast<const RoundCounts*>(value);
    const std::size_t agents = counts.entries().value_or(1);
    for (std::size_t k = 0; k < agents; ++k)
      found.push_back(
          {counts.entries() ? child_pointer(pointer, std::to_string(k)) : pointer, std::string(key), counts.most(k)});
  }
};

}  // namespace

template <>
const FieldType& field_type<RoundCounts>() {
  return default_of<RoundCountsType>();
}

}  // namespace lagnet
