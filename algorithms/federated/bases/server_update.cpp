#include "algorithms/federated/bases/server_update.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace lagnet {

ServerUpdate::ServerUpdate(const ServerUpdateOptions& options, const Clients& clients, double eta_s)
    : clients_(clients), answer_weights_(options.answer_weights), eta_s_(eta_s) {
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
      return is_plain() ? 0 : 4;
    case Kind::adagrad:
      return 10;
    case Kind::adam:
      return 12;
    case Kind::yogi:
      return 14;
  }
  return 0;
}

Index ServerUpdate::passes() const { return is_plain() ? 0 : kind_ == Kind::sgd ? 3 : 5; }

Remarks ServerUpdate::warnings() const {
  if (kind_ == Kind::sgd || v0_ >= tau_ * tau_) return {};
  return {{"small_v0",
           {{"v0", v0_}, {"tau", tau_}},
           fmt::format("v0 = {} is below tau^2 = {}, the least for which the server optimizer is known to converge",
                       v0_, tau_ * tau_)}};
}

ServerState::ServerState(const ServerUpdate& update, const Agent& me, Index d) : update_(update) {
  if (update.is_plain()) return;
  a = m = me.vector(d);
  if (update.kind_ == ServerUpdate::Kind::sgd) return;
  v = m;
  if (!me.timing_only()) v.setConstant(update.v0_);
}

void ServerState::move(StateVector& w, std::span<const Message> answers, double scale) {
  const std::vector<double> q = update_.weights(answers);
  if (std::ranges::none_of(q, [](double q_k) { return q_k > 0; })) return;
  StateVector& sum = update_.is_plain() ? w : a;
  const double factor = update_.is_plain() ? update_.eta_s_ * scale : scale;
  if (!update_.is_plain()) a.setZero();
  for (std::size_t k = 0; k < answers.size(); ++k) sum += factor * q[k] * part_of(answers[k].body, 0, w.size());
  if (!update_.is_plain()) step(w);
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
