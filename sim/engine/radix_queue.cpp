#include "sim/engine/radix_queue.hpp"

#include <algorithm>
#include <numeric>

namespace lagnet {

void RadixQueue::put_into_bottom(Entry entry) {
  if (at_ == bottom_.size()) {
    bottom_.clear();
    at_ = watch_ = 0;
  }
  // Where those that have left made room, the shorter part is moved: what follows at once has nothing to pass.
  std::size_t hole = 0;
  if (at_ > 0 && entry.time < bottom_[at_ + (bottom_.size() - at_) / 2].time) {
    for (hole = --at_; bottom_[hole + 1].time <= entry.time; ++hole) bottom_[hole] = bottom_[hole + 1];
  } else {
    bottom_.push_back(entry);
    for (hole = bottom_.size() - 1; hole > at_ && bottom_[hole - 1].time > entry.time; --hole)
      bottom_[hole] = bottom_[hole - 1];
  }
  bottom_[hole] = entry;
  // Without an end to it, many events of no delay would make every insertion long.
  const std::size_t most = 2 * at_once();  // twice what refill() puts there
  if (hole + 1 < bottom_.size() && bottom_.size() - at_ > most) spill();
}

void RadixQueue::tend() {
  constexpr std::size_t worth_forgetting = 1024;
  if (at_ == bottom_.size())
    refill();
  else if (at_ >= worth_forgetting && 2 * at_ >= bottom_.size())
    forget_those_that_left();
  const std::size_t ahead = size_ > many ? few : 1;
  if (bottom_.size() - at_ < ahead) refill_early();
  const std::size_t until_few = bottom_.size() - std::min(bottom_.size(), ahead - 1);
  watch_ = std::max(at_ + 1, std::min(until_few, std::max(worth_forgetting, bottom_.size() / 2)));
}

void RadixQueue::forget_those_that_left() {
  bottom_.erase(bottom_.begin(), bottom_.begin() + static_cast<std::ptrdiff_t>(at_));
  at_ = 0;
}

void RadixQueue::refill() {
  bottom_.clear();
  at_ = 0;
  const unsigned b = lowest();
  std::vector<Entry>& bucket = buckets_[b].entries;
  if (bucket.size() <= at_once()) return append_small(b / digit_values);
  forget_bucket(b);
  last_ = buckets_[b].earliest;
  bottom_end_ = static_cast<std::uint64_t>(last_) + 1;
  if (std::ranges::all_of(bucket, [this](const Entry& entry) { return entry.time == last_; }))
    return bottom_.swap(bucket);  // a million ties need no second million of places
  for (const Entry& entry : bucket)
    if (entry.time == last_)
      bottom_.push_back(entry);
    else
      put_into_bucket(entry);
  bucket.clear();
}

void RadixQueue::refill_early() {
  if (filled_digits_ == 0 || buckets_[lowest()].entries.size() > at_once()) return;
  forget_those_that_left();
  append_small(lowest() / digit_values);
}

// All that lies below the end of the last of them is in these buckets: smaller ones are empty.
void RadixQueue::append_small(unsigned k) {
  const std::uint64_t of_digit = static_cast<std::uint64_t>(last_) >> k * digit_bits >> digit_bits << digit_bits
                                                                                                   << k * digit_bits;
  const std::size_t most = at_once();
  do {
    const auto c = static_cast<unsigned>(std::countr_zero(filled_[k]));
    std::vector<Entry>& bucket = buckets_[k * digit_values + c].entries;
    bottom_end_ = of_digit + (std::uint64_t{c + 1} << k * digit_bits);
    forget_bucket(k * digit_values + c);
    append_sorted(bucket, k);
    bucket.clear();
  } while (filled_[k] != 0 && bottom_.size() + buckets_[lowest()].entries.size() <= most);
}

void RadixQueue::append_sorted(const std::vector<Entry>& bucket, unsigned k) {
  const std::size_t count = bucket.size();
  bottom_.insert(bottom_.end(), bucket.begin(), bucket.end());
  Entry* const sorted = &bottom_[bottom_.size() - count];
  constexpr std::size_t a_dozen = 12;  // about n * n / 4 moves: no more work than to sum up a table of counts
  if (k > 0 && count > a_dozen) {
    const auto digit = [k](const Entry& entry) { return entry.time >> (k - 1) * digit_bits & (digit_values - 1); };
    std::array<std::uint16_t, digit_values> next{};  // where the next one with each digit goes
    for (const Entry& entry : bucket) ++next[digit(entry)];
    std::exclusive_scan(next.begin(), next.end(), next.begin(), std::uint16_t{0});
    for (const Entry& entry : bucket) sorted[next[digit(entry)]++] = entry;
  }
  if (k == 0) return;  // they have one time
  for (Entry* place = sorted + 1; place < sorted + count; ++place) {
    const Entry entry = *place;
    Entry* hole = place;
    for (; hole > sorted && hole[-1].time > entry.time; --hole) *hole = hole[-1];
    *hole = entry;
  }
}

void RadixQueue::spill() {
  last_ = now_;
  bottom_end_ = static_cast<std::uint64_t>(now_) + 1;
  std::size_t kept = 0;
  for (; at_ < bottom_.size(); ++at_)
    if (bottom_[at_].time == now_)
      bottom_[kept++] = bottom_[at_];
    else
      put_into_bucket(bottom_[at_]);
  bottom_.resize(kept);
  at_ = watch_ = 0;
}

}  // namespace lagnet
