#include "scenarios/format/kinds/participation_kinds.hpp"

namespace lagnet {

namespace {

MissingNeighbor make_missing(const WaitOptions&) { return {}; }

MissingNeighbor make_missing(const ReuseLastOptions& options) {
  return {.kind = MissingNeighborKind::reuse_last, .deadline = Duration::milliseconds(options.deadline_ms)};
}

MissingNeighbor make_missing(const SkipOptions& options) {
  return {.kind = MissingNeighborKind::skip, .deadline = Duration::milliseconds(options.deadline_ms)};
}

}  // namespace

// One line a kind, which clang-format would fill up.
// clang-format off
const Catalogue<MissingNeighbor>& MissingNeighborFamily::catalogue() {
  static const auto all = Catalogue<MissingNeighbor>::of<
      WaitOptions,
      ReuseLastOptions,
      SkipOptions>([](const auto& options) {
    return make_missing(options);
  });
  return all;
}
// clang-format on

}  // namespace lagnet
