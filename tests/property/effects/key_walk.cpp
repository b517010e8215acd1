#include "tests/property/effects/key_walk.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace lagnet::test {

namespace {

/// The node of a value that is there: without null, and without words for none.
Json present(const Json& property) {
  Json node = property;
  while (node.contains("anyOf")) node = Json(node["anyOf"][0]);
  if (node.contains("type") && node["type"].is_array()) node["type"] = Json(node["type"][0]);
  if (node.contains("enum")) {
    Json names = Json::array();
    for (const Json& name : node["enum"])
      if (!name.is_null()) names.push_back(name);
    node["enum"] = names;
  }
  return node;
}

/// The name of a definition that a node refers to; "" if it does not.
std::string referred(const Json& node) {
  if (!node.contains("$ref")) return "";
  const auto reference = node["$ref"].get<std::string>();
  return reference.substr(reference.rfind('/') + 1);
}

/// The key that tells the kinds of a choice apart, and the kind; nothing for a number or a name that stands for one.
std::optional<std::pair<std::string, std::string>> kind_of(const Json& entry) {
  if (!entry.contains("properties")) return std::nullopt;
  for (const auto& [key, property] : entry["properties"].items())
    if (property.contains("const")) return std::pair(key, property["const"].get<std::string>());
  return std::nullopt;
}

bool is_within(const Json& node, double x) {
  return (!node.contains("minimum") || x >= node["minimum"].get<double>()) &&
         (!node.contains("exclusiveMinimum") || x > node["exclusiveMinimum"].get<double>()) &&
         (!node.contains("maximum") || x <= node["maximum"].get<double>()) &&
         (!node.contains("exclusiveMaximum") || x < node["exclusiveMaximum"].get<double>());
}

std::vector<Json> other_numbers(const Json& node, const Json& current) {
  const bool is_integer = node["type"] == "integer";
  const double now = current.is_number() ? current.get<double>() : 0;
  std::vector<double> wanted{2 * now, now / 2, now + 1, 3, 0.5, 0.2, 2, 1, 0, 20, 1000};
  if (current.is_null()) wanted = {3, 0.5, 2, 0.1, 1, 20, 1000, 1e5};
  std::vector<Json> numbers;
  for (const double x : wanted) {
    if (x == now && !current.is_null()) continue;
    if (!is_within(node, x) || (is_integer && x != std::trunc(x))) continue;
    const Json number = is_integer ? Json(static_cast<std::int64_t>(x)) : Json(x);
    if (std::ranges::find(numbers, number) == numbers.end()) numbers.push_back(number);
  }
  constexpr std::size_t most = 5;
  if (numbers.size() > most) numbers.resize(most);
  return numbers;
}

/// An object that is always there, and whose members are the keys.
bool is_section(const Json& property) { return property.contains("properties") && property["type"] == "object"; }

void add_declared(const Json& schema, const Json& node, const std::string& place, std::set<std::string>& keys,
                  std::set<std::string>& seen);

void add_members(const Json& schema, const Json& object, const std::string& place, std::set<std::string>& keys,
                 std::set<std::string>& seen) {
  if (!object.contains("properties")) return;
  for (const auto& [key, property] : object["properties"].items()) {
    if (property.contains("const")) continue;
    const std::string name = place.empty() ? key : place + "/" + key;
    if (!is_section(property)) keys.insert(name);
    add_declared(schema, property, name, keys, seen);
  }
}

void add_declared(const Json& schema, const Json& node, const std::string& place, std::set<std::string>& keys,
                  std::set<std::string>& seen) {
  const Json here = present(node);
  if (const std::string name = referred(here); !name.empty()) {
    if (!seen.insert(name).second) return;
    for (const Json& entry : schema["$defs"][name]["oneOf"])
      if (const auto kind = kind_of(entry)) add_members(schema, entry, name + " " + kind->second, keys, seen);
  } else if (here.contains("items")) {
    add_declared(schema, here["items"], place + "[]", keys, seen);
  } else {
    add_members(schema, here, place, keys, seen);
  }
}

}  // namespace

std::set<std::string> declared_keys(const Json& schema) {
  std::set<std::string> keys, seen;
  add_members(schema, schema, "", keys, seen);
  return keys;
}

KeyWalk::KeyWalk(Json schema, Hints hints, Result result, Complete complete)
    : schema_(std::move(schema)),
      hints_(std::move(hints)),
      result_(std::move(result)),
      complete_(std::move(complete)) {}

void KeyWalk::walk(const Json& document, const std::vector<std::string>& pointers) {
  const Json whole = complete_(document);
  const Base base{whole, result_(whole)};
  for (const std::string& pointer : pointers) {
    if (pointer.empty()) {
      visit_members(base, "", schema_, "");
      continue;
    }
    const auto [property, place] = at(pointer);
    visit(base, pointer, property, place);
  }
}

