#include "algorithms/hybrid/cell_schedule.hpp"

#include <algorithm>
#include <iterator>

#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

Index clients_with_samples(const Cells& cells) {
  Index count = 0;
  for (AgentId k = 1; k <= static_cast<AgentId>(cells.clients()); ++k) count += cells.of(k).n() > 0;
  return count;
}

}  // namespace

CellSchedule::CellSchedule(const Cells& cells, Rule rule, Choose choose)
    : cells_(cells),
      rule_(rule),
      choose_(std::move(choose)),
      held_(static_cast<std::size_t>(cells.samples()), 0),
      touched_(static_cast<std::size_t>(cells.samples()), 0),
      took_part_(static_cast<std::size_t>(cells.clients()) + 1, 0),
      visits_(took_part_.size(), 0),
      place_(took_part_.size(), nowhere) {}

std::shared_ptr<const CellIteration> CellSchedule::of(Round t) {
  // Where answers may be missing, clients lag behind the server by messages on their way.
  const Round kept = rule_.may_lack_answers ? 16 : 2;
  while (latest_ < t) {
    auto made = next();
    made_[latest_] = std::move(made);
    made_.erase(made_.lower_bound(2), made_.lower_bound(std::max<Round>(latest_ - kept, 2)));  // clients begin with 1
  }
  auto found = find(t);
  LAGNET_CHECK(found, "iteration {} is asked for after iteration {}", t, latest_);
  return found;
}

std::shared_ptr<const CellIteration> CellSchedule::find(Round t) const {
  const auto found = made_.find(t);
  return found == made_.end() ? nullptr : found->second;
}

std::shared_ptr<const CellIteration> CellSchedule::next() {
  const Round t = ++latest_;
  auto made = std::make_shared<CellIteration>();
  made->t = t;
  for (const AgentId k : choose_(t))
    if (cells_.of(k).n() > 0) made->members.push_back(k);
  std::ranges::set_difference(made->members, before_, std::back_inserter(made->newcomers));
  // At first all copies are zero, and all agents know it: no message is needed if no client is absent.
  const bool all_begin = t == 1 && std::ssize(made->members) == clients_with_samples(cells_);
  made->known = made->newcomers.empty() || all_begin;
  made->parts.resize(made->members.size());
  find_stale(*made);
  choose_samples(*made);
  choose_phases(*made);
  for (const AgentId k : made->members) ++visits_[k];
  if (!rule_.may_lack_answers) note_finished(made->members);
  return made;
}

void CellSchedule::close(std::vector<AgentId> finished) {
  LAGNET_CHECK(rule_.may_lack_answers, "iteration {} was closed before it began", latest_);
  std::vector<AgentId> missing;
  std::ranges::set_difference(made_.at(latest_)->members, finished, std::back_inserter(missing));
  if (rule_.may_lose_state)
    for (const AgentId k : missing) took_part_[k] = 0;
  note_finished(finished);
}

void CellSchedule::note_finished(const std::vector<AgentId>& clients) {
  for (const AgentId k : clients) took_part_[k] = latest_;
  before_ = clients;
}

void CellSchedule::choose_samples(CellIteration& made) {
  for (std::size_t place = 0; place < made.members.size(); ++place) {
    const AgentId k = made.members[place];
    const CellBlock& block = cells_.of(k);
    const Draws draws(rule_.seed, Purpose{"hybrid.samples"}, k, latest_);
    auto& part = made.parts[place];
    part.picks = pick_samples(rule_.picker, block.n(), std::min(rule_.H, block.n()), visits_[k], draws);
    for (const Index row : part.picks) {
      const Index i = block.samples[static_cast<std::size_t>(row)];
      if (touched_[static_cast<std::size_t>(i)] != latest_) made.S.push_back(i);
      touched_[static_cast<std::size_t>(i)] = latest_;
    }
  }
  std::ranges::sort(made.S);
  find_holders(made);
}

void CellSchedule::find_holders(CellIteration& made) {
  for (std::size_t place = 0; place < made.members.size(); ++place) place_[made.members[place]] = place;
  for (const Index i : made.S)
    for (const auto& [client, row] : cells_.holders(i)) {
      if (place_[client] == nowhere) continue;
      made.parts[place_[client]].active.push_back(row);  // ascending, since S and I_k are
      ++held_[static_cast<std::size_t>(i)];
    }
  for (std::size_t place = 0; place < made.members.size(); ++place) {
    const std::vector<Index>& samples = cells_.of(made.members[place]).samples;
    for (const Index row : made.parts[place].picks)
      made.parts[place].holders.push_back(held_[static_cast<std::size_t>(samples[static_cast<std::size_t>(row)])]);
  }
  for (const Index i : made.S) held_[static_cast<std::size_t>(i)] = 0;
  for (const AgentId k : made.members) place_[k] = nowhere;
}

void CellSchedule::find_stale(CellIteration& made) const {
  for (std::size_t place = 0; place < made.members.size(); ++place)
    made.parts[place].known_until = took_part_[made.members[place]];
  for (const AgentId k : made.newcomers) {
    auto& part = made.parts[static_cast<std::size_t>(std::ranges::lower_bound(made.members, k) - made.members.begin())];
    part.is_new = true;
    const std::vector<Index>& samples = cells_.of(k).samples;
    for (std::size_t row = 0; row < samples.size(); ++row)
      if (touched_[static_cast<std::size_t>(samples[row])] > took_part_[k])
        part.stale.push_back(static_cast<Index>(row));
  }
}

void CellSchedule::choose_phases(CellIteration& made) const {
  const bool all = rule_.phases == Phases::all, shared = cells_.shares_samples() || all;
  const bool news_of_duals = shared && (all || !made.known);
  const bool after_F = rule_.second_sip && !rule_.selected && !rule_.may_lack_answers;
  // Where answers may be missing, no client begins unasked: its last w0 may not have come.
  made.has_B = all || !made.known || rule_.may_lack_answers;
  made.has_C = shared && (all || !(after_F && made.known));
  made.has_F = shared && rule_.second_sip;
  for (std::size_t place = 0; place < made.members.size(); ++place) {
    CellIteration::Part& part = made.parts[place];
    // Of samples that one client holds alone its own changes are news to it, if their receipt was lost.
    part.gets_duals = part.is_new && (news_of_duals || (rule_.may_lack_answers && !part.stale.empty()));
    part.gets_w = made.has_B && (part.is_new || rule_.send_w == SendW::active || rule_.may_lack_answers);
    part.exchanged = rule_.selected ? RowSet::listed(part.active) : RowSet::all(cells_.of(made.members[place]).n());
    if (part.gets_duals) made.of_A.push_back(made.members[place]);
  }
  made.has_A = !made.of_A.empty();
}

}  // namespace lagnet
