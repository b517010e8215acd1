#include "scenarios/results/ledger_columns.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace lagnet {

const std::vector<AccountColumn<AgentAccount>>& account_columns() {
  using A = AgentAccount;
  static const std::vector<AccountColumn<A>> columns{
      {"messages_sent", [](const A& a) { return AccountValue(a.messages_sent); }},
      {"messages_delivered", [](const A& a) { return AccountValue(a.messages_received); }},
      {"lost", [](const A& a) { return AccountValue(a.messages_lost); }},
      {"retransmitted", [](const A& a) { return AccountValue(a.retransmitted); }},
      {"late", [](const A& a) { return AccountValue(a.late); }},
      {"superseded", [](const A& a) { return AccountValue(a.superseded); }},
      {"duplicates", [](const A& a) { return AccountValue(a.duplicates); }},
      {"dropped", [](const A& a) { return AccountValue(a.dropped); }},
      {"stale", [](const A& a) { return AccountValue(a.stale); }},
      {"bytes_sent", [](const A& a) { return AccountValue(a.bytes_sent); }},
      {"bytes_delivered", [](const A& a) { return AccountValue(a.bytes_received); }},
      {"bytes_lost", [](const A& a) { return AccountValue(a.bytes_lost); }},
      {"flops", [](const A& a) { return AccountValue(a.flops); }},
      {"computing_s", [](const A& a) { return AccountValue(a.computing.in_seconds()); }},
      {"encrypting_s", [](const A& a) { return AccountValue(a.encrypting.in_seconds()); }},
      {"idle_s", [](const A& a) { return AccountValue(a.idle.in_seconds()); }},
      {"sleeping_s", [](const A& a) { return AccountValue(a.sleeping.in_seconds()); }},
      {"away_s", [](const A& a) { return AccountValue(a.away.in_seconds()); }},
      {"queueing_s", [](const A& a) { return AccountValue(a.queueing.in_seconds()); }},
      {"transfer_s", [](const A& a) { return AccountValue(a.transferring.in_seconds()); }},
      {"round_trips", [](const A& a) { return AccountValue(static_cast<double>(a.hops) / 2); }}};
  return columns;
}

const std::vector<AccountColumn<LinkAccount>>& link_columns() {
  using L = LinkAccount;
  static const std::vector<AccountColumn<L>> columns{
      {"messages_sent", [](const L& a) { return AccountValue(a.messages_sent); }},
      {"messages_delivered", [](const L& a) { return AccountValue(a.messages_delivered); }},
      {"lost", [](const L& a) { return AccountValue(a.messages_lost); }},
      {"retransmitted", [](const L& a) { return AccountValue(a.retransmitted); }},
      {"bytes_sent", [](const L& a) { return AccountValue(a.bytes_sent); }},
      {"bytes_delivered", [](const L& a) { return AccountValue(a.bytes_delivered); }},
      {"bytes_lost", [](const L& a) { return AccountValue(a.bytes_lost); }},
      {"queueing_s", [](const L& a) { return AccountValue(a.queueing.in_seconds()); }},
      {"transfer_s", [](const L& a) { return AccountValue(a.transferring.in_seconds()); }}};
  return columns;
}

Json json_of(AccountValue value) {
  return std::visit([](auto number) { return Json(number); }, value);
}

void append_value(std::string& text, AccountValue value) {
  if (const auto* count = std::get_if<std::int64_t>(&value)) {
    fmt::format_to(std::back_inserter(text), "{}", *count);
    return;
  }
  const double number = std::get<double>(value);
  if (number == 0 && !std::signbit(number))
    text += "0.0";  // most of them
  else
    text += Json(number).dump();
}

}  // namespace lagnet
