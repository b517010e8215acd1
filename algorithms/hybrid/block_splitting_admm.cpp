#include "algorithms/hybrid/block_splitting_admm.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/hybrid/hybrid.hpp"
#include "algorithms/interface/curvature.hpp"
#include "algorithms/interface/rounds.hpp"

namespace lagnet {

struct BlockSplittingAdmm::Central {
  Vector x, x_tilde, x_half;          // coefficients, their multiplier over rho, their prox        (M)
  Vector y, y_tilde, y_half;          // scores, the same                                           (N)
  std::vector<Vector> x_k, y_k_half;  // x_k^half + x~_k and y_k^half, by agent; empty: none came yet (m_k, n_k)
  std::vector<Vector> y_k;            // y_k + y~, to be projected                                  (n_k)
};

Task<> BlockSplittingAdmm::serve(Agent& me) const {
  const Index N = cells().samples(), M = cells().features();
  const Vector none_x = Vector::Zero(M), none_y = Vector::Zero(N);
  const std::vector<Vector> none(static_cast<std::size_t>(given_.network.agents));
  Central all{
      given_.start.size() > 0 ? given_.start : none_x, none_x, none_x, none_y, none_y, none_y, none, none, none};
  std::vector<Message> answers;

  auto holds_any = [this](AgentId k) { return holds(k); };
  auto copies = [&](AgentId k) {  // x on M_k, y_k + y~
    const CellBlock& own = cells().of(k);
    const Vector y_k = all.y_k[k].size() > 0 ? all.y_k[k] : restricted(all.y_tilde, own.samples);
    return joined_payload(restricted(all.x, own.features), y_k);
  };
  auto begin = [&] { prox(all); };
  auto combine = [&] {
    average(all);
    exchange(all);
    prox(all);
  };

  me.report(0, all.x);
  co_await me.compute(prox_work(), begin);
  for (Round t = 1; t <= given_.rounds; ++t) {
    answers = co_await ask(me, t, holds_any, copies);
    for (const Message& answer : answers) take(answer, all);
    if (!answers.empty()) co_await me.compute(combine_work(all) + prox_work(), combine);
    me.report(t, all.x_half);
  }
}

void BlockSplittingAdmm::take(const Message& answer, Central& all) const {
  const CellBlock& own = cells().of(answer.from);
  all.x_k[answer.from] = answer.body.view().head(own.m());
  all.y_k_half[answer.from] = answer.body.view().tail(own.n());
}

void BlockSplittingAdmm::average(Central& all) const {
  Vector sum = all.x_half + all.x_tilde, copies = Vector::Ones(sum.size());
  for (AgentId k = 1; k < all.x_k.size(); ++k) {
    if (all.x_k[k].size() == 0) continue;
    const std::vector<Index>& features = cells().of(k).features;
    sum(features) += all.x_k[k];
    copies(features).array() += 1;
  }
  all.x = sum.cwiseQuotient(copies);
  all.x_tilde += all.x_half - all.x;
}

void BlockSplittingAdmm::exchange(Central& all) const {
  Vector delta = all.y_half, copies = Vector::Ones(delta.size());
  for (AgentId k = 1; k < all.y_k_half.size(); ++k) {
    if (all.y_k_half[k].size() == 0) continue;
    const std::vector<Index>& samples = cells().of(k).samples;
    delta(samples) -= all.y_k_half[k];
    copies(samples).array() += 1;
  }
  delta = delta.cwiseQuotient(copies);
  all.y = all.y_half - delta;
  all.y_tilde += delta;
  const Vector shift = delta + all.y_tilde;
  for (AgentId k = 1; k < all.y_k.size(); ++k)
    if (all.y_k_half[k].size() > 0) all.y_k[k] = all.y_k_half[k] + restricted(shift, cells().of(k).samples);
}

void BlockSplittingAdmm::prox(Central& all) const {
  const double c = static_cast<double>(problem().samples) * rho_;
  const Vector v = all.y - all.y_tilde;
  Vector lam = c * v;
  problem().loss->prox_conjugate(lam, problem().y, c);  // prox of l / c at v is v - prox of c l* at c v, over c
  all.y_half = v - lam / c;
  all.x_half = P_(all.x - all.x_tilde, 1 / rho_);
}

Task<> BlockSplittingAdmm::project(Agent& me) const {
  if (!holds(me.id())) co_return;
  const DataMatrix& A = blocks_[me.id()];
  const Index m = A.cols(), n = A.rows();
  RidgeSystem system(A, 1);          // I + A_k'A_k
  Message request;                   // x on M_k, y_k + y~ on I_k     (m_k + n_k)
  Vector x_half;                     // own copy, projected           (m_k)
  Vector y_half;                     // A_k x_k^half                  (n_k)
  Vector x_tilde = Vector::Zero(m);  // multiplier of x_k = x, over rho (m_k)
  Vector sent;                       // x_k^half + x~_k               (m_k)
  auto factor = [&] { system.factor(); };
  auto nearest = [&] {
    const auto x = request.body.view().head(m);
    const Vector d = request.body.view().tail(n);
    if (x_half.size() > 0) x_tilde += x_half - x;
    x_half = system.solve(x - x_tilde + A.transpose_times(d));
    y_half = A.times(x_half);
    sent = x_half + x_tilde;
  };
  co_await me.compute(RidgeSystem::factor_work(A), factor);
  for (;;) {
    request = co_await next_request(me);
    co_await me.compute(project_work(me.id()), nearest);
    me.send(server_agent, request.round, joined_payload(sent, y_half));
  }
}

Cost BlockSplittingAdmm::prox_work() const {
  const Index N = cells().samples(), M = cells().features();
  return {5 * N + M + P_.flops(M), Bytes{sizeof(double)} * (4 * N + 3 * M)};
}

Cost BlockSplittingAdmm::combine_work(const Central& all) const {
  const Index N = cells().samples(), M = cells().features();
  Cost work(4 * N + 4 * M, Bytes{sizeof(double)} * 6 * (N + M));
  for (AgentId k = 1; k < all.x_k.size(); ++k) {
    const Index m_k = all.x_k[k].size(), n_k = all.y_k_half[k].size();
    work = work + Cost(3 * n_k + m_k, Bytes{sizeof(double)} * (4 * n_k + 2 * m_k));
  }
  return work;
}

Cost BlockSplittingAdmm::project_work(AgentId k) const {
  const DataMatrix& A = blocks_[k];
  const Index m = A.cols(), n = A.rows();
  return RidgeSystem::solve_work(A) +
         Cost(5 * m + 4 * A.nonzeros(), 2 * A.bytes() + Bytes{sizeof(double)} * (7 * m + 2 * n));
}

BlockSplittingAdmm::BlockSplittingAdmm(const BlockSplittingAdmmOptions& options, MethodInput given)
    : given_(std::move(given)),
      P_(given_.problem, BlockSplittingAdmmOptions::kind),
      rho_(positive("penalty", options.penalty)) {
  if (problem().loss->outputs() != 1)
    throw OptionError("kind", "an algorithm for losses of several scores a sample",
                      std::string(BlockSplittingAdmmOptions::kind));
  LAGNET_CHECK(given_.cells && cells().clients() == given_.network.agents - 1, "no cells for {} agents",
               given_.network.agents);
  blocks_.emplace_back();
  for (AgentId k = 1; k < static_cast<AgentId>(given_.network.agents); ++k) blocks_.push_back(cells().of(k).matrix());
}

void BlockSplittingAdmm::spawn(Host& host) const {
  spawn_server_and(
      host, host.neighbors(server_agent), [this](Agent& me) { return serve(me); },
      [this](Agent& me) { return project(me); });
}

Evaluation BlockSplittingAdmm::evaluate(Round, RoundReport report, const ErrorScale&) const {
  const Vector& x = report[server_agent][0];
  return {.iterate = x, .objective = problem().objective(x), .metrics = {}};
}

std::vector<Constant> BlockSplittingAdmm::constants() const { return {{"penalty", rho_}}; }

std::optional<Bytes> BlockSplittingAdmm::memory() const {
  Index numbers = 8 * (cells().samples() + cells().features());
  Bytes copies = cells().bytes();
  for (const DataMatrix& A : blocks_) {
    const Index m = std::min(A.rows(), A.cols());
    numbers += 2 * m * m + 8 * (A.rows() + A.cols());
    copies += A.bytes();
  }
  return copies + Bytes{sizeof(double)} * numbers;
}

std::vector<std::string> BlockSplittingAdmm::remarks(const RunCounts& counts) const {
  std::vector<std::string> all = remark_on_missing(
      counts.missing, "clients", "the server went on with what these had sent last, for which nothing is guaranteed");
  for (std::string& text : said_of_absent(cells(), [&](AgentId k) { return counts.agents[k].messages_sent > 0; }))
    all.push_back(std::move(text));
  return all;
}

}  // namespace lagnet
