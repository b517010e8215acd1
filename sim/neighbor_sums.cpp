#include "sim/neighbor_sums.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "sim/errors.hpp"
#include "sim/strip_kernels.hpp"

namespace lagnet {

namespace {

constexpr AgentId group_size = 6;
constexpr Index strip = 64;            // entries: a group's table of 2^6 partial sums is 32 KiB
constexpr Index long_strip = 1024;     // where one agent adds alone
constexpr Index worth_batching = 256;  // shorter vectors are in the cache anyway

bool is_everybody_else(const NeighborSum& sum, AgentId agents) {
  return sum.weights.empty() && agents >= 3 && sum.senders.size() == agents - 1;
}

/// Calls use(first, count) for each group of senders: their places in the list.
template <class Use>
void for_each_group(std::span<const AgentId> senders, const Use& use) {
  for (std::size_t first = 0, end; first < senders.size(); first = end) {
    const AgentId group = senders[first] / group_size;
    for (end = first + 1; end < senders.size() && senders[end] / group_size == group;) ++end;
    use(first, end - first);
  }
}

void add_group(const NeighborSum& sum, std::size_t first_row, std::size_t rows, Index first, Index count) {
  const StripKernels& kernels = strip_kernels();
  if (sum.weights.empty())
    kernels.add_group(sum.rows.data() + first_row, rows, first, count, sum.sum + first);
  else
    kernels.add_weighted_group(sum.rows.data() + first_row, sum.weights.data() + first_row, rows, first, count,
                               sum.sum + first);
}

void add_everybody_else_alone(const NeighborSum& sum) {
  const StripKernels& kernels = strip_kernels();
  std::array<double, long_strip> below, above;
  const std::size_t own = sum.receiver, all = sum.rows.size();
  for (Index first = 0; first < sum.size; first += long_strip) {
    const Index count = std::min(long_strip, sum.size - first);
    below.fill(0);
    above.fill(0);
    for (std::size_t k = 0; k < own; ++k) kernels.add(sum.rows[k] + first, count, below.data());
    for (std::size_t k = all; k-- > own;) kernels.add(sum.rows[k] + first, count, above.data());
    kernels.add_both(below.data(), above.data(), count, sum.sum + first);
  }
}

}  // namespace

void add_up(const NeighborSum& sum, AgentId agents) {
  if (is_everybody_else(sum, agents)) return add_everybody_else_alone(sum);
  for (Index first = 0; first < sum.size; first += long_strip) {
    const Index count = std::min(long_strip, sum.size - first);
    for_each_group(sum.senders, [&](std::size_t row, std::size_t rows) { add_group(sum, row, rows, first, count); });
  }
}

bool NeighborSums::know_rows(std::span<const NeighborSum> sums, AgentId agents) {
  row_of_.resize(agents);
  for (const NeighborSum& sum : sums)
    for (std::size_t k = 0; k < sum.senders.size(); ++k) {
      const double*& known = row_of_[sum.senders[k]];
      if (known && known != sum.rows[k]) return false;  // a sender's vectors of two exchanges
      known = sum.rows[k];
    }
  return true;
}

void NeighborSums::forget_rows(std::span<const NeighborSum> sums) {
  for (const NeighborSum& sum : sums)
    for (const AgentId sender : sum.senders) row_of_[sender] = nullptr;
}

void NeighborSums::make_groups(std::span<const NeighborSum> sums) {
  struct Placed {
    AgentId group;
    Use use;
  };
  std::vector<Placed> placed;
  for (std::uint32_t r = 0; r < sums.size(); ++r)
    for_each_group(sums[r].senders, [&](std::size_t first, std::size_t count) {
      std::uint8_t mask = 0;
      for (std::size_t k = first; k < first + count; ++k)
        mask = static_cast<std::uint8_t>(mask | 1u << sums[r].senders[k] % group_size);
      placed.push_back({sums[r].senders[first] / group_size,
                        {r, static_cast<std::uint32_t>(first), static_cast<std::uint8_t>(count), mask}});
    });
  std::ranges::stable_sort(placed, {}, &Placed::group);
  groups_.clear();
  uses_.clear();
  for (std::size_t i = 0; i < placed.size();) {
    Group group{placed[i].group, false, static_cast<std::uint32_t>(uses_.size()), 0};
    // A table costs one addition for each of its entries, and saves all but one of each receiver's.
    constexpr std::int64_t table_cost = 4 << group_size;
    std::int64_t saved = 0;
    for (; i < placed.size() && placed[i].group == group.number; ++i) {
      uses_.push_back(placed[i].use);
      saved += sums[placed[i].use.receiver].weights.empty() ? placed[i].use.count - 1 : 0;
    }
    group.end_use = static_cast<std::uint32_t>(uses_.size());
    group.tabled = saved > table_cost;
    groups_.push_back(group);
  }
}

void NeighborSums::add_groups(std::span<const NeighborSum> sums, Index first, Index count,
                              std::vector<double>& scratch) const {
  const StripKernels& kernels = strip_kernels();
  std::array<const double*, group_size> rows{};
  for (const Group& group : groups_) {
    const auto uses = std::span(uses_).subspan(group.first_use, group.end_use - group.first_use);
    if (group.tabled) {
      for (AgentId k = 0; k < group_size; ++k) {
        const std::size_t agent = std::size_t{group.number} * group_size + k;
        rows[k] = agent < row_of_.size() ? row_of_[agent] : nullptr;
      }
      scratch.resize(static_cast<std::size_t>(strip) << group_size);
      kernels.make_table(rows.data(), group_size, first, count, strip, scratch.data());
    }
    for (const Use& use : uses) {
      const NeighborSum& sum = sums[use.receiver];
      if (group.tabled && sum.weights.empty())
        kernels.add(scratch.data() + use.mask * strip, count, sum.sum + first);
      else
        add_group(sum, use.first, use.count, first, count);
    }
  }
}

void NeighborSums::add_everybody_else(std::span<const NeighborSum> sums, AgentId agents, Index first, Index count,
                                      std::vector<double>& scratch) const {
  const StripKernels& kernels = strip_kernels();
  // above[j] = row m-1 + ... + row j; below grows as the receivers ascend.
  scratch.assign((std::size_t{agents} + 2) * static_cast<std::size_t>(strip), 0);
  double* const below = scratch.data();
  const auto above = [&](AgentId j) { return scratch.data() + (std::size_t{j} + 1) * static_cast<std::size_t>(strip); };
  for (AgentId j = agents; j-- > 0;) kernels.add_both(above(j + 1), row_of_[j] + first, count, above(j));
  AgentId next = 0;  // the first agent that is not below
  for (const NeighborSum& sum : sums) {
    for (; next < sum.receiver; ++next) kernels.add(row_of_[next] + first, count, below);
    kernels.add_both(below, above(sum.receiver + 1), count, sum.sum + first);
  }
}

void NeighborSums::add_up(std::span<const NeighborSum> sums, AgentId agents, Workers& workers) {
  const auto alike = [&](const NeighborSum& sum) { return sum.size == sums.front().size; };
  const bool batched = sums.size() > 1 && sums.front().size >= worth_batching && std::ranges::all_of(sums, alike);
  if (!batched || !know_rows(sums, agents)) {
    if (batched) forget_rows(sums);
    return workers.for_each(sums.size(), [&](std::size_t i) { lagnet::add_up(sums[i], agents); });
  }
  const auto everybody_else = [&](const NeighborSum& sum) { return is_everybody_else(sum, agents); };
  const bool dense = std::ranges::all_of(sums, everybody_else);
  std::vector<NeighborSum> ascending;
  if (dense) {
    ascending.assign(sums.begin(), sums.end());
    std::ranges::sort(ascending, {}, &NeighborSum::receiver);
  } else if (std::ranges::any_of(sums, everybody_else)) {
    forget_rows(sums);
    return workers.for_each(sums.size(), [&](std::size_t i) { lagnet::add_up(sums[i], agents); });
  } else {
    make_groups(sums);
  }
  const Index size = sums.front().size;
  const auto strips = static_cast<std::size_t>((size + strip - 1) / strip);
  const std::size_t parts = std::min<std::size_t>(strips, workers.threads() == 1 ? 1 : 8 * workers.threads());
  workers.for_each(parts, [&](std::size_t part) {
    std::vector<double> scratch;
    for (std::size_t s = strips * part / parts; s < strips * (part + 1) / parts; ++s) {
      const Index first = static_cast<Index>(s) * strip, count = std::min(strip, size - first);
      if (dense)
        add_everybody_else(ascending, agents, first, count, scratch);
      else
        add_groups(sums, first, count, scratch);
    }
  });
  forget_rows(sums);
}

}  // namespace lagnet
