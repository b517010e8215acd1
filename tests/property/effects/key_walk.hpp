#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/json/diagnostics.hpp"

/// Sets every declared key of a document to other valid values, and looks whether a result changes.
///
/// Keys are called by where they are declared: "network/latency_ms" in a section, "topology star/center" in a kind of a
/// choice, "network/links[]/latency_ms" in what a list holds.
namespace lagnet::test {

enum class Came {
  refused,  // no other value is valid here
  nothing,  // another value is valid, and the result is the same
  effect
};

/// Values that a key is tried with before those that follow from its type, by the key's name.
using Hints = std::map<std::string, std::vector<Json>>;

class KeyWalk {
 public:
  /// What a document comes to, for comparison. Throws Diagnosed if it is refused.
  using Result = std::function<std::string(const Json& document)>;
  /// A document with all defaults. Throws Diagnosed, too.
  using Complete = std::function<Json(const Json& document)>;

  /// `schema`: of the whole document, as schema_of() has it.
  KeyWalk(Json schema, Hints hints, Result result, Complete complete);

  /// Walks over the keys at and below the pointers of a document.
  void walk(const Json& document, const std::vector<std::string>& pointers);

  /// Puts each kind of the choice at a pointer there in turn, and walks over the keys of each.
  void walk_kinds(const Json& document, const std::string& pointer);

  const std::map<std::string, Came>& found() const { return found_; }
  std::size_t tried() const { return tried_; }

 private:
  std::pair<Json, std::string> at(const std::string& pointer) const;
  struct Base {
    Json document;
    std::string result;
  };
  void visit(const Base& base, const std::string& pointer, const Json& property, const std::string& place);
  void visit_members(const Base& base, const std::string& pointer, const Json& object, const std::string& place);
  void descend(const Base& base, const std::string& pointer, const Json& node, const std::string& place);
  std::vector<Json> alternatives(const Json& property, const Json& current, const std::string& place) const;
  std::vector<Json> of_type(const Json& node, const Json& current, const std::string& place) const;
  Json filled(const Json& object, const std::string& place) const;

  const Json schema_;
  const Hints hints_;
  const Result result_;
  const Complete complete_;
  std::map<std::string, Came> found_;
  std::size_t tried_ = 0;
};

/// All keys that a schema declares.
std::set<std::string> declared_keys(const Json& schema);

}  // namespace lagnet::test
