#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/json/diagnostics.hpp"
#include "sim/base/draws.hpp"

namespace lagnet::fuzz {

/// The JSON Schema of scenario files, in which each reference is followed once.
class ScenarioSchema {
 public:
  explicit ScenarioSchema(Json schema) : schema_(std::move(schema)) {}
  const Json& root() const { return schema_; }
  /// A node of it, or what the node refers to with the words beside the reference.
  const Json& resolved(const Json& node);

 private:
  Json schema_;
  std::map<const Json*, Json> resolved_;
};

/// Draws scenarios from the JSON Schema of scenario files: all kinds that it names, small enough to run in
/// milliseconds, but for one of a few hundred, whose agents are about as many as a block of memory holds messages
/// (1,024). Each is a function of the seed and its number.
class ScenarioGenerator {
 public:
  /// The schema must outlive the generator. `sets`: the folder of the data sets that a scenario may name.
  ScenarioGenerator(ScenarioSchema& schema, std::string sets, std::uint64_t seed, std::uint64_t number);

  /// The errors in a document, as `lagnet validate` prints them.
  using Problems = std::function<std::vector<Diagnostic>(const Json& document)>;
  /// A scenario without problems: what is refused is drawn again or left out, at the pointers of its problems. Nothing
  /// if 25 attempts are too few.
  std::optional<Json> accepted(const Problems& problems);
  /// A scenario that may break rules which the schema does not say.
  Json scenario();
  /// The text of a scenario with one to three of its places, and of one in five some bytes, replaced.
  std::string broken(Json document);

 private:
  bool chance(double probability) { return draws_.bernoulli(probability); }
  const Json& one_of(const Json& list) { return list[draws_.below(list.size())]; }
  Json value(const Json& given, const std::string& key);
  Json number(const Json& node, bool is_integer, const std::string& key);
  Json object(const Json& node);
  void redraw(Json& document, const std::string& pointer);
  void limit_size(Json& document);
  void fit_directions(Json& document);
  void replace_a_place(Json& document);
  void replace_bytes(std::string& text);

  ScenarioSchema& schema_;
  std::string sets_;
  Draws draws_;
  bool is_large_;
};

}  // namespace lagnet::fuzz
