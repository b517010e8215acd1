#include "algorithms/hybrid/hyfdca.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lagnet {

namespace {

enum HyfdcaPhase : MessageTag {
  phase_norms = 1,
  phase_B,
  phase_C,
  phase_D,
  phase_E,
  phase_F
};  // of messages to the server

Payload encrypted(VectorRef numbers) { return Payload::with_ciphertexts(numbers, numbers.size()); }

/// Entries of a whole vector at the places I_k, or M_k: at `some` of these, or at all.
Payload::Draft entries(const Vector& whole, const std::vector<Index>& places, const std::vector<Index>* some) {
  Payload::Draft sent(some ? std::ssize(*some) : std::ssize(places));
  const double* const from = whole.data();
  double* to = sent.vector().data();
  if (!some)
    for (const Index place : places) *to++ = from[place];
  else
    for (const Index at : *some) *to++ = from[places[static_cast<std::size_t>(at)]];
  return sent;
}
Payload plain(const Vector& whole, const std::vector<Index>& places) {
  return entries(whole, places, nullptr).finish();
}
Payload encrypted(const Vector& whole, const std::vector<Index>& places, const std::vector<Index>* some = nullptr) {
  Payload::Draft sent = entries(whole, places, some);
  const Index all = sent.size();
  return sent.finish(all);
}

/// Encrypted entries of a vector over all samples, for one client after the other: those that hold parts of the same
/// samples share a body.
class SharedEntries {
 public:
  SharedEntries(const Vector& whole, const Cells& cells) : whole_(whole), cells_(cells), made_(cells.clients() + 1) {}
  /// `some`: of places in I_k that follow from the samples, or null for all.
  const Payload& of(AgentId k, const std::vector<Index>* some) {
    Payload& body = made_[cells_.first_with_samples_of(k)];
    if (!body) body = encrypted(whole_, cells_.of(k).samples, some);
    return body;
  }

 private:
  const Vector& whole_;
  const Cells& cells_;
  std::vector<Payload> made_;  // by the first of those alike
};

Cost of_additions(Index count) { return {count, Bytes{sizeof(double)} * count}; }

/// l*(lam), where rounding may have put lam beyond an end of the domain by a few units in the last place.
double conjugate_near(const Loss& l, double lam, double y) {
  constexpr double slack = 0x1p-45;
  double value = l.conjugate(lam, y);
  if (!std::isfinite(value)) value = l.conjugate(lam * (1 - slack), y);
  if (!std::isfinite(value) && std::abs(lam) < slack) value = l.conjugate(0, y);
  return value;
}

/// Numbers of an iteration that are encrypted or decrypted: by all its members together, and by the one with most.
struct CipherCount {
  CipherShare stale, active, picks;

  explicit CipherCount(const CellIteration& now) {
    for (const CellIteration::Part& part : now.parts) {
      stale.add(std::ssize(part.stale));
      active.add(std::ssize(part.active));
      picks.add(std::ssize(part.picks));
    }
  }
};

}  // namespace

