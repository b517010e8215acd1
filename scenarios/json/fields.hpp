#pragma once

#include <cmath>
#include <concepts>
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
#include "scenarios/json/field_types.hpp"
#include "sim/base/errors.hpp"
#include "sim/base/options.hpp"

/// One declaration of fields (sim/base/options.hpp) as a reader of JSON, a checker and a writer. The schema and the
/// descriptions made from the same declarations are in scenarios/json/schema.hpp and scenarios/json/schema_words.hpp.
///
/// A field is bool, std::int64_t, std::uint64_t, double, std::string, std::filesystem::path, an enum with spellings, an
/// options struct, one of several (OneOf), Json itself, a type that reads itself (Choice), or a std::optional or
/// std::vector of these. Limits apply to numbers, also in lists. An absent key leaves the default; null or the limits'
/// word for none empties one.
namespace lagnet {

/// The limits of an unsigned integer: not below 0, whatever was declared.
Limits natural(Limits limits);

/// Readers of single values. A wrong value is added to the diagnostics and leaves `out` as it was. Integers must be
/// written as integers: 4.0 and 1e3 are refused, since a fraction there is mostly a mistake.
void read_scalar(const Json& value, bool& out, const Limits&, const std::string& pointer, Diagnostics& diagnostics);
void read_scalar(const Json& value, std::int64_t& out, const Limits&, const std::string& pointer,
                 Diagnostics& diagnostics);
void read_scalar(const Json& value, std::uint64_t& out, const Limits&, const std::string& pointer,
                 Diagnostics& diagnostics);
void read_scalar(const Json& value, double& out, const Limits&, const std::string& pointer, Diagnostics& diagnostics);
void read_scalar(const Json& value, std::string& out, const Limits&, const std::string& pointer,
                 Diagnostics& diagnostics);
void read_scalar(const Json& value, std::filesystem::path& out, const Limits&, const std::string& pointer,
                 Diagnostics& diagnostics);

/// The position of a name among `names`, or nothing and a problem with a suggestion.
std::optional<std::size_t> read_name(const Json& value, const std::vector<std::string>& names,
                                     const std::string& pointer, Diagnostics& diagnostics);

template <SpelledEnum E>
std::vector<std::string> names_of() {
  std::vector<std::string> names;
  for (const auto& spelling : spellings(E{})) names.emplace_back(spelling.name);
  return names;
}

template <class T>
Json write_value(const T& value);

/// What an options struct's check calls: report(key, expected, found). The key may be "" for the object itself, or lead
/// further down ("steps/0"). A text is shown as it is, any other value as JSON.
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

/// Reads options from one JSON object: read() for each options struct whose fields stand in it, then finish().
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

/// The JSON object of all fields, defaults included, as write_field() has them. Reading it back gives the same options.
template <OptionsStruct Options>
Json write_fields(const Options& options);

/// Adds the fields to an object that may hold others.
template <OptionsStruct Options>
void write_fields_into(Json& object, const Options& options);

/// Whether a field with this default must stand in the file: it is required, or it has no default in itself, or some
/// field within it must.
template <class T>
bool must_be_given(const T& initial, const Limits& limits);

template <class T>
void read_value(const Json& value, T& out, const Limits& limits, const std::string& pointer, Diagnostics& diagnostics) {
  if constexpr (std::same_as<T, Json>) {
    out = value;
  } else if constexpr (is_optional<T>) {
    out.reset();
    if (value.is_null() || (!limits.word_for_none.empty() && value == limits.word_for_none)) return;
    typename T::value_type inner{};
    read_value(value, inner, limits, pointer, diagnostics);
    out = std::move(inner);
  } else if constexpr (is_vector<T>) {
    if (!value.is_array()) return diagnostics.add(pointer, "a list", shown(value));
    out.clear();
    for (std::size_t i = 0; i < value.size(); ++i) {
      typename T::value_type element{};
      read_value(value[i], element, limits, child_pointer(pointer, std::to_string(i)), diagnostics);
      out.push_back(std::move(element));
    }
  } else if constexpr (OptionsStruct<T>) {
    ObjectReader reader(value, pointer, diagnostics);
    reader.read(out);
    reader.finish();
  } else if constexpr (SpelledEnum<T>) {
    if (const auto found = read_name(value, names_of<T>(), pointer, diagnostics)) out = spellings(T{})[*found].value;
  } else if constexpr (ReadsItself<T>) {
    out.read(value, pointer, diagnostics);
  } else if constexpr (IsOneOf<T>) {
    OneOfJson<T>::read(value, out, pointer, diagnostics);
  } else {
    read_scalar(value, out, limits, pointer, diagnostics);
  }
}

/// The visitor that reads.
struct ReadField {
  ObjectReader& reader;
  template <class T>
  void operator()(std::string_view key, T& out, std::string_view description, Limits limits = {}) {
    const Json* value = reader.take(key);
    if (value)
      read_value(*value, out, limits, child_pointer(reader.pointer(), key), reader.diagnostics());
    else if (must_be_given(out, limits))
      reader.missing(key, description);
  }
};

template <OptionsStruct Options>
void ObjectReader::read(Options& options) {
  if (!is_object()) return;
  const std::size_t before = diagnostics_.count();
  ReadField field{*this};
  Options::fields(options, field);
  if constexpr (requires(const Options& read, CheckReport& report) { read.check(report); }) {
    // Fields that could not be read hold defaults, about which a check would only mislead.
    if (diagnostics_.count() != before) return;
    checks_.push_back([this, &options] {
      CheckReport report(pointer_, diagnostics_);
      std::as_const(options).check(report);
    });
  }
}

template <class T>
Json write_value(const T& value) {
  if constexpr (std::same_as<T, Json>) {
    return value;
  } else if constexpr (is_optional<T>) {
    return value ? write_value(*value) : Json(nullptr);
  } else if constexpr (is_vector<T>) {
    Json list = Json::array();
    for (const typename T::value_type& element : value) list.push_back(write_value(element));
    return list;
  } else if constexpr (OptionsStruct<T>) {
    return write_fields(value);
  } else if constexpr (SpelledEnum<T>) {
    return Json(spelled(value));
  } else if constexpr (ReadsItself<T>) {
    return value.write();
  } else if constexpr (IsOneOf<T>) {
    return OneOfJson<T>::write(value);
  } else if constexpr (std::same_as<T, std::filesystem::path>) {
    return Json(value.string());
  } else {
    if constexpr (std::same_as<T, double>)
      LAGNET_CHECK(std::isfinite(value), "JSON has no {}; an optional says \"none\"", value);
    return Json(value);
  }
}

/// The value of a field; an empty optional is the word that its limits have for it, or null.
template <class T>
Json write_field(const T& value, const Limits& limits) {
  if constexpr (is_optional<T>)
    if (!value && !limits.word_for_none.empty()) return Json(limits.word_for_none);
  return write_value(value);
}

/// The visitor that writes.
struct WriteField {
  Json& object;
  template <class T>
  void operator()(std::string_view key, const T& value, std::string_view, Limits limits = {}) {
    const bool is_new = object.emplace(std::string(key), write_field(value, limits)).second;
    LAGNET_CHECK(is_new, "field {} is declared twice", key);
  }
};

template <OptionsStruct Options>
void write_fields_into(Json& object, const Options& options) {
  WriteField field{object};
  Options::fields(options, field);
}

template <OptionsStruct Options>
Json write_fields(const Options& options) {
  Json object = Json::object();
  write_fields_into(object, options);
  return object;
}

/// The visitor that asks whether any field must be given.
struct AskField {
  bool must = false;
  template <class T>
  void operator()(std::string_view, const T& initial, std::string_view, Limits limits = {}) {
    must = must || must_be_given(initial, limits);
  }
};

template <class T>
bool must_be_given(const T& initial, const Limits& limits) {
  if (limits.is_required) return true;
  if constexpr (OptionsStruct<T>) {
    AskField field;
    T::fields(initial, field);
    return field.must;
  } else if constexpr (ReadsItself<T>) {
    return !initial.has_value();
  } else {
    return false;
  }
}

}  // namespace lagnet
