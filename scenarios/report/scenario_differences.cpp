#include "scenarios/report/scenario_differences.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace lagnet {

namespace {

using Members = std::vector<const Json*>;  // of each document; null where it has none

bool are_same(const Members& values) {
  return std::ranges::all_of(values, [&](const Json* value) {
    if (value == nullptr || values.front() == nullptr) return value == values.front();
    return *value == *values.front();
  });
}

/// Every key of any of the objects, those of the first in its order.
std::vector<std::string> keys_of(const Members& objects) {
  std::vector<std::string> keys;
  for (const Json* object : objects)
    for (const auto& [key, value] : object->items())
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  return keys;
}

void append_differences(const std::string& pointer, const Members& values, Json& differences) {
  if (are_same(values)) return;
  const bool are_objects =
      std::ranges::all_of(values, [](const Json* value) { return value != nullptr && value->is_object(); });
  if (!are_objects) {
    Json told = Json::array();
    for (const Json* value : values) told.push_back(value == nullptr ? "(none)" : text_or_json(*value));
    differences.push_back({{"pointer", pointer}, {"values", std::move(told)}});
    return;
  }
  for (const std::string& key : keys_of(values)) {
    Members members;
    for (const Json* value : values) {
      const auto found = value->find(key);
      members.push_back(found == value->end() ? nullptr : &*found);
    }
    append_differences(child_pointer(pointer, key), members, differences);
  }
}

}  // namespace

Json scenario_differences(const std::vector<const Json*>& documents) {
  Json differences = Json::array();
  if (!documents.empty()) append_differences("", documents, differences);
  return differences;
}

}  // namespace lagnet
