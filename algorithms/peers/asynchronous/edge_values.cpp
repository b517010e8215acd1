#include "algorithms/peers/asynchronous/edge_values.hpp"

#include <cmath>

namespace lagnet {

EdgeValues::EdgeValues(Agent& me, const EdgeOptions& options, const StateVector& start)
    : options_(options),
      newest_(me),
      z_(me.neighbors().size(), start),
      q_(z_.size(), me.vector(start.size())),
      sent_(z_.size()),
      sum_(me.vector(start.size())),
      out_(sum_) {}

void EdgeValues::relax(Agent& me) {
  newest_.drain(me, [&](std::size_t j, const Payload& body) {
    if (!me.timing_only()) q_[j] = body.view();
  });
  newest_.tell(me);
  const double alpha = options_.relaxation;
  me.at_once(0, [&] {
    sum_.setZero();
    for (std::size_t j = 0; j < z_.size(); ++j) {
      if (newest_.has(j)) z_[j] = (1 - alpha) * z_[j] + alpha * q_[j];
      sum_ += z_[j];
    }
  });
}

void EdgeValues::send(Agent& me, Round n, double rho, const StateVector& x) {
  for (std::size_t j = 0; j < z_.size(); ++j) {
    me.at_once(0, [&] { out_ = 2 * rho * x - z_[j]; });
    if (options_.threshold) {
      const double least = options_.threshold->value * std::pow(options_.threshold->factor, static_cast<double>(n));
      if (sent_[j].size() > 0 && (out_ - sent_[j]).norm() <= least) continue;
      sent_[j] = out_;
    }
    me.send(me.neighbors()[j], n, out_);
  }
}

}  // namespace lagnet
