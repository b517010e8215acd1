#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>

#include "scenarios/json/catalogue.hpp"
#include "scenarios/json/schema.hpp"
#include "scenarios/json/units.hpp"

/// A Choice is a field that holds one kind of a catalogue with its options. In JSON it is an object whose discriminator
/// key names the kind: {"kind": "star", "agents": 4}.
///
///     struct TopologyFamily {
///       static constexpr std::string_view key = "kind";         // the discriminator
///       static constexpr std::string_view called = "topology";  // in messages and as the schema's definition
///       static const Catalogue<Topology>& catalogue();          // defined in a .cpp file (catalogue.hpp)
///     };
///
/// A family may also have
///   - `using Common = LinkOptions`: fields that stand in the same object whatever the kind;
///   - `static constexpr std::string_view default_kind`: what an absent choice, or one without discriminator, is;
///   - `static constexpr bool by_name = true`: a plain string stands for that kind with its defaults;
///   - `static constexpr std::string_view number_kind, number_key`: a plain number x stands for
///     {"kind": number_kind, number_key: x}.
namespace lagnet {

namespace detail {
template <class Family>
struct CommonOf {
  using type = NoOptions;
};
template <class Family>
requires requires { typename Family::Common; }
struct CommonOf<Family> {
  using type = typename Family::Common;
};
}  // namespace detail

/// A kind and its options: a value that can be copied, and a field of options structs.
template <class Family>
class Choice {
 public:
  using Common = typename detail::CommonOf<Family>::type;

  /// The default kind with its defaults, or no value if there is none.
  Choice() {
    if constexpr (has_default) {
      entry_ = Family::catalogue().find(Family::default_kind);
      LAGNET_CHECK(entry_, "no {} is called {}", Family::called, Family::default_kind);
      options_ = entry_->defaults();
    }
  }
  /// The kind that these options belong to.
  template <OptionsStruct Options>
  requires requires { Options::kind; }
  explicit Choice(Options options, Common common = {})
      : entry_(Family::catalogue().find(Options::kind)),
        options_(std::make_shared<const Options>(std::move(options))),
        common_(std::move(common)) {
    LAGNET_CHECK(entry_ && entry_->type == typeid(Options), "no {} is called {}", Family::called, Options::kind);
  }

  bool has_value() const { return entry_ != nullptr; }
  std::string_view kind() const { return chosen().kind; }
  const Common& common() const { return common_; }
  /// The options if they are of this type, or null.
  template <class Options>
  const Options* options_as() const {
    return entry_ && entry_->type == typeid(Options) ? static_cast<const Options*>(options_.get()) : nullptr;
  }

  template <class... Context>
  auto make(Context&&... context) const {
    return chosen().make(options_.get(), std::forward<Context>(context)...);
  }

  void read(const Json& value, const std::string& pointer, Diagnostics& diagnostics);
  /// The discriminator, the kind's own fields, the common ones.
  Json write() const;
  /// Changes the file names in a choice's JSON.
  static void change_paths(Json& value, const PathChange& change);
  /// Of the kind's own options and the common ones, at any depth; none if nothing was chosen.
  std::vector<IntegerOption> integers(const std::string& pointer) const;
  static Json schema(SchemaBuilder& builder);
  static std::string type_words() {
    return std::string(Family::called) + " (" + short_form() + "object by " + std::string(Family::key) + ": " +
           comma_list(Family::catalogue().kinds()) + ")";
  }

 private:
  using EntryType = typename std::remove_cvref_t<decltype(Family::catalogue())>::EntryType;
  static constexpr bool has_default = requires { Family::default_kind; };
  static constexpr bool has_number = requires { Family::number_kind, Family::number_key; };
  static constexpr bool has_name = requires { Family::by_name; };
  static constexpr const char* short_form() { return has_number ? "number, or " : has_name ? "name, or " : ""; }

  const EntryType& chosen() const {
    LAGNET_CHECK(entry_, "a {} is used that was never chosen", Family::called);
    return *entry_;
  }
  void read_object(const Json& value, const std::string& pointer, Diagnostics& diagnostics);
  static const EntryType* read_kind(ObjectReader& reader);
  static Json schema_of_entry(SchemaBuilder& builder, const EntryType& entry);
  static bool needs_keys(const Json& schema_of_kind);

