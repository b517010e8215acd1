#include "tests/reference/compressed_case.hpp"

namespace lagnet::reference {

const std::vector<CompressedKind>& compressed_peer_kinds() {
  static const std::vector<CompressedKind> all{
      {.name = "choco_gossip",
       .section = [](const Json& item) { return section_of(item, "choco_gossip", {"gamma_theory"}); }},
      {.name = "choco_sgd"},
      {.name = "lead"},
      {.name = "beer"}};
  return all;
}

const std::vector<CompressedKind>& one_way_kinds() {
  static const std::vector<CompressedKind> all{
      {.name = "push_diging"}, {.name = "push_pull"}, {.name = "subgradient_push"}};
  return all;
}

}  // namespace lagnet::reference
