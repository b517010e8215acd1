#include "algorithms/hybrid/block_splitting_admm.hpp"

#include <set>
#include <utility>

#include "algorithms/interface/curvature.hpp"
#include "algorithms/interface/rounds.hpp"
#include "algorithms/local/local_fits.hpp"

namespace lagnet {

namespace {

constexpr Bytes number_bytes = sizeof(double);

}  // namespace

Task<> BlockSplittingAdmm::serve(Agent& me) const {
  const Index N = cells().samples(), M = cells().features();
  StateVector x = me.vector(M), x_tilde = x, x_half = x;  // coefficients, their multiplier over rho, their prox (M)
  StateVector y = me.vector(N), y_tilde = y, y_half = y;  // scores, the same                                    (N)
  std::vector<StateVector> x_k(blocks_.size());           // x_k^half + x~_k, by agent                           (m_k)
  std::vector<StateVector> y_k_half = x_k, y_k = x_k;     // y_k^half; y_k + y~, to be projected                 (n_k)
  StateVector sum, delta, holders, lam;                   // of the kernels
  std::set<AgentId> came;                                 // clients that have ever answered
  std::vector<Message> answers;
  const Cost halves_cost(5 * N + M + P_.flops(M), number_bytes * (4 * N + 3 * M));
  Cost combine_cost(4 * N + 4 * M, number_bytes * 6 * (N + M));

  auto holds_any = [this](AgentId k) { return holds(k); };
  auto request = [&](AgentId k) {  // x on M_k, y_k + y~
    const CellBlock& own = cells().of(k);
    return joined_payload(restricted(x, own.features), came.contains(k) ? y_k[k] : restricted(y_tilde, own.samples));
  };
  auto take = [&](AgentId k, VectorView answer) {
    const Index m = cells().of(k).m(), n = cells().of(k).n();
    x_k[k] = answer.head(m);
    y_k_half[k] = answer.tail(n);
    if (came.insert(k).second) combine_cost = combine_cost + Cost(3 * n + m, number_bytes * (4 * n + 2 * m));
  };
  auto halves = [&] {
    const double c = static_cast<double>(problem().samples) * rho_;
    y_half = y - y_tilde;
    lam = c * y_half;
    problem().loss->prox_conjugate(lam, problem().y, c);  // prox of l / c at v is v - prox of c l* at c v, over c
    y_half -= lam / c;
    x_half = x - x_tilde;
    x_half = P_(x_half, 1 / rho_);
  };
  auto combine = [&] {
    sum = x_half + x_tilde;
    holders = Vector::Ones(M);
    for (const AgentId k : came) {
      sum(at(cells().of(k).features)) += x_k[k];
      holders(at(cells().of(k).features)).array() += 1;
    }
    x = sum.cwiseQuotient(holders);  // the mean
    x_tilde += x_half - x;
    delta = y_half;
    holders = Vector::Ones(N);
    for (const AgentId k : came) {
      delta(at(cells().of(k).samples)) -= y_k_half[k];
      holders(at(cells().of(k).samples)).array() += 1;
    }
    delta = delta.cwiseQuotient(holders);  // the exchange
    y = y_half - delta;
    y_tilde += delta;
    delta += y_tilde;
    for (const AgentId k : came) y_k[k] = y_k_half[k] + restricted(delta, cells().of(k).samples);
    halves();
  };

  if (given().start.size() > 0) x = given().start;
  me.report(0, x);
  co_await me.compute(halves_cost, halves);
  for (Round t = 1; t <= given().rounds; ++t) {
    answers = co_await ask(me, t, holds_any, request);
    for (const Message& answer : answers) take(answer.from, answer.body.view());
    if (!answers.empty()) co_await me.compute(combine_cost + halves_cost, combine);
    me.report(t, x_half);
  }
}

Task<> BlockSplittingAdmm::project(Agent& me) const {
  if (!holds(me.id())) co_return;
  const DataMatrix& A = blocks_[me.id()];
  const Index m = A.cols(), n = A.rows();
  RidgeSystem system(A, 1);            // I + A_k'A_k
  Message request;                     // x on M_k, y_k + y~ on I_k      (m_k + n_k)
  StateVector x_half;                  // own copy, projected            (m_k)
  StateVector y_half;                  // A_k x_k^half                   (n_k)
  StateVector x_tilde = me.vector(m);  // multiplier of x_k = x, over rho (m_k)
  StateVector sent;                    // x_k^half + x~_k                (m_k)
  const Cost cost =
      RidgeSystem::solve_work(A) + Cost(5 * m + 4 * A.nonzeros(), 2 * A.bytes() + number_bytes * (7 * m + 2 * n));
  auto factor = [&] { system.factor(); };
  auto nearest = [&] {
    const auto x = request.body.view().head(m);
    const Vector d = request.body.view().tail(n);
    if (x_half.size() > 0) x_tilde += x_half - x;
    x_half = x - x_tilde + A.transpose_times(d);
    x_half = system.solve(x_half);
    y_half = A.times(x_half);
    sent = x_half + x_tilde;
  };
  co_await me.compute(RidgeSystem::factor_work(A), factor);
  for (;;) {
    request = co_await next_request(me);
    co_await me.compute(cost, nearest);
    me.answer(request, joined_payload(sent, y_half));
  }
}

BlockSplittingAdmm::BlockSplittingAdmm(const BlockSplittingAdmmOptions& options, MethodInput input)
    : CellMethod(std::move(input)),
      P_(problem(), BlockSplittingAdmmOptions::kind),
      rho_(positive("penalty", options.penalty)) {
  if (problem().loss->outputs() != 1)
    throw Diagnosed("kind", "an algorithm for losses of several scores a sample",
                    std::string(BlockSplittingAdmmOptions::kind));
  add_constant("penalty", rho_);
  blocks_.emplace_back();
  for (const AgentId k : clients()) blocks_.push_back(cells().of(k).matrix());
}

void BlockSplittingAdmm::spawn(Host& host) const {
  spawn_server_and(
      host, host.neighbors(server_agent), [this](Agent& me) { return serve(me); },
      [this](Agent& me) { return project(me); });
}

std::optional<Bytes> BlockSplittingAdmm::memory() const {
  Bytes bytes = cells().bytes() + number_bytes * 8 * (cells().samples() + cells().features());
  for (const DataMatrix& A : blocks_)
    bytes += A.bytes() + RidgeSystem::memory(A) + number_bytes * 8 * (A.rows() + A.cols());
  return bytes;
}

Remarks BlockSplittingAdmm::remarks(const RunCounts& counts) const {
  Remarks all = remark_on_missing(counts.missing, "clients",
                                  "the server went on with what these had sent last, for which nothing is guaranteed");
  for (Remark& one : remarks_on_absent([&](AgentId k) { return counts.agents[k].messages_sent > 0; }))
    all.push_back(std::move(one));
  return all;
}

}  // namespace lagnet
