#include "scenarios/account_columns.hpp"

namespace lagnet {

const std::vector<AccountColumn<AgentAccount>>& account_columns() {
  using A = AgentAccount;
  static const std::vector<AccountColumn<A>> columns{
      {"messages_sent", [](const A& a) { return Json(a.messages_sent); }},
      {"messages_delivered", [](const A& a) { return Json(a.messages_received); }},
      {"lost", [](const A& a) { return Json(a.messages_lost); }},
      {"retransmitted", [](const A& a) { return Json(a.retransmitted); }},
      {"late", [](const A& a) { return Json(a.late); }},
      {"superseded", [](const A& a) { return Json(a.superseded); }},
      {"duplicates", [](const A& a) { return Json(a.duplicates); }},
      {"dropped", [](const A& a) { return Json(a.dropped); }},
      {"stale", [](const A& a) { return Json(a.stale); }},
      {"bytes_sent", [](const A& a) { return Json(a.bytes_sent); }},
      {"bytes_delivered", [](const A& a) { return Json(a.bytes_received); }},
      {"bytes_lost", [](const A& a) { return Json(a.bytes_lost); }},
      {"flops", [](const A& a) { return Json(a.flops); }},
      {"computing_s", [](const A& a) { return Json(a.computing.in_seconds()); }},
      {"encrypting_s", [](const A& a) { return Json(a.encrypting.in_seconds()); }},
      {"idle_s", [](const A& a) { return Json(a.idle.in_seconds()); }},
      {"sleeping_s", [](const A& a) { return Json(a.sleeping.in_seconds()); }},
      {"away_s", [](const A& a) { return Json(a.away.in_seconds()); }},
      {"queueing_s", [](const A& a) { return Json(a.queueing.in_seconds()); }},
      {"transfer_s", [](const A& a) { return Json(a.transferring.in_seconds()); }},
      {"round_trips", [](const A& a) { return Json(static_cast<double>(a.hops) / 2); }}};
  return columns;
}

const std::vector<AccountColumn<LinkAccount>>& link_columns() {
  using L = LinkAccount;
  static const std::vector<AccountColumn<L>> columns{
      {"messages_sent", [](const L& a) { return Json(a.messages_sent); }},
      {"messages_delivered", [](const L& a) { return Json(a.messages_delivered); }},
      {"lost", [](const L& a) { return Json(a.messages_lost); }},
      {"retransmitted", [](const L& a) { return Json(a.retransmitted); }},
      {"bytes_sent", [](const L& a) { return Json(a.bytes_sent); }},
      {"bytes_delivered", [](const L& a) { return Json(a.bytes_delivered); }},
      {"bytes_lost", [](const L& a) { return Json(a.bytes_lost); }},
      {"queueing_s", [](const L& a) { return Json(a.queueing.in_seconds()); }},
      {"transfer_s", [](const L& a) { return Json(a.transferring.in_seconds()); }}};
  return columns;
}

}  // namespace lagnet