/// What the schema has at a pointer, and what the key there is called.
std::pair<Json, std::string> KeyWalk::at(const std::string& pointer) const {
  Json property = schema_;
  std::string place;
  std::vector<std::string> keys;
  for (Json::json_pointer rest(pointer); !rest.empty(); rest.pop_back()) keys.insert(keys.begin(), rest.back());
  for (const std::string& key : keys) {
    const Json node = present(property);
    const bool is_element = node.contains("items");
    place += is_element ? "[]" : (place.empty() ? "" : "/") + key;
    property = is_element ? node["items"] : node["properties"][key];
  }
  return {property, place};
}

void KeyWalk::walk_kinds(const Json& document, const std::string& pointer) {
  const auto [property, place] = at(pointer);
  const Json node = present(property);
  for (const Json& value : of_type(node, Json(), place)) {
    Base base{document, {}};
    base.document[Json::json_pointer(pointer)] = value;
    try {
      base.document = complete_(base.document);
      base.result = result_(base.document);
    } catch (const Diagnosed&) {
      continue;
    }
    descend(base, pointer, node, place);
  }
}

void KeyWalk::visit_members(const Base& base, const std::string& pointer, const Json& object,
                            const std::string& place) {
  if (!object.contains("properties")) return;
  for (const auto& [key, property] : object["properties"].items())
    if (!property.contains("const"))
      visit(base, child_pointer(pointer, key), property, place.empty() ? key : place + "/" + key);
}

void KeyWalk::visit(const Base& base, const std::string& pointer, const Json& property, const std::string& place) {
  const Json::json_pointer at(pointer);
  const Json current = base.document.contains(at) ? base.document.at(at) : Json();
  if (is_section(property)) return descend(base, pointer, property, place);
  auto& came = found_.emplace(place, Came::refused).first->second;
  std::optional<Base> other;
  for (const Json& value : alternatives(property, current, place)) {
    if (came == Came::effect && (other || !current.is_null())) break;
    Base changed = base;
    changed.document[at] = value;
    try {
      ++tried_;
      changed.result = result_(changed.document);
    } catch (const Diagnosed&) {
      continue;
    }
    came = std::max(came, changed.result == base.result ? Came::nothing : Came::effect);
    if (!other) other = std::move(changed);
  }
  const Json node = present(property);
  const bool is_empty = current.is_null() || (current.is_array() && current.empty());
  if (!is_empty) return descend(base, pointer, node, place);
  if (other) descend(*other, pointer, node, place);
}

void KeyWalk::descend(const Base& base, const std::string& pointer, const Json& node, const std::string& place) {
  const Json& current = base.document.at(Json::json_pointer(pointer));
  if (node.contains("items")) {
    if (!current.empty()) descend(base, child_pointer(pointer, "0"), present(node["items"]), place + "[]");
    return;
  }
  const std::string name = referred(node);
  if (name.empty()) return visit_members(base, pointer, node, place);
  for (const Json& entry : schema_["$defs"][name]["oneOf"])
    if (const auto kind = kind_of(entry); kind && current.is_object() && current.value(kind->first, "") == kind->second)
      visit_members(base, pointer, entry, name + " " + kind->second);
}

std::vector<Json> KeyWalk::alternatives(const Json& property, const Json& current, const std::string& place) const {
  std::vector<Json> values;
  auto hinted = hints_.find(place);
  if (hinted == hints_.end()) hinted = hints_.find("*" + place.substr(std::min(place.rfind('/'), place.size())));
  if (hinted != hints_.end()) values = hinted->second;
  for (Json& value : of_type(present(property), current, place)) values.push_back(std::move(value));
  std::erase(values, current);
  return values;
}

std::vector<Json> KeyWalk::of_type(const Json& node, const Json& current, const std::string& place) const {
  if (const std::string name = referred(node); !name.empty()) {
    std::vector<Json> values;
    for (const Json& entry : schema_["$defs"][name]["oneOf"])
      if (const auto kind = kind_of(entry)) {
        Json value = filled(entry, name + " " + kind->second);
        value[kind->first] = kind->second;
        values.push_back(std::move(value));
      }
    return values;
  }
  if (node.contains("enum")) return std::vector<Json>(node["enum"].begin(), node["enum"].end());
  if (!node.contains("type")) return {};
  const auto type = node["type"].get<std::string>();
  if (type == "boolean") return {true, false};
  if (type == "string") return {"x", "other"};
  if (type == "object") return {filled(node, place)};
  if (type == "integer" || type == "number") return other_numbers(node, current);
  std::vector<Json> lists;  // of one element, and of one more or less
  const Json first = current.is_array() && !current.empty() ? current[0] : Json();
  for (const Json& element : alternatives(node["items"], first, place + "[]")) lists.push_back(Json::array({element}));
  if (current.is_array() && current.size() > 1) lists.push_back(Json(current.begin(), current.end() - 1));
  return lists;
}

Json KeyWalk::filled(const Json& object, const std::string& place) const {
  Json value = Json::object();
  for (const Json& name : object.value("required", Json::array())) {
    const auto key = name.get<std::string>();
    const Json& property = object["properties"][key];
    if (property.contains("const")) continue;
    const std::vector<Json> all = alternatives(property, Json(), place + "/" + key);
    if (!all.empty()) value[key] = all.front();
  }
  return value;
}

}  // namespace lagnet::test
