#pragma once

#include "scenarios/json/fields.hpp"

/// The declared fields in words, for `lagnet describe`.
namespace lagnet {

/// One line of the description of an options struct.
struct FieldText {
  std::string key;            // nested with dots, elements of a list with []: "straggler.probability", "groups[].speed"
  std::string type;           // "integer", "number or null", "list of string", "one of none, fifo, fair"
  std::string default_value;  // as JSON; empty if the key must be given or its parts have their own defaults
  std::string limits;         // "at least 1", or empty
  std::string description;
  bool required = false;
};

template <class T>
std::string type_words() {
  if constexpr (std::same_as<T, Json>)
    return "any value";
  else if constexpr (is_optional<T>)
    return type_words<typename T::value_type>() + " or null";
  else if constexpr (is_vector<T>)
    return "list of " + type_words<typename T::value_type>();
  else if constexpr (OptionsStruct<T>)
    return "object";
  else if constexpr (SpelledEnum<T>)
    return "one of " + comma_list(names_of<T>());
  else if constexpr (ReadsItself<T>)
    return T::type_words();
  else if constexpr (IsOneOf<T>)
    return OneOfJson<T>::type_words();
  else if constexpr (std::same_as<T, bool>)
    return "true or false";
  else if constexpr (std::same_as<T, std::string> || std::same_as<T, std::filesystem::path>)
    return "string";
  else if constexpr (std::same_as<T, double>)
    return "number";
  else
    return "integer";
}

/// The visitor that describes.
struct DescribeField {
  std::vector<FieldText>& texts;
  std::string prefix;

  template <class T>
  void operator()(std::string_view key, const T& initial, std::string_view description, Limits limits = {}) {
    FieldText text;
    text.key = prefix + std::string(key);
    text.type = type_words<T>();
    text.required = must_be_given(initial, limits);
    if constexpr (!OptionsStruct<T>) {
      if (!text.required) text.default_value = write_field(initial, limits).dump();
    }
    text.limits = limits_words(std::same_as<T, std::uint64_t> ? natural(limits) : limits);
    text.description = description;
    texts.push_back(text);
    describe_inside(initial, text.key);
  }

 private:
  template <class T>
  void describe_inside(const T& initial, const std::string& key) {
    if constexpr (OptionsStruct<T>) {
      DescribeField inner{texts, key + "."};
      T::fields(initial, inner);
    } else if constexpr (is_optional<T>) {
      describe_inside(typename T::value_type{}, key);
    } else if constexpr (is_vector<T>) {
      describe_inside(typename T::value_type{}, key + "[]");
    }
  }
};

/// All fields of an options struct in the order of their declaration, each struct before its own fields.
template <OptionsStruct Options>
std::vector<FieldText> describe(const Options& defaults = {}) {
  std::vector<FieldText> texts;
  DescribeField field{texts, ""};
  Options::fields(defaults, field);
  return texts;
}

}  // namespace lagnet
