#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "scenarios/json/fields.hpp"

/// Walks over declared fields at any depth: the file names in a JSON document, and the integers of options.
namespace lagnet {

/// The new name of a file.
using PathChange = std::function<std::string(const std::filesystem::path&)>;

/// Changes the file names in the JSON of a T: the strings where its fields are std::filesystem::path. Whatever cannot
/// be read stays as it is.
template <class T>
void change_paths(Json& value, const PathChange& change);

/// The visitor that changes file names.
struct PathField {
  Json& object;
  const PathChange& change;
  template <class T>
  void operator()(std::string_view key, const T&, std::string_view, Limits = {}) {
    if (const auto member = object.find(std::string(key)); member != object.end()) change_paths<T>(*member, change);
  }
};

template <class T>
void change_paths(Json& value, const PathChange& change) {
  if constexpr (std::same_as<T, std::filesystem::path>) {
    if (value.is_string()) value = change(value.get<std::string>());
  } else if constexpr (is_optional<T>) {
    change_paths<typename T::value_type>(value, change);
  } else if constexpr (is_vector<T>) {
    if (!value.is_array()) return;
    for (Json& element : value) change_paths<typename T::value_type>(element, change);
  } else if constexpr (OptionsStruct<T>) {
    if (!value.is_object()) return;
    const T options{};
    PathField field{value, change};
    T::fields(options, field);
  } else if constexpr (requires { T::change_paths(value, change); }) {
    T::change_paths(value, change);
  }
}

/// An integer among options.
struct IntegerOption {
  std::string pointer;  // where it stands
  std::string key;
  std::int64_t value;
};

/// The visitor that lists integers; those of a Choice within are its own.
struct IntegerField {
  std::vector<IntegerOption>& found;
  std::string pointer;
  template <class T>
  void operator()(std::string_view key, const T& value, std::string_view, Limits = {}) {
    list(child_pointer(pointer, key), key, value);
  }

 private:
  template <class T>
  void list(const std::string& at, std::string_view key, const T& value) {
    if constexpr (std::same_as<T, std::int64_t>) {
      found.push_back({at, std::string(key), value});
    } else if constexpr (is_optional<T>) {
      if (value) list(at, key, *value);
    } else if constexpr (is_vector<T>) {
      for (std::size_t i = 0; i < value.size(); ++i) list(child_pointer(at, std::to_string(i)), key, value[i]);
    } else if constexpr (OptionsStruct<T>) {
      IntegerField inner{found, at};
      T::fields(value, inner);
    }
  }
};

}  // namespace lagnet
