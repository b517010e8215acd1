#include "algorithms/hybrid/hyfdca_phases.hpp"

#include <utility>

namespace lagnet::hyfdca {

namespace {

// All numbers of a payload are ciphertexts, or none is.

Payload all_of(const StateVector& numbers, bool encrypted) {
  const Index size = numbers.size(), ciphertexts = encrypted ? size : 0;
  return numbers.has_numbers() ? Payload::with_ciphertexts(numbers, ciphertexts)
                               : Payload::of_size(size, 1, ciphertexts);
}

/// Entries of a vector over all features at these places, M_k.
Payload entries(const StateVector& whole, const std::vector<Index>& places, bool encrypted) {
  const Index size = std::ssize(places), ciphertexts = encrypted ? size : 0;
  if (!whole.has_numbers()) return Payload::of_size(size, 1, ciphertexts);
  Payload::Draft sent(size);
  double* to = sent.vector().data();
  for (const Index place : places) *to++ = whole[place];
  return sent.finish(ciphertexts);
}

/// Entries of a vector over all samples for these rows of a client.
Payload entries(const StateVector& whole, const CellBlock& block, const RowSet& rows, bool encrypted) {
  const Index ciphertexts = encrypted ? rows.size() : 0;
  if (!whole.has_numbers()) return Payload::of_size(rows.size(), 1, ciphertexts);
  Payload::Draft sent(rows.size());
  double* to = sent.vector().data();
  if (rows.is_all())
    for (const Index i : block.samples) *to++ = whole[i];
  else
    for (const Index row : rows.listed()) *to++ = whole[block.samples[static_cast<std::size_t>(row)]];
  return sent.finish(ciphertexts);
}

/// Entries of a vector over all samples, for one client after the other. Clients that hold parts of the same samples
/// share a payload.
class SharedEntries {
 public:
  SharedEntries(const StateVector& whole, const Cells& cells, bool encrypted)
      : whole_(whole), cells_(cells), encrypted_(encrypted), made_(cells.clients() + 1) {}
  const Payload& of(AgentId k, const RowSet& rows) {
    Payload& body = made_[cells_.first_with_samples_of(k)];
    if (!body) body = entries(whole_, cells_.of(k), rows, encrypted_);
    return body;
  }

