#include "sim/transport/transport.hpp"

/// What messages do at the resources of their paths, for the accounts of these.
namespace lagnet {

/// Without queues: its bytes take the time of each resource alone.
void Transport::account_passage(const Parcel& parcel) {
  const ResourceId direct = network_.over(parcel.link);
  const std::size_t all = network_.path_length(parcel.way.path);
  for (std::uint32_t place = 0; place < parcel.places; ++place) {
    const ResourceId id = network_.on_path(parcel.message.from, parcel.way.path, place);
    if (!accounts_->counts(id)) continue;
    const double rate = network_.rate(id, parcel.link);
    const bool is_lost =
        parcel.lost != Cause::none && (parcel.places < all ? place + 1 == parcel.places : id == direct);
    accounts_->pass(id, {.messages = 1,
                         .bytes = parcel.bytes,
                         .lost = std::int64_t{is_lost},
                         .busy = Network::transmission_time(parcel.bytes, rate)});
  }
}

/// What had waited has done so until now.
void Transport::account_drop(ResourceId at, const Queues::Waiting& one, bool has_waited) {
  const Time now = world_.transport_now();
  if (!has_waited) return accounts_->refuse(at, one.bytes);
  accounts_->add(at,
                 {.bytes = one.bytes,
                  .came = parcels_[one.slot].way.came,
                  .begins = now,
                  .ends = now,
                  .left = now,
                  .is_lost = true},
                 now);
}

std::optional<AccountsOfResources> Transport::resource_accounts(Time end) const {
  if (!accounts_) return std::nullopt;
  ResourceAccounts::Waiting waiting;
  if (queues_)
    queues_->for_each([&](ResourceId at, const Queues::Waiting& one) {
      const Time came = parcels_[one.slot].way.came;
      waiting[at].push_back(
          {.bytes = one.bytes, .came = came, .begins = Time::never(), .ends = Time::never(), .left = Time::never()});
    });
  return accounts_->until(end, waiting);
}

}  // namespace lagnet
