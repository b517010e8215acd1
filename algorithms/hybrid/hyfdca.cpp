#include "algorithms/hybrid/hyfdca.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/hybrid/hyfdca_phases.hpp"
#include "algorithms/interface/rounds.hpp"

namespace lagnet {

using namespace hyfdca;

Task<> Hyfdca::serve(Agent& me, Schedule schedule, CipherCosts ciphers) const {
  HyfdcaServer s(cells(), 1 / (lambda() * N()), options_.encrypt, ciphers, me.timing_only());
  s.may_lack_answers = given().may_lack_answers;
  std::shared_ptr<const CellIteration> now;
  if (options_.curious_server && !me.timing_only()) s.curious.emplace(cells());
  const auto report = [&](Round t) {
    if (s.curious)
      me.report(t, s.w0, s.a0, s.ciphers.totals(), s.curious->errors());
    else
      me.report(t, s.w0, s.a0, s.ciphers.totals());
  };
  if (exchanges_norms()) co_await exchange_norms(me, s);
  report(0);
  for (Round t = 1; t <= rounds(); ++t) {
    me.enter(t);
    now = schedule->of(t);
    s.present = now->members;
    if (now->members.empty()) {
      co_await me.collect(t, now->members, Time::never(), Phase::D);  // no client takes part, and nothing changes
    } else {
      if (now->has_A) co_await phase_A(me, s, *now);
      if (now->has_B) phase_B(me, s, *now);
      if (now->has_C) co_await inner_products(me, s, *now, Phase::C);
      co_await phase_D(me, s, *now);
      co_await phase_E(me, s, *now);
      if (now->has_F) co_await inner_products(me, s, *now, Phase::F);
      if (!s.may_lack_answers) co_await me.arrivals();
    }
    if (s.may_lack_answers) schedule->close(s.present);
    report(t);
  }
}

Task<> Hyfdca::ascend(Agent& me, Schedule schedule) const {
  const AgentId k = me.id();
  HyfdcaClient own(cells().of(k), options_.encrypt, me.timing_only());
  if (own.cells.n() == 0) co_return;
  std::shared_ptr<const CellIteration> now, next;
  if (!me.timing_only()) own.norms = restricted(cells().squared_norms(), own.cells.samples);
  if (exchanges_norms()) co_await exchange_norms(me, own);
  if (rounds() > 0) next = schedule->foreseen(1);
  for (;;) {
    const bool unasked = next && next->begins_unasked(k);
    if (!unasked && own.in.round <= own.t) co_await answer(me, own, Phase::none);  // A, or B2 where A is left out
    own.t = unasked ? own.t + 1 : own.in.round;
    me.enter(own.t);
    now = schedule->begun(own.t);
    if (!now) continue;                                                 // closed long ago
    next = own.t < rounds() ? schedule->foreseen(own.t + 1) : nullptr;  // taken now: the server may run ahead
    const CellIteration::Part& part = now->part(k);
    // A crash lost what the server counts on, or this is the middle of an iteration that a former life began.
    const Phase first = part.gets_duals ? Phase::A : Phase::B;
    if (own.known_until < part.known_until || (!unasked && own.in.tag != first)) continue;
    if (part.gets_duals && !co_await phase_A(me, own, *now)) continue;
    if (part.gets_w) co_await phase_B(me, own);
    if (now->has_C) {
      if (!co_await inner_products(me, own, *now, Phase::C)) continue;
    } else if (!cells().shares_samples()) {
      co_await own_inner_products(me, own, *now);
    }
    if (!co_await phase_D(me, own, *now, steps_)) continue;
    if (!co_await phase_E(me, own, *now)) continue;
    if (now->has_F) co_await inner_products(me, own, *now, Phase::F);
  }
}

Hyfdca::Hyfdca(const HyfdcaOptions& options, MethodInput input)
    : HybridMethod(HyfdcaOptions::kind, options, std::move(input)),
      options_(options),
      steps_{options_, cells(), loss(), lambda()} {
  if (exchanges_norms() && given().may_lack_answers)
    throw Diagnosed("row_norms",
                    "known, where clients may be away, messages lost or rounds closed early: the sums of an exchange "
                    "need every client",
                    "exchanged");
  if (options_.curious_server && (options_.sip_mode == SipMode::selected || options_.send_w == SendW::newcomers))
    throw Diagnosed("curious_server", "false with sip_mode selected or send_w newcomers", "true");
  Index most = 1;  // samples of a client, each of which it uses at most once in an iteration
  for (const AgentId k : clients()) most = std::max(most, cells().of(k).n());
  add_constants({{"lambda", lambda()},
                 {"H", static_cast<double>(std::min(H(), most))},
                 {"gamma", options_.gamma},
                 {"damping", options_.damping}});
  add_warnings(warnings_of(options_));
  constexpr double rounding = 1e-9;
  const auto is_normalized = [](double square) { return square == 0 || std::abs(square - 1) < rounding; };
  if (options_.row_norms == RowNorms::known && cells().shares_samples() &&
      !std::ranges::all_of(cells().squared_norms(), is_normalized))
    add_warning(
        {"row_norms_not_known",
         {},
         "row_norms known: clients share samples whose norms are not all 1, which they can only learn from each other; "
         "exchanged also bills that"});
}

void Hyfdca::spawn(Host& host) const {
  const WorldModel& model = host.model();
  const CellSchedule::Rule rule{.H = H(),
                                .picker = picker(),
                                .phases = options_.phases,
                                .send_w = options_.send_w,
                                .second_sip = options_.second_sip,
                                .selected = options_.sip_mode == SipMode::selected,
                                .may_lack_answers = given().may_lack_answers,
                                .may_lose_state = model.availability && model.availability->loses_state(),
                                .seed = host.seed()};
  const auto schedule =
      std::make_shared<CellSchedule>(cells(), rule, [&model, this](Round t) { return model.asked(t, clients()); });
  const CipherCosts ciphers = model.ciphers;
  spawn_server_and(
      host, clients(), [=, this](Agent& me) { return serve(me, schedule, ciphers); },
      [=, this](Agent& me) { return ascend(me, schedule); });
}

Flops Hyfdca::flops_of_absent(AgentId k) const {
  const CellBlock& block = cells().of(k);
  return exchanges_norms() ? block.product_work(block.entries).flops : 0;
}

std::vector<std::string> Hyfdca::metric_names() const {
  std::vector<std::string> names{
      "relative_loss",        "dual_objective",      "duality_gap",           "encrypted",         "decrypted",
      "ciphertext_additions", "encryption_serial_s", "encryption_parallel_s", "dual_suboptimality"};
  if (options_.curious_server)
    names.insert(names.end(), {"reconstruction_error_duals", "reconstruction_error_products"});
  return names;
}

Evaluation Hyfdca::evaluate(Round round, RoundReport report, const ErrorScale& scale) const {
  Evaluation result = HybridMethod::evaluate(round, report, scale);
  const double dual = dual_objective(report[server_agent][1]);
  result.metrics.insert(result.metrics.end(), {dual, result.objective - dual});
  for (const double count : report[server_agent][2]) result.metrics.push_back(count);
  // At the optimum P = D, so the best dual objective is the optimum.
  result.metrics.push_back(scale.optimum ? std::optional(*scale.optimum - dual) : std::nullopt);
  if (options_.curious_server)
    for (const double error : report[server_agent][3]) result.metrics.push_back(error);
  return result;
}

}  // namespace lagnet
