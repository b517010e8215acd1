#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "scenarios/json/diagnostics.hpp"
#include "sim/base/options.hpp"

/// The operations on fields, by the type of the field, and the concepts that select a type's operations.
namespace lagnet {

class RoundCounts;
class SchemaBuilder;

/// One line of the description of an options struct.
struct FieldText {
  std::string key;            // nested with dots, elements of a list with []: "straggler.probability", "groups[].speed"
  std::string type;           // "integer", "number or null", "list of string", "one of none, fifo, fair"
  std::string default_value;  // as JSON; empty if the key must be given or its parts have their own defaults
  std::string limits;         // "at least 1", or empty
  std::string description;
  bool required = false;
  std::string_view word_for_none = {};  // a text that may stand in place of a value: "theory"
};

/// The new name of a file.
using PathChange = std::function<std::string(const std::filesystem::path&)>;

/// An integer among options.
struct IntegerOption {
  std::string pointer;  // its place in the document
  std::string key;
  std::int64_t value;
};

/// The operations on values of one type, given as void pointers. Each type has one such object, field_type<T>(). Code
/// that walks over fields uses this interface, so it is compiled once and not once for each options struct.
class FieldType {
 public:
  virtual ~FieldType() = default;

  /// A wrong value is added to the diagnostics. It leaves a single `out` unchanged; an optional or a list is emptied
  /// first, and holds defaults in place of wrong values.
  virtual void read(const Json& value, void* out, const Limits& limits, const std::string& pointer,
                    Diagnostics& diagnostics) const = 0;
  /// An empty optional is the word that its limits have for it, or null.
  virtual Json write(const void* value, const Limits& limits) const = 0;
  /// `initial` gives the defaults of the fields within it.
  virtual Json schema(SchemaBuilder& builder, const void* initial, const Limits& limits) const = 0;
  /// "integer", "list of string", "one of none, fifo, fair".
  virtual std::string words() const = 0;
  /// The limits that hold, whatever was declared.
  virtual Limits real_limits(const Limits& limits) const { return limits; }
  /// Whether a value stands for itself as a default: the fields of a struct have their own defaults.
  virtual bool has_default() const { return true; }
  /// Whether it is required although its limits do not say so.
  virtual bool must_be_given(const void* /*initial*/) const { return false; }
  /// Adds the descriptions of the fields within it.
  virtual void describe_inside(const void* /*initial*/, const std::string& /*key*/,
                               std::vector<FieldText>& /*texts*/) const {}
  /// Changes the file names in its JSON; whatever cannot be read stays as it is.
  virtual void change_paths(Json& /*value*/, const PathChange& /*change*/) const {}
  /// Adds the integers of options, and not those of a Choice within, which are its own.
  virtual void list_integers(const void* /*value*/, const std::string& /*pointer*/, std::string_view /*key*/,
                             std::vector<IntegerOption>& /*found*/) const {}
};

/// The one of T.
template <class T>
const FieldType& field_type();
template <>
const FieldType& field_type<Json>();
template <>
const FieldType& field_type<bool>();
template <>
const FieldType& field_type<std::int64_t>();
template <>
const FieldType& field_type<std::uint64_t>();
template <>
const FieldType& field_type<double>();
template <>
const FieldType& field_type<std::string>();
template <>
const FieldType& field_type<std::filesystem::path>();
template <>
const FieldType& field_type<RoundCounts>();

/// A declared field of some options. The value is theirs, and there as long as they stay where they are.
struct Field {
  std::string_view key;
  const void* value;
  std::string_view description;
  Limits limits;
  const FieldType* type;

  /// Whether the file must contain it: it is required, or it has no default, or the file must contain a field within
  /// it.
  bool must_be_given() const { return limits.is_required || type->must_be_given(value); }
};

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;

/// Takes any field and does nothing.
struct IgnoreField {
  template <class T>
  void operator()(std::string_view, T&, std::string_view, Limits = {}) {}
};

/// Declares its fields as sim/base/options.hpp says.
template <class T>
concept OptionsStruct = requires(T& options, IgnoreField& field) {
  std::remove_const_t<T>::fields(options, field);
};

template <class T>
concept SpelledEnum = std::is_enum_v<T> && requires(T value) {
  spellings(value);
};

/// A type that brings its own reader and writer; has_value() says whether an absent key may leave it as it is. It may
/// have a static change_paths(), too, as FieldType has.
template <class T>
concept ReadsItself = requires(T& self, const Json& value, const std::string& pointer, Diagnostics& diagnostics,
                               SchemaBuilder& builder) {
  self.read(value, pointer, diagnostics);
  { std::as_const(self).write() } -> std::same_as<Json>;
  { std::as_const(self).has_value() } -> std::same_as<bool>;
  { T::schema(builder) } -> std::same_as<Json>;
  { T::type_words() } -> std::convertible_to<std::string>;
};

/// One of several options structs (OneOf in sim/base/options.hpp); scenarios/json/one_of.hpp reads and writes it.
template <class T>
concept IsOneOf = requires(const T& options) {
  typename T::Chosen;
  { T::called } -> std::convertible_to<std::string_view>;
  { options.kind() } -> std::same_as<std::string_view>;
};
template <IsOneOf T>
struct OneOfJson;

class CheckReport;

/// The type of an options struct.
class StructType : public FieldType {
 public:
  /// The fields of these options, in the order of their declaration.
  virtual std::vector<Field> fields(const void* options) const = 0;
  /// Options with their defaults.
  virtual const void* initial() const = 0;
  virtual bool has_check() const = 0;
  virtual void check(const void* options, CheckReport& report) const = 0;
  /// Sets defaults that depend on which other keys an object has.
  virtual void set_defaults(void* options, const Json& object) const = 0;

