#include "algorithms/federated/distributed_proximal_gradient.hpp"

#include <utility>

namespace lagnet {

Task<> DistributedProximalGradient::serve(Agent& me) const {
  Vector w = clients().start();  // the iterate     (d)
  std::vector<Message> answers;  // grad L_k(w)     (d each)

  auto descend = [&] { w = P()(w - s() * mean_gradient(answers), s()); };

  me.report(0, w);
  for (Round t = 1; t <= rounds(); ++t) {
    const Cohort S = me.cohort(t);
    send_to_all(me, S.members, t, w);
    answers = co_await me.collect(t, S);
    if (!answers.empty()) co_await me.compute(server_work(answers.size()), descend);
    me.report(t, w);
  }
}

DistributedProximalGradient::DistributedProximalGradient(const DistributedProximalGradientOptions& options,
                                                         MethodInput assignment)
    : GradientServer(DistributedProximalGradientOptions::kind, options.L, options.step, std::move(assignment)) {}

std::vector<std::pair<std::string, double>> DistributedProximalGradient::constants() const { return {{"step", s()}}; }

}  // namespace lagnet
