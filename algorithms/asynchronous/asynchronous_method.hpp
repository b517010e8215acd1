#pragma once

#include <optional>
#include <utility>

#include "algorithms/asynchronous/jobs.hpp"
#include "algorithms/federated/bases/federated.hpp"

/// The base of asynchronous methods whose clients hold samples: when a client sends again, and the loop of a client.
namespace lagnet {

/// `Base` is FederatedMethod, or derives from it.
template <class Base>
class AsynchronousMethod : public Base {
 public:
  Remarks warnings() const override {
    Remarks all = Base::warnings();
    const Remarks silence = warnings_of_silence(this->given(), resend_ms_);
    all.insert(all.end(), silence.begin(), silence.end());
    return all;
  }

 protected:
  /// All but `resend_ms` goes to the constructor of the base.
  template <class... Given>
  explicit AsynchronousMethod(std::optional<double> resend_ms, Given&&... given)
      : Base(std::forward<Given>(given)...), resend_ms_(resend_ms) {}

  std::optional<Duration> resend() const { return resend_after(resend_ms_); }

  /// A client: of each new job it runs `compute(w, batches)`, with the server's model w (d) and minibatches for
  /// `steps` steps, which costs their gradients and `more`, and answers with `result`.
  template <class Compute>
  Task<> do_jobs(Agent& me, Index steps, Cost more, const StateVector& result, Compute compute) const {
    std::optional<Message> m;
    ClientJobs jobs(me, resend());
    for (;;) {
      m = co_await me.receive_until(jobs.patience());
      if (!jobs.is_new(m)) continue;
      const Minibatches batches = this->minibatches(me, jobs.n(), steps);
      auto kernel = [&] { compute(m->body.view(), batches); };
      co_await me.update(jobs.n(), this->gradients_work(me.id(), batches) + more, kernel);
      jobs.answer(*m, result);
    }
  }

 private:
  std::optional<double> resend_ms_;
};

}  // namespace lagnet
