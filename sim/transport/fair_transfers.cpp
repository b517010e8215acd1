#include "sim/transport/fair_transfers.hpp"

#include <algorithm>

namespace lagnet {

namespace {

constexpr double standing = 1e-300;  // bytes per second, in place of 0

std::vector<double> capacities(const Network& network) {
  std::vector<double> all;
  for (ResourceId id = 0; id < network.resources(); ++id)
    all.push_back(network.schedule(id) ? std::max(network.rate(id), standing) : network.rate(id));
  return all;
}

std::size_t longest_path(const Network& network) {
  std::size_t longest = 3;
  for (LinkId path = 0; !network.is_flat() && path < network.paths(); ++path)
    longest = std::max(longest, network.path_length(path));
  return longest;
}

}  // namespace

FairTransfers::FairTransfers(const Network& network)
    : network_(network), flows_(capacities(network), longest_path(network)) {
  for (ResourceId id = 0; id < network_.resources(); ++id)
    if (network_.schedule(id)) changing_.push_back(id);
}

void FairTransfers::start(Time now, const Transfer& transfer) {
  find_path(transfer);
  set_capacities(now);
  const FlowId flow = flows_.start(now, path_, transfer.bytes, path_.back(), uses_);
  if (flow >= number_of_flow_.size()) number_of_flow_.resize(flow + 1);
  number_of_flow_[flow] = transfer.number;
  if (transfer.in_order) line_up(transfer.number, transfer.link);
}

/// A medium is there once, and does the work of the link: a byte of a slow pair uses more of it, and twice as much if
/// it is relayed.
void FairTransfers::find_path(const Transfer& transfer) {
  path_.clear();
  uses_.clear();
  for (std::uint32_t place = 0; place < transfer.places; ++place) {
    const ResourceId id = network_.on_path(transfer.from, transfer.path, place);
    if (network_.is_medium(id) && std::ranges::find(path_, id) != path_.end()) continue;
    path_.push_back(id);
    if (!network_.has_media()) continue;
    uses_.push_back(network_.is_medium(id) ? network_.rate(id) / network_.alone_bytes_per_s(id, transfer.link) : 1);
  }
}

void FairTransfers::line_up(Number number, LinkId link) {
  if (only_one_.empty()) only_one_.assign(network_.links(), none);
  Number& there = only_one_[link];
  if (there == none) {
    there = number;
    return;
  }
  std::deque<InOrder>& under_way = under_way_[link];
  if (there != several) under_way.push_back({there});
  under_way.push_back({number});
  there = several;
}

/// Those that change, at this moment.
void FairTransfers::set_capacities(Time now) {
  for (const ResourceId id : changing_) flows_.set_capacity(now, id, network_.schedule(id)->at(now));
}

const std::vector<FairTransfers::Ended>& FairTransfers::finish(Time now) {
  set_capacities(now);
  ended_.clear();
  for (const FlowId flow : flows_.finish(now)) ended_.push_back({number_of_flow_[flow], flows_.held_up(flow)});
  return ended_;
}

void FairTransfers::hand_over(Number number, LinkId link, std::vector<Number>& ready) {
  if (only_one_.empty() || only_one_[link] != several) {
    if (!only_one_.empty() && only_one_[link] == number) only_one_[link] = none;
    return ready.push_back(number);
  }
  std::deque<InOrder>& under_way = under_way_[link];
  const auto ended = std::ranges::find(under_way, number, &InOrder::number);
  if (ended == under_way.end()) return ready.push_back(number);
  ended->is_over = true;
  ++held_;
  for (; !under_way.empty() && under_way.front().is_over; under_way.pop_front()) {
    ready.push_back(under_way.front().number);
    --held_;
  }
  if (!under_way.empty()) return;
  under_way_.erase(link);
  only_one_[link] = none;
}

Time FairTransfers::next(Time now) const {
  Time next = flows_.next();
  for (const ResourceId id : changing_) next = std::min(next, network_.schedule(id)->next_change(now));
  return next;
}

}  // namespace lagnet