  const EntryType* entry_ = nullptr;
  std::shared_ptr<const void> options_;
  Common common_{};
};

template <class Family>
void Choice<Family>::read(const Json& value, const std::string& pointer, Diagnostics& diagnostics) {
  std::optional<Json> object;
  if constexpr (has_number)
    if (value.is_number()) object = Json{{Family::key, Family::number_kind}, {Family::number_key, value}};
  if constexpr (has_name)
    if (value.is_string()) object = Json{{Family::key, value}};
  if (!object) return read_object(value, pointer, diagnostics);
  // A problem of a short form belongs to where it stands, not to the key that it stands for.
  Diagnostics inner(diagnostics.file());
  read_object(*object, "", inner);
  for (const Diagnostic& one : inner.list()) diagnostics.add(pointer, one.expected, one.found);
}

template <class Family>
void Choice<Family>::read_object(const Json& value, const std::string& pointer, Diagnostics& diagnostics) {
  const std::string expected = std::string(has_number ? "a number or "
                                           : has_name ? "a name or "
                                                      : "") +
                               "an object with key \"" + std::string(Family::key) + "\" (" +
                               std::string(Family::called) + ")";
  if (has_number && value.is_string())
    return diagnostics.add(pointer, expected, shown(value) + unit_hint(pointer, value.template get<std::string>()));
  ObjectReader reader(value, pointer, diagnostics, expected);
  if (!reader.is_object()) return;
  const EntryType* entry = read_kind(reader);
  if (!entry) return;  // which keys belong to an unknown kind cannot be told
  Common common{};
  const std::shared_ptr<void> options = entry->defaults();
  reader.read(entry->fields, options.get());
  reader.read(common);
  reader.finish();
  entry_ = entry;
  options_ = options;
  common_ = std::move(common);
}

template <class Family>
auto Choice<Family>::read_kind(ObjectReader& reader) -> const EntryType* {
  const auto& catalogue = Family::catalogue();
  const std::vector<std::string> kinds = catalogue.kinds();
  if (const Json* given = reader.take(Family::key)) {
    const auto found = read_name(*given, kinds, child_pointer(reader.pointer(), Family::key), reader.diagnostics());
    return found ? catalogue.entries()[*found].get() : nullptr;
  }
  if constexpr (has_default) return catalogue.find(Family::default_kind);
  reader.missing(Family::key, std::string(Family::called) + ": one of " + comma_list(kinds));
  return nullptr;
}

template <class Family>
Json Choice<Family>::write() const {
  Json object{{Family::key, kind()}};
  chosen().fields.write_into(object, options_.get());
  struct_type<Common>().write_into(object, &common_);
  return object;
}

template <class Family>
void Choice<Family>::change_paths(Json& value, const PathChange& change) {
  if (!value.is_object()) return;
  Json kind = value.value(std::string(Family::key), Json());
  if constexpr (has_default)
    if (kind.is_null()) kind = Family::default_kind;
  const EntryType* entry = kind.is_string() ? Family::catalogue().find(kind.template get<std::string>()) : nullptr;
  if (entry) entry->fields.change_paths(value, change);
  field_type<Common>().change_paths(value, change);
}

template <class Family>
std::vector<IntegerOption> Choice<Family>::integers(const std::string& pointer) const {
  std::vector<IntegerOption> found;
  if (!entry_) return found;
  entry_->fields.list_integers(options_.get(), pointer, "", found);
  field_type<Common>().list_integers(&common_, pointer, "", found);
  return found;
}

template <class Family>
Json Choice<Family>::schema_of_entry(SchemaBuilder& builder, const EntryType& entry) {
  Json schema = SchemaBuilder::open_object();
  bool required = true;
  if constexpr (has_default) required = entry.kind != Family::default_kind;
  add_property(schema, Family::key, Json{{"const", entry.kind}}, entry.summary, required);
  for (const StructType* fields : {&entry.fields, &struct_type<Common>()})
    builder.add_fields(schema, *fields, fields->initial());
  return schema;
}

/// Whether a kind has keys without defaults, so that its name alone does not stand for it.
template <class Family>
bool Choice<Family>::needs_keys(const Json& schema_of_kind) {
  const Json keys = schema_of_kind.value("required", Json::array());
  return std::ranges::any_of(keys, [](const Json& key) { return key != std::string(Family::key); });
}

template <class Family>
Json Choice<Family>::schema(SchemaBuilder& builder) {
  const auto& catalogue = Family::catalogue();
  std::string name(Family::called);
  std::replace(name.begin(), name.end(), ' ', '_');
  return builder.reference(name, &catalogue, [&] {
    Json kinds = Json::array();
    for (const auto& entry : catalogue.entries()) kinds.push_back(schema_of_entry(builder, *entry));
    if constexpr (has_number) {
      const Json schema = schema_of_entry(builder, *catalogue.find(Family::number_kind));
      Json number = schema["properties"][std::string(Family::number_key)];
      number.erase("default");
      kinds.push_back(std::move(number));
    }
    if constexpr (has_name) {
      Json names = Json::array();
      for (std::size_t i = 0; i < catalogue.entries().size(); ++i)
        if (!needs_keys(kinds[i])) names.push_back(catalogue.entries()[i]->kind);
      kinds.push_back(Json{{"enum", std::move(names)}});
    }
    return Json{{"oneOf", std::move(kinds)}};
  });
}

}  // namespace lagnet
