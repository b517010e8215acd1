#pragma once

#include "sim/accounts/ledger.hpp"
#include "sim/transport/resource_accounts.hpp"
#include "sim/world/network.hpp"

namespace lagnet {

/// What messages did at each resource that has an effect, where none waited for others or was lost: the bytes that the
/// ledger has as delivered take the time of each resource alone.
AccountsOfResources accounts_of(const Network& network, const Ledger& ledger);

}  // namespace lagnet