  /// Adds the fields to an object that may hold others.
  void write_into(Json& object, const void* options) const;
  void describe(const void* initial, const std::string& prefix, std::vector<FieldText>& texts) const;

  void read(const Json& value, void* out, const Limits&, const std::string& pointer, Diagnostics&) const override;
  Json write(const void* value, const Limits&) const override;
  Json schema(SchemaBuilder& builder, const void* initial, const Limits&) const override;
  std::string words() const override { return "object"; }
  bool has_default() const override { return false; }
  bool must_be_given(const void* initial) const override;
  void describe_inside(const void* initial, const std::string& key, std::vector<FieldText>& texts) const override {
    describe(initial, key + ".", texts);
  }
  void change_paths(Json& value, const PathChange& change) const override;
  void list_integers(const void* value, const std::string& pointer, std::string_view key,
                     std::vector<IntegerOption>& found) const override;
};

/// The type of an optional value.
class OptionalType : public FieldType {
 public:
  explicit OptionalType(const FieldType& inner) : inner_(inner) {}
  void read(const Json& value, void* out, const Limits& limits, const std::string& pointer,
            Diagnostics& diagnostics) const override;
  Json write(const void* value, const Limits& limits) const override;
  Json schema(SchemaBuilder& builder, const void*, const Limits& limits) const override;
  std::string words() const override { return inner_.words() + " or null"; }
  void describe_inside(const void*, const std::string& key, std::vector<FieldText>& texts) const override {
    inner_.describe_inside(inner_initial(), key, texts);
  }
  void change_paths(Json& value, const PathChange& change) const override { inner_.change_paths(value, change); }
  void list_integers(const void* value, const std::string& pointer, std::string_view key,
                     std::vector<IntegerOption>& found) const override;

 private:
  virtual void reset(void* value) const = 0;
  virtual void* emplace(void* value) const = 0;
  virtual const void* get(const void* value) const = 0;  // null if the optional is empty
  virtual const void* inner_initial() const = 0;         // a value within, with its defaults
  const FieldType& inner_;
};

/// The type of a list.
class ListType : public FieldType {
 public:
  explicit ListType(const FieldType& inner) : inner_(inner) {}
  void read(const Json& value, void* out, const Limits& limits, const std::string& pointer,
            Diagnostics& diagnostics) const override;
  Json write(const void* value, const Limits&) const override;
  Json schema(SchemaBuilder& builder, const void*, const Limits& limits) const override;
  std::string words() const override { return "list of " + inner_.words(); }
  void describe_inside(const void*, const std::string& key, std::vector<FieldText>& texts) const override {
    inner_.describe_inside(inner_initial(), key + "[]", texts);
  }
  void change_paths(Json& value, const PathChange& change) const override;
  void list_integers(const void* value, const std::string& pointer, std::string_view key,
                     std::vector<IntegerOption>& found) const override;

 private:
  virtual void clear(void* list) const = 0;
  virtual void* add(void* list) const = 0;
  virtual std::size_t size(const void* list) const = 0;
  virtual const void* at(const void* list, std::size_t i) const = 0;
  virtual const void* inner_initial() const = 0;  // an element with its defaults
  const FieldType& inner_;
};

/// The type of an enum with spellings.
class EnumType : public FieldType {
 public:
  explicit EnumType(std::vector<std::string> names) : names_(std::move(names)) {}
  void read(const Json& value, void* out, const Limits&, const std::string& pointer, Diagnostics&) const override;
  Json write(const void* value, const Limits&) const override { return Json(spelling(value)); }
  Json schema(SchemaBuilder&, const void*, const Limits&) const override { return Json{{"enum", names_}}; }
  std::string words() const override { return "one of " + comma_list(names_); }

 private:
  virtual void set(void* out, std::size_t place) const = 0;  // the value of the name at this place
  virtual std::string_view spelling(const void* value) const = 0;
  std::vector<std::string> names_;
};

}  // namespace lagnet
