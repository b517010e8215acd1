#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/json/fields.hpp"

/// The keys of scenarios, as users look for them: by section, and by their names alone.
namespace lagnet::tools {

/// The parts of a scenario with keys of their own.
struct Section {
  std::string name;
  std::vector<FieldText> fields;
  std::string_view text = "section of a scenario";
};
std::vector<Section> sections();

/// Keys of a scenario that hold one of several kinds, and under which name `list` has these. Keys that have a section
/// of their own are there.
const std::map<std::string, std::string>& keys_with_kinds();

/// A key, and the sections and kinds that have it with the same meaning.
struct FoundKey {
  FieldText field;
  std::vector<std::string> owners;
};
/// The keys that are called so: "latency_ms", "network.latency_ms", "/network/latency_ms", or a part of a key, "agents"
/// of "interfaces[].agents".
std::vector<FoundKey> keys_called(std::string name);

/// Where a word of the field leads that is no name here: "participation" for "dropout"; "" for any other one.
std::string name_for_word(const std::string& word);

}  // namespace lagnet::tools
