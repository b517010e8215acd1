#include "algorithms/federated/hier_avg.hpp"

namespace lagnet {

namespace {
constexpr MessageTag of_cloud = 1;  // what goes between cloud and edges; its rounds are others than those of edges
}  // namespace

Task<> HierAvg::serve(Agent& me) const {
  StateVector w = clients().start(me);  // the model              (d)
  std::vector<Message> changes;         // y_l - w                (d each)

  auto average = [&] { clients().add_mean(changes, eta_s(), w); };  // (7.1)

  me.report(0, w);
  for (Round t = 1; t <= rounds(); ++t) {
    send_to_all(me, edges_, t, w, of_cloud);
    Time deadline = Time::never();
    if (cloud_deadline_ms_) deadline = saturated(me.now(), Duration::milliseconds(*cloud_deadline_ms_));
    changes = co_await me.collect(t, edges_, deadline, of_cloud);
    if (!changes.empty()) co_await me.compute(mean_work(changes.size(), 0, 2), average);
    me.report(t, w);
  }
}

Task<> HierAvg::relay(Agent& me) const {
  StateVector y = me.vector(d());  // own model, and then its change                  (d)
  Message request;                 // w, the cloud's model                            (d)
  std::vector<Message> changes;    // Delta_k                                         (d each)

  auto average = [&] { clients().add_mean(changes, 1, y); };  // (7.2)
  auto take = [&] { y = request.body.view(); };
  auto subtract = [&] { y -= request.body.view(); };

  for (;;) {
    request = co_await next_request(me);
    co_await me.compute(Cost(), take);
    for (Round r = 1; r <= kappa_2_; ++r) {
      const Round e = (request.round - 1) * kappa_2_ + r;
      Cohort cohort = me.cohort_among(e, clients().agents());
      if (cohort.members.empty()) continue;
      send_to_all(me, cohort.members, e, y);
      changes = co_await me.collect(e, std::move(cohort));
      if (!changes.empty()) co_await me.compute(mean_work(changes.size(), 0, 2), average);
    }
    co_await me.compute(vector_work(d(), 3), subtract);
    me.answer(request, y, of_cloud);
  }
}

void HierAvg::spawn(Host& host) const {
  host.spawn(server_agent, [this](Agent& me) { return serve(me); });
  for (const AgentId l : edges_)
    host.spawn(
        l, [this](Agent& me) { return relay(me); }, Host::Role::daemon);
  for (const AgentId k : clients().agents())
    host.spawn(
        k, [this](Agent& me) { return train(me); }, Host::Role::daemon);
}

HierAvg::HierAvg(const HierAvgOptions& options, MethodInput given)
    : ProximalSteps(HierAvgOptions::kind, options, {}, options.mu, std::move(given)),
      kappa_2_(options.edge_rounds),
      cloud_deadline_ms_(options.cloud_deadline_ms) {
  add_constant("kappa_2", static_cast<double>(kappa_2_));
  for (AgentId l = server_agent + 1; l < clients().agents().front(); ++l) edges_.push_back(l);
}

}  // namespace lagnet
