#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/json/diagnostics.hpp"
#include "scenarios/json/field_types.hpp"
#include "sim/base/options.hpp"

/// One declaration of fields (sim/base/options.hpp) as a reader of JSON, a checker and a writer. The schema
/// made from the same declarations is in scenarios/json/schema.hpp.
///
/// A field is bool, std::int64_t, std::uint64_t, double, std::string, std::filesystem::path, an enum with spellings,
/// such an enum or a number or a list (std::variant), RoundCounts, an options struct, one of several (OneOf), Json
/// itself, a type that reads itself (Choice), or a std::optional or std::vector of these (no list of bool). Limits
/// apply to numbers, also in lists. An absent key leaves the default; null or the limits' word for none empties one.
namespace lagnet {

/// The position of a name among `names`, or nothing and a problem with a suggestion.
std::optional<std::size_t> read_name(const Json& value, const std::vector<std::string>& names,
                                     const std::string& pointer, Diagnostics& diagnostics);

template <SpelledEnum E>
std::vector<std::string> names_of() {
  std::vector<std::string> names;
  for (const auto& spelling : spellings(E{})) names.emplace_back(spelling.name);
  return names;
}

/// The JSON of a value.
template <class T>
Json write_value(const T& value) {
  return field_type<T>().write(&value, {});
}

/// The function that an options struct's check calls: report(key, expected, found). The key may be "" for the object
/// itself, or lead further down ("steps/0"). A text is shown as it is, any other value as JSON.
class CheckReport {
 public:
  CheckReport(std::string pointer, Diagnostics& diagnostics)
      : pointer_(std::move(pointer)), diagnostics_(diagnostics) {}

  void operator()(std::string_view key, std::string_view expected) { add(key, expected, ""); }
  template <class Found>
  void operator()(std::string_view key, std::string_view expected, const Found& found) {
    if constexpr (std::convertible_to<const Found&, std::string_view>)
      add(key, expected, std::string(std::string_view(found)));
    else if constexpr (std::is_arithmetic_v<Found>)
      add(key, expected, shown(Json(found)));
    else
      add(key, expected, shown(write_value(found)));
  }

 private:
  void add(std::string_view key, std::string_view expected, std::string found);
  std::string pointer_;
  Diagnostics& diagnostics_;
};

/// Reads options from one JSON object: read() for each options struct with fields in it, then finish().
class ObjectReader {
 public:
  /// The value, the problems and all options that are read must outlive the reader. A value that is no object is a
  /// problem; nothing more is then said about it.
  ObjectReader(const Json& value, std::string pointer, Diagnostics& diagnostics,
               std::string_view expected = "an object");
  ObjectReader(const ObjectReader&) = delete;  // its checks know where it is
  ObjectReader& operator=(const ObjectReader&) = delete;

  bool is_object() const { return value_.is_object(); }
  const std::string& pointer() const { return pointer_; }
  Diagnostics& diagnostics() { return diagnostics_; }

  /// The value of a key, or null if it is absent; the key counts as known from now on. A key that is asked for twice is
  /// a mistake of ours: InternalError.
  const Json* take(std::string_view key);
  void missing(std::string_view key, std::string_view description);

  void read(const StructType& type, void* options);
  template <OptionsStruct Options>
  void read(Options& options);

  /// Reports unknown keys, then lets every options struct that was read without a problem check itself.
  void finish();

 private:
  const Json& value_;
  std::string pointer_;
  Diagnostics& diagnostics_;
  std::vector<std::string> known_;
  std::vector<std::function<void()>> checks_;
};

/// A T with its defaults.
template <class T>
const T& default_of() {
  static const T value{};
  return value;
}

/// The types of fields, each made of what only the compiler knows of T.
template <OptionsStruct T>
class StructOf final : public StructType {
 public:
  std::vector<Field> fields(const void* options) const override {
    std::vector<Field> list;
    ListFields visitor{list};
    T::fields(*static_cast<const T*>(options), visitor);
    return list;
  }
  const void* initial() const override { return &default_of<T>(); }
  bool has_check() const override { return is_checked; }
  void check(const void* options, CheckReport& report) const override {
    if constexpr (is_checked) static_cast<const T*>(options)->check(report);
  }
  void set_defaults(void* options, const Json& object) const override {
    if constexpr (requires(T & of) { of.set_defaults(object); }) static_cast<T*>(options)->set_defaults(object);
  }

 private:
  struct ListFields {
    std::vector<Field>& list;
    template <class Value>
    void operator()(std::string_view key, const Value& value, std::string_view description, const Limits& limits = {}) {
      list.push_back({key, &value, description, limits, &field_type<Value>()});
    }
  };
  static constexpr bool is_checked = requires(const T& options, CheckReport& report) { options.check(report); };
};

template <class T>
class OptionalOf final : public OptionalType {
 public:
  OptionalOf() : OptionalType(field_type<T>()) {}

 private:
  using Optional = std::optional<T>;
  void reset(void* value) const override { static_cast<Optional*>(value)->reset(); }
  void* emplace(void* value) const override { return &static_cast<Optional*>(value)->emplace(); }
  const void* get(const void* value) const override {
    const auto& optional = *static_cast<const Optional*>(value);
    return optional ? &*optional : nullptr;
  }
  const void* inner_initial() const override { return &default_of<T>(); }
};

template <class T>
class ListOf final : public ListType {
 public:
  ListOf() : ListType(field_type<T>()) {}

