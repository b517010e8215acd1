#pragma once

#include <vector>

#include "scenarios/json/fields.hpp"

/// Walks over declared fields at any depth: the file names in a JSON document, and the integers of options.
namespace lagnet {

/// Changes the file names in the JSON of a T: the strings where its fields are std::filesystem::path. Whatever cannot
/// be read stays as it is.
template <class T>
void change_paths(Json& value, const PathChange& change) {
  field_type<T>().change_paths(value, change);
}

/// The integers of options that stand at a pointer; those of a Choice within are its own.
template <OptionsStruct Options>
std::vector<IntegerOption> integers_of(const Options& options, const std::string& pointer) {
  std::vector<IntegerOption> found;
  field_type<Options>().list_integers(&options, pointer, "", found);
  return found;
}

}  // namespace lagnet
