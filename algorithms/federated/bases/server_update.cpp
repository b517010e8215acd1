#include "algorithms/federated/bases/server_update.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace lagnet {

ServerUpdate::ServerUpdate(const ServerUpdateOptions& options, const Clients& clients, const MethodInput& given,
                           double eta_s)
    : clients_(clients),
      aggregator_(options.aggregation, clients, given),
      d_(given.problem.dim()),
      answer_weights_(options.answer_weights),
      eta_s_(eta_s) {
  options.server_optimizer.visit([this](const auto& chosen) {
    using Chosen = std::decay_t<decltype(chosen)>;
    if constexpr (std::is_same_v<Chosen, ServerSgdOptions>) {
      momentum_ = chosen.momentum;
    } else {
      kind_ = Kind::adagrad;
      beta1_ = chosen.beta1;
      tau_ = chosen.tau;
      v0_ = chosen.starting_v();
    }
    if constexpr (requires { chosen.beta2; }) {
      kind_ = std::is_same_v<Chosen, ServerAdamOptions> ? Kind::adam : Kind::yogi;
      beta2_ = chosen.beta2;
    }
  });
}

std::vector<double> ServerUpdate::weights(std::span<const Message> answers) const {
  if (answer_weights_ == AnswerWeights::pi) return clients_.weights(answers);
  return std::vector<double>(answers.size(), 1 / static_cast<double>(answers.size()));
}

Flops ServerUpdate::flops() const {
  switch (kind_) {
    case Kind::sgd:
      return !is_plain() ? 4 : aggregator_.rule().is_mean() ? 0 : 2;
    case Kind::adagrad:
      return 10;
    case Kind::adam:
      return 12;
    case Kind::yogi:
      return 14;
  }
  return 0;
}

Index ServerUpdate::passes() const {
  if (is_plain()) return aggregator_.rule().is_mean() ? 0 : 2;
  return kind_ == Kind::sgd ? 3 : 5;
}

Cost ServerUpdate::work(std::size_t answers) const {
  return aggregator_.work(answers) + Cost(flops() * d_, Bytes{sizeof(double)} * passes() * d_);
}

Remarks ServerUpdate::warnings() const {
  Remarks all = aggregator_.warnings();
  if (kind_ != Kind::sgd && v0_ < tau_ * tau_)
    all.push_back(
        {"small_v0",
         {{"v0", v0_}, {"tau", tau_}},
         fmt::format("v0 = {} is below tau^2 = {}, the least for which the server optimizer is known to converge", v0_,
                     tau_ * tau_)});
  return all;
}

ServerState::ServerState(const ServerUpdate& update, const Agent& me, Index d) : update_(update) {
  if (update.is_plain() && update.aggregator_.is_plain_mean()) return;
  a = m = me.vector(d);
  if (update.kind_ == ServerUpdate::Kind::sgd) return;
  v = m;
  if (!me.timing_only()) v.setConstant(update.v0_);
}

void ServerState::move(StateVector& w, std::span<const Message> answers, double scale) {
  const std::vector<double> q = update_.weights(answers);
  if (std::ranges::none_of(q, [](double q_k) { return q_k > 0; })) return;
  const auto add_mean = [&](double factor, StateVector& sum) {
    for (std::size_t k = 0; k < answers.size(); ++k) sum += factor * q[k] * part_of(answers[k].body, 0, w.size());
  };
  const Aggregator& aggregator = update_.aggregator_;
  if (update_.is_plain() && aggregator.is_plain_mean()) return add_mean(update_.eta_s_ * scale, w);
  if (aggregator.is_plain_mean()) {
    a.setZero();
    add_mean(scale, a);
  } else {
    Aggregate found = aggregator.combine(answers, q, kept_);
    more_ = found.more;
    if (found.a.size() == 0) return;
    a = scale * found.a;
  }
  if (update_.is_plain())
    w += update_.eta_s_ * a;
  else
    step(w);
}

void ServerState::step(StateVector& w) {
  using Kind = ServerUpdate::Kind;
  const double beta1 = update_.beta1_, beta2 = update_.beta2_;
  if (update_.kind_ == Kind::sgd) {
    m = update_.momentum_ * m + a;
    w += update_.eta_s_ * m;  // (4.1)
    return;
  }
  m = beta1 * m + (1 - beta1) * a;  // (4.2)
  a = a.cwiseAbs2();
  if (update_.kind_ == Kind::adagrad)
    v += a;  // (4.3)
  else if (update_.kind_ == Kind::adam)
    v = beta2 * v + (1 - beta2) * a;  // (4.3)
  else
    v -= (1 - beta2) * a.cwiseProduct((v - a).cwiseSign());                                         // (4.3)
  w += update_.eta_s_ * m.cwiseQuotient(v.cwiseSqrt() + Vector::Constant(v.size(), update_.tau_));  // (4.4)
}

}  // namespace lagnet
