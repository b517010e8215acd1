#pragma once

#include <string>
#include <utility>
#include <vector>

namespace lagnet {

/// A sentence that a user should know about a run. Code that looks for a remark asks for its code and numbers, never
/// for its words.
struct Remark {
  std::string code;                                     // what kind it is: "answers_missing"
  std::vector<std::pair<std::string, double>> numbers;  // those in the text, by name; others of the code differ in them
  std::string text;                                     // a sentence

  bool operator==(const Remark&) const = default;
};

using Remarks = std::vector<Remark>;

/// Their sentences.
std::vector<std::string> texts_of(const Remarks& remarks);

}  // namespace lagnet
