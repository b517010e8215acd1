#include "sim/transport/resource_accounts.hpp"

#include <algorithm>
#include <iterator>

namespace lagnet {

ResourceAccounts::ResourceAccounts(const Network& network) : places_(network.resources(), none) {
  for (ResourceId id = 0; id < network.resources(); ++id) {
    if (!network.has_effect(id)) continue;
    places_[id] = static_cast<std::uint32_t>(counted_.size());
    counted_.push_back({.id = id, .account = {}, .under_way = {}});
  }
}

void ResourceAccounts::settle(ResourceAccount& account, const Visit& visit, Time end) {
  if (visit.came > end) return;
  ++account.messages;
  account.bytes += visit.bytes;
  account.queueing += std::min(visit.begins, end) - visit.came;
  if (visit.begins < end) account.busy += std::min(visit.ends, end) - visit.begins;
  account.lost += std::int64_t{visit.is_lost && visit.left <= end};
}

/// Those under way that begin later.
std::int64_t ResourceAccounts::waiting_at(const Counted& here, Time at) {
  const auto first = here.under_way.begin() + static_cast<std::ptrdiff_t>(here.first);
  return std::distance(std::ranges::upper_bound(first, here.under_way.end(), at, {}, &Visit::begins),
                       here.under_way.end());
}

void ResourceAccounts::add(ResourceId at, const Visit& visit, Time now) {
  Counted& here = counted(at);
  std::vector<Visit>& under_way = here.under_way;
  // Later visits wait for none of these, and no end of the run cuts them off.
  for (; here.first < under_way.size() && under_way[here.first].left <= std::min(now, visit.came); ++here.first)
    settle(here.account, under_way[here.first], under_way[here.first].left);
  if (2 * here.first >= under_way.size()) {  // so that each visit is moved once, in the mean
    under_way.erase(under_way.begin(), under_way.begin() + static_cast<std::ptrdiff_t>(here.first));
    here.first = 0;
  }
  if (visit.begins > visit.came)
    here.account.most_waiting = std::max(here.account.most_waiting, waiting_at(here, visit.came) + 1);
  under_way.push_back(visit);
}

void ResourceAccounts::refuse(ResourceId at, Bytes bytes) { pass(at, {.messages = 1, .bytes = bytes, .lost = 1}); }

void ResourceAccounts::pass(ResourceId at, const ResourceAccount& more) {
  ResourceAccount& account = counted(at).account;
  account.messages += more.messages;
  account.bytes += more.bytes;
  account.lost += more.lost;
  account.busy += more.busy;
}

AccountsOfResources ResourceAccounts::until(Time end, const Waiting& waiting) const {
  AccountsOfResources all;
  all.reserve(counted_.size());
  for (const Counted& here : counted_) {
    ResourceAccount& account = all.emplace_back(here.id, here.account).second;
    for (std::size_t k = here.first; k < here.under_way.size(); ++k) settle(account, here.under_way[k], end);
    const auto found = waiting.find(here.id);
    if (found == waiting.end()) continue;
    std::int64_t before = 0;
    for (const Visit& visit : found->second) {
      settle(account, visit, end);
      account.most_waiting = std::max(account.most_waiting, waiting_at(here, visit.came) + ++before);
    }
  }
  return all;
}

}  // namespace lagnet
