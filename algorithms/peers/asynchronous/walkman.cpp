#include "algorithms/peers/asynchronous/walkman.hpp"

#include <fmt/format.h>

#include <utility>

#include "algorithms/local/dual_gradient.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

Task<> Walkman::run(Agent& me) const {
  const AgentId i = me.id();
  const double beta = beta_, m = static_cast<double>(given().network.agents);
  const bool is_exact = options_.local == VisitStep::exact;
  StateVector x = start(me);              // the token                                   (d)
  StateVector y = x;                      // y_i                                         (d)
  StateVector z = me.vector(d());         // z_i                                         (d)
  StateVector old = y, now = y;           // y_i - z_i / beta before and after a visit   (d)
  StateVector v = y, beta_v = y;          // x + z_i / beta, and beta times it           (d)
  Vector number = Vector::Zero(1);        // of the last visit                           (1)
  std::optional<DualGradient> of_visits;  // of f_i + (beta/2) |y|^2
  Cost work = gradient_work(i) + vector_work(13, 12), more;
  Round visit = i == 0 ? 1 : 0, n = 0;  // the number of the present or last visit; the agent's own visits
  Ticker ticker(me, nullptr);
  if (is_exact) {
    const Index first = given().sample_starts[i], rows = samples(i).rows();
    const double* const labels = me.timing_only() ? nullptr : given().problem.y.data() + first;
    of_visits.emplace(OwnFunction{.X = blocks_[i],
                                  .y = VectorView(labels, labels ? rows : 0),
                                  .loss = *given().problem.loss,
                                  .weight = weight(i),
                                  .l2_weight = own_l2_weight() + beta});
    work = of_visits->solve_work() + vector_work(10, 12);
  }

  auto factor = [&] { of_visits->factor(); };
  auto descend = [&] {
    old = y - z / beta;
    y = x + (z - gradient(i, y)) / beta;  // (1)
    z += beta * (x - y);                  // (2)
    x += (y - z / beta - old) / m;        // (3)
  };
  auto minimize = [&] {
    v = x + z / beta;
    beta_v = beta * v;
    more = of_visits->solve(beta_v, y);  // (1)
    z = beta * (v - y);                  // (2)
    now = y - z / beta;
    x += (now - old) / m;  // (3)
    old = now;
  };

  me.report(0, x, number);
  if (is_exact && of_visits->is_direct()) co_await me.compute(of_visits->factor_work(), factor);
  for (;;) {
    if (visit == 0 || n > 0) {  // the first visit is of agent 0, which has the token
      if (me.degree() > 0) {
        const Message token = co_await me.receive();
        visit = token.round;
        me.at_once(0, [&] { x = token.body.view(); });
      } else {
        ++visit;
      }
    }
    if (const Time tick = ticker.next(me); tick > me.now()) co_await me.sleep(tick - me.now());
    ticker.take(me);
    const Time began = me.now();
    if (is_exact) {
      co_await me.update(n, work, minimize);
      if (!of_visits->is_direct()) co_await me.compute(more);
    } else {
      co_await me.update(n, work, descend);
    }
    number[0] = static_cast<double>(visit);
    me.report(++n, x, number);
    if (me.degree() > 0) me.send(next(me, visit), visit + 1, x);
    check_time_passes(me, began);
  }
}

AgentId Walkman::next(const Agent& me, Round visit) const {
  if (options_.walk == TokenWalk::cycle) return (me.id() + 1) % static_cast<AgentId>(given().network.agents);
  const auto degree = static_cast<std::uint64_t>(me.degree());
  if (const auto& draws = given().compression_draws)
    return me.neighbors()[static_cast<std::size_t>(draws(me.id(), visit, 0) * static_cast<double>(degree))];
  return me.neighbors()[me.draws(Purpose{"walk"}, visit).below(degree)];
}

Walkman::Walkman(const WalkmanOptions& options, MethodInput input)
    : AsynchronousPeers(std::move(input), WalkmanOptions::kind, options.traits()), options_(options) {
  const NetworkFacts& network = given().network;
  const Loss& loss = *given().problem.loss;
  if (options.walk == TokenWalk::cycle && network.cycle_gap)
    throw Diagnosed("walk", "random, or a topology with the edges 0-1, 1-2, .. and back to 0",
                    fmt::format("cycle, and agents {} and {} that are no neighbors", *network.cycle_gap,
                                (*network.cycle_gap + 1) % network.agents));
  if (options.local == VisitStep::exact) {
    need_square(WalkmanOptions::kind);
    if (loss.outputs() > 1)
      throw Diagnosed("local", "gradient, with a loss of more than one score a sample", std::string(loss.kind()));
    if (given().timing_only && !loss.is_squared())
      throw Diagnosed("local", "gradient, or the squared loss, with numerics off: Newton's steps depend on the numbers",
                      std::string(loss.kind()));
    const std::vector<Index>& starts = given().sample_starts;
    for (std::size_t k = 0; k + 1 < starts.size(); ++k)
      blocks_.push_back(given().problem.X->row_range(starts[k], starts[k + 1] - starts[k]));
  }
  if (options.beta)
    beta_ = positive("beta", *options.beta);
  else if (!given().timing_only)
    beta_ = 2 * largest_curvature_of_agents("beta");
  if (beta_ > 0) add_constant("beta", beta_);
}

std::vector<Vector> Walkman::first_report(AgentId) const {
  if (given().timing_only) return {{}, {}};
  return {start(), Vector::Zero(1)};
}

Evaluation Walkman::evaluate(Round round, RoundReport report, const ErrorScale& error_scale) const {
  const std::vector<Vector>* newest = nullptr;
  for (const std::vector<Vector>& parts : report)
    if (!parts.empty() && (!newest || parts[1][0] > (*newest)[1][0])) newest = &parts;
  LAGNET_CHECK(newest, "no report of the token");
  const std::vector<std::vector<Vector>> token{*newest};
  Evaluation value = AsynchronousPeers::evaluate(round, token, error_scale);
  value.metrics.pop_back();  // consensus_error
  return value;
}

std::optional<Bytes> Walkman::memory() const {
  Bytes bytes = *AsynchronousPeers::memory();
  for (const DataMatrix& X : blocks_) bytes += X.bytes() + DualGradient::memory(d());
  return bytes;
}

}  // namespace lagnet
