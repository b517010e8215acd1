#include "sim/neighbor_sums.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "sim/cache_size.hpp"
#include "sim/strip_kernels.hpp"

namespace lagnet {

namespace {

constexpr AgentId group_size = 6;
constexpr Index strip = 64;  // entries of a table of partial sums, of which a group of six has 2^6: 32 KiB
constexpr std::size_t table_size = static_cast<std::size_t>(strip) << group_size;
constexpr std::size_t chunk_size = 8;  // tables of as many groups stay in the second-level cache
constexpr Index long_strip = 1024;     // where one agent adds alone
constexpr Index worth_batching = 256;  // shorter vectors are in the cache anyway

using Strip = std::array<double, long_strip>;

/// How much of every agent's vector is added up and handed over at a time: all of it together about fills the cache.
/// Shorter pieces stay there more surely, but each one is a stream that memory starts anew, in all that a taker reads.
Index strip_width(AgentId agents) {
  const Index entries = second_level_cache() / Index{sizeof(double)};
  return std::clamp(entries / Index{agents} / strip * strip, strip, long_strip);
}

/// So short a strip comes from memory too late, unless it is asked for while the one before is added up.
void fetch_ahead(const double* of_row) {
  constexpr Index line = 64 / sizeof(double);
  for (Index i = 0; i < strip; i += line) __builtin_prefetch(of_row + i);
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
  // A table costs about four additions for each entry: they are written, and read again from a slower cache.
  constexpr std::int64_t table_cost = 4 << group_size;
  const auto is_weighted = [](const NeighborSum& sum) { return !sum.weights.empty(); };
  tables_pay_ = saved > table_cost * groups && std::ranges::none_of(sums, is_weighted);
  if (tables_pay_) plan_lookups(sums);
}

void NeighborSums::plan_lookups(std::span<const NeighborSum> sums) {
  const std::size_t groups = (row_of_.size() + group_size - 1) / group_size;
  const std::size_t chunks = (groups + chunk_size - 1) / chunk_size;
  std::vector<std::vector<std::uint16_t>> places(chunks * sums.size());
  for (std::size_t r = 0; r < sums.size(); ++r)
    for_each_group(sums[r].senders, [&](std::size_t row, std::size_t rows) {
      std::size_t mask = 0;
      for (std::size_t k = row; k < row + rows; ++k) mask |= std::size_t{1} << sums[r].senders[k] % group_size;
      const std::size_t group = sums[r].senders[row] / group_size;
      places[group / chunk_size * sums.size() + r].push_back(
          static_cast<std::uint16_t>((group % chunk_size << group_size) + mask));
    });
  lookups_from_.clear();
  lookups_.clear();
  for (const auto& of_receiver : places) {
    lookups_from_.push_back(static_cast<std::uint32_t>(lookups_.size()));
    lookups_.insert(lookups_.end(), of_receiver.begin(), of_receiver.end());
  }
  lookups_from_.push_back(static_cast<std::uint32_t>(lookups_.size()));
}

void NeighborSums::make_tables(std::size_t chunk, Index first, Index count, double* tables) const {
  std::array<const double*, group_size> rows{};
  for (std::size_t g = chunk * chunk_size; g < (chunk + 1) * chunk_size; ++g, tables += table_size) {
    if (g * group_size >= row_of_.size()) return;
    for (std::size_t k = 0; k < group_size; ++k) {
      const std::size_t agent = g * group_size + k;
      rows[k] = agent < row_of_.size() ? row_of_[agent] : nullptr;
      if (rows[k]) fetch_ahead(rows[k] + first + strip);
    }
    strip_kernels().make_table(rows.data(), group_size, first, count, strip, tables);
  }
}

void NeighborSums::add_with_tables(std::span<const NeighborSum> sums, Index first, Index count,
                                   std::vector<double>& scratch) const {
  const StripKernels& kernels = strip_kernels();
  const std::size_t chunks = (lookups_from_.size() - 1) / sums.size();
  const auto width = static_cast<std::size_t>(count);
  scratch.resize(chunk_size * table_size + sums.size() * width);
  double* const tables = scratch.data();
  double* const results = tables + chunk_size * table_size;
  std::fill_n(results, sums.size() * width, 0.0);
  std::array<const double*, chunk_size> partial{};
  for (Index done = 0; done < count; done += strip) {
    const Index now = std::min(strip, count - done);
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      make_tables(chunk, first + done, now, tables);
      const std::uint32_t* from = lookups_from_.data() + chunk * sums.size();
      for (std::size_t r = 0; r < sums.size(); ++r) {
        std::size_t partials = 0;
        for (std::uint32_t i = from[r]; i < from[r + 1]; ++i) partial[partials++] = tables + lookups_[i] * strip;
        kernels.add_each(partial.data(), partials, now, results + r * width + done);
      }
    }
  }
  for (std::size_t r = 0; r < sums.size(); ++r) hand_over(sums[r], first, count, results + r * width);
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
