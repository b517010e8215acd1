#include "algorithms/federated/fast_fed_da.hpp"

namespace lagnet {

Task<> FastFedDa::serve(Agent& me, SharedReveal revealed) const {
  const Flops c_prox = prox_in_ball_flops(regularizer(), d(), rho_);
  const Index parts = is_lean_ ? 1 : 2;       // of the sums
  StateVector w = clients().start(me);        // the model                                     (d)
  StateVector sums = me.vector(parts * d());  // g and s, or v                                 (2 d, or d)
  WeightedMean published;                     // of w
  Vector virtual_sum = me.vector(d());        // of alpha_t times virtual iterates             (d)
  Round r = 0, made_in = 0;                   // w is the model at the start of that round
  std::vector<Message> answers;               // g_k and s_k, or v_k

  auto average = [&] {
    if (!clients().have_weight(answers)) return;
    const Round t = (r + 1) * E() - 1;
    sums.setZero();
    clients().add_mean(answers, 1, sums);
    w = prox(t, z_of(sums));
    if (!is_lean_) sums.tail(d()) += alpha(t + 1) * w;
    published.add(alpha(t), w);
    if (revealed) add_virtual(virtual_sum, r, answers, *revealed);
  };
  auto report = [&](Round rounds) {
    const Vector average_w = published.or_else(w);
    if (!revealed) return me.report(rounds, w, average_w);
    me.report(rounds, w, average_w, published.weight > 0 ? Vector(virtual_sum / A(rounds * E() - 1)) : w);
  };

  if (!is_lean_ && !me.timing_only()) sums.tail(d()) = alpha(0) * w;
  report(0);
  for (r = 0; r < rounds(); ++r) {
    const Payload request = is_lean_ ? Payload(sums) : joined_payload(sums, w);
    answers = co_await ask(me, r + 1, request, missed_rounds(r - made_in));
    const Index m = std::ssize(answers);
    if (m > 0) co_await me.compute(vector_work(2 * m * parts * d() + c_prox, parts * (m + 2) + 4), average);
    if (clients().have_weight(answers)) made_in = r + 1;
    report(r + 1);
  }
}

Task<> FastFedDa::train(Agent& me, SharedReveal revealed) const {
  const RowBlock& samples = clients().samples(me.id());
  StateVector sums = me.vector(is_lean_ ? d() : 2 * d());  // own g_k and s_k, or v_k     (2 d, or d)
  Vector x;                                                // own model x_t               (d)
  Message request;                                         // g, s and w, or v
  for (;;) {
    request = co_await next_request(me);
    const Minibatches batches = minibatches(me, request.round, E());
    auto local_steps = [&] {
      Matrix z_k(d(), revealed ? E() : 0);  // z after each gradient
      decode(request, sums, x);
      for (Index j = 0; j < E(); ++j) {
        const Round t = (request.round - 1) * E() + j;
        const Vector gradient = samples.gradient(loss(), x, batches.of_step(j));
        if (is_lean_)
          sums += alpha(t) * (gradient - mu_ / 2 * x);
        else
          sums.head(d()) += alpha(t) * gradient;
        if (revealed) z_k.col(j) = z_of(sums);
        if (j == E() - 1) break;
        x = prox(t, z_of(sums));
        if (!is_lean_) sums.tail(d()) += alpha(t + 1) * x;
      }
      if (revealed) revealed->show(me.id(), std::move(z_k));
    };
    co_await me.compute(gradients_work(me.id(), batches) + updates_work(request.round), local_steps);
    me.answer(request, sums);
  }
}

void FastFedDa::decode(const Message& request, StateVector& sums, Vector& w) const {
  if (!is_lean_) {
    sums = request.body.view().head(2 * d());
    w = request.body.view().tail(d());
    return;
  }
  const Round first = (request.round - 1) * E();
  const Round past = first - missed_rounds(request) * E();  // steps that w comes from
  sums = request.body.view();
  w = past == 0 ? clients().start() : prox(past - 1, sums);
  if (past < first) sums -= (alpha(past) - alpha(first)) * (mu_ / 2) * w;  // w's weight in s
}

StateVector FastFedDa::z_of(const StateVector& sums) const {
  if (is_lean_) return sums;
  return sums.head(d()) - mu_ / 2 * sums.tail(d());
}

Vector FastFedDa::prox(Round t, VectorRef z) const {
  const double B = mu_ * A(t) / 2 + gamma_;
  const StateVector v = (gamma_ * clients().start() - z) / B;
  return prox_in_ball(regularizer(), v, A(t) / B, rho_);
}

void FastFedDa::add_virtual(Vector& sum, Round r, std::span<const Message> answers, const Reveal& revealed) const {
  const std::vector<double> q = clients().weights(answers);
  for (Index j = 0; j < E(); ++j) {
    const Round t = r * E() + j;
    Vector z = Vector::Zero(d());
    for (std::size_t k = 0; k < answers.size(); ++k) z += q[k] * revealed.shown_by(answers[k].from).col(j);
    sum += alpha(t) * prox(t, z);
  }
}

Cost FastFedDa::updates_work(Round round) const {
  const Flops c_prox = prox_in_ball_flops(regularizer(), d(), rho_);
  if (!is_lean_) return times(E(), vector_work(2 * d(), 3)) + times(E() - 1, vector_work(7 * d() + c_prox, 10));
  const Index proxes = round == 1 ? E() - 1 : E();
  return times(E(), vector_work(4 * d(), 4)) + times(proxes, vector_work(3 * d() + c_prox, 5));
}

void FastFedDa::spawn(Host& host) const {
  SharedReveal revealed;
  if (reveals_) revealed = std::make_shared<Reveal>(agents());
  spawn_server_and(
      host, clients().agents(), [=, this](Agent& me) { return serve(me, revealed); },
      [=, this](Agent& me) { return train(me, revealed); });
}

std::optional<Bytes> FastFedDa::memory() const {
  return *FederatedMethod::memory() + (reveals_ ? Bytes{sizeof(double)} * agents() * d() * E() : 0);
}

}  // namespace lagnet