 private:
  const StateVector& whole_;
  const Cells& cells_;
  bool encrypted_;
  std::vector<Payload> made_;  // by the first of those alike
};

/// PrimalAggregation of what these clients sent.
void aggregate(HyfdcaServer& s, const std::vector<Message>& contributions) {
  for (const Message& hat : contributions) {
    s.hat[hat.from] = hat.body.view();
    if (s.curious) s.curious->see_contribution(hat.from, restricted(s.a0, s.cells.of(hat.from).samples), hat.body);
  }
  s.aggregate();
}

Cost of_additions(Index count) { return {count, Bytes{sizeof(double)} * count}; }

/// Sends what may be the last message of an iteration.
void send_last(Agent& me, const HyfdcaServer& s, AgentId to, Round t, const Payload& body, Phase phase) {
  if (s.may_lack_answers)
    me.send(to, t, body, phase);
  else
    me.send_with_receipt(to, t, body, phase);
}

/// The sizes of such a list of each of those who are still present.
Tally tally(const HyfdcaServer& s, const CellIteration& now, std::vector<Index> CellIteration::Part::*list) {
  Tally sizes;
  for (const AgentId k : s.present) sizes.add(std::ssize(now.part(k).*list));
  return sizes;
}

Tally sizes_of(const std::vector<Message>& contributions) {
  Tally sizes;
  for (const Message& hat : contributions) sizes.add(hat.body.size());
  return sizes;
}

}  // namespace

Task<bool> answer(Agent& me, HyfdcaClient& own, Phase phase) {
  do own.in = co_await me.receive_latest();
  while (own.in.round < own.t || (own.in.round == own.t && own.in.tag != phase));
  co_return own.in.round == own.t;
}

// Norms of whole samples, once.

Task<> exchange_norms(Agent& me, const HyfdcaServer& s) {
  const Index N = s.cells.samples();
  std::vector<AgentId> all;  // clients with samples
  std::vector<Message> in;
  StateVector norms = me.vector(N);  // ||x_i||^2 (N)
  std::int64_t additions = 0;
  for (const AgentId k : me.neighbors())
    if (s.cells.of(k).n() > 0) all.push_back(k);
  for (Index i = 0; i < N; ++i) additions += s.additions_for(i);
  in = co_await me.collect(0, all, Time::never(), Phase::norms);
  if (s.encrypted.products) co_await me.add_ciphertexts(additions);
  for (const Message& answer : in)
    if (answer.body.has_numbers()) norms(at(s.cells.of(answer.from).samples)) += answer.body.view();
  for (const AgentId k : all)
    me.send_with_receipt(k, 0, entries(norms, s.cells.of(k), RowSet::all(s.cells.of(k).n()), s.encrypted.products),
                         Phase::norms);
  co_await me.arrivals();
}

Task<> exchange_norms(Agent& me, HyfdcaClient& own) {
  auto square = [&] { own.norms = own.cells.squared_norms(); };
  co_await me.compute(own.contribution_work(), square);
  if (own.encrypted.products) co_await me.encrypt(own.cells.n());
  me.send(server_agent, 0, all_of(own.norms, own.encrypted.products), Phase::norms);
  co_await answer(me, own, Phase::norms);
  if (own.encrypted.products) co_await me.decrypt(own.cells.n());
  own.take_norms(own.in.body);
}

// A, B1: newcomers take the duals that changed while they were away, and contribute anew.

Task<> phase_A(Agent& me, HyfdcaServer& s, const CellIteration& now) {
  std::vector<Message> in;
  auto aggregation = [&] { aggregate(s, in); };
  for (const AgentId k : now.of_A)
    me.send(k, now.t, entries(s.a0, s.cells.of(k), RowSet::listed(now.part(k).stale), s.encrypted.duals),
            Phase::A);                                                // A
  in = co_await me.collect(now.t, me.cohort_of(now.of_A), Phase::B);  // B1
  s.drop_silent(now.of_A, in);
  if (s.encrypted.duals) s.ciphers.note({}, tally(s, now, &CellIteration::Part::stale), 0);
  if (in.empty()) co_return;
  const Tally sent = sizes_of(in), received;
  if (s.encrypted.primal) co_await me.add_ciphertexts(s.ciphers.note(sent, received, s.additions));
  co_await me.compute(s.aggregation_work(), aggregation);
}

Task<bool> phase_A(Agent& me, HyfdcaClient& own, const CellIteration& now) {
  auto contribution = [&] { own.contribute(); };
  if (own.encrypted.duals) co_await me.decrypt(own.in.body.size());  // A
  own.take_duals(own.in.body, now.part(me.id()).stale);
  co_await me.compute(own.contribution_work(), contribution);
  if (own.encrypted.primal) co_await me.encrypt(own.cells.m());
  me.send(server_agent, now.t, all_of(own.hat, own.encrypted.primal), Phase::B);  // B1
  co_return co_await answer(me, own, Phase::B);                                   // B2
}

// B2: w0 of the last iteration and the newcomers' contributions.

void phase_B(Agent& me, HyfdcaServer& s, const CellIteration& now) {
  Tally received;
  for (const AgentId k : s.present) {
    if (!now.part(k).gets_w) continue;
    me.send(k, now.t, entries(s.w0, s.cells.of(k).features, s.encrypted.primal), Phase::B);
    received.add(s.cells.of(k).m());
  }
  if (s.encrypted.primal) s.ciphers.note({}, received, 0);
}

Task<> phase_B(Agent& me, HyfdcaClient& own) {
  if (own.encrypted.primal) co_await me.decrypt(own.cells.m());
  own.take_w(own.in.body);
}

// C and F: p_i = sum of w_k'x_{k,i} over the holders of i, of which absent ones contribute their last.

Task<> inner_products(Agent& me, HyfdcaServer& s, const CellIteration& now, Phase phase) {
  const std::vector<AgentId> asked = s.present;
  std::vector<Message> in;
  auto add_products = [&] {
    for (const Message& ip : in) {
      s.store_products(ip.from, now.part(ip.from).exchanged, ip.body.view());
      if (s.curious) s.curious->see_products(ip.from, restricted(s.w0, s.cells.of(ip.from).features), ip.body);
    }
    s.add_products();
  };
  const Cost free;
  in = co_await me.collect(now.t, me.cohort_of(asked), phase);  // C1, F1
  s.drop_silent(asked, in);
  if (in.empty()) co_return;
  const Tally active = tally(s, now, &CellIteration::Part::active), picks = tally(s, now, &CellIteration::Part::picks);
  if (s.encrypted.products) co_await me.add_ciphertexts(s.ciphers.note(active, picks, s.additions_for(now.S)));
  co_await me.compute(free, add_products);
  SharedEntries p(s.p, s.cells, s.encrypted.products);
  for (const AgentId k : s.present) {  // C2, F2
    const Payload& sums = p.of(k, now.part(k).exchanged);
    if (phase == Phase::F)
      send_last(me, s, k, now.t, sums, phase);
    else
      me.send(k, now.t, sums, phase);
  }
}

Task<bool> inner_products(Agent& me, HyfdcaClient& own, const CellIteration& now, Phase phase) {
  const CellIteration::Part& part = now.part(me.id());
  Payload::Draft ip = me.draft(part.exchanged.size());  // w'x_{k,i}
  auto products = [&] { own.multiply(part.exchanged, ip.vector()); };
  co_await me.compute(own.product_work(part.exchanged), products);
  const Index ciphertexts = own.encrypted.products ? ip.size() : 0;
  if (own.encrypted.products) co_await me.encrypt(std::ssize(part.active));
  me.send(server_agent, now.t, ip.finish(ciphertexts), phase);  // C1, F1
  if (!co_await answer(me, own, phase)) co_return false;        // C2, F2
  if (own.encrypted.products) co_await me.decrypt(std::ssize(part.picks));
  own.take_products(own.in.body, part.exchanged);
  co_return true;
}

Task<> own_inner_products(Agent& me, HyfdcaClient& own, const CellIteration& now) {
  const RowSet chosen = RowSet::listed(now.part(me.id()).picks);
  auto products = [&] {
    Vector ip(chosen.size());  // w'x_i (H)
    own.multiply(chosen, ip);
    own.set_products(ip, chosen);
  };
  co_await me.compute(own.product_work(chosen), products);
}

// D: dual changes from the local method; the server adds them up, and its duals replace the clients' copies.

Task<> phase_D(Agent& me, HyfdcaServer& s, const CellIteration& now) {
  const std::vector<AgentId> asked = s.present;
  std::vector<Message> in;
  auto change_duals = [&] {
    for (const Message& changes : in) {
      s.change_duals(changes.from, changes.body.view(), now);
      if (s.curious) s.curious->see_changes(changes.body);
    }
  };
  in = co_await me.collect(now.t, me.cohort_of(asked), Phase::D);  // D1
  s.drop_silent(asked, in);
  if (in.empty()) co_return;
  const Tally picks = tally(s, now, &CellIteration::Part::picks), active = tally(s, now, &CellIteration::Part::active);
  if (s.encrypted.duals) co_await me.add_ciphertexts(s.ciphers.note(picks, active, picks.all));
  co_await me.compute(of_additions(picks.all), change_duals);
  SharedEntries a0(s.a0, s.cells, s.encrypted.duals);
  for (const AgentId k : s.present) me.send(k, now.t, a0.of(k, RowSet::listed(now.part(k).active)), Phase::D);  // D2
}

Task<bool> phase_D(Agent& me, HyfdcaClient& own, const CellIteration& now, const LocalDualSteps& steps) {
  const CellIteration::Part& part = now.part(me.id());
  const Index picked = std::ssize(part.picks);
  Payload::Draft changes = me.draft(picked);  // (gamma_t / |B_i|) Delta a_i of the chosen samples (H)
  auto local_method = [&] { steps.write_changes(own, part, now.t, changes.vector()); };
  co_await me.compute(Cost(9 * picked), local_method);
  const Index ciphertexts = own.encrypted.duals ? picked : 0;
  if (own.encrypted.duals) co_await me.encrypt(picked);
  me.send(server_agent, now.t, changes.finish(ciphertexts), Phase::D);  // D1
  if (!co_await answer(me, own, Phase::D)) co_return false;             // D2
  if (own.encrypted.duals) co_await me.decrypt(std::ssize(part.active));
  own.take_duals(own.in.body, part.active);
  own.known_until = now.t;
  co_return true;
}

// E: contributions to w0, from the new duals.

Task<> phase_E(Agent& me, HyfdcaServer& s, const CellIteration& now) {
  const std::vector<AgentId> asked = s.present;
  std::vector<Message> in;
  auto aggregation = [&] { aggregate(s, in); };
  in = co_await me.collect(now.t, me.cohort_of(asked), Phase::E);  // E1
  s.drop_silent(asked, in);
  if (in.empty()) co_return;
  const Tally features = sizes_of(in);  // sent, and received
  if (s.encrypted.primal) co_await me.add_ciphertexts(s.ciphers.note(features, features, s.additions));
  co_await me.compute(s.aggregation_work(), aggregation);
  for (const AgentId k : s.present)
    send_last(me, s, k, now.t, entries(s.w0, s.cells.of(k).features, s.encrypted.primal), Phase::E);  // E2
}

Task<bool> phase_E(Agent& me, HyfdcaClient& own, const CellIteration& now) {
  auto contribution = [&] { own.contribute(); };
  co_await me.compute(own.contribution_work(), contribution);
  if (own.encrypted.primal) co_await me.encrypt(own.cells.m());
  me.send(server_agent, now.t, all_of(own.hat, own.encrypted.primal), Phase::E);  // E1
  if (!co_await answer(me, own, Phase::E)) co_return false;                       // E2
  if (own.encrypted.primal) co_await me.decrypt(own.cells.m());
  own.take_w(own.in.body);
  co_return true;
}

}  // namespace lagnet::hyfdca