Task<> Hyfdca::serve(Agent& me, Schedule schedule, CipherCosts ciphers) const {
  HyfdcaServer s(cells(), 1 / (lambda() * N()), ciphers);
  std::vector<Message> in;
  std::shared_ptr<const CellIteration> now;
  const bool selected = options_.sip_mode == SipMode::selected;
  auto aggregate = [&] {
    for (const Message& answer : in) s.hat[answer.from] = answer.body.view();
    s.aggregate();
  };
  auto add_products = [&] {
    for (const Message& answer : in) s.store_products(answer.from, answer.body.view(), selected ? now.get() : nullptr);
    s.add_products();
  };
  auto change_duals = [&] {
    for (const Message& answer : in) s.change_duals(answer.from, answer.body.view(), *now);
  };
  const Cost free;

  if (exchanges_norms()) co_await add_norms(me);
  me.report(0, s.w0, s.a0, s.ciphers.totals());
  for (Round t = 1; t <= rounds(); ++t) {
    me.enter(t);
    now = schedule->of(t);
    const std::vector<AgentId>& K = now->members;
    if (K.empty()) {
      in = co_await me.collect(t, K, Time::never(), phase_D);  // nobody comes, and nothing changes
      me.report(t, s.w0, s.a0, s.ciphers.totals());
      continue;
    }
    const CipherCount count(*now);
    const auto I = [&](AgentId k) -> const auto& { return s.cells.of(k).samples; };
    const auto exchanged = [&](AgentId k) { return selected ? &now->part(k).active : nullptr; };
    const auto M = [&](AgentId k) -> const auto& { return s.cells.of(k).features; };
    if (now->has_A) {
      for (const AgentId k : now->newcomers) me.send(k, t, encrypted(s.a0, I(k), &now->part(k).stale));  // A
      s.ciphers.note({}, count.stale, 0);
      in = co_await me.collect(t, now->newcomers, Time::never(), phase_B);  // B1
      co_await me.compute(s.aggregation_work(), aggregate);
    }
    if (now->has_B)
      for (const AgentId k : K)
        if (now->part(k).gets_w) me.send(k, t, plain(s.w0, M(k)));  // B2
    if (now->has_C) {
      in = co_await me.collect(t, K, Time::never(), phase_C);  // C1
      co_await me.add_ciphertexts(s.ciphers.note(count.active, count.picks, s.additions_for(now->S)));
      co_await me.compute(free, add_products);
      SharedEntries products(s.p, s.cells);
      for (const AgentId k : K) me.send(k, t, products.of(k, exchanged(k)));  // C2
    }
    in = co_await me.collect(t, K, Time::never(), phase_D);  // D1
    co_await me.add_ciphertexts(s.ciphers.note(count.picks, count.active, count.picks.all));
    co_await me.compute(of_additions(count.picks.all), change_duals);
    SharedEntries duals(s.a0, s.cells);
    for (const AgentId k : K) me.send(k, t, duals.of(k, &now->part(k).active));  // D2
    in = co_await me.collect(t, K, Time::never(), phase_E);                      // E1
    co_await me.compute(s.aggregation_work(), aggregate);
    for (const AgentId k : K) me.send_with_receipt(k, t, plain(s.w0, M(k)));  // E2
    if (now->has_F) {
      in = co_await me.collect(t, K, Time::never(), phase_F);  // F1
      co_await me.add_ciphertexts(s.ciphers.note(count.active, count.picks, s.additions_for(now->S)));
      co_await me.compute(free, add_products);
      SharedEntries products(s.p, s.cells);
      for (const AgentId k : K) me.send_with_receipt(k, t, products.of(k, exchanged(k)));  // F2
    }
    co_await me.arrivals();
    me.report(t, s.w0, s.a0, s.ciphers.totals());
  }
}

Task<> Hyfdca::add_norms(Agent& me) const {
  std::vector<Message> in;
  const std::vector<AgentId> all = with_samples({me.neighbors().begin(), me.neighbors().end()});
  in = co_await me.collect(0, all, Time::never(), phase_norms);
  Index additions_of_ciphers = 0;
  for (Index i = 0; i < cells().samples(); ++i)
    additions_of_ciphers += std::max<Index>(std::ssize(cells().holders(i)) - 1, 0);
  co_await me.add_ciphertexts(additions_of_ciphers);
  Vector norms = Vector::Zero(cells().samples());  // ||x_i||^2 (N)
  for (const Message& answer : in) norms(cells().of(answer.from).samples) += answer.body.view();
  for (const AgentId k : all) me.send_with_receipt(k, 0, encrypted(norms, cells().of(k).samples));
  co_await me.arrivals();
}

Task<> Hyfdca::learn_norms(Agent& me, HyfdcaClient& own) const {
  Message in;
  auto square = [&] { own.norms = own.cells.squared_norms(); };
  co_await me.compute(own.all_products(), square);
  co_await me.encrypt(own.cells.n());
  me.send(server_agent, 0, encrypted(own.norms), phase_norms);
  in = co_await me.receive();
  co_await me.decrypt(own.cells.n());
  own.norms = in.body.view();
}

