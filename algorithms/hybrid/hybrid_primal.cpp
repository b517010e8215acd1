#include "algorithms/hybrid/hybrid_primal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "algorithms/interface/rounds.hpp"
#include "algorithms/kernels/row_block.hpp"

namespace lagnet {

Task<> HybridPrimal::serve(Agent& me) const {
  const Index M = cells().features();
  StateVector w0 = me.vector(M);  // the model                          (M)
  StateVector sum;                // of what came of each feature       (M)
  StateVector count;              // of the answers that have it        (M)
  std::vector<Message> answers;   // w_k of those who took part         (m_k each)
  auto has_samples = [this](AgentId k) { return holds_samples(k); };
  auto on_its_features = [&](AgentId k) {
    const CellBlock& block = cells().of(k);
    return w0.has_numbers() ? Payload(restricted(w0, block.features)) : Payload::of_size(block.m());
  };
  auto mean = [&] {
    sum = count = Vector::Zero(M);
    for (const Message& answer : answers) {
      const auto features = at(cells().of(answer.from).features);
      sum(features) += answer.body.view();
      count(features).array() += 1;
    }
    w0 = (count.array() > 0).select(sum.cwiseQuotient(count), w0);
  };

  me.report(0, w0);
  for (Round t = 1; t <= rounds(); ++t) {
    answers = co_await ask(me, t, has_samples, on_its_features);
    Flops work = M;  // scalings, and additions
    for (const Message& answer : answers) work += answer.body.size();
    const Cost cost(work, Bytes{sizeof(double)} * (work + M));
    if (!answers.empty()) co_await me.compute(cost, mean);
    me.report(t, w0);
  }
}

Task<> HybridPrimal::train(Agent& me) const {
  const CellBlock& own = cells().of(me.id());
  if (own.n() == 0) co_return;
  Message request;                     // w0 on M_k               (m_k)
  StateVector w = me.vector(own.m());  // own model               (m_k)
  Index visits = 0;                    // iterations taken part in
  std::vector<Index> picks;
  auto local_steps = [&] { descend({own, picks, request.body.view(), lr(request.round)}, w); };
  for (;;) {
    request = co_await next_request(me);
    picks = pick_samples(picker(), own.n(), H(), visits++, me.draws(Purpose{"hybrid.samples"}, request.round));
    const Cost work(4 * own.entries_of(picks) + H() * step_flops(own.m()));
    co_await me.compute(work, local_steps);
    me.answer(request, w);
  }
}

HybridPrimal::HybridPrimal(std::string_view kind, const HybridPrimalOptions& options, MethodInput input)
    : HybridMethod(kind, options, std::move(input)), a_(a_in_use(options.a)), b_(options.b) {
  add_constants({{"lambda", lambda()}, {"H", static_cast<double>(H())}, {"a", a_}, {"b", b_}});
}

double HybridPrimal::a_in_use(std::optional<double> stated) const {
  if (stated) return *stated;
  const Problem& problem = given().problem;
  const auto smoothness = problem.loss->smoothness();
  if (!smoothness)
    throw Diagnosed("a",
                    fmt::format("a number above 0, since theory has none for a loss {}",
                                problem.loss->may_be_smooth() ? "that states no smoothness" : "with kinks"),
                    "theory");
  const RowBlock rows(std::make_shared<const SampleRows>(*problem.X, problem.y), 0, problem.X->rows());
  double largest = 0;
  for (Index i = 0; i < rows.rows(); ++i) largest = std::max(largest, rows.squared_norm(i));
  return 1 / (*smoothness * largest + lambda());
}

void HybridPrimal::spawn(Host& host) const {
  spawn_server_and(
      host, host.neighbors(server_agent), [this](Agent& me) { return serve(me); },
      [this](Agent& me) { return train(me); });
}

}  // namespace lagnet
