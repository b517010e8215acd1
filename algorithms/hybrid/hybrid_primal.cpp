#include "algorithms/hybrid/hybrid_primal.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/interface/rounds.hpp"

namespace lagnet {

Task<> HybridPrimal::serve(Agent& me) const {
  const Index M = cells().features();
  Vector w0 = Vector::Zero(M);   // the model                 (M)
  std::vector<Message> answers;  // w_k of those who took part (m_k each)
  auto average = [&] {
    Vector sum = Vector::Zero(M), holders = Vector::Zero(M);
    for (const Message& answer : answers) {
      const std::vector<Index>& features = cells().of(answer.from).features;
      for (std::size_t j = 0; j < features.size(); ++j) {
        sum[features[j]] += answer.body.view()[static_cast<Index>(j)];
        ++holders[features[j]];
      }
    }
    for (Index j = 0; j < M; ++j)
      if (holders[j] > 0) w0[j] = sum[j] / holders[j];
  };
  me.report(0, w0);
  for (Round t = 1; t <= rounds(); ++t) {
    Cohort S = me.cohort(t);
    S.members = with_samples(std::move(S.members));
    S.enough = std::min(S.enough, S.members.size());
    for (const AgentId k : S.members) me.send(k, t, restricted(w0, cells().of(k).features));
    answers = co_await me.collect(t, S);
    if (answers.empty()) {
      me.report(t, w0);
      continue;
    }
    Flops adds = M;
    for (const Message& answer : answers) adds += answer.body.size();
    const Cost work(adds, Bytes{sizeof(double)} * (adds + M));
    co_await me.compute(work, average);
    me.report(t, w0);
  }
}

Task<> HybridPrimal::train(Agent& me) const {
  const CellBlock& own = cells().of(me.id());
  if (own.n() == 0) co_return;
  Message request;                   // w0 on M_k               (m_k)
  Vector w = Vector::Zero(own.m());  // own model               (m_k)
  Index visits = 0;                  // iterations taken part in
  std::vector<Index> picks;
  auto local_steps = [&] { descend({own, picks, request.body.view(), lr(request.round)}, w); };
  for (;;) {
    request = co_await next_request(me);
    picks = pick_samples(picker(), own.n(), H(), visits++, me.draws(Purpose{"hybrid.samples"}, request.round));
    const Cost work(4 * own.entries_of(picks) + H() * step_flops(own.m()));
    co_await me.compute(work, local_steps);
    me.send(server_agent, request.round, w);
  }
}

HybridPrimal::HybridPrimal(std::string_view kind, const HybridPrimalOptions& options, MethodInput assignment)
    : HybridMethod(kind, options, std::move(assignment)), a_(options.a), b_(options.b) {}

void HybridPrimal::spawn(Host& host) const {
  host.spawn(server_agent, [this](Agent& me) { return serve(me); });
  for (const AgentId k : host.neighbors(server_agent))
    host.spawn(
        k, [this](Agent& me) { return train(me); }, Host::Role::daemon);
}

std::vector<std::pair<std::string, double>> HybridPrimal::constants() const {
  return {{"lambda", lambda()}, {"H", static_cast<double>(H())}, {"a", a_}, {"b", b_}};
}

}  // namespace lagnet
