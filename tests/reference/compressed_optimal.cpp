#include <stdexcept>

#include "tests/reference/compressed_case.hpp"

namespace lagnet::reference {

namespace {

/// The kind with several exchanges a round, or for K = 0 that with one.
Json by_degree(const Json& item, std::string_view several, std::string_view one) {
  if (item.value("matrix", "Laplacian of the graph") != "Laplacian of the graph")
    throw std::runtime_error("not understood: matrix = " + item["matrix"].dump());
  const bool is_one = item.at("parameters").value("K", 1) == 0;
  return is_one ? section_of(item, one, {"K"}) : section_of(item, several);
}

}  // namespace

const std::vector<CompressedKind>& optimal_peer_kinds() {
  static const std::vector<CompressedKind> all{
      {.name = "ssda", .section = [](const Json& item) { return by_degree(item, "msda", "ssda"); }},
      {.name = "msda", .section = [](const Json& item) { return by_degree(item, "msda", "ssda"); }},
      {.name = "opapc", .section = [](const Json& item) { return by_degree(item, "opapc", "apapc"); }},
      {.name = "apapc", .section = [](const Json& item) { return by_degree(item, "opapc", "apapc"); }},
      {.name = "adom_plus", .section = [](const Json& item) {
         if (item.value("matrix", "") != "Laplacian divided by its largest eigenvalue")
           throw std::runtime_error("not understood: matrix = " + item.value("matrix", ""));
         return section_of(item, "adom_plus");
       }}};
  return all;
}

}  // namespace lagnet::reference