 private:
  static_assert(!std::same_as<T, bool>, "a list of bool has no elements to point at");
  using List = std::vector<T>;
  void clear(void* list) const override { static_cast<List*>(list)->clear(); }
  void* add(void* list) const override { return &static_cast<List*>(list)->emplace_back(); }
  std::size_t size(const void* list) const override { return static_cast<const List*>(list)->size(); }
  const void* at(const void* list, std::size_t i) const override { return &(*static_cast<const List*>(list))[i]; }
  const void* inner_initial() const override { return &default_of<T>(); }
};

template <SpelledEnum T>
class EnumOf final : public EnumType {
 public:
  EnumOf() : EnumType(names_of<T>()) {}

 private:
  void set(void* out, std::size_t place) const override { *static_cast<T*>(out) = spellings(T{})[place].value; }
  std::string_view spelling(const void* value) const override { return spelled(*static_cast<const T*>(value)); }
};

/// A number or a list, or a name in its place.
template <SpelledEnum E, class T>
class NameOrType final : public FieldType {
  using Value = std::variant<E, T>;

 public:
  void read(const Json& value, void* out, const Limits& limits, const std::string& pointer,
            Diagnostics& diagnostics) const override {
    if (std::same_as<T, double> ? value.is_number() : value.is_array()) {
      T other = {};
      const std::size_t before = diagnostics.count();
      field_type<T>().read(value, &other, limits, pointer, diagnostics);
      if (diagnostics.count() == before) *static_cast<Value*>(out) = other;
    } else if (const auto place = read_name(value, names_of<E>(), pointer, diagnostics)) {
      *static_cast<Value*>(out) = spellings(E{})[*place].value;
    }
  }
  Json write(const void* value, const Limits&) const override {
    return std::visit([](const auto& chosen) { return write_value(chosen); }, *static_cast<const Value*>(value));
  }
  Json schema(SchemaBuilder& builder, const void*, const Limits& limits) const override {
    const T other = {};
    return Json{
        {"anyOf", Json::array({Json{{"enum", names_of<E>()}}, field_type<T>().schema(builder, &other, limits)})}};
  }
  std::string words() const override {
    return "one of " + comma_list(names_of<E>()) + ", or " + field_type<T>().words();
  }
};

template <ReadsItself T>
class SelfReadingType final : public FieldType {
 public:
  void read(const Json& value, void* out, const Limits&, const std::string& pointer,
            Diagnostics& diagnostics) const override {
    static_cast<T*>(out)->read(value, pointer, diagnostics);
  }
  Json write(const void* value, const Limits&) const override { return static_cast<const T*>(value)->write(); }
  Json schema(SchemaBuilder& builder, const void*, const Limits&) const override { return T::schema(builder); }
  std::string words() const override { return T::type_words(); }
  bool must_be_given(const void* initial) const override { return !static_cast<const T*>(initial)->has_value(); }
  void change_paths(Json& value, const PathChange& change) const override {
    if constexpr (requires { T::change_paths(value, change); }) T::change_paths(value, change);
  }
};

template <IsOneOf T>
class OneOfType final : public FieldType {
 public:
  void read(const Json& value, void* out, const Limits&, const std::string& pointer,
            Diagnostics& diagnostics) const override {
    OneOfJson<T>::read(value, *static_cast<T*>(out), pointer, diagnostics);
  }
  Json write(const void* value, const Limits&) const override {
    return OneOfJson<T>::write(*static_cast<const T*>(value));
  }
  Json schema(SchemaBuilder& builder, const void*, const Limits&) const override {
    return OneOfJson<T>::schema(builder);
  }
  std::string words() const override { return OneOfJson<T>::type_words(); }
};

namespace detail {

template <class T>
struct TypeOf;
template <class T>
struct TypeOf<std::optional<T>> : std::type_identity<OptionalOf<T>> {};
template <class T>
struct TypeOf<std::vector<T>> : std::type_identity<ListOf<T>> {};
template <OptionsStruct T>
struct TypeOf<T> : std::type_identity<StructOf<T>> {};
template <SpelledEnum T>
struct TypeOf<T> : std::type_identity<EnumOf<T>> {};
template <SpelledEnum E, class T>
struct TypeOf<std::variant<E, T>> : std::type_identity<NameOrType<E, T>> {};
template <ReadsItself T>
struct TypeOf<T> : std::type_identity<SelfReadingType<T>> {};
template <IsOneOf T>
struct TypeOf<T> : std::type_identity<OneOfType<T>> {};

}  // namespace detail

template <class T>
const FieldType& field_type() {
  return default_of<typename detail::TypeOf<T>::type>();
}
template <OptionsStruct T>
const StructType& struct_type() {
  return static_cast<const StructType&>(field_type<T>());
}

template <class T>
void read_value(const Json& value, T& out, const Limits& limits, const std::string& pointer, Diagnostics& diagnostics) {
  field_type<T>().read(value, &out, limits, pointer, diagnostics);
}

template <OptionsStruct Options>
void ObjectReader::read(Options& options) {
  read(struct_type<Options>(), &options);
}

/// The JSON object of all fields, defaults included. Reading it back gives the same options.
template <OptionsStruct Options>
Json write_fields(const Options& options) {
  return write_value(options);
}

/// All fields of an options struct in the order of their declaration, each struct before its own fields.
template <OptionsStruct Options>
std::vector<FieldText> describe(const Options& defaults = {}) {
  std::vector<FieldText> texts;
  struct_type<Options>().describe(&defaults, "", texts);
  return texts;
}

}  // namespace lagnet
