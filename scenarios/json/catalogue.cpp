#include "scenarios/json/catalogue.hpp"

#include <algorithm>

#include "sim/base/errors.hpp"

namespace lagnet {

std::vector<FieldText> KindOfOptions::describe() const {
  std::vector<FieldText> texts;
  fields.describe(fields.initial(), "", texts);
  return texts;
}

const KindOfOptions* ListOfKinds::find_kind(std::string_view name) const {
  const auto found = std::ranges::find(list_, name, &KindOfOptions::kind);
  return found == list_.end() ? nullptr : *found;
}

std::vector<std::string> ListOfKinds::kinds() const {
  std::vector<std::string> kinds;
  for (const KindOfOptions* one : list_) kinds.emplace_back(one->kind);
  return kinds;
}

void ListOfKinds::add_kind(const KindOfOptions& kind) {
  LAGNET_CHECK(!find_kind(kind.kind), "two entries are called {}", kind.kind);
  list_.push_back(&kind);
}

}  // namespace lagnet
