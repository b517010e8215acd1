#include "algorithms/asynchronous/jobs.hpp"

#include <utility>

#include "sim/base/draws.hpp"

namespace lagnet {

Remarks warnings_of_silence(const MethodInput& given, std::optional<double> resend_ms) {
  if (!given.may_lose_messages || resend_ms) return {};
  return {
      {"lost_messages_silence_clients",
       {},
       "messages can be lost for good, and a lost one takes its client out: network.retransmit sends messages again, "
       "algorithm.resend_ms answers"}};
}

ServerJobs::ServerJobs(Agent& me, Assignment assignment)
    : me_(me), assignment_(assignment), of_(std::size_t{me.neighbors().back()} + 1) {}

void ServerJobs::hand(AgentId client, Round v, const Payload& state) {
  OfClient& jobs = of_[client];
  ++jobs.last;
  if (jobs.recent >> (recent_jobs - 1) != 0) older_.emplace(client, jobs.last - recent_jobs);
  jobs.recent = jobs.recent << 1 | 1;
  me_.send(client, v, state, jobs.last);
}

void ServerJobs::hand_to_all(Round v, const Payload& state) {
  for (const AgentId k : me_.neighbors()) hand(k, v, state);
}

void ServerJobs::hand_on(AgentId answered, Round v, const Payload& state) {
  const auto clients = me_.neighbors();
  const Round c = answers_++;
  switch (assignment_) {
    case Assignment::same:
      return hand(answered, v, state);
    case Assignment::cyclic:
      return hand(clients[static_cast<std::size_t>(c) % clients.size()], v, state);
    case Assignment::random:
      return hand(clients[me_.draws(Purpose{"assignment"}, c).below(clients.size())], v, state);
  }
}

bool ServerJobs::closes(const Message& message) {
  OfClient& jobs = of_[message.from];
  if (message.tag == hello || message.tag > jobs.last) return false;
  const MessageTag age = jobs.last - message.tag;
  if (age >= recent_jobs) return older_.erase({message.from, message.tag}) > 0;
  const std::uint32_t bit = std::uint32_t{1} << age;
  const bool is_open = (jobs.recent & bit) != 0;
  jobs.recent &= ~bit;
  return is_open;
}

Round ServerJobs::used(const Message& answer, Round v) {
  const Round tau = v - answer.round;
  me_.used(answer.from, tau);
  return tau;
}

void ServerJobs::hand_again(AgentId client, Round v, const Payload& state) {
  for (auto job = older_.lower_bound({client, 0}); job != older_.end() && job->first == client; ++job)
    me_.send(client, v, state, job->second);
  const OfClient jobs = of_[client];
  for (MessageTag age = recent_jobs; age-- > 0;)
    if ((jobs.recent >> age & 1) != 0) me_.send(client, v, state, jobs.last - age);
}

ClientJobs::ClientJobs(Agent& me, std::optional<Duration> resend) : me_(me), resend_(resend) {
  wait_ = resend_.value_or(Duration());
  if (me.now() > Time())
    send_last();
  else
    be_patient();
}

void ClientJobs::be_patient() {
  if (!resend_) return;
  patience_ = saturated(me_.now(), wait_);
  wait_ += wait_;
}

bool ClientJobs::is_new(const std::optional<Message>& came) {
  if (came) return came->tag > all_done_ && !done_.contains(came->tag);
  send_last();
  return false;
}

void ClientJobs::answer(const Message& job, Payload result) {
  job_ = job;
  job_.body = Payload();
  result_ = std::move(result);
  ++n_;
  if (job.tag == all_done_ + 1)
    ++all_done_;
  else
    done_.insert(job.tag);
  while (!done_.empty() && done_.erase(all_done_ + 1) > 0) ++all_done_;
  wait_ = resend_.value_or(Duration());
  send_last();
}

void ClientJobs::send_last() {
  if (n_ > 0)
    me_.answer(job_, result_, job_.tag);
  else
    me_.send(server_agent, 0, Payload::of_size(0), hello);
  be_patient();
}

}  // namespace lagnet
