#include "algorithms/clients.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "sim/errors.hpp"

namespace lagnet {

Clients::Clients(const Assignment& given)
    : start_(given.start.size() > 0 ? given.start : Vector(Vector::Zero(given.problem.X->cols()))) {
  LAGNET_CHECK(start_.size() == given.problem.X->cols(), "a start of {} for {} features", start_.size(),
               given.problem.X->cols());
  const Index agents = given.network.agents;
  const std::vector<Index>& starts = given.sample_starts;
  LAGNET_CHECK(static_cast<Index>(starts.size()) == agents + 1, "{} starts of samples for {} agents", starts.size(),
               agents);
  const auto rows = std::make_shared<const SampleRows>(*given.problem.X, given.problem.y);
  for (AgentId k = 0; k < static_cast<AgentId>(agents); ++k) {
    const Index first = starts[k], count = starts[k + 1] - first;
    LAGNET_CHECK((k == server_agent) == (count == 0), "agent {} holds {} samples", k, count);
    blocks_.emplace_back(rows, first, count);
    if (k != server_agent) agents_.push_back(k);
  }
}

namespace {

using SharedSizes = std::shared_ptr<const RoundSizes>;

Task<> serve_sizes(Agent& me, SharedSizes sizes) {
  std::vector<Message> answers;
  me.report(0);
  for (Round t = 1; t <= sizes->rounds; ++t) {
    const Cohort S = me.cohort(t);
    send_to_all(me, S.members, t, sizes->request);
    answers = co_await me.collect(t, S);
    if (!answers.empty()) co_await me.compute(sizes->server_work(answers.size()));
    me.report(t);
  }
}

Task<> answer_sizes(Agent& me, SharedSizes sizes) {
  Message request;
  for (;;) {
    request = co_await me.receive_latest();
    me.enter(request.round);
    co_await me.compute(sizes->client_work(me, request.round));
    me.send(server_agent, request.round, sizes->answer);
  }
}

}  // namespace

void Clients::spawn_sizes(Simulation& simulation, RoundSizes sizes) const {
  const auto shared = std::make_shared<const RoundSizes>(std::move(sizes));
  spawn(
      simulation, [shared](Agent& me) { return serve_sizes(me, shared); },
      [shared](Agent& me) { return answer_sizes(me, shared); });
}

std::vector<double> Clients::weights(std::span<const Message> answers) const {
  std::vector<double> q;
  double all = 0;
  for (const Message& answer : answers) all += static_cast<double>(samples(answer.from).rows());
  for (const Message& answer : answers) q.push_back(static_cast<double>(samples(answer.from).rows()) / all);
  return q;
}

Task<Message> next_request(Agent& me) {
  Message request = co_await me.receive_latest();
  me.enter(request.round);
  co_return request;
}

void send_to_all(Agent& me, std::span<const AgentId> members, Round round, const Payload& body) {
  for (const AgentId k : members) me.send(k, round, body);
}

}  // namespace lagnet
