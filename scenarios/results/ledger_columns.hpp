#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "scenarios/json/diagnostics.hpp"
#include "sim/accounts/ledger.hpp"

/// The accounts of an agent, a link or a whole run as columns of result files: one list for all of them.
namespace lagnet {

using AccountValue = std::variant<std::int64_t, double>;  // a count, or seconds or round trips

template <class Account>
struct AccountColumn {
  const char* name;
  AccountValue (*value)(const Account& account);
};

/// What became of messages, and where time went.
const std::vector<AccountColumn<AgentAccount>>& account_columns();
const std::vector<AccountColumn<LinkAccount>>& link_columns();

Json json_of(AccountValue value);
/// Appends what json_of(value).dump() gives, without the detour: a fleet has millions of these.
void append_value(std::string& text, AccountValue value);

}  // namespace lagnet
