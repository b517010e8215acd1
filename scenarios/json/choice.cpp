#include "scenarios/json/choice.hpp"

#include <algorithm>
#include <optional>

#include "scenarios/json/quantities.hpp"
#include "scenarios/json/schema.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

std::vector<FieldText> KindOfOptions::describe() const {
  std::vector<FieldText> texts;
  fields.describe(fields.initial(), "", texts);
  return texts;
}

const KindOfOptions* ListOfKinds::find_kind(std::string_view name) const {
  const auto found = std::ranges::find(list_, name, &KindOfOptions::kind);
  return found == list_.end() ? nullptr : *found;
}

std::vector<std::string> ListOfKinds::kinds() const {
  std::vector<std::string> kinds;
  for (const KindOfOptions* one : list_) kinds.emplace_back(one->kind);
  return kinds;
}

void ListOfKinds::add_kind(const KindOfOptions& kind) {
  LAGNET_CHECK(!find_kind(kind.kind), "two entries are called {}", kind.kind);
  list_.push_back(&kind);
}

namespace {

/// What a family takes beside an object: "number", "name" or "".
std::string short_form(const FamilyFacts& family) {
  return !family.number_kind.empty() ? "number" : family.by_name ? "name" : "";
}

const KindOfOptions* read_kind(const FamilyFacts& family, ObjectReader& reader) {
  const std::vector<std::string> kinds = family.kinds->kinds();
  if (const Json* given = reader.take(family.key)) {
    const auto found = read_name(*given, kinds, child_pointer(reader.pointer(), family.key), reader.diagnostics());
    return found ? family.kinds->list()[*found] : nullptr;
  }
  if (!family.default_kind.empty()) return family.kinds->find_kind(family.default_kind);
  reader.missing(family.key, std::string(family.called) + ": one of " + comma_list(kinds));
  return nullptr;
}

Json schema_of_kind(const FamilyFacts& family, SchemaBuilder& builder, const KindOfOptions& kind) {
  Json schema = SchemaBuilder::open_object();
  add_property(schema, family.key, Json{{"const", kind.kind}}, kind.summary, kind.kind != family.default_kind);
  for (const StructType* fields : {&kind.fields, family.common}) builder.add_fields(schema, *fields, fields->initial());
  return schema;
}

/// Whether a kind has keys without defaults, so that its name alone does not stand for it.
bool needs_keys(const FamilyFacts& family, const Json& schema_of_kind) {
  const Json keys = schema_of_kind.value("required", Json::array());
  return std::ranges::any_of(keys, [&](const Json& key) { return key != std::string(family.key); });
}

}  // namespace

Json FamilyFacts::schema(SchemaBuilder& builder) const {
  std::string name(called);
  std::replace(name.begin(), name.end(), ' ', '_');
  return builder.reference(name, kinds, [&] {
    Json schemas = Json::array(), names = Json::array();
    for (const KindOfOptions* kind : kinds->list()) {
      schemas.push_back(schema_of_kind(*this, builder, *kind));
      if (!needs_keys(*this, schemas.back())) names.push_back(kind->kind);
    }
    if (!number_kind.empty()) {
      const Json schema = schema_of_kind(*this, builder, *kinds->find_kind(number_kind));
      Json number = schema["properties"][std::string(number_key)];
      number.erase("default");
      schemas.push_back(std::move(number));
    }
    if (by_name) schemas.push_back(Json{{"enum", std::move(names)}});
    return Json{{"oneOf", std::move(schemas)}};
  });
}

std::string FamilyFacts::type_words() const {
  const std::string brief = short_form(*this);
  return std::string(called) + " (" + brief + (brief.empty() ? "" : ", or ") + "object by " + std::string(key) + ": " +
         comma_list(kinds->kinds()) + ")";
}

void FamilyFacts::change_paths(Json& value, const PathChange& change) const {
  if (!value.is_object()) return;
  Json kind = value.value(std::string(key), Json());
  if (kind.is_null()) kind = default_kind;
  const KindOfOptions* const found = kind.is_string() ? kinds->find_kind(kind.get<std::string>()) : nullptr;
  if (found) found->fields.change_paths(value, change);
  common->change_paths(value, change);
}

AnyChoice::AnyChoice(const FamilyFacts& family) {
  if (family.default_kind.empty()) return;
  kind_ = family.kinds->find_kind(family.default_kind);
  LAGNET_CHECK(kind_, "no {} is called {}", family.called, family.default_kind);
  options_ = kind_->defaults();
}

AnyChoice::AnyChoice(const FamilyFacts& family, std::string_view kind, const std::type_info& type,
                     std::shared_ptr<const void> options)
    : kind_(family.kinds->find_kind(kind)), options_(std::move(options)) {
  LAGNET_CHECK(kind_ && kind_->type == type, "no {} is called {}", family.called, kind);
}

const KindOfOptions& AnyChoice::chosen(const FamilyFacts& family) const {
  LAGNET_CHECK(kind_, "a {} is used that was never chosen", family.called);
  return *kind_;
}

bool AnyChoice::read(const FamilyFacts& family, const Json& value, const std::string& pointer, Diagnostics& diagnostics,
                     void* common) {
  std::optional<Json> object;
  if (!family.number_kind.empty() && value.is_number())
    object = Json{{family.key, family.number_kind}, {family.number_key, value}};
  if (family.by_name && value.is_string()) object = Json{{family.key, value}};
  if (!object) return read_object(family, value, pointer, diagnostics, common);
  // A problem of a short form is reported at its own place, not at the key that it stands for.
  Diagnostics inner(diagnostics.file());
  const bool is_known = read_object(family, *object, "", inner, common);
  for (const Diagnostic& one : inner.list()) diagnostics.add(pointer, one.expected, one.found);
  return is_known;
}

bool AnyChoice::read_object(const FamilyFacts& family, const Json& value, const std::string& pointer,
                            Diagnostics& diagnostics, void* common) {
  const std::string brief = short_form(family);
  const std::string expected = (brief.empty() ? "" : "a " + brief + " or ") + "an object with key \"" +
                               std::string(family.key) + "\" (" + std::string(family.called) + ")";
  if (!family.number_kind.empty() && value.is_string()) {
    diagnostics.add(pointer, expected, shown(value) + unit_hint(pointer, value.get<std::string>()));
    return false;
  }
  ObjectReader reader(value, pointer, diagnostics, expected);
  if (!reader.is_object()) return false;
  const KindOfOptions* const kind = read_kind(family, reader);
  if (!kind) return false;  // the keys of an unknown kind are unknown
  const std::shared_ptr<void> options = kind->defaults();
  reader.read(kind->fields, options.get());
  reader.read(*family.common, common);
  reader.finish();
  kind_ = kind;
  options_ = options;
  return true;
}

Json AnyChoice::write(const FamilyFacts& family, const void* common) const {
  Json object{{family.key, chosen(family).kind}};
  kind_->fields.write_into(object, options_.get());
  family.common->write_into(object, common);
  return object;
}

std::vector<IntegerOption> AnyChoice::integers(const FamilyFacts& family, const std::string& pointer,
                                               const void* common) const {
  std::vector<IntegerOption> found;
  if (!kind_) return found;
  kind_->fields.list_integers(options_.get(), pointer, "", found);
  family.common->list_integers(common, pointer, "", found);
  return found;
}

}  // namespace lagnet
