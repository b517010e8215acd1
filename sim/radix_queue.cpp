#include "sim/radix_queue.hpp"

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
  const unsigned b = lowest();
  std::vector<Entry>& bucket = buckets_[b];
  filled_ &= filled_ - 1;
  if (bucket.size() <= small) {
    // All that lies below the bucket's end is in it: smaller buckets are empty.
    bottom_end_ = (static_cast<std::uint64_t>(last_) >> b << b) + (std::uint64_t{1} << b);
    for (const Entry& entry : bucket) {
      bottom_.push_back(entry);
      std::size_t hole = bottom_.size() - 1;
      for (; hole > 0 && bottom_[hole - 1].time > entry.time; --hole) bottom_[hole] = bottom_[hole - 1];
      bottom_[hole] = entry;
    }
    last_ = bottom_.front().time;
  } else {
    last_ = earliest_[b];
    bottom_end_ = static_cast<std::uint64_t>(last_) + 1;
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
