#include "algorithms/hybrid/hybrid_primal.hpp"

#include <utility>

#include "algorithms/interface/rounds.hpp"

namespace lagnet {

Task<> HybridPrimal::serve(Agent& me) const {
  Vector w0 = Vector::Zero(cells().features());  // the model                 (M)
  std::vector<Message> answers;                  // w_k of those who took part (m_k each)
  auto has_samples = [this](AgentId k) { return holds_samples(k); };
  auto on_its_features = [&](AgentId k) { return restricted(w0, cells().of(k).features); };
  auto mean = [&] { average(answers, w0); };

  me.report(0, w0);
  for (Round t = 1; t <= rounds(); ++t) {
    answers = co_await ask(me, t, has_samples, on_its_features);
    if (!answers.empty()) co_await me.compute(average_work(answers), mean);
    me.report(t, w0);
  }
}

void HybridPrimal::average(const std::vector<Message>& answers, Vector& w0) const {
  Vector sum = Vector::Zero(w0.size()), holders = Vector::Zero(w0.size());
  for (const Message& answer : answers) {
    const std::vector<Index>& features = cells().of(answer.from).features;
    sum(features) += answer.body.view();
    holders(features).array() += 1;
  }
  w0 = (holders.array() > 0).select(sum.cwiseQuotient(holders), w0);
}

Cost HybridPrimal::average_work(const std::vector<Message>& answers) const {
  const Index M = cells().features();
  Flops additions = M;  // and scalings
  for (const Message& answer : answers) additions += answer.body.size();
  return {additions, Bytes{sizeof(double)} * (additions + M)};
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

HybridPrimal::HybridPrimal(std::string_view kind, const HybridPrimalOptions& options, MethodInput given)
    : HybridMethod(kind, options, std::move(given)), a_(options.a), b_(options.b) {}

void HybridPrimal::spawn(Host& host) const {
  spawn_server_and(
      host, host.neighbors(server_agent), [this](Agent& me) { return serve(me); },
      [this](Agent& me) { return train(me); });
}

std::vector<Constant> HybridPrimal::constants() const {
  return {{"lambda", lambda()}, {"H", static_cast<double>(H())}, {"a", a_}, {"b", b_}};
}

}  // namespace lagnet
