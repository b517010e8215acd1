#include "algorithms/federated/fast_fed_da.hpp"

namespace lagnet {

Vector FastFedDa::prox(Round t, VectorRef z) const {
  const double A = weights_.A(t), B = mu_ * A / 2 + gamma_;
  return prox_in_ball(regularizer(), (gamma_ * clients().start() - z) / B, A / B, rho_);
}

Task<> FastFedDa::serve_literal(Agent& me, SharedInsight insight) const {
  Vector w = clients().start();      // the model                               (d)
  Vector g = Vector::Zero(d());      // cumulative weighted gradient            (d)
  Vector s = weights_.alpha(0) * w;  // cumulative weighted iterates            (d)
  std::vector<Message> answers;      // g_k, s_k                                (2 d each)
  Averages averages;
  Round r = 0;

  auto average = [&] {
    if (!clients().have_weight(answers)) return;
    const std::vector<double> q = clients().weights(answers);
    g.setZero();
    s.setZero();
    for (std::size_t k = 0; k < answers.size(); ++k) {
      g += q[k] * part_of(answers[k].body, 0, d());
      s += q[k] * part_of(answers[k].body, 1, d());
    }
    const Round t = (r + 1) * E() - 1;
    w = prox(t, g - mu_ / 2 * s);
    s += weights_.alpha(t + 1) * w;
    add_published(averages, t, w);
    if (insight) add_virtual(averages, r, answers, *insight);
  };

  report(me, 0, w, averages);
  for (r = 0; r < rounds(); ++r) {
    const Cohort S = me.cohort(r + 1);
    send_to_all(me, S.members, r + 1, joined_payload(g, s, w));
    answers = co_await me.collect(r + 1, S);
    if (!answers.empty()) co_await me.compute(server_work(answers.size()), average);
    report(me, r + 1, w, averages);
  }
}

Task<> FastFedDa::train_literal(Agent& me, SharedInsight insight) const {
  const RowBlock& samples = clients().samples(me.id());
  Message request;  // g, s, w                       (3 d)
  Vector g, s, x;   // own sums g_k, s_k and model   (d each)
  for (;;) {
    request = co_await next_request(me);
    const Minibatches batches = minibatches(me, request.round);
    auto local_steps = [&] {
      g = part_of(request.body, 0, d());
      s = part_of(request.body, 1, d());
      x = part_of(request.body, 2, d());
      for (Index j = 0; j < E(); ++j) {
        const Round t = (request.round - 1) * E() + j;
        g += weights_.alpha(t) * samples.gradient(loss(), x, batches.of_step(j));
        if (insight) insight->v[me.id()].col(j) = g - mu_ / 2 * s;
        if (j == E() - 1) break;
        x = prox(t, g - mu_ / 2 * s);
        s += weights_.alpha(t + 1) * x;
      }
    };
    co_await me.compute(client_work(me.id(), batches, request.round), local_steps);
    me.send(server_agent, request.round, joined_payload(g, s));
  }
}

Task<> FastFedDa::serve_lean(Agent& me, SharedInsight insight) const {
  Vector w = clients().start();  // the model                                  (d)
  Vector v = Vector::Zero(d());  // g - mu s / 2, s without the iterate w      (d)
  std::vector<Message> answers;  // v_k                                        (d each)
  Averages averages;
  Round r = 0, done = 0;  // done: after the last round that v is of

  auto average = [&] {
    if (!clients().have_weight(answers)) return;
    const std::vector<double> q = clients().weights(answers);
    v.setZero();
    for (std::size_t k = 0; k < answers.size(); ++k) v += q[k] * answers[k].body.view();
    const Round t = (r + 1) * E() - 1;
    w = prox(t, v);
    done = r + 1;
    add_published(averages, t, w);
    if (insight) add_virtual(averages, r, answers, *insight);
  };

  report(me, 0, w, averages);
  for (r = 0; r < rounds(); ++r) {
    const Cohort S = me.cohort(r + 1);
    send_to_all(me, S.members, r + 1, v, static_cast<MessageTag>(r - done));
    answers = co_await me.collect(r + 1, S);
    if (!answers.empty()) co_await me.compute(server_work(answers.size()), average);
    report(me, r + 1, w, averages);
  }
}

Task<> FastFedDa::train_lean(Agent& me, SharedInsight insight) const {
  const RowBlock& samples = clients().samples(me.id());
  Message request;  // v                                     (d)
  Vector v, x;      // own v_k = g_k - mu s_k / 2, and model (d each)
  for (;;) {
    request = co_await next_request(me);
    const Minibatches batches = minibatches(me, request.round);
    auto local_steps = [&] {
      const Round first = (request.round - 1) * E();
      const Round past = first - Round{request.tag} * E();  // steps that the server's w comes from
      v = request.body.view();
      x = past == 0 ? clients().start() : prox(past - 1, v);
      if (past < first) v -= (weights_.alpha(past) - weights_.alpha(first)) * mu_ / 2 * x;  // w's weight in s
      for (Index j = 0; j < E(); ++j) {
        v += weights_.alpha(first + j) * (samples.gradient(loss(), x, batches.of_step(j)) - mu_ / 2 * x);
        if (insight) insight->v[me.id()].col(j) = v;
        if (j < E() - 1) x = prox(first + j, v);
      }
    };
    co_await me.compute(client_work(me.id(), batches, request.round), local_steps);
    me.send(server_agent, request.round, v);
  }
}

void FastFedDa::add_published(Averages& averages, Round t, const Vector& w) const {
  if (averages.sum.size() == 0) averages.sum = Vector::Zero(d());
  averages.sum += weights_.alpha(t) * w;
  averages.weight += weights_.alpha(t);
}

void FastFedDa::add_virtual(Averages& averages, Round r, std::span<const Message> answers,
                            const GradientLog& insight) const {
  if (averages.virtual_sum.size() == 0) averages.virtual_sum = Vector::Zero(d());
  const std::vector<double> q = clients().weights(answers);
  for (Index j = 0; j < E(); ++j) {
    Vector v = Vector::Zero(d());
    for (std::size_t k = 0; k < answers.size(); ++k) v += q[k] * insight.v[answers[k].from].col(j);
    averages.virtual_sum += weights_.alpha(r * E() + j) * prox(r * E() + j, v);
  }
}

void FastFedDa::report(Agent& me, Round round, const Vector& w, const Averages& averages) const {
  const bool has_average = averages.weight > 0, has_virtual = averages.virtual_sum.size() > 0;
  const Vector average = has_average ? Vector(averages.sum / averages.weight) : w;
  if (output_ != FastOutput::virtual_average) {
    me.report(round, w, average);
    return;
  }
  const double A = round > 0 ? weights_.A(round * E() - 1) : 1;
  me.report(round, w, average, has_virtual ? Vector(averages.virtual_sum / A) : w);
}

void FastFedDa::spawn(Host& host) const {
  SharedInsight insight;
  if (output_ == FastOutput::virtual_average) {
    insight = std::make_shared<GradientLog>();
    insight->v.assign(static_cast<std::size_t>(agents()), Matrix(d(), E()));
  }
  const bool lean = messages_ == Messages::lean;
  clients().spawn(
      host, [=, this](Agent& me) { return lean ? serve_lean(me, insight) : serve_literal(me, insight); },
      [=, this](Agent& me) { return lean ? train_lean(me, insight) : train_literal(me, insight); });
}

Evaluation FastFedDa::evaluate(Round, RoundReport report, const ErrorScale&) const {
  const Vector& w = report[server_agent][static_cast<std::size_t>(output_)];
  return {.iterate = w, .objective = clients().objective(problem(), w), .metrics = {}};
}

Cost FastFedDa::own_work(Round round) const {
  const Flops c_prox = prox_in_ball_flops(regularizer(), d(), rho_);
  if (messages_ == Messages::literal)
    return times(E(), vector_work(2 * d(), 3)) + times(E() - 1, vector_work(7 * d() + c_prox, 10));
  const Index proxes = round == 1 ? E() - 1 : E();
  return times(E(), vector_work(4 * d(), 4)) + times(proxes, vector_work(3 * d() + c_prox, 5));
}

Cost FastFedDa::server_work(std::size_t answers) const {
  const auto m = static_cast<Index>(answers);
  const Index sums = vectors().answer;
  return vector_work(2 * m * d() * sums + prox_in_ball_flops(regularizer(), d(), rho_), sums * (m + 2) + 4);
}

FederatedMethod::Vectors FastFedDa::vectors() const {
  if (messages_ == Messages::lean) return {.request = 1, .answer = 1};
  return {.request = 3, .answer = 2};
}

FastFedDa::FastFedDa(const FastFedDaOptions& options, MethodInput assignment)
    : FederatedMethod(FastFedDaOptions::kind, {options.local_steps, options.batch, options.weights},
                      std::move(assignment)),
      mu_(options.mu),
      gamma_(options.gamma),
      weights_(options.alpha, options.a),
      rho_(checked_radius(options.rho)),
      messages_(options.messages),
      output_(options.output) {}

std::vector<std::pair<std::string, double>> FastFedDa::constants() const {
  return {{"E", static_cast<double>(E())}, {"mu", mu_}, {"gamma", gamma_}, {"alpha_0", weights_.alpha(0)}};
}

std::optional<Bytes> FastFedDa::memory() const {
  const bool has_insight = output_ == FastOutput::virtual_average;
  return *FederatedMethod::memory() + (has_insight ? Bytes{sizeof(double)} * agents() * d() * E() : 0);
}

}  // namespace lagnet
