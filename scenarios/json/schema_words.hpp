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
  std::string_view word_for_none = {};  // a text that may stand in place of a value: "theory"
};

/// All fields of an options struct in the order of their declaration, each struct before its own fields.
template <OptionsStruct Options>
std::vector<FieldText> describe(const Options& defaults = {}) {
  std::vector<FieldText> texts;
  struct_type<Options>().describe(&defaults, "", texts);
  return texts;
}

}  // namespace lagnet
