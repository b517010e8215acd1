#include "algorithms/federated/gradient_server.hpp"

#include <string>
#include <utility>

namespace lagnet {

Task<> GradientServer::train(Agent& me) const {
  const RowBlock& samples = clients().samples(me.id());
  Message request;  // z, the server's point     (d)
  Vector g;         // grad L_k(z)               (d)
  for (;;) {
    request = co_await next_request(me);
    const Minibatches all = minibatches(me, request.round);
    auto gradient = [&] { g = samples.gradient(loss(), request.body.view(), all.of_step(0)); };
    co_await me.compute(client_work(me.id(), all, request.round), gradient);
    me.send(server_agent, request.round, g);
  }
}

Vector GradientServer::mean_gradient(std::span<const Message> answers) const {
  const std::vector<double> q = clients().weights(answers);
  Vector mean = Vector::Zero(d());
  for (std::size_t k = 0; k < answers.size(); ++k) mean += q[k] * answers[k].body.view();
  return mean;
}

Cost GradientServer::server_work(std::size_t answers) const {
  const auto m = static_cast<Index>(answers);
  return vector_work(2 * m * d() + 2 * d() + P_.flops(d()), m + 4);
}

GradientServer::GradientServer(std::string_view kind, std::optional<double> L, std::optional<double> step,
                               MethodInput assignment)
    : FederatedMethod(kind, {.keeps_constraint = true}, std::move(assignment)), P_(problem(), kind) {
  need_gradient(kind);
  if (has_numbers()) s_ = step ? positive("step", *step) : 1 / largest_curvature(L, given());
}

}  // namespace lagnet
