#include "scenarios/data/partitions/partition.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/files/data_diagnostics.hpp"
#include "sim/base/draws.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

std::vector<Index> even_starts(Index count, Index holders) {
  LAGNET_CHECK(count >= 0 && holders >= 1, "{} things over {} holders", count, holders);
  std::vector<Index> starts;
  for (Index j = 0; j <= holders; ++j) starts.push_back(j * (count / holders) + std::min(j, count % holders));
  return starts;
}

std::vector<Index> starts_of(const std::vector<std::int64_t>& sizes, Index count, Index holders, std::string_view kind,
                             std::string_view things) {
  DataDiagnostics diagnostics{std::string(kind)};
  if (static_cast<Index>(sizes.size()) != holders)
    diagnostics.add(0, fmt::format("{} blocks, one for each agent", holders), fmt::format("{}", sizes.size()));
  std::vector<Index> starts{0};
  bool too_many = false;
  for (const std::int64_t size : sizes) {
    if (size < 0) diagnostics.add(0, "sizes of at least 0", fmt::format("{}", size));
    too_many = too_many || size > count - starts.back();  // found before a sum can overflow
    starts.push_back(too_many ? count : starts.back() + std::max<std::int64_t>(size, 0));
  }
  const std::string wanted = fmt::format("sizes that add up to the {} {}", count, things);
  if (too_many) diagnostics.add(0, wanted, "more");
  if (!too_many && starts.back() != count) diagnostics.add(0, wanted, fmt::format("{}", starts.back()));
  diagnostics.throw_if_any();
  return starts;
}

std::vector<Index> random_order(Index count, std::string_view purpose, std::uint64_t seed) {
  const auto order = Draws(seed, Purpose{purpose}).permutation(static_cast<std::uint32_t>(count));
  return {order.begin(), order.end()};
}

}  // namespace lagnet