Task<> Hyfdca::ascend(Agent& me, Schedule schedule) const {
  const AgentId k = me.id();
  HyfdcaClient own(cells().of(k));
  if (own.cells.n() == 0) co_return;
  std::shared_ptr<const CellIteration> now, next;
  Message in;
  Payload::Draft changes;                    // (gamma_t / |B_i|) Delta a_i of the chosen samples (H)
  Payload::Draft ip;                         // w'x_{k,i}, of all own samples (n_k) or of some
  const std::vector<Index>* some = nullptr;  // whose inner products are exchanged: all without
  auto contribution = [&] { own.contribute(); };
  auto products = [&] { own.multiply(some, ip.vector()); };
  Round t = 0;
  auto local_method = [&] { write_changes(own, *now, k, gamma_of(t), changes.vector()); };

  own.norms = restricted(cells().squared_norms(), own.cells.samples);
  if (exchanges_norms()) co_await learn_norms(me, own);
  next = schedule->of(1);
  for (;;) {
    const bool goes_on = next && next->has(k) && !next->part(k).gets_w;
    if (!goes_on) in = co_await me.receive();
    t = goes_on ? t + 1 : in.round;
    me.enter(t);
    now = schedule->of(t);
    next = t < rounds() ? schedule->of(t + 1) : nullptr;
    const CellIteration::Part& part = now->part(k);
    const Index picked = std::ssize(part.picks), active = std::ssize(part.active);
    some = options_.sip_mode == SipMode::selected ? &part.active : nullptr;
    if (now->has_A && part.is_new) {
      co_await me.decrypt(in.body.size());  // A
      own.set_duals(in.body.view(), part.stale);
      co_await me.compute(own.all_products(), contribution);
      me.send(server_agent, t, own.hat, phase_B);  // B1
      in = co_await me.receive();
    }
    if (part.gets_w) own.w = in.body.view();  // B2
    if (now->has_C) {
      ip = Payload::Draft(some ? active : own.cells.n());
      co_await me.compute(own.products_of(some), products);
      co_await me.encrypt(active);
      me.send(server_agent, t, ip.finish(ip.size()), phase_C);  // C1
      in = co_await me.receive();                               // C2
      co_await me.decrypt(picked);
      own.set_products(in.body.view(), some, &part.picks);
    } else if (!cells().shares_samples()) {
      some = &part.picks;
      ip = Payload::Draft(picked);
      co_await me.compute(own.products_of(some), products);
      own.set_products(ip.vector(), some);
    }
    changes = Payload::Draft(picked);
    co_await me.compute(Cost(9 * picked), local_method);
    co_await me.encrypt(picked);
    me.send(server_agent, t, changes.finish(picked), phase_D);  // D1
    in = co_await me.receive();                                 // D2
    co_await me.decrypt(active);
    own.set_duals(in.body.view(), part.active);
    co_await me.compute(own.all_products(), contribution);
    me.send(server_agent, t, own.hat, phase_E);  // E1
    in = co_await me.receive();                  // E2
    own.w = in.body.view();
    if (!now->has_F) continue;
    ip = Payload::Draft(some ? active : own.cells.n());
    co_await me.compute(own.products_of(some), products);
    co_await me.encrypt(active);
    me.send(server_agent, t, ip.finish(ip.size()), phase_F);  // F1
    in = co_await me.receive();                               // F2
    co_await me.decrypt(picked);
    own.set_products(in.body.view(), some);
  }
}

void Hyfdca::write_changes(const HyfdcaClient& own, const CellIteration& now, AgentId k, double gamma_t,
                           Eigen::Ref<Vector> changes) const {
  const CellIteration::Part& part = now.part(k);
  const std::vector<Index>& picks = part.picks;
  for (std::size_t j = 0; j < picks.size(); ++j) {
    const Index i = own.cells.samples[static_cast<std::size_t>(picks[j])];
    const Index all = std::ssize(cells().holders(i)), active = part.holders[j];
    const double holders = static_cast<double>(options_.normalize == NormalizeBy::all ? all : active);
    changes[static_cast<Index>(j)] = gamma_t / holders * dual_change(own, picks[j], k, gamma_t);
  }
}

double Hyfdca::dual_change(const HyfdcaClient& own, Index i, AgentId k, double gamma_t) const {
  const Loss& l = loss();
  const double a = own.a[i], p = own.p[i], y = own.cells.slices.label(i), square = own.norms[i];
  const double u = -l.derivative(p, y);  // minus a subgradient, where the step of a zero sample ends
  const auto step = [&](double q) { return q > 0 ? l.dual_step(a, p, y, q) : u; };
  if (options_.local_method == LocalDualMethod::practical)
    return step(options_.damping * square / (lambda() * N())) - a;  // Algorithm 5
  const double c_k = options_.c.value_or(static_cast<double>(cells().of(k).n()) / N());
  const double v = c_k * gamma_t * (u - a), f = step(square / lambda()) - a;  // Algorithm 3
  const double s = v == 0 ? 0 : std::clamp(f / v, 0.0, 1.0);
  return s * c_k * (u - a);
}

