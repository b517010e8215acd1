#include "algorithms/asynchronous/async_admm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lagnet {

Task<> AsyncAdmm::serve(Agent& me) const {
  StateVector z = clients().start(me);                                  // the iterate                          (d)
  NewestAnswers newest(me, agents(), d());                              // x_k + u_k                            (d each)
  std::vector<Message> answers;                                         // x_k + u_k since the last round       (d each)
  std::vector<Round> last_used(static_cast<std::size_t>(agents()), 0);  // rounds, by agent
  Message m;
  ServerJobs jobs(me);

  auto agree = [&] {
    const StateVector& mean = newest.mean_with(answers);
    z = P_(mean, 1 / (newest.N() * rho_));  // (3.12)
  };

  me.report(0, z);
  jobs.hand_to_all(0, z);
  for (Round v = 0; v < rounds();) {
    m = co_await me.receive_drawn();
    if (!jobs.takes(m, v, z)) continue;
    answers.push_back(std::move(m));
    if (!are_enough(answers, v + 1, last_used)) continue;
    std::ranges::sort(answers, {}, &Message::from);
    for (const Message& answer : answers) jobs.used(answer, v);
    const Index used = std::ssize(answers);
    co_await me.compute(vector_work(2 * used * d() + d() + P_.flops(d()), 3 * used + 3), agree);
    me.report(++v, z);
    const Payload body(z);
    for (const Message& answer : answers) {
      last_used[answer.from] = v;
      jobs.hand(answer.from, v, body);
    }
    answers.clear();
  }
}

Task<> AsyncAdmm::train(Agent& me) const {
  ConsensusClient own(minimizers_, me);  // x_k and u_k               (d each)
  StateVector sent = me.vector(d());     // their sum                 (d)
  std::optional<Message> m;              // z, the server's iterate   (d)
  ClientJobs jobs(me, resend());

  auto factor = [&] { own.factor(); };
  auto local_step = [&] {
    own.step(m->body.view());  // (3.11)
    sent = own.x + own.u;
  };

  if (minimizers_.are_exact()) co_await me.compute(own.factor_work(), factor);
  for (;;) {
    m = co_await me.receive_until(jobs.patience());
    if (!jobs.is_new(m)) continue;
    co_await me.update(jobs.n(), own.step_work(), local_step);
    if (!minimizers_.are_exact()) co_await me.compute(own.more());
    jobs.answer(*m, sent);
  }
}

bool AsyncAdmm::are_enough(std::span<const Message> answers, Round t, std::span<const Round> last_used) const {
  if (answers.size() < S_) return false;
  if (!T_) return true;
  return std::ranges::all_of(clients().agents(), [&](AgentId k) {
    return t - last_used[k] < *T_ || std::ranges::find(answers, k, &Message::from) != answers.end();
  });
}

namespace {

std::size_t least_in_use(std::optional<std::int64_t> stated, std::int64_t K) {
  if (stated && *stated > K)
    throw Diagnosed("least", fmt::format("at most {}, the number of clients", K), fmt::format("{}", *stated));
  return static_cast<std::size_t>(stated.value_or(std::max<std::int64_t>(1, K / 2)));
}

}  // namespace

AsyncAdmm::AsyncAdmm(const AsyncAdmmOptions& options, MethodInput assignment)
    : AsynchronousMethod(options.resend_ms, AsyncAdmmOptions::kind, Basics{.keeps_constraint = true},
                         std::move(assignment)),
      P_(problem(), AsyncAdmmOptions::kind),
      rho_(options.penalty),
      S_(least_in_use(options.least, std::ssize(clients().agents()))),
      T_(options.max_delay),
      minimizers_(checked(options), options.accuracy.value_or(default_accuracy), given(), clients(), rho_) {
  add_constants({{"penalty", rho_}, {"least", static_cast<double>(S_)}});
  if (T_) add_constant("max_delay", static_cast<double>(*T_));
  if (!minimizers_.are_exact()) add_constant("accuracy", options.accuracy.value_or(default_accuracy));
}

LocalMinimizer AsyncAdmm::checked(const AsyncAdmmOptions& options) const {
  check_minimizer(options.local_minimizer, loss());
  need_gradient(AsyncAdmmOptions::kind);
  return options.local_minimizer;
}

std::optional<Bytes> AsyncAdmm::memory() const {
  return *FederatedMethod::memory() + minimizers_.memory() + Bytes{sizeof(double)} * (3 * agents() + 4) * d();
}

std::string_view AsyncAdmm::if_stuck() const {
  return T_ ? "with algorithm.max_delay the server waits for clients that have been silent for that number of rounds, "
              "also for those that are gone; null waits for none"
            : "";
}

}  // namespace lagnet
