#include "scenarios/format/kinds/algorithm_kinds.hpp"

#include <fmt/format.h>

#include <vector>

#include "scenarios/format/kinds/python_method.hpp"

namespace lagnet {

std::string kinds_that_offer_timing() {
  std::vector<std::string> kinds;
  for (const auto& entry : AlgorithmFamily::catalogue().entries()) {
    const AlgorithmTraits traits = entry->make(entry->defaults().get()).traits;
    if (traits.timing_only || !traits.timing_needs.empty()) kinds.emplace_back(entry->kind);
  }
  return comma_list(kinds);
}

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

std::string_view way_of_l2(const AlgorithmTraits& traits) {
  if (traits.takes_regularizers == Regularizers::none) return "Takes no regularizer.";
  const bool takes_all = traits.takes_regularizers == Regularizers::all;
  switch (traits.square) {
    case SquareStands::in_prox:
      if (takes_all) return "l2 goes by prox, as all of the regularizer.";
      [[fallthrough]];
    case SquareStands::in_every_f:
      return takes_all
                 ? "l2 goes by gradient: it is a part of every agent's f_i. The rest of the regularizer goes by prox."
                 : "l2 goes by gradient: it is a part of every agent's f_i. Takes no other regularizer.";
    case SquareStands::smooth_in_every_f:
      return "l2 goes by me.gradient, in a class with smooth_by = \"prox\" by me.prox. The rest of the regularizer "
             "goes by "
             "me.prox.";
    case SquareStands::in_subgradient:
      return "l2 goes by gradient, and the rest of the regularizer by subgradient: both are a part of every agent's "
             "f_i.";
    case SquareStands::in_subproblems:
      return takes_all
                 ? "l2 goes neither by gradient nor by prox: the regularizer is in the problems that agents solve, "
                   "or in their dual."
                 : "l2 goes neither by gradient nor by prox: it is in the problems that agents solve, or in their "
                   "dual. Takes no other regularizer.";
  }
  return "";
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