double Hyfdca::gamma_of(Round t) const {
  return options_.gamma_rule == GammaRule::constant ? options_.gamma : options_.gamma / static_cast<double>(t);
}

Hyfdca::Hyfdca(const HyfdcaOptions& options, MethodInput assignment)
    : HybridMethod(HyfdcaOptions::kind, options, std::move(assignment)), options_(options) {}

void Hyfdca::spawn(Host& host) const {
  const auto clients = host.neighbors(server_agent);
  const WorldModel& model = host.model();
  const CellSchedule::Rule rule{.H = H(),
                                .picker = picker(),
                                .phases = options_.phases,
                                .send_w = options_.send_w,
                                .second_sip = options_.second_sip,
                                .selected = options_.sip_mode == SipMode::selected,
                                .seed = host.seed()};
  const auto schedule =
      std::make_shared<CellSchedule>(cells(), rule, [&model, clients](Round t) { return model.asked(t, clients); });
  const CipherCosts ciphers = model.ciphers;
  host.spawn(server_agent, [this, schedule, ciphers](Agent& me) { return serve(me, schedule, ciphers); });
  for (const AgentId k : clients)
    host.spawn(
        k, [this, schedule](Agent& me) { return ascend(me, schedule); }, Host::Role::daemon);
}

double Hyfdca::dual_objective(VectorRef a) const {
  double conjugates = 0;
  for (Index i = 0; i < a.size(); ++i) conjugates += conjugate_near(loss(), -a[i], problem().y[i]);
  const Vector w = problem().pulled_back(a) / (lambda() * N());  // w(a)
  return -lambda() / 2 * w.squaredNorm() - conjugates / N();     // (2)
}

std::vector<std::string> Hyfdca::metric_names() const {
  return {"relative_loss",        "dual_objective",      "duality_gap",           "encrypted",         "decrypted",
          "ciphertext_additions", "encryption_serial_s", "encryption_parallel_s", "dual_suboptimality"};
}

Evaluation Hyfdca::evaluate(Round round, RoundReport report, const ErrorScale& yardstick) const {
  Evaluation result = HybridMethod::evaluate(round, report, yardstick);
  const double dual = dual_objective(report[server_agent][1]);
  result.metrics.insert(result.metrics.end(), {dual, result.objective - dual});
  for (const double count : report[server_agent][2]) result.metrics.push_back(count);
  // At the optimum P = D, so the best dual objective is the optimum.
  result.metrics.push_back(yardstick.optimum ? std::optional(*yardstick.optimum - dual) : std::nullopt);
  return result;
}

std::vector<std::pair<std::string, double>> Hyfdca::constants() const {
  Index most = 1;  // samples of a client, each of which it uses at most once in an iteration
  for (AgentId k = 1; k <= static_cast<AgentId>(cells().clients()); ++k) most = std::max(most, cells().of(k).n());
  return {{"lambda", lambda()},
          {"H", static_cast<double>(std::min(H(), most))},
          {"gamma", options_.gamma},
          {"damping", options_.damping}};
}

std::vector<std::string> Hyfdca::warnings() const {
  const bool practical = options_.local_method == LocalDualMethod::practical;
  std::vector<std::string> all;
  if (practical && options_.gamma_rule == GammaRule::inverse_t)
    all.emplace_back("gamma_rule inverse_t is made for the safe method: with the practical one the steps die out");
  if (practical && options_.c != HyfdcaOptions{}.c)
    all.emplace_back("c belongs to the safe method: the practical one does not use it");
  if (!practical && options_.damping != HyfdcaOptions{}.damping)
    all.emplace_back("damping belongs to the practical method: the safe one does not use it");
  constexpr double rounding = 1e-9;
  const auto is_normalized = [](double square) { return square == 0 || std::abs(square - 1) < rounding; };
  if (options_.row_norms == RowNorms::known && cells().shares_samples() &&
      !std::ranges::all_of(cells().squared_norms(), is_normalized))
    all.emplace_back(
        "row_norms known: clients share samples whose norms are not all 1, which they can only learn from each other; "
        "exchanged also bills that");
  return all;
}

}  // namespace lagnet
