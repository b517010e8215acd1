#include "algorithms/peers/directed/push_sum.hpp"

#include "algorithms/local/local_fits.hpp"
#include "algorithms/peers/directed/one_way.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

Task<> PushSum::run(Agent& me) const {
  const Index d = given().problem.dim();
  double share = 1;
  const Cost push_cost(d + 1, Bytes{sizeof(double)} * 2 * (d + 1));
  const Cost take_cost(d, Bytes{sizeof(double)} * 2 * d);
  StateVector S = me.vector(d);      // own part of the sum of all x_i^0       (d)
  StateVector w = me.vector(1);      // own weight in it                       (1)
  StateVector z = S;                 // the estimate of the mean               (d)
  StateVector S_out = S, w_out = w;  // what is sent, and kept, of S and w     (d), (1)
  StateVector came;                  // what others sent, added up             (d + 1)

  auto push = [&] {
    S_out = S / share;
    w_out = w / share;
  };
  auto take = [&] {
    S = S_out + came.head(d);  // (1)
    w = w_out + came.tail(1);
    z = S / w[0];
  };

  if (!me.timing_only()) {
    z = S = start_[me.id()];
    w.setOnes();
  }
  me.report(0, z, w);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    share = push_divisor(me);
    co_await me.compute(push_cost, push);
    came = co_await me.neighbor_sum(Payload::joined(S_out, w_out));
    co_await me.compute(take_cost + gathering_work(me, d + 1), take);
    me.report(t, z, w);
  }
}

PushSum::PushSum(const PushSumOptions&, MethodInput input) : AlikeAgents(std::move(input)) {
  const std::size_t m = reporters().size();
  const std::vector<Index>& starts = given().sample_starts;
  LAGNET_CHECK(starts.size() == m + 1, "{} starts of samples for {} agents", starts.size(), m);
  if (given().timing_only) return;
  start_ = own_minimizers(given().problem, starts);
  average_ = Vector::Zero(given().problem.dim());
  for (const Vector& x : start_) average_ += x / static_cast<double>(m);
}

std::vector<Vector> PushSum::first_report(AgentId agent) const {
  if (given().timing_only) return {Vector(), Vector()};
  return {start_[agent], Vector::Ones(1)};
}

Evaluation PushSum::evaluate(Round, RoundReport report, const ErrorScale&) const {
  const Vector mean = mean_of(report);
  return {.iterate = mean,
          .objective = given().problem.objective(mean),
          .metrics = {root_mean_square_distance(report, mean), root_mean_square_distance(report, average_)}};
}

std::optional<Bytes> PushSum::memory() const {
  return Bytes{sizeof(double)} * 8 * given().network.agents * given().problem.dim();
}

}  // namespace lagnet
