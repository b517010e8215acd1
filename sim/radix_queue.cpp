#include "sim/radix_queue.hpp"

#include <algorithm>

namespace lagnet {

void RadixQueue::put_into_bottom(Entry entry) {
  if (at_ == bottom_.size()) {
    bottom_.clear();
    at_ = 0;
  }
  bottom_.push_back(entry);
  std::size_t hole = bottom_.size() - 1;
  for (; hole > at_ && bottom_[hole - 1].time > entry.time; --hole) bottom_[hole] = bottom_[hole - 1];
  bottom_[hole] = entry;
  // Without an end to it, many events of no delay would make every insertion long.
  if (hole + 1 < bottom_.size() && bottom_.size() - at_ > 2 * small) spill();
}

void RadixQueue::forget_those_that_left() {
  bottom_.erase(bottom_.begin(), bottom_.begin() + static_cast<std::ptrdiff_t>(at_));
  at_ = 0;
}

void RadixQueue::refill() {
  bottom_.clear();
  at_ = 0;
  const unsigned b = lowest(), k = b / digit_values, c = b % digit_values;
  std::vector<Entry>& bucket = buckets_[b].entries;
  filled_[k] &= static_cast<std::uint8_t>(filled_[k] - 1);
  if (filled_[k] == 0) filled_digits_ &= filled_digits_ - 1;
  if (bucket.size() <= small) {
    // All that lies below the bucket's end is in it: smaller buckets are empty.
    const unsigned above = (k + 1) * digit_bits;
    bottom_end_ = (static_cast<std::uint64_t>(last_) >> above << above) + (std::uint64_t{c + 1} << k * digit_bits);
    bottom_.resize(bucket.size());
    Entry* const bottom = bottom_.data();
    Entry* end = bottom;
    for (const Entry& entry : bucket) {
      Entry* hole = end++;
      for (; hole > bottom && hole[-1].time > entry.time; --hole) *hole = hole[-1];
      *hole = entry;
    }
    last_ = bottom->time;
  } else {
    last_ = buckets_[b].earliest;
    bottom_end_ = static_cast<std::uint64_t>(last_) + 1;
    if (std::ranges::all_of(bucket, [this](const Entry& entry) { return entry.time == last_; }))
      return bottom_.swap(bucket);  // a million ties need no second million of places
    for (const Entry& entry : bucket)
      if (entry.time == last_)
        bottom_.push_back(entry);
      else
        put_into_bucket(entry);
  }
  bucket.clear();
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
  at_ = 0;
}

}  // namespace lagnet
