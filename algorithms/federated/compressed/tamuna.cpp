#include "algorithms/federated/compressed/tamuna.hpp"

#include <fmt/format.h>

#include <numeric>
#include <optional>
#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

/// An empty mask is a body without numbers.
Payload body_of(const StateVector& part) { return part.size() > 0 ? Payload(part) : Payload::of_size(0); }

}  // namespace

Task<> Tamuna::serve(Agent& me) const {
  StateVector w = clients().start(me);    // the model                        (d)
  std::vector<Message> sent;              // entries of x_k                   (those of its mask)
  std::vector<std::vector<Index>> masks;  // by client of the cohort
  std::vector<StateVector> parts;         // w's entries of each mask

  auto combine = [&] {
    w.setZero();
    for (std::size_t k = 0; k < masks.size(); ++k)
      if (!masks[k].empty()) w(masks[k]) += sent[k].body.view();
    w = w / static_cast<double>(copies_);  // (2)
    for (std::size_t k = 0; k < masks.size(); ++k) parts[k] = w(masks[k]);
  };

  me.report(0, w);
  for (Round t = 1; t <= rounds(); ++t) {
    const Cohort cohort = me.cohort(t);
    LAGNET_CHECK(std::ssize(cohort.members) == c_, "a round asks {} clients instead of {}", cohort.members.size(), c_);
    std::vector<Index> by_place(static_cast<std::size_t>(c_));
    std::iota(by_place.begin(), by_place.end(), Index{0});
    if (copies_ < c_) shuffle(me, t, by_place);
    masks.assign(by_place.size(), {});
    parts.assign(by_place.size(), {});
    for (std::size_t place = 0; place < by_place.size(); ++place) {
      const auto k = static_cast<std::size_t>(by_place[place]);
      masks[k] = mask(static_cast<Index>(place));
      parts[k] = me.vector(std::ssize(masks[k]));
      me.send(cohort.members[k], t, w, static_cast<MessageTag>(place));  // which the client could find by the seed
    }
    sent = co_await me.collect(t, cohort);
    co_await me.compute(vector_work((copies_ + 1) * d(), copies_ + 2), combine);
    for (std::size_t k = 0; k < masks.size() && !asks_all(); ++k)
      me.send(cohort.members[k], t, body_of(parts[k]), after_round());
    me.report(t, w);
  }
}

Task<> Tamuna::train(Agent& me) const {
  const SmoothPart f_k = part_of_client(me.id());
  StateVector x = me.vector(d());  // own model                        (d)
  StateVector h = x;               // own shift                        (d)
  StateVector part;                // what is sent of x                (those of the mask)
  std::vector<Index> entries;      // of the mask, ascending
  Message request, after;          // w (d), and its entries of the mask
  std::optional<Message> early;    // the next request, if it has overtaken these
  Index T = 0;
  auto learn = [&](const auto& w_of_mask) { h(entries) += p_ * chi_ / s_ * (w_of_mask - x(entries)); };  // (3)
  auto learn_of_request = [&] { learn(request.body.view()(entries)); };
  auto learn_after = [&] {
    if (!entries.empty()) learn(after.body.view());
  };
  auto steps = [&] {
    x = request.body.view();
    for (Index j = 0; j < T; ++j) x -= s_ * (f_k.gradient(x) - h);  // (1)
    part = x(entries);
  };
  const auto learn_work = [&] {
    const auto sent = std::ssize(entries);
    return Cost(3 * sent, Bytes{sizeof(double)} * 4 * sent);
  };
  for (;;) {
    if (early)
      request = *std::exchange(early, std::nullopt);
    else
      request = co_await me.receive();
    me.enter(request.round);
    if (asks_all() && request.round > 1) co_await me.compute(learn_work(), learn_of_request);
    T = local_steps(me, request.round);
    entries = mask(static_cast<Index>(request.tag));
    part = me.vector(std::ssize(entries));
    co_await me.compute(times(T, f_k.gradient_work() + vector_work(3 * d(), 4)), steps);
    me.answer(request, body_of(part));
    if (asks_all()) continue;
    for (after = co_await me.receive(); after.tag != after_round(); after = co_await me.receive()) early = after;
    co_await me.compute(learn_work(), learn_after);
  }
}

void Tamuna::shuffle(const Agent& me, Round round, std::vector<Index>& clients) const {
  Draws draws(me.seed(), Purpose{"tamuna"}, server_agent, round);
  shuffle_from_back(clients, [&] { return draws.uniform(); });
}

std::vector<Index> Tamuna::mask(Index place) const {
  std::vector<Index> entries;
  for (Index j = 0; j < d(); ++j) {
    const Index first = copies_ * j % c_;  // place of its first copy; the others follow
    if ((place - first + c_) % c_ < copies_) entries.push_back(j);
  }
  return entries;
}

namespace {

Index clients_asked(const MethodInput& given) { return given.cohort.value_or(given.network.agents - 1); }

/// s, after checking it.
Index copies_of(const TamunaOptions& options, const MethodInput& given) {
  const Index c = clients_asked(given);
  if (c < 2)
    throw Diagnosed({{"/participation/clients", "2 clients or more in a round, since tamuna's masks share entries",
                      fmt::format("{}", c), Diagnostic::Place::pointer}});
  const Index s = options.s.value_or(c);
  if (s > c) throw Diagnosed("s", fmt::format("at most {}, the clients that a round asks", c), fmt::format("{}", s));
  return s;
}

double throws_of(const TamunaOptions& options, const MethodInput& given) {
  const Index s = copies_of(options, given);
  return static_cast<double>(clients_asked(given)) / static_cast<double>(s);
}

}  // namespace

Tamuna::Tamuna(const TamunaOptions& options, MethodInput given)
    : CoinMethod(
          TamunaOptions::kind, options.traits(),
          {.step = options.step, .p = options.p, .mu = options.mu, .L = options.L, .throws = throws_of(options, given)},
          given, 3),
      c_(clients_asked(given)),
      copies_(copies_of(options, given)) {
  need_even_clients(TamunaOptions::kind);
  const auto m = static_cast<double>(agents() - 1), s = static_cast<double>(copies_);
  const double most = m * (s - 1) / (s * (m - 1));
  chi_ = options.chi.value_or(most);
  if (chi_ > most)
    throw Diagnosed("chi", fmt::format("at most m (s-1) / (s (m-1)), which is {:.6g}", most), fmt::format("{}", chi_));
  add_constant("s", s);
  add_constant("chi", chi_);
}

}  // namespace lagnet
