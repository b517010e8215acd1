#include "sim/transport/resource_accounts.hpp"

#include <algorithm>
#include <iterator>

namespace lagnet {

void ResourceAccounts::settle(ResourceAccount& account, const Visit& visit, Time end) {
  if (visit.came > end) return;
  ++account.messages;
  account.bytes += visit.bytes;
  account.queueing += std::min(visit.begins, end) - visit.came;
  if (visit.begins < end) account.busy += std::min(visit.ends, end) - visit.begins;
  account.lost += std::int64_t{visit.is_lost && visit.left <= end};
}

void ResourceAccounts::add(ResourceId at, const Visit& visit, Time now) {
  ResourceAccount& account = accounts_[at];
  std::deque<Visit>& before = under_way_[at];
  // Later visits wait for none of these, and no end of the run cuts them off.
  for (; !before.empty() && before.front().left <= std::min(now, visit.came); before.pop_front())
    settle(account, before.front(), before.front().left);
  if (visit.begins > visit.came) {
    const auto waiting = std::ranges::upper_bound(before, visit.came, {}, &Visit::begins);
    account.most_waiting = std::max<std::int64_t>(account.most_waiting, std::distance(waiting, before.end()) + 1);
  }
  before.push_back(visit);
}

void ResourceAccounts::refuse(ResourceId at, Bytes bytes) { pass(at, bytes, Duration(), true); }

void ResourceAccounts::pass(ResourceId at, Bytes bytes, Duration busy, bool is_lost) {
  ResourceAccount& account = accounts_[at];
  ++account.messages;
  account.bytes += bytes;
  account.busy += busy;
  account.lost += std::int64_t{is_lost};
}

std::vector<ResourceAccount> ResourceAccounts::until(Time end) const {
  std::vector<ResourceAccount> all = accounts_;
  for (ResourceId id = 0; id < all.size(); ++id)
    for (const Visit& visit : under_way_[id]) settle(all[id], visit, end);
  return all;
}

}  // namespace lagnet
