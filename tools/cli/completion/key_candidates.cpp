#include "tools/cli/completion/key_candidates.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace lagnet::tools {

namespace {

constexpr std::array kind_keys{"kind", "source"};  // under which objects say what they are

std::string text_of(const Json& node, const char* key) {
  const auto found = node.find(key);
  return found == node.end() || !found->is_string() ? "" : found->get<std::string>();
}

/// A place in a scenario: the schemas that it may have, and what a scenario has there, or nothing.
class Place {
 public:
  Place(const Json& schema, const Json& scenario) : schema_(&schema), value_(&scenario) { add(schema); }

  /// Goes down to a member of an object, or to an element of a list.
  void enter(const std::string& key) {
    const std::vector<const Json*> before = fitting(std::ranges::find(kind_keys, key) != kind_keys.end());
    const bool is_index = key == "-" || (!key.empty() && key.find_first_not_of("0123456789") == std::string::npos);
    forms_.clear();
    for (const Json* form : before) {
      if (const auto members = form->find("properties"); members != form->end() && members->contains(key))
        add((*members)[key]);
      if (is_index && form->contains("items")) add((*form)["items"]);
    }
    value_ = value_ && value_->is_object() && value_->contains(key) ? &(*value_)[key] : nullptr;
  }

  /// The members of the objects that may stand here; `deeper` and `end` follow those that go on, and those that may
  /// have a value without keys.
  std::vector<Candidate> members(const std::string& before, const char* deeper, const char* end) const {
    std::vector<Candidate> list;
    for (const Json* form : fitting(false)) {
      const auto members = form->find("properties");
      if (members == form->end()) continue;
      for (const auto& [key, member] : members->items()) {
        Place inner(*this, member);
        const std::string text = before + key + (inner.is_object() ? deeper : end);
        if (std::ranges::none_of(list, [&](const Candidate& one) { return one.text == text; }))
          list.push_back({text, member.contains("const") ? "what it is" : text_of(member, "description")});
      }
    }
    return list;
  }

  /// The values of a fixed set.
  std::vector<Candidate> values(const std::string& before) const {
    std::vector<Candidate> list;
    const auto add_value = [&](const Json& value, const std::string& summary) {
      list.push_back({before + (value.is_string() ? value.get<std::string>() : value.dump()), summary});
    };
    for (const Json* form : forms_) {
      if (form->contains("const")) add_value((*form)["const"], text_of(*form, "description"));
      if (form->contains("enum"))
        for (const Json& value : (*form)["enum"]) add_value(value, "");
      if (text_of(*form, "type") == "boolean")
        for (const bool value : {false, true}) add_value(value, "");
    }
    return list;
  }

 private:
  Place(const Place& outer, const Json& node) : schema_(outer.schema_) { add(node); }

  /// Adds a schema, or each of those that it stands for.
  void add(const Json& node) {
    if (const std::string name = text_of(node, "$ref"); name.starts_with("#"))
      return add(schema_->at(Json::json_pointer(name.substr(1))));
    bool is_choice = false;
    for (const char* choice : {"oneOf", "anyOf"})
      if (node.contains(choice)) {
        is_choice = true;
        for (const Json& one : node[choice]) add(one);
      }
    if (!is_choice) forms_.push_back(&node);
  }

  bool is_object() const {
    return std::ranges::all_of(
        forms_, [](const Json* form) { return form->contains("properties") || text_of(*form, "type") == "null"; });
  }

  /// All forms, or those of the kind that the scenario has here.
  std::vector<const Json*> fitting(bool of_all_kinds) const {
    std::vector<const Json*> found;
    for (const char* key : kind_keys)
      if (const std::string kind = value_ && value_->is_object() ? text_of(*value_, key) : ""; !kind.empty())
        std::ranges::copy_if(forms_, std::back_inserter(found), [&](const Json* form) {
          return form->contains("properties") &&
                 text_of((*form)["properties"].value(key, Json::object()), "const") == kind;
        });
    return of_all_kinds || found.empty() ? forms_ : found;
  }

  const Json* schema_;
  const Json* value_ = nullptr;
  std::vector<const Json*> forms_;
};

}  // namespace

std::vector<Candidate> key_candidates(const Json& schema, const Json& scenario, const std::string& word, KeyForm form) {
  const std::size_t equals = word.find('=');
  if (equals != std::string::npos && form == KeyForm::key) return {};
  const std::string key = word.substr(0, equals);
  const bool is_pointer = key.find('/') != std::string::npos;
  const char separator = is_pointer ? '/' : '.';
  Place place(schema, scenario);
  std::size_t begin = key.starts_with('/') ? 1 : 0;
  for (std::size_t end = 0; (end = key.find(separator, begin)) != std::string::npos; begin = end + 1)
    place.enter(key.substr(begin, end - begin));
  if (equals == std::string::npos)
    return place.members(key.substr(0, begin), is_pointer ? "/" : ".", form == KeyForm::key ? "" : "=");
  place.enter(key.substr(begin));
  const std::size_t comma = form == KeyForm::values ? word.rfind(',') : std::string::npos;
  return place.values(word.substr(0, std::max(equals, comma == std::string::npos ? 0 : comma) + 1));
}

}  // namespace lagnet::tools
