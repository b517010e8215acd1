#include "algorithms/peers/gradient_tracking.hpp"

namespace lagnet {

Task<> GradientTracking::run_in_one_exchange(Agent& me) const {
  const double alpha = alpha_;
  const bool adapts_first = options().form == TrackingForm::adapt_first;
  DescentDirection direction = direction_of(me);
  StateVector x = me.vector(d());          // the iterate                                      (d)
  StateVector g = x;                       // the last gradient of f_i, or with momentum       (d)
  StateVector y = x;                       // tracks the mean of all agents' g                 (d)
  StateVector change = x;                  // of g                                             (d)
  StateVector mixed = me.vector(2 * d());  // x, or x - alpha y, and y, one after the other    (2 d)

  auto start = [&] { mixed.tail(d()) = y = g = direction.at(x); };
  auto step = [&] { mixed.head(d()) = x - alpha * y; };
  auto descend = [&] { x = mixed.head(d()) - alpha * y; };
  auto evaluate = [&] {
    if (adapts_first) x = mixed.head(d());
    const Vector h = direction.at(x);
    change = h - g;
    g = h;
  };
  auto track = [&] {
    y = mixed.tail(d()) + change;
    mixed << x, y;
  };

  me.report(0, x);
  co_await me.compute(direction.draw(0), start);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    if (adapts_first) co_await me.compute(vector_work(2, 3), step);
    co_await mix(me, mixed);
    if (!adapts_first) co_await me.compute(vector_work(2, 3), descend);
    co_await me.compute(direction.draw(t) + vector_work(1, 3), evaluate);
    co_await me.compute(vector_work(1, 3), track);
    me.report(t, x);
  }
}

Task<> GradientTracking::run(Agent& me) const {
  if (options().in_one()) return run_in_one_exchange(me);
  return run_in_two_exchanges(me);
}

Task<> GradientTracking::run_in_two_exchanges(Agent& me) const {
  const double alpha = alpha_;
  const bool combine_first = options().form == TrackingForm::diging;
  DescentDirection direction = direction_of(me);
  StateVector x = me.vector(d());  // the iterate                                      (d)
  StateVector g = x;               // the last gradient of f_i, or with momentum       (d)
  StateVector y = x;               // tracks the mean of all agents' g                 (d)
  StateVector change = x;          // of g                                             (d)

  auto start = [&] { y = g = direction.at(x); };
  auto descend = [&] { x -= alpha * y; };
  auto evaluate = [&] {
    const Vector h = direction.at(x);
    change = h - g;
    g = h;
  };
  auto track = [&] { y += change; };

  me.report(0, x);
  co_await me.compute(direction.draw(0), start);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    if (combine_first) co_await mix(me, x);
    co_await me.compute(vector_work(2, 3), descend);
    if (!combine_first) co_await mix(me, x);
    co_await me.compute(direction.draw(t) + vector_work(1, 3), evaluate);
    if (combine_first) co_await mix(me, y);
    co_await me.compute(vector_work(1, 3), track);
    if (!combine_first) co_await mix(me, y);
    me.report(t, x);
  }
}

}  // namespace lagnet
