#include "scenarios/assembly/who_takes.hpp"

#include <fmt/format.h>

#include <vector>

#include "scenarios/format/kinds/algorithm_kinds.hpp"
#include "scenarios/format/kinds/python_method.hpp"
#include "scenarios/json/diagnostics.hpp"

namespace lagnet {

std::string who_takes(const AlgorithmTraits& like, const std::function<bool(const AlgorithmTraits&)>& takes) {
  std::vector<std::string> kinds;
  for (const auto& entry : AlgorithmFamily::catalogue().entries()) {
    if (entry->kind == PythonOptions::kind) continue;  // what a class takes is its own affair
    const AlgorithmTraits traits = entry->make(entry->defaults().get()).traits;
    if (traits.server == like.server && traits.partition_by == like.partition_by && takes(traits))
      kinds.emplace_back(entry->kind);
  }
  return kinds.empty() ? "" : fmt::format(" (these take it: {})", comma_list(kinds));
}

std::string needs_undirected(std::string_view kind) {
  std::vector<std::string> kinds;
  for (const auto& entry : AlgorithmFamily::catalogue().entries())
    if (entry->make(entry->defaults().get()).traits.takes_directed) kinds.emplace_back(entry->kind);
  std::string text = fmt::format("{} needs an undirected topology", kind);
  if (kinds.empty()) return text;
  const std::string last = kinds.back();
  kinds.pop_back();
  return fmt::format("{}; {} and {} take directed ones", text, comma_list(kinds), last);
}

}  // namespace lagnet
