#include "algorithms/fed_avg.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lagnet {

Task<> FedAvg::serve(Agent& me) const {
  Vector w = clients_.start();   // the model       (d)
  std::vector<Message> answers;  // x_k - w         (d each)

  auto average = [&] {
    const std::vector<double> q = clients_.weights(answers);
    for (std::size_t k = 0; k < answers.size(); ++k) w += eta_s_ * q[k] * answers[k].body.view();
  };

  me.report(0, w);
  for (Round t = 1; t <= given_.rounds; ++t) {
    const Cohort S = me.cohort(t);
    send_to_all(me, S.members, t, w);
    answers = co_await me.collect(t, S);
    if (!answers.empty()) co_await me.compute(server_work(answers.size()), average);
    me.report(t, w);
  }
}

Task<> FedAvg::train(Agent& me) const {
  const Loss& l = *given_.problem.loss;
  const Regularizer& r = *given_.problem.regularizer;
  const RowBlock& samples = clients_.samples(me.id());
  Message request;  // w, the server's model     (d)
  Vector x;         // own model                 (d)
  for (;;) {
    request = co_await next_request(me);
    const Minibatches batches(samples.rows(), batch_, E_, me.draws(Purpose{"minibatch"}, request.round));
    auto local_steps = [&] {
      const VectorView w = request.body.view();
      x = w;
      for (Index j = 0; j < E_; ++j) x -= eta_c_ * (samples.gradient(l, x, batches.of_step(j)) + *r.subgradient(x));
      x -= w;
    };
    co_await me.compute(client_work(samples, batches), local_steps);
    me.send(server_agent, request.round, x);
  }
}

void FedAvg::spawn_sizes(Simulation& simulation) const {
  const Payload vector = Payload::of_size(given_.problem.X->cols());  // w, and x_k - w
  clients_.spawn_sizes(simulation,
                       {.rounds = given_.rounds,
                        .request = vector,
                        .answer = vector,
                        .server_work = [this](std::size_t answers) { return server_work(answers); },
                        .client_work = [this](const Agent& k, Round t) { return client_work_of_sizes(k, t); }});
}

Work FedAvg::client_work_of_sizes(const Agent& client, Round round) const {
  const RowBlock& samples = clients_.samples(client.id());
  if (samples.is_sparse())  // the rows of a batch make its work
    return client_work(samples, {samples.rows(), batch_, E_, client.draws(Purpose{"minibatch"}, round)});
  const Work step = samples.dense_gradient_work(std::min(batch_.value_or(samples.rows()), samples.rows()));
  return client_work({E_ * step.flops, E_ * step.bytes});
}

Work FedAvg::client_work(const RowBlock& samples, const Minibatches& batches) const {
  Work gradients;
  for (Index j = 0; j < E_; ++j) gradients = gradients + samples.gradient_work(batches.of_step(j));
  return client_work(gradients);
}

Work FedAvg::client_work(Work gradients) const {
  const Index d = given_.problem.X->cols();
  constexpr Bytes number = sizeof(double);
  const Regularizer& r = *given_.problem.regularizer;
  const Flops subgradient = (r.l1_weight() != 0.0 ? 2 * d : 0) + (r.l2_weight() != 0.0 ? 2 * d : 0);
  const Work update{2 * d + subgradient, number * 3 * d};  // of x, by the gradient
  const Work change{d, number * 3 * d};                    // x - w
  return gradients + Work{E_ * update.flops, E_ * update.bytes} + change;
}

Work FedAvg::server_work(std::size_t answers) const {
  const auto m = static_cast<Index>(answers), d = given_.problem.X->cols();
  constexpr Bytes number = sizeof(double);
  return {2 * m * d, number * (m + 2) * d};
}

FedAvg::FedAvg(const FedAvgOptions& options, Assignment assignment)
    : given_(std::move(assignment)),
      clients_(given_),
      E_(options.local_steps),
      batch_(options.batch),
      eta_c_(options.client_step),
      eta_s_(options.server_step) {
  if (!given_.problem.regularizer->subgradient(Vector::Zero(given_.problem.X->cols())))
    throw OptionError("kind", "an algorithm that needs no subgradient, which this regularizer does not offer",
                      std::string(FedAvgOptions::kind));
}

void FedAvg::spawn(Simulation& simulation) const {
  clients_.spawn(
      simulation, [this](Agent& me) { return serve(me); }, [this](Agent& me) { return train(me); });
}

Evaluation FedAvg::evaluate(Round, RoundReport report, const Yardstick&) const {
  const Vector& w = report[server_agent][0];
  return {.iterate = w, .objective = given_.problem.objective(w), .metrics = {}};
}

std::vector<std::pair<std::string, double>> FedAvg::constants() const {
  return {{"E", static_cast<double>(E_)}, {"eta_c", eta_c_}, {"eta_s", eta_s_}};
}

std::optional<Bytes> FedAvg::memory() const {
  const DataMatrix& X = *given_.problem.X;
  const Index n = X.rows(), d = X.cols(), m = given_.network.agents;
  return X.bytes() + Bytes{sizeof(double)} * (4 * m * d + 2 * n);
}

std::vector<std::string> FedAvg::remarks(std::int64_t missing) const {
  if (missing == 0) return {};
  return {
      fmt::format("{} answers of clients were not there when their rounds were closed: each mean is over those that "
                  "came",
                  missing)};
}

std::unique_ptr<Algorithm> make_algorithm(const FedAvgOptions& options, Assignment assignment) {
  return std::make_unique<FedAvg>(options, std::move(assignment));
}

}  // namespace lagnet
