#include "sim/ledger.hpp"

#include <algorithm>

#include "sim/errors.hpp"

namespace lagnet {

AgentAccount& AgentAccount::operator+=(const AgentAccount& other) {
  messages_sent += other.messages_sent;
  messages_received += other.messages_received;
  bytes_sent += other.bytes_sent;
  bytes_received += other.bytes_received;
  flops += other.flops;
  computing += other.computing;
  idle += other.idle;
  sleeping += other.sleeping;
  late += other.late;
  superseded += other.superseded;
  hops = std::max(hops, other.hops);
  return *this;
}

void Ledger::occurred(const Occurrence& what) {
  add(what, agents_[what.agent]);
  add(what, total_);
  if (what.link == no_link) return;
  LinkAccount& link = links_[what.link];
  if (what.what == What::sent) {
    ++link.messages_sent;
    link.bytes_sent += what.amount;
  } else if (what.what == What::delivered) {
    ++link.messages_delivered;
    link.bytes_delivered += what.amount;
    LAGNET_CHECK(link.messages_delivered <= link.messages_sent && link.bytes_delivered <= link.bytes_sent,
                 "link {} delivered more than was sent", what.link);
  }
}

void Ledger::add(const Occurrence& what, AgentAccount& account) {
  switch (what.what) {
    case What::sent:
      ++account.messages_sent;
      account.bytes_sent += what.amount;
      break;
    case What::delivered:
      ++account.messages_received;
      account.bytes_received += what.amount;
      break;
    case What::late:
      account.late += what.amount;
      break;
    case What::superseded:
      account.superseded += what.amount;
      break;
    case What::computed:
      account.flops += what.amount;
      account.computing += what.duration;
      break;
    case What::waited:
      account.idle += what.duration;
      break;
    case What::slept:
      account.sleeping += what.duration;
      break;
    case What::reported:
      account.hops = std::max(account.hops, what.amount);
      break;
  }
}

}  // namespace lagnet
