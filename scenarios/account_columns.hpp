#pragma once

#include <string>
#include <vector>

#include "scenarios/problems.hpp"
#include "sim/ledger.hpp"

/// The accounts of an agent, a link or a whole run as columns of result files: one list for all of them.
namespace lagnet {

template <class Account>
struct AccountColumn {
  const char* name;
  Json (*value)(const Account& account);  // an integer, seconds, or round trips
};

/// What became of messages, and where time went.
const std::vector<AccountColumn<AgentAccount>>& account_columns();
const std::vector<AccountColumn<LinkAccount>>& link_columns();

}  // namespace lagnet
