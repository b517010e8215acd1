#include "algorithms/federated/distributed_proximal_gradient.hpp"

namespace lagnet {

Task<> DistributedProximalGradient::serve(Agent& me) const {
  StateVector w = clients().start(me);  // the iterate     (d)
  std::vector<Message> gradients;       // grad L_k(w)     (d each)
  Vector kept;                          // by the rule     (d)
  Flops more = 0;

  auto step = [&] {
    if (aggregator_->is_plain_mean()) {
      w = descend(w, gradients);
      return;
    }
    const Aggregate found = aggregator_->combine(gradients, clients().weights(gradients), kept);
    if (found.a.size() > 0) w = stepped(w, found.a);
    more = found.more;
  };

  me.report(0, w);
  for (Round t = 1; t <= rounds(); ++t) {
    gradients = co_await ask(me, t, w);
    if (aggregator_->takes(gradients)) {
      co_await me.compute(aggregator_->work(gradients.size()) + step_work(), step);
      if (more > 0) co_await me.compute(more);
    }
    me.report(t, w);
  }
}

Task<> DistributedProximalGradient::train(Agent& me) const {
  const RowBlock& samples = clients().samples(me.id());
  StateVector g = me.vector(d());  // grad L_k(z)                  (d)
  Message request;                 // z, where it is taken         (d)
  for (;;) {
    request = co_await next_request(me);
    const Minibatches all = minibatches(me, request.round, 1);
    auto evaluate = [&] { g = samples.gradient(loss(), request.body.view(), all.of_step(0)); };
    co_await me.compute(gradients_work(me.id(), all), evaluate);
    me.answer(request, g);
  }
}

Vector DistributedProximalGradient::descend(VectorRef z, std::span<const Message> gradients) const {
  StateVector g = StateVector::zeros(d());  // sum_k q_k grad L_k(z)  (d)
  clients().add_mean(gradients, 1, g);
  return stepped(z, g);
}

Vector DistributedProximalGradient::stepped(VectorRef z, const StateVector& g) const {
  const StateVector next = z - s_ * g;
  return P_(next, s_);
}

std::optional<ProximalStep> DistributedProximalGradient::proximal_step() const {
  if (!is_undisturbed(given()) || has_own_objective()) return std::nullopt;
  return ProximalStep{.s = s_,
                      .L = largest_curvature(std::nullopt, given()),
                      .mu = least_curvature_of_all(given()),
                      .mu_h = regularizer().l2_weight().value_or(0)};
}

std::optional<RateBound> DistributedProximalGradient::rate_bound(const ErrorScale& scale) const {
  const auto step = proximal_step();
  if (!step || !aggregator_->is_plain_mean()) return std::nullopt;
  return proximal_gradient_bound(*step, problem().constraint != nullptr, given().start, scale);
}

Remarks DistributedProximalGradient::remarks(const RunCounts& counts) const {
  Remarks all = FederatedMethod::remarks(counts);
  if (aggregator_)
    for (Remark& one : aggregator_->remarks()) all.push_back(std::move(one));
  return all;
}

DistributedProximalGradient::DistributedProximalGradient(std::string_view kind, const ServerStepOptions& options,
                                                         MethodInput given)
    : FederatedMethod(kind, {.keeps_constraint = true}, std::move(given)), P_(problem(), kind) {
  need_gradient(kind);
  if (has_numbers())
    s_ = options.step ? positive("step", *options.step) : 1 / largest_curvature(options.L, this->given());
  add_constant("step", s_);
}

}  // namespace lagnet
