#include "tools/python/module/request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "tools/python/module/arrays.hpp"

namespace lagnet::python {

namespace py = pybind11;

namespace {

/// A number of an agent's call. Throws TypeError that names the call.
double number_of(const py::handle& value, const char* called) {
  try {
    return python::number_of(value);
  } catch (const py::type_error& error) {
    throw py::type_error(fmt::format("{}: {}", called, error.what()));
  }
}

/// The same of an integer.
template <class Integer>
Integer integer_of(const py::handle& value, const char* called) {
  if (!PyIndex_Check(value.ptr()))
    throw py::type_error(fmt::format("{}: expected an integer, found {}", called, type_name(value)));
  const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!index) throw py::error_already_set();
  const long long number = PyLong_AsLongLong(index.ptr());
  if (number == -1 && PyErr_Occurred()) throw py::error_already_set();
  if (!std::in_range<Integer>(number))
    throw py::value_error(
        fmt::format("{}: expected an integer of {} bits, found {}", called, 8 * sizeof(Integer), number));
  return static_cast<Integer>(number);
}

Time time_of(const Agent& me, const py::object& seconds) {
  if (seconds.is_none()) return Time::never();
  const double s = number_of(seconds, "until");
  if (!(s >= 0)) throw py::value_error(fmt::format("until: expected a time of at least 0 s, found {}", s));
  return std::max(me.now(), saturated(Time(), Duration::seconds(s)));
}

std::int64_t count_of(const py::handle& value, const char* called) {
  const double number = number_of(value, called);
  if (!(number >= 0 && number < 9e18))
    throw py::value_error(fmt::format("{}: expected at least 0, found {}", called, number));
  return static_cast<std::int64_t>(number);
}

}  // namespace

Request request_of(const Agent& me, py::handle awaited) {
  if (!py::hasattr(awaited, "lagnet_wait"))
    throw py::type_error("await: expected something of the agent, such as me.compute(flops), found " +
                         std::string(py::str(py::type::of(awaited).attr("__name__"))) +
                         "; agents have no event loop but the simulation");
  const py::tuple words = awaited.attr("lagnet_wait");
  Request request;
  request.what = static_cast<Wait>(words[0].cast<int>());
  switch (request.what) {
    case Wait::update:
      request.number = integer_of<std::int64_t>(words[3], "update");
      [[fallthrough]];
    case Wait::compute:
      request.work = Cost(count_of(words[1], "flops"), count_of(words[2], "bytes"));
      break;
    case Wait::mix:
    case Wait::sum:
    case Wait::exchange:
      request.sent = sent_of(words[1], "body");
      break;
    case Wait::ask:
      request.round = integer_of<Round>(words[1], "round");
      request.sent = sent_of(words[2], "body");
      request.tag = integer_of<MessageTag>(words[3], "tag");
      break;
    case Wait::collect:
      request.round = integer_of<Round>(words[1], "round");
      if (!words[2].is_none()) {
        request.members.emplace();
        const py::object members = words[2];
        for (const py::handle member : members) request.members->push_back(integer_of<AgentId>(member, "members"));
      }
      request.until = time_of(me, words[3]);
      request.tag = integer_of<MessageTag>(words[4], "tag");
      break;
    case Wait::receive_until:
    case Wait::next_event:
      request.until = time_of(me, words[1]);
      break;
    case Wait::sleep: {
      const double s = number_of(words[1], "sleep");
      if (!(s >= 0)) throw py::value_error(fmt::format("sleep: expected at least 0 s, found {}", s));
      request.duration = Duration::seconds(s);
      break;
    }
    case Wait::encrypt:
    case Wait::decrypt:
    case Wait::add_ciphertexts:
      request.number = count_of(words[1], "count");
      break;
    default:
      break;
  }
  return request;
}

}  // namespace lagnet::python
