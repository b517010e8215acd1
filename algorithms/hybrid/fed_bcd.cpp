#include "algorithms/hybrid/fed_bcd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/interface/curvature.hpp"
#include "algorithms/interface/rounds.hpp"
#include "algorithms/kernels/minibatches.hpp"

namespace lagnet {

namespace {

/// X_S w of the rows in S, in their order: w (d_k) -> (b).
void scores_into(Eigen::Ref<Vector> H, const SampleRows& X, std::span<const Index> S, VectorRef w) {
  for (std::size_t j = 0; j < S.size(); ++j) H[static_cast<Index>(j)] = X.score(S[j], w);
}

/// X_S'lam: lam (b) -> (d_k).
void sum_into(Vector& g, const SampleRows& X, std::span<const Index> S, VectorRef lam) {
  g.setZero(X.cols());
  for (std::size_t j = 0; j < S.size(); ++j) X.add(S[j], lam[static_cast<Index>(j)], g);
}

void labels_into(Vector& y, const SampleRows& X, std::span<const Index> S) {
  y.resize(std::ssize(S));
  for (std::size_t j = 0; j < S.size(); ++j) y[static_cast<Index>(j)] = X.label(S[j]);
}

}  // namespace

Task<> FedBcd::serve(Agent& me) const {
  StateVector H = me.vector(b_);  // sum_k H^k           (b)
  std::vector<Message> scores;    // H^k of all parties  (b each)
  const Index additions = std::ssize(parties_) * b_;
  const Cost cost(additions, number * (additions + b_));
  auto add = [&] {
    H.setZero();
    for (const Message& score : scores) H += score.body.view();
  };
  for (Round t = 1; t <= given_.rounds; ++t) {
    me.enter(t);
    scores = co_await me.collect(t, parties_, Time::never());
    co_await me.compute(cost, add);
    send_to_all(me, parties_, t, H);  // (1)
  }
}

Task<> FedBcd::descend(Agent& me) const {
  const SampleRows& X = blocks_[me.id()];
  StateVector theta = me.vector(X.cols());  // own block                                    (d_k)
  StateVector H_k = me.vector(b_);          // own scores of the exchange                   (b)
  StateVector H;                            // the others' of the exchange, own newest ones (b)
  StateVector y, slope;                     // labels of the batch; l' at these scores      (b)
  StateVector g;                            // gradient in the own block                    (d_k)
  Message sum;                              // sum_k H^k                                    (b)
  std::optional<Minibatches> batch;
  std::span<const Index> S;
  Index entries = 0;  // of the rows of S
  Round t = 0;

  auto own_scores = [&] { scores_into(H_k, X, S, theta); };
  auto local_steps = [&] {
    const double share = 1 / static_cast<double>(b_), eta_t = eta(t);
    labels_into(y, X, S);
    H = sum.body.view();
    for (std::int64_t q = 1; q <= options_.local_steps; ++q) {
      if (q > 1) {
        scores_into(slope, X, S, theta);
        H = sum.body.view() - H_k + slope;
      }
      slope = problem().loss->derivative(H, y);
      sum_into(g, X, S, slope);
      g *= share;
      if (lambda_ > 0) g += lambda_ * theta;  // (2)
      theta -= eta_t * g;                     // (3)
    }
  };

  me.report(0, theta);
  for (t = 1; t <= given_.rounds; ++t) {
    me.enter(t);
    batch.emplace(problem().samples, options_.batch, 1, Draws(me.seed(), Purpose{"fed_bcd.batch"}, server_agent, t));
    S = batch->of_step(0);
    entries = entries_of(X, S);
    co_await me.compute(scores_work(X, entries), own_scores);
    me.send(server_agent, t, H_k);
    do sum = co_await me.receive_latest();
    while (sum.round < t);  // (1)
    co_await me.compute(steps_work(X, entries), local_steps);
    me.report(t, theta);
  }
}

Index FedBcd::entries_of(const SampleRows& X, std::span<const Index> S) const {
  if (!X.is_sparse()) return b_ * X.cols();
  Index entries = 0;
  for (const Index i : S) entries += X.entries(i);
  return entries;
}

Cost FedBcd::scores_work(const SampleRows& X, Index entries) const {
  const Bytes an_entry = X.is_sparse() ? number + Bytes{sizeof(int)} : number;
  return {2 * entries, an_entry * entries + number * (b_ + X.cols())};
}

Cost FedBcd::steps_work(const SampleRows& X, Index entries) const {
  const Index Q = options_.local_steps, d = X.cols(), products = 2 * Q - 1;
  const Cost product = scores_work(X, entries);
  const Flops a_feature = lambda_ > 0 ? 5 : 3;  // the shrinking of (2) takes 2
  return {products * product.flops + Q * (b_ + a_feature * d) + 2 * (Q - 1) * b_,
          products * product.bytes + number * (Q * (3 * b_ + 4 * d) + 4 * (Q - 1) * b_)};
}

double FedBcd::eta(Round t) const { return options_.step / std::pow(static_cast<double>(t), options_.decay); }

Evaluation FedBcd::evaluate(Round, RoundReport report, const ErrorScale&) const {
  Evaluation made{.iterate = Vector(problem().dim()), .objective = 0, .metrics = {}};
  for (const AgentId k : parties_) made.iterate.segment(given_.feature_starts[k], blocks_[k].cols()) = report[k][0];
  const Vector scores = problem().scores(made.iterate);
  made.objective = problem().objective_of_scores(scores, made.iterate);
  const Vector lam = problem().loss->derivative(scores, problem().y) / static_cast<double>(problem().samples);
  made.metrics = {(problem().pulled_back(lam) + lambda_ * made.iterate).squaredNorm()};
  return made;
}

void FedBcd::spawn(Host& host) const {
  host.spawn(server_agent, [this](Agent& me) { return serve(me); });
  for (const AgentId k : parties_) host.spawn(k, [this](Agent& me) { return descend(me); });
}

FedBcd::FedBcd(const FedBcdOptions& options, MethodInput given) : given_(std::move(given)), options_(options) {
  if (problem().constraint)
    throw Diagnosed("kind", "an algorithm that keeps to the problem's constraint", std::string(FedBcdOptions::kind));
  need_gradient(*problem().loss, FedBcdOptions::kind);
  positive("step", options.step);
  if (problem().X->rows() != problem().samples)
    throw Diagnosed("batch", "data with one row for each sample, which batches are drawn from",
                    fmt::format("{} rows that stand for {} samples", problem().X->rows(), problem().samples));
  if (given_.start.size() > 0 && !given_.start.isZero(0))
    throw Diagnosed("kind", "an algorithm that may start anywhere: this one starts at 0",
                    std::string(FedBcdOptions::kind));
  b_ = std::min<Index>(options.batch.value_or(problem().samples), problem().samples);
  lambda_ = curvature_of(*problem().regularizer);
  const std::vector<Index>& starts = given_.feature_starts;
  for (AgentId k = 0; k < static_cast<AgentId>(given_.network.agents); ++k) {
    blocks_.emplace_back(problem().X->columns(starts[k], starts[k + 1] - starts[k]), problem().y);
    if (k != server_agent) parties_.push_back(k);
  }
}

std::optional<Bytes> FedBcd::memory() const {
  // Rows of all blocks, once more by rows; the server has H and the scores that came, a party five vectors of b.
  const Index n = problem().samples, d = problem().X->cols(), K = std::ssize(parties_);
  return 2 * problem().X->bytes() + number * (K * (7 * b_ + n) + 3 * d);
}

}  // namespace lagnet
