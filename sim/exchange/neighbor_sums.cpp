#include "sim/exchange/neighbor_sums.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <utility>

#include "sim/exchange/blocked_sum_kernels.hpp"
#include "sim/machine/processor.hpp"

namespace lagnet {

namespace {

constexpr Index strip = 64;            // pieces are of whole ones
constexpr Index long_strip = 1024;     // where one agent adds alone
constexpr Index worth_batching = 256;  // shorter vectors are in the cache anyway

using Strip = std::array<double, long_strip>;

/// How much of every agent's vector is added up and handed over at a time: all of it together about fills the cache.
/// Shorter pieces stay there more surely, but each one is a stream that memory starts anew, in all that a taker reads.
Index strip_width(AgentId agents) {
  const Index entries = second_level_cache() / Index{sizeof(double)};
  return std::clamp(entries / Index{agents} / strip * strip, strip, long_strip);
}

/// So many numbers, at the beginning of a cache line, which whole entries of tables then fill.
double* room_for(std::size_t numbers, std::vector<double>& scratch) {
  constexpr std::size_t line = 64;
  scratch.resize(numbers + line / sizeof(double));
  void* begin = scratch.data();
  std::size_t bytes = scratch.size() * sizeof(double);
  return static_cast<double*>(std::align(line, numbers * sizeof(double), begin, bytes));
}

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

void add_group(const NeighborSum& sum, std::size_t first_row, std::size_t rows, Index first, Index count,
               double* result) {
  const StripKernels& kernels = strip_kernels();
  if (sum.weights.empty())
    kernels.add_group(sum.rows.data() + first_row, rows, first, count, result);
  else
    kernels.add_weighted_group(sum.rows.data() + first_row, sum.weights.data() + first_row, rows, first, count, result);
}

void start(const NeighborSum& sum, Index first, Index count, double* result) {
  if (sum.own_weight == 0) {
    std::fill_n(result, count, 0.0);
  } else {
    for (Index i = 0; i < count; ++i) result[i] = sum.own_weight * sum.own[first + i];
  }
}

void keep_first(ThrownPiece& thrown, Index first, std::exception_ptr error) {
  static std::mutex one_at_a_time;  // of the threads that take pieces
  const std::lock_guard lock(one_at_a_time);
  if (!thrown.error || first < thrown.first) thrown = {first, std::move(error)};
}

void hand_over(const NeighborSum& sum, Index first, Index count, const double* result) {
  const VectorView own(sum.own ? sum.own + first : nullptr, sum.own ? count : 0);
  try {
    sum.taker.take(sum.taker.context, first, own, VectorView(result, count));
  } catch (...) {
    if (!sum.taker.thrown) throw;
    keep_first(*sum.taker.thrown, first, std::current_exception());
  }
}

/// A piece by itself, in groups.
void add_piece(const NeighborSum& sum, Index first, Index count) {
  Strip result;
  start(sum, first, count, result.data());
  for_each_group(sum.senders,
                 [&](std::size_t row, std::size_t rows) { add_group(sum, row, rows, first, count, result.data()); });
  hand_over(sum, first, count, result.data());
}

void add_everybody_else_alone(const NeighborSum& sum) {
  const StripKernels& kernels = strip_kernels();
  Strip below, above;
  const std::size_t own = sum.receiver, all = sum.rows.size();
  for (Index first = 0; first < sum.size; first += long_strip) {
    const Index count = std::min(long_strip, sum.size - first);
    below.fill(0);
    above.fill(0);
    for (std::size_t k = 0; k < own; ++k) kernels.add(sum.rows[k] + first, count, below.data());
    for (std::size_t k = all; k-- > own;) kernels.add(sum.rows[k] + first, count, above.data());
    kernels.add(above.data(), count, below.data());
    hand_over(sum, first, count, below.data());
  }
}

}  // namespace

void add_up(const NeighborSum& sum, AgentId agents) {
  if (is_everybody_else(sum, agents)) return add_everybody_else_alone(sum);
  for (Index first = 0; first < sum.size; first += long_strip)
    add_piece(sum, first, std::min(long_strip, sum.size - first));
}

bool NeighborSums::know_rows(std::span<const NeighborSum> sums, AgentId agents) {
  row_of_.resize((agents + group_size - 1) / group_size * group_size);
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

bool NeighborSums::is_planned(std::span<const NeighborSum> sums) const {
  if (sums.size() != planned_.size()) return false;
  auto senders = std::span(planned_senders_);
  for (std::size_t r = 0; r < sums.size(); ++r) {
    const auto& [count, weighted] = planned_[r];
    if (sums[r].senders.size() != count || sums[r].weights.empty() == weighted) return false;
    if (!std::ranges::equal(sums[r].senders, senders.first(count))) return false;
    senders = senders.subspan(count);
  }
  return true;
}

void NeighborSums::plan(std::span<const NeighborSum> sums) {
  if (is_planned(sums)) return;
  planned_.clear();
  planned_senders_.clear();
  AgentId groups = 0;
  std::int64_t saved = 0;
  for (const NeighborSum& sum : sums) {
    planned_.push_back({sum.senders.size(), !sum.weights.empty()});
    planned_senders_.insert(planned_senders_.end(), sum.senders.begin(), sum.senders.end());
    if (!sum.senders.empty()) groups = std::max(groups, sum.senders.back() / group_size + 1);
    for_each_group(sum.senders, [&](std::size_t, std::size_t rows) { saved += static_cast<std::int64_t>(rows) - 1; });
  }
  // A table costs about two additions for each entry: they are written, and groups without senders are added as zeros.
  constexpr std::int64_t table_cost = 2 << group_size;
  const auto is_weighted = [](const NeighborSum& sum) { return !sum.weights.empty(); };
  tables_pay_ = saved > table_cost * groups && std::ranges::none_of(sums, is_weighted);
  if (tables_pay_) plan_masks(sums);
}

void NeighborSums::plan_masks(std::span<const NeighborSum> sums) {
  const std::size_t groups = row_of_.size() / group_size;
  const std::size_t chunks = (groups + tables_at_once - 1) / tables_at_once;
  masks_.assign(chunks * sums.size() * tables_at_once, 0);
  for (std::size_t r = 0; r < sums.size(); ++r)
    for_each_group(sums[r].senders, [&](std::size_t row, std::size_t rows) {
      std::size_t mask = 0;
      for (std::size_t k = row; k < row + rows; ++k) mask |= std::size_t{1} << sums[r].senders[k] % group_size;
      const std::size_t group = sums[r].senders[row] / group_size;
      masks_[(group / tables_at_once * sums.size() + r) * tables_at_once + group % tables_at_once] =
          static_cast<std::uint16_t>(mask * table_width);
    });
}

void NeighborSums::add_with_tables(std::span<const NeighborSum> sums, Index first, Index count,
                                   std::vector<double>& scratch) const {
  const StripKernels& kernels = strip_kernels();
  const std::size_t receivers = sums.size(), groups = row_of_.size() / group_size;
  constexpr std::size_t narrow = table_width;
  const std::size_t stride = static_cast<std::size_t>(count) + narrow;  // no power of 2, which aliases in the cache
  double* const tables = room_for(tables_at_once * table_size + receivers * (narrow + stride), scratch);
  double* const narrow_sums = tables + tables_at_once * table_size;  // table_width entries of each receiver's sum
  double* const results = narrow_sums + receivers * narrow;
  for (Index done = 0; done < count; done += table_width) {
    const Index now = std::min(table_width, count - done);
    std::fill_n(narrow_sums, receivers * narrow, 0.0);
    const std::uint16_t* masks = masks_.data();
    for (std::size_t g = 0; g < groups; g += tables_at_once, masks += receivers * tables_at_once) {
      for (std::size_t k = 0; k < std::min(tables_at_once, groups - g); ++k)
        kernels.make_table(row_of_.data() + (g + k) * group_size, first + done, now, tables + k * table_size);
      kernels.add_from_tables(tables, masks, receivers, narrow_sums);
    }
    // The last entries of a shorter piece are copied, too: there is room for them.
    for (std::size_t r = 0; r < receivers; ++r) {
      double* const result = results + r * stride + done;
      for (std::size_t i = 0; i < narrow; ++i) result[i] = narrow_sums[r * narrow + i];
    }
  }
  for (std::size_t r = 0; r < receivers; ++r) hand_over(sums[r], first, count, results + r * stride);
}

void NeighborSums::add_everybody_else(std::span<const NeighborSum> sums, AgentId agents, Index first, Index count,
                                      std::vector<double>& scratch) const {
  const StripKernels& kernels = strip_kernels();
  // above[j] = row m-1 + ... + row j; below grows as the receivers ascend.
  const auto width = static_cast<std::size_t>(count);
  scratch.resize((std::size_t{agents} + 2) * width);
  double* const below = scratch.data();
  const auto above = [&](AgentId j) { return scratch.data() + (std::size_t{j} + 1) * width; };
  std::fill_n(below, count, 0.0);
  std::fill_n(above(agents), count, 0.0);
  Strip result;
  for (AgentId j = agents; j-- > 0;) kernels.add_both(above(j + 1), row_of_[j] + first, count, above(j));
  AgentId next = 0;  // the first agent that is not below
  for (const NeighborSum& sum : sums) {
    for (; next < sum.receiver; ++next) kernels.add(row_of_[next] + first, count, below);
    kernels.add_both(below, above(sum.receiver + 1), count, result.data());
    hand_over(sum, first, count, result.data());
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
  if (!dense && std::ranges::any_of(sums, everybody_else)) {
    forget_rows(sums);
    return workers.for_each(sums.size(), [&](std::size_t i) { lagnet::add_up(sums[i], agents); });
  }
  std::vector<NeighborSum> ascending(sums.begin(), sums.end());
  std::ranges::sort(ascending, {}, &NeighborSum::receiver);
  if (!dense) plan(ascending);
  const bool tables = !dense && tables_pay_;
  const Index size = sums.front().size;
  const Index width = strip_width(tables ? 4 * agents : agents);  // the tables want to stay there, too
  const auto strips = static_cast<std::size_t>((size + width - 1) / width);
  const std::size_t parts = std::min<std::size_t>(strips, workers.threads() == 1 ? 1 : 8 * workers.threads());
  workers.for_each(parts, [&](std::size_t part) {
    std::vector<double> scratch;
    for (std::size_t s = strips * part / parts; s < strips * (part + 1) / parts; ++s) {
      const Index first = static_cast<Index>(s) * width, count = std::min(width, size - first);
      if (dense)
        add_everybody_else(ascending, agents, first, count, scratch);
      else if (tables)
        add_with_tables(ascending, first, count, scratch);
      else
        for (const NeighborSum& sum : ascending) add_piece(sum, first, count);
    }
  });
  forget_rows(sums);
}

void NeighborSums::withdraw(AgentId receiver) {
  std::erase_if(deferred_, [receiver](const NeighborSum& sum) { return sum.receiver == receiver; });
}

void NeighborSums::finish_deferred(AgentId agents, Workers& workers) {
  if (!deferred_.empty()) add_up(deferred_, agents, workers);
  deferred_.clear();
  for (Job* kernel : waiting_) workers.start(*kernel);
  waiting_.clear();
  ++finished_;
}

}  // namespace lagnet
