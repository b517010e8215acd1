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

template <class Options>
auto missing_line() {
  return entry<Options>([](const Options& options) { return make_missing(options); });
}

}  // namespace

// One line an entry, which clang-format would fill up.
// clang-format off
const Catalogue<MissingNeighbor>& MissingNeighborFamily::catalogue() {
  static const Catalogue<MissingNeighbor> all(
      missing_line<WaitOptions>(),
      missing_line<ReuseLastOptions>(),
      missing_line<SkipOptions>());
  return all;
}
// clang-format on

}  // namespace lagnet
