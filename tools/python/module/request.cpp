#include "tools/python/module/request.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string>

namespace lagnet::python {

namespace py = pybind11;

namespace {

Time time_of(const Agent& me, const py::object& seconds) {
  if (seconds.is_none()) return Time::never();
  const double s = seconds.cast<double>();
  if (!(s >= 0)) throw py::value_error(fmt::format("expected a time of at least 0 s, found {}", s));
  return std::max(me.now(), saturated(Time(), Duration::seconds(s)));
}

std::int64_t count_of(const py::handle& value, const char* called) {
  const double number = value.cast<double>();
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
      request.number = words[3].cast<std::int64_t>();
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
      request.round = words[1].cast<Round>();
      request.sent = sent_of(words[2], "body");
      request.tag = words[3].cast<MessageTag>();
      break;
    case Wait::collect:
      request.round = words[1].cast<Round>();
      if (!words[2].is_none()) request.members = words[2].cast<std::vector<AgentId>>();
      request.until = time_of(me, words[3]);
      request.tag = words[4].cast<MessageTag>();
      break;
    case Wait::receive_until:
    case Wait::next_event:
      request.until = time_of(me, words[1]);
      break;
    case Wait::sleep: {
      const double s = words[1].cast<double>();
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
