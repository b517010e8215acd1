#include "tools/python/module/drive.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/interface/rounds.hpp"
#include "sim/base/errors.hpp"
#include "tools/python/module/arrays.hpp"
#include "tools/python/module/python_error.hpp"
#include "tools/python/module/request.hpp"

namespace lagnet::python {

namespace py = pybind11;

namespace {

/// The Python side of one agent.
class Driven {
 public:
  Driven(Agent& me, const AgentFacts& facts, py::handle method, const char* role)
      : me_(me), handle_(std::make_shared<AgentHandle>(me, facts)) {
    const py::gil_scoped_acquire lock;
    try {
      begin(method, role);
    } catch (...) {  // no destructor runs then, and members go without the lock
      handle_->retire();
      throw;
    }
  }
  Driven(const Driven&) = delete;
  Driven& operator=(const Driven&) = delete;
  ~Driven() {
    const py::gil_scoped_acquire lock;
    handle_->retire();
    answer_.release().dec_ref();
    if (coroutine_) {  // the code after "finally" may not await any more
      PyObject *type, *value, *trace;
      PyErr_Fetch(&type, &value, &trace);
      coroutine_.release().dec_ref();
      PyErr_Restore(type, value, trace);
    }
  }

  /// Runs Python up to its next await; nothing when the function has returned.
  std::optional<Request> next() {
    const py::gil_scoped_acquire lock;
    std::optional<Request> request;
    guarded([&] {
      PyObject* result = nullptr;
      const PySendResult how = PyIter_Send(coroutine_.ptr(), answer_.ptr(), &result);
      const py::object awaited = py::reinterpret_steal<py::object>(result);
      if (how == PYGEN_ERROR) throw py::error_already_set();
      answer_ = py::none();
      if (how == PYGEN_NEXT) request = request_of(me_, awaited);
      if (how == PYGEN_RETURN) check_reported();
    });
    return request;
  }

  void answer(Vector&& values) {
    const py::gil_scoped_acquire lock;
    answer_ = array_of(std::move(values));
  }
  void answer(std::vector<Message> messages) {
    const py::gil_scoped_acquire lock;
    py::list all;
    for (Message& one : messages) all.append(py::cast(handle_->received(std::move(one))));
    answer_ = std::move(all);
  }
  void answer(Message message) {
    const py::gil_scoped_acquire lock;
    answer_ = py::cast(handle_->received(std::move(message)));
  }
  void answer(std::optional<Message> message) {
    if (message) answer(std::move(*message));
  }
  void answer(AgentEvent event) {
    const py::gil_scoped_acquire lock;
    switch (event.kind) {
      case AgentEvent::Kind::message:
        answer_ = py::cast(handle_->received(std::move(event.message)));
        break;
      case AgentEvent::Kind::finished:
        answer_ = py::str("finished");
        break;
      case AgentEvent::Kind::time:
        break;
    }
  }

 private:
  void begin(py::handle method, const char* role) {
    guarded([&] {
      const py::object agent = py::module_::import("lagnet.agents").attr("Agent")(handle_);
      py::object made = method.attr(role)(agent);
      if (PyCoro_CheckExact(made.ptr()) == 0)
        throw py::type_error(
            fmt::format("{}: expected an async function (async def {}(self, me)), found one that "
                        "returns {}",
                        role, role, std::string(py::str(py::type::of(made).attr("__name__")))));
      coroutine_ = std::move(made);
      answer_ = py::none();
    });
  }
  void check_reported() const {
    const AgentFacts& facts = handle_->facts();
    const Round latest = handle_->latest_report();
    if (!facts.must_report || latest >= facts.rounds) return;
    throw py::value_error(fmt::format(
        "the function has ended and not reported round {}: {}", facts.rounds,
        latest < 0 ? "it has reported none" : fmt::format("its latest report is that of round {}", latest)));
  }
  /// What Python raises is kept as it is, beside the error that ends the run.
  template <class Action>
  void guarded(const Action& action) {
    try {
      in_python("", action);
    } catch (const UserCodeError&) {
      handle_->throw_if_not_recorded();
      throw;
    }
    handle_->throw_if_not_recorded();
  }

  Agent& me_;
  std::shared_ptr<AgentHandle> handle_;
  py::object coroutine_, answer_;
};

/// What has no answer but that its time has passed.
Task<> pass_time(Agent& me, const Request& request) {
  auto no_kernel = [] {};
  switch (request.what) {
    case Wait::update:
      co_await me.update(request.number, request.work, no_kernel);
      break;
    case Wait::sleep:
      co_await me.sleep(request.duration);
      break;
    case Wait::arrivals:
      co_await me.arrivals();
      break;
    case Wait::encrypt:
      co_await me.encrypt(request.number);
      break;
    case Wait::decrypt:
      co_await me.decrypt(request.number);
      break;
    case Wait::add_ciphertexts:
      co_await me.add_ciphertexts(request.number);
      break;
    default:
      LAGNET_CHECK(false, "await number {} is not known", static_cast<int>(request.what));
  }
}

/// Replaces what is sent by the mean of it and the neighbors'. What is compressed is billed by the method.
Task<> mix(Agent& me, const AgentFacts& facts, Sent& sent) {
  if (!sent.encoded) {
    co_await facts.mixing->mix(me, sent.body);
    co_return;
  }
  const GossipRow& row = gossip_row(*facts.gossip, me);
  Payload body = sent.payload();
  StateVector sum = co_await me.neighbor_mix(std::move(body), row);
  add_absent(me, row, sent.body, sum);
  sent.body = std::move(sum);
}

}  // namespace

Task<> drive(Agent& me, AgentFacts facts, py::handle method, const char* role) {
  Driven python(me, facts, method, role);
  std::optional<Request> request;
  std::vector<Message> messages;
  Payload body;
  StateVector sum;
  Message message;
  std::optional<Message> perhaps;
  AgentEvent event;
  Cohort cohort;
  for (request = python.next(); request; request = python.next()) {
    switch (request->what) {
      case Wait::compute:
        facts.usage->awaits = true;
        co_await me.compute(request->work);
        break;
      case Wait::mix:
        co_await mix(me, facts, request->sent);
        python.answer(std::move(request->sent.body));
        break;
      case Wait::sum:
        body = request->sent.payload();
        sum = co_await me.neighbor_sum(std::move(body));
        python.answer(std::move(sum));
        break;
      case Wait::exchange:
        body = request->sent.payload();
        messages = co_await me.exchange(std::move(body));
        python.answer(std::move(messages));
        break;
      case Wait::collect:
        if (request->members) {
          messages = co_await me.collect(request->round, std::move(*request->members), request->until, request->tag);
        } else {
          cohort = me.cohort(request->round);
          messages = co_await me.collect(request->round, std::move(cohort), request->tag);
        }
        python.answer(std::move(messages));
        break;
      case Wait::ask:
        body = request->sent.payload();
        messages = co_await ask(me, request->round, body, request->tag);
        python.answer(std::move(messages));
        break;
      case Wait::receive:
        message = co_await me.receive_drawn();
        python.answer(std::move(message));
        break;
      case Wait::receive_latest:
        message = co_await me.receive_latest();
        python.answer(std::move(message));
        break;
      case Wait::receive_until:
        perhaps = co_await me.receive_until(request->until);
        python.answer(std::move(perhaps));
        break;
      case Wait::next_event:
        event = co_await me.next_event(request->until);
        python.answer(std::move(event));
        break;
      default:
        facts.usage->awaits |= request->what == Wait::update;
        co_await pass_time(me, *request);
    }
  }
}

}  // namespace lagnet::python
