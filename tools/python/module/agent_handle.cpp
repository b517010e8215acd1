#include "tools/python/module/agent_handle.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <memory>
#include <stdexcept>
#include <utility>

#include "tools/python/module/arrays.hpp"

namespace lagnet::python {

namespace py = pybind11;

namespace {

/// Numbers of an agent, drawn one after the other.
template <class Draw>
py::array drawn(py::ssize_t count, const Draw& draw) {
  if (count < 0) throw py::value_error("draws: expected a count of at least 0, found " + std::to_string(count));
  py::array_t<double> numbers(count);
  for (py::ssize_t k = 0; k < count; ++k) numbers.mutable_at(k) = draw();
  return numbers;
}

py::array integers(const std::vector<std::uint32_t>& values) {
  py::array_t<std::int64_t> numbers(static_cast<py::ssize_t>(values.size()));
  for (std::size_t k = 0; k < values.size(); ++k) numbers.mutable_at(static_cast<py::ssize_t>(k)) = values[k];
  return numbers;
}

}  // namespace

ReceivedMessage::ReceivedMessage(Message&& taken, double of_sender)
    : message(std::move(taken)), body(array_of(message.body.view())), weight(of_sender) {
  message.body = Payload();
}

Agent& AgentHandle::me() const {
  if (!me_) throw std::runtime_error("this agent no longer exists: its run has ended, or it crashed and started again");
  return *me_;
}

std::vector<AgentId> AgentHandle::neighbors() const {
  const auto all = me().neighbors();
  return {all.begin(), all.end()};
}

std::vector<AgentId> AgentHandle::in_neighbors() const {
  const auto all = me().in_neighbors();
  return {all.begin(), all.end()};
}

py::object AgentHandle::X() const {
  facts().usage->works = true;
  return facts().samples ? samples_of(*facts().samples) : py::none();
}

py::object AgentHandle::y() const { return facts().samples ? py::object(labels_of(*facts().samples)) : py::none(); }

std::vector<std::uint32_t> AgentHandle::absent() const {
  const auto all = me().absent();
  return {all.begin(), all.end()};
}

Vector AgentHandle::iterate_of(py::handle values, const char* called) const {
  Vector x = vector_of(values, called);
  if (x.size() != facts().d)
    throw py::value_error(fmt::format("{}: expected an iterate of {} numbers, found {}", called, facts().d, x.size()));
  return x;
}

py::array AgentHandle::gradient(py::handle at, bool with_regularizer) const {
  if (!facts().gradient) throw py::value_error("gradient: expected an agent that holds samples, found a server");
  facts().usage->works = true;
  return array_of(facts().gradient(iterate_of(at, "gradient"), with_regularizer));
}

py::array AgentHandle::weights() const {
  const std::vector<double>& shares = *facts().shares;
  return array_of(Vector(Vector::Map(shares.data(), std::ssize(shares))));
}

py::array AgentHandle::prox(py::handle at, double step) const {
  if (!(step >= 0)) throw py::value_error(fmt::format("prox: expected a step of at least 0, found {}", step));
  facts().usage->works = true;
  return array_of((*facts().P)(iterate_of(at, "prox"), step));
}

void AgentHandle::report(Round round, py::handle iterate) {
  const Vector x = iterate_of(iterate, "report");
  if (round > rounds())  // nothing would end the run
    throw py::value_error(
        fmt::format("report: expected a round or update up to {}, the scenario's last one, found {}; me.rounds() ends "
                    "there, and so does a run with stop.updates",
                    rounds(), round));
  try {
    me().report(round, x);
  } catch (const UserCodeError& error) {
    if (!error.is_of_agent) failed_record_ = std::current_exception();
    throw;
  }
  latest_report_ = round;
}

void AgentHandle::send(AgentId to, Round round, py::handle body, MessageTag tag) {
  me().send(to, round, sent_of(body, "send").payload(), tag);
}

void AgentHandle::broadcast(Round round, py::handle body, MessageTag tag) {
  me().broadcast(round, sent_of(body, "broadcast").payload(), tag);
}

void AgentHandle::answer(const ReceivedMessage& request, py::handle body, MessageTag tag) {
  me().answer(request.message, sent_of(body, "answer").payload(), tag);
}

std::vector<ReceivedMessage> AgentHandle::drain(MessageTag tag) {
  std::vector<ReceivedMessage> all;
  for (Message& one : me().drain(tag)) all.push_back(received(std::move(one)));
  return all;
}

ReceivedMessage AgentHandle::received(Message&& message) const {
  const double weight = (*facts().shares)[message.from];
  return {std::move(message), weight};
}

void AgentHandle::start(std::int64_t number, Flops flops) {
  facts().usage->awaits = true;
  me().start(number, flops, no_kernel_);
}

PythonCompressor AgentHandle::compressor(const std::string& section, std::optional<Index> d) const {
  if (d && *d < 1) throw py::value_error(fmt::format("compressor: expected vectors of 1 entry or more, found {}", *d));
  return {section, d.value_or(facts().d), me().bytes_per_scalar()};
}

Packed AgentHandle::compress(const PythonCompressor& Q, py::handle at, Round round) {
  Vector x = vector_of(at, "compress");
  if (x.size() != Q.Q().d())
    throw py::value_error(fmt::format("compress: expected a vector of {} numbers, found {}", Q.Q().d(), x.size()));
  if (!draws_ || draws_->round() != round) draws_.emplace(me().seed(), me().id(), round);
  Q.Q().compress(x, *draws_);
  return {array_of(std::move(x)), Q.bits()};
}

void declare_agent(py::module_& module) {
  py::class_<Draws>(module, "Draws",
                    "Random numbers of one agent, purpose and round, as lagnet's own methods draw them.")
      .def("uniform", [](Draws& draws, py::ssize_t count) { return drawn(count, [&] { return draws.uniform(); }); })
      .def("normal", [](Draws& draws, py::ssize_t count) { return drawn(count, [&] { return draws.normal(); }); })
      .def("exponential",
           [](Draws& draws, py::ssize_t count) { return drawn(count, [&] { return draws.exponential(); }); })
      .def("permutation", [](Draws& draws, std::uint32_t count) { return integers(draws.permutation(count)); })
      .def("distinct", [](Draws& draws, std::uint32_t count, std::uint32_t picked) {
        if (picked > count) throw py::value_error("distinct: expected at most as many as there are");
        return integers(draws.distinct(count, picked));
      });
  py::class_<ReceivedMessage>(module, "Message", "A message that an agent has taken.")
      .def_property_readonly("sender", [](const ReceivedMessage& one) { return one.message.from; })
      .def_property_readonly("round", [](const ReceivedMessage& one) { return one.message.round; })
      .def_property_readonly("tag", [](const ReceivedMessage& one) { return one.message.tag; })
      .def_property_readonly("staleness", [](const ReceivedMessage& one) { return one.message.staleness; })
      .def_property_readonly("body", [](const ReceivedMessage& one) { return one.body; })
      .def_readonly("weight", &ReceivedMessage::weight,
                    "The sender's share of the objective, as in me.weights: those of all agents add up to 1.");
  py::class_<AgentHandle, std::shared_ptr<AgentHandle>>(module, "Handle")
      .def_property_readonly("id", &AgentHandle::id)
      .def_property_readonly("neighbors", &AgentHandle::neighbors)
      .def_property_readonly("in_neighbors", &AgentHandle::in_neighbors)
      .def_property_readonly("now_s", &AgentHandle::now_s)
      .def_property_readonly("d", &AgentHandle::d)
      .def_property_readonly("rounds", &AgentHandle::rounds)
      .def_property_readonly("X", &AgentHandle::X)
      .def_property_readonly("y", &AgentHandle::y)
      .def_property_readonly("samples", &AgentHandle::samples)
      .def_property_readonly("features", &AgentHandle::features)
      .def_property_readonly("absent", &AgentHandle::absent)
      .def("gradient", &AgentHandle::gradient)
      .def_property_readonly("weights", &AgentHandle::weights)
      .def("prox", &AgentHandle::prox)
      .def_property_readonly("prox_flops", &AgentHandle::prox_flops)
      .def_property_readonly("weight", [](const AgentHandle& me) { return me.facts().weight; })
      .def_property_readonly("gradient_flops", [](const AgentHandle& me) { return me.gradient_work().flops; })
      .def_property_readonly("gradient_bytes", [](const AgentHandle& me) { return me.gradient_work().bytes; })
      .def("enter", &AgentHandle::enter)
      .def("next_round", &AgentHandle::next_round)
      .def("report", &AgentHandle::report)
      .def("send", &AgentHandle::send)
      .def("broadcast", &AgentHandle::broadcast)
      .def("answer", &AgentHandle::answer)
      .def("cohort", &AgentHandle::cohort)
      .def("drain", &AgentHandle::drain)
      .def("start", &AgentHandle::start)
      .def("used", &AgentHandle::used)
      .def("compressor", &AgentHandle::compressor)
      .def("compress", &AgentHandle::compress)
      .def("draws", &AgentHandle::draws);
}

}  // namespace lagnet::python
