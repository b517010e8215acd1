#include "sim/neighbor_sums.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/strip_kernels.hpp"

namespace lagnet {

namespace {

constexpr AgentId group_size = 6;
constexpr Index strip = 64;            // entries: a group's table of 2^6 partial sums is 32 KiB
constexpr std::size_t chunk_size = 4;  // tables of as many groups stay in the second-level cache
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
  uses_.clear();
  for (std::uint32_t r = 0; r < sums.size(); ++r)
    for_each_group(sums[r].senders, [&](std::size_t first, std::size_t count) {
      std::uint8_t mask = 0;
      for (std::size_t k = first; k < first + count; ++k)
        mask = static_cast<std::uint8_t>(mask | 1u << sums[r].senders[k] % group_size);
      uses_.push_back({sums[r].senders[first] / group_size, r, static_cast<std::uint32_t>(first),
                       static_cast<std::uint8_t>(count), mask});
    });
  std::ranges::stable_sort(uses_, {}, &Use::group);

  // A table costs one addition for each of its entries, and saves all but one of each receiver's.
  constexpr std::int64_t table_cost = 4 << group_size;
  groups_.clear();
  chunks_.clear();
  for (std::uint32_t i = 0; i < uses_.size();) {
    if (groups_.size() % chunk_size == 0) {
      const auto group = static_cast<std::uint32_t>(groups_.size());
      chunks_.push_back({group, group, i, i});
    }
    Group group{uses_[i].group, false};
    std::int64_t saved = 0;
    for (; i < uses_.size() && uses_[i].group == group.number; ++i)
      saved += sums[uses_[i].receiver].weights.empty() ? uses_[i].count - 1 : 0;
    group.tabled = saved > table_cost;
    groups_.push_back(group);
    chunks_.back().end_group = static_cast<std::uint32_t>(groups_.size());
    chunks_.back().end_use = i;
  }
  for (const Chunk& chunk : chunks_) {
    const auto uses = std::span(uses_).subspan(chunk.first_use, chunk.end_use - chunk.first_use);
    for (Use& use : uses) {
      const auto groups = std::span(groups_).subspan(chunk.first_group, chunk.end_group - chunk.first_group);
      use.group = static_cast<std::uint32_t>(std::ranges::find(groups, use.group, &Group::number) - groups.begin());
    }
    std::ranges::stable_sort(uses, {}, &Use::receiver);
  }
}

void NeighborSums::add_groups(std::span<const NeighborSum> sums, Index first, Index count,
                              std::vector<double>& scratch) const {
  const StripKernels& kernels = strip_kernels();
  constexpr std::size_t table_size = static_cast<std::size_t>(strip) << group_size;
  scratch.resize(chunk_size * table_size);
  std::array<const double*, group_size> rows{};
  for (const Chunk& chunk : chunks_) {
    for (std::uint32_t g = chunk.first_group; g < chunk.end_group; ++g) {
      if (!groups_[g].tabled) continue;
      for (AgentId k = 0; k < group_size; ++k) {
        const std::size_t agent = std::size_t{groups_[g].number} * group_size + k;
        rows[k] = agent < row_of_.size() ? row_of_[agent] : nullptr;
      }
      kernels.make_table(rows.data(), group_size, first, count, strip,
                         scratch.data() + (g - chunk.first_group) * table_size);
    }
    for (std::uint32_t u = chunk.first_use; u < chunk.end_use;) {
      const std::uint32_t receiver = uses_[u].receiver;
      const NeighborSum& sum = sums[receiver];
      std::array<const double*, chunk_size> partial{};
      std::size_t partials = 0;
      for (; u < chunk.end_use && uses_[u].receiver == receiver; ++u) {
        const Use& use = uses_[u];
        if (groups_[chunk.first_group + use.group].tabled && sum.weights.empty()) {
          partial[partials++] = scratch.data() + use.group * table_size + use.mask * strip;
          continue;
        }
        kernels.add_each(partial.data(), std::exchange(partials, 0), count, sum.sum + first);
        add_group(sum, use.first, use.count, first, count);
      }
      kernels.add_each(partial.data(), partials, count, sum.sum + first);
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
