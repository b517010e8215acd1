#include "scenarios/run/timeline.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "scenarios/json/diagnostics.hpp"

namespace lagnet::timeline_test {

namespace {

Time at(std::int64_t ns) { return Time::nanoseconds(ns); }
Duration span(std::int64_t ns) { return Duration::nanoseconds(ns); }

SimEvent message(EventKind what, std::int64_t ns, AgentId agent, AgentId peer, std::uint64_t serial,
                 Cause cause = Cause::none) {
  return {.at = at(ns), .what = what, .cause = cause, .agent = agent, .peer = peer, .amount = 80, .serial = serial};
}
SimEvent lasting(EventKind what, std::int64_t ns, AgentId agent, std::int64_t duration, std::int64_t amount = 0) {
  return {.at = at(ns), .what = what, .agent = agent, .peer = agent, .amount = amount, .duration = span(duration)};
}

std::string timeline_of(AgentId agents, const std::vector<SimEvent>& all) {
  std::ostringstream text;
  Timeline timeline(text, agents);
  for (const SimEvent& one : all) timeline.on_event(one);
  timeline.close();
  return text.str();
}

/// The events without those that name rows, in the order of the file.
std::vector<Json> events_of(AgentId agents, const std::vector<SimEvent>& all) {
  std::vector<Json> events;
  const Json document = Json::parse(timeline_of(agents, all));
  for (const Json& event : document.at("traceEvents"))
    if (event.at("ph") != "M") events.push_back(event);
  return events;
}

std::vector<Json> with_phase(const std::vector<Json>& events, const std::string& phase) {
  std::vector<Json> found;
  std::ranges::copy_if(events, std::back_inserter(found), [&](const Json& event) { return event.at("ph") == phase; });
  return found;
}

std::int64_t ns_of(const Json& event, const char* key) {
  // To the nearest: the text is exact, the double that it is read into is not.
  return std::llround(event.at(key).get<double>() * 1000);
}

/// The slice that viewers bind an arrow to: the last without length that starts its row's events of that time.
std::string slice_below(const std::vector<Json>& events, std::size_t arrow) {
  for (std::size_t i = arrow; i-- > 0;)
    if (events[i].at("tid") == events[arrow].at("tid") && events[i].at("pid") == events[arrow].at("pid") &&
        (events[i].at("ph") == "X" || events[i].at("ph") == "i") && events[i].at("ts") == events[arrow].at("ts"))
      return events[i].at("name");
  return "";
}

/// Two agents exchange, the first message is lost and sent again, the second comes twice; agent 2 is away a while.
std::vector<SimEvent> eventful_run() {
  SimEvent lost = message(EventKind::lost, 900, 0, 1, 1, Cause::burst);
  lost.queued = span(250);
  SimEvent came = message(EventKind::delivered, 1700, 0, 1, 2);
  came.queued = span(1001);
  return {message(EventKind::sent, 0, 0, 1, 1),
          message(EventKind::sent, 0, 1, 0, 2),
          message(EventKind::sent, 0, 1, 0, 3, Cause::duplication),
          lasting(EventKind::slept, 0, 2, 1200),
          lost,
          message(EventKind::sent, 1000, 0, 1, 4, Cause::retransmission),
          lasting(EventKind::away, 1100, 2, 300),
          came,
          lasting(EventKind::waited, 1700, 0, 1700),
          lasting(EventKind::computed, 1700, 0, 600, 60),
          message(EventKind::delivered, 1800, 0, 1, 3),
          lasting(EventKind::duplicate, 1800, 0, 0, 1),
          message(EventKind::delivered, 2300, 1, 0, 4),
          lasting(EventKind::waited, 2300, 1, 2300),
          lasting(EventKind::encrypted, 2300, 0, 200, 5),
          lasting(EventKind::waited, 2300, 2, 0),
          lasting(EventKind::reported, 2500, 0, 0, 3),
          message(EventKind::sent, 2500, 0, 1, 5),
          message(EventKind::sent, 2500, 0, 1, 6),
          lasting(EventKind::restarted, 2600, 2, 0)};
}

}  // namespace

TEST_CASE("the timeline of a message, a wait and a computation is this text") {
  SimEvent sent = message(EventKind::sent, 1500, 0, 1, 7), came = message(EventKind::delivered, 2000001, 1, 0, 7);
  sent.round = came.round = 5;
  came.queued = span(40);
  CHECK(timeline_of(2, {sent, came, lasting(EventKind::waited, 2000001, 1, 2000001),
                        lasting(EventKind::computed, 2000001, 1, 2000, 20)}) ==
        R"({"displayTimeUnit":"ns","traceEvents":[
{"ph":"M","pid":1,"tid":1,"name":"process_name","args":{"name":"agents"}},
{"ph":"M","pid":1,"tid":1,"name":"process_sort_index","args":{"sort_index":0}},
{"ph":"M","pid":2,"tid":1,"name":"process_name","args":{"name":"network"}},
{"ph":"M","pid":2,"tid":1,"name":"process_sort_index","args":{"sort_index":1}},
{"ph":"M","pid":2,"tid":1,"name":"thread_name","args":{"name":"messages"}},
{"ph":"M","pid":2,"tid":1,"name":"thread_sort_index","args":{"sort_index":0}},
{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"agent 0"}},
{"ph":"M","pid":1,"tid":1,"name":"thread_sort_index","args":{"sort_index":0}},
{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"agent 1"}},
{"ph":"M","pid":1,"tid":2,"name":"thread_sort_index","args":{"sort_index":1}},
{"ph":"X","cat":"agent","pid":1,"tid":1,"ts":1.500,"dur":0,"name":"send"},
{"ph":"s","cat":"message","pid":1,"tid":1,"ts":1.500,"id":7,"name":"message"},
{"ph":"b","cat":"message","pid":2,"tid":1,"ts":1.500,"id":7,"name":"0 → 1, round 5","args":{"bytes":80}},
{"ph":"X","cat":"agent","pid":1,"tid":2,"ts":2000.001,"dur":0,"name":"receive"},
{"ph":"f","cat":"message","pid":1,"tid":2,"ts":2000.001,"id":7,"name":"message","bp":"e"},
{"ph":"e","cat":"message","pid":2,"tid":1,"ts":2000.001,"id":7,"name":"0 → 1, round 5","args":{"queued_us":0.040}},
{"ph":"X","cat":"agent","pid":1,"tid":2,"ts":0,"dur":2000.001,"name":"wait","args":{"round":0}},
{"ph":"X","cat":"agent","pid":1,"tid":2,"ts":2000.001,"dur":2,"name":"compute","args":{"round":0,"flops":20}}
]}
)");
}

TEST_CASE("every message's slice begins and ends once, under one name, with its fate") {
  struct Ends {
    std::string name;
    std::int64_t begin = -1, end = -1;
    Json at_begin, at_end;
  };
  std::map<std::int64_t, Ends> messages;
  for (const Json& event : events_of(3, eventful_run())) {
    if (event.at("pid") != 2) continue;
    Ends& one = messages[event.at("id")];
    const bool begins = event.at("ph") == "b";
    CHECK((begins || event.at("ph") == "e"));
    CHECK((begins ? one.begin : one.end) == -1);
    CHECK((one.name.empty() || event.at("name") == one.name));
    one.name = event.at("name");
    (begins ? one.begin : one.end) = ns_of(event, "ts");
    (begins ? one.at_begin : one.at_end) = event.at("args");
  }
  REQUIRE(messages.size() == 6);
  for (const auto& [serial, one] : messages) {
    CHECK(one.begin >= 0);
    CHECK(one.end >= one.begin);
    CHECK(one.at_begin.at("bytes") == 80);
  }
  CHECK(messages[1].name == "0 → 1, round 0");
  CHECK(messages[1].at_end == Json::parse(R"({"queued_us": 0.25, "lost": "burst"})"));
  CHECK((messages[1].begin == 0 && messages[1].end == 900));
  CHECK(messages[2].at_end == Json::parse(R"({"queued_us": 1.001})"));
  CHECK(messages[3].at_begin.at("cause") == "duplication");
  CHECK(messages[4].at_begin.at("cause") == "retransmission");
  for (const int serial : {5, 6}) {  // on their way when the run ends, at 2600
    CHECK(messages[serial].end == 2600);
    CHECK(messages[serial].at_end == Json::parse(R"({"arrived": false})"));
  }
}

TEST_CASE("an arrow leads from the send to the receive of each message that came") {
  const std::vector<Json> events = events_of(3, eventful_run());
  std::map<std::int64_t, Json> starts, ends;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const bool starting = events[i].at("ph") == "s";
    if (!starting && events[i].at("ph") != "f") continue;
    CHECK((starting ? starts : ends).emplace(events[i].at("id"), events[i]).second);
    CHECK(slice_below(events, i) == (starting ? "send" : "receive"));
    CHECK(events[i].contains("bp") != starting);
  }
  CHECK(starts.size() == 6);
  REQUIRE(ends.size() == 3);  // 1 is lost, 5 and 6 on their way
  for (const auto& [serial, end] : ends) {
    REQUIRE(starts.count(serial) == 1);
    CHECK(ns_of(starts[serial], "ts") <= ns_of(end, "ts"));
    CHECK(starts[serial].at("name") == end.at("name"));
    CHECK(starts[serial].at("cat") == end.at("cat"));
  }
  CHECK((starts[4].at("tid") == 1 && ends[4].at("tid") == 2));  // agents 0 and 1
}

TEST_CASE("the slices of an agent follow each other or lie in each other") {
  std::map<std::int64_t, std::vector<std::pair<std::int64_t, std::int64_t>>> rows;
  for (const Json& slice : with_phase(events_of(3, eventful_run()), "X"))
    rows[slice.at("tid")].emplace_back(ns_of(slice, "ts"), ns_of(slice, "ts") + ns_of(slice, "dur"));
  REQUIRE(rows.size() == 3);
  for (const auto& [row, slices] : rows)
    for (const auto& [a_begin, a_end] : slices)
      for (const auto& [b_begin, b_end] : slices) CHECK_FALSE((a_begin < b_begin && b_begin < a_end && a_end < b_end));
}

TEST_CASE("an agent's activities have their place, length and amount, and only real waits are drawn") {
  std::vector<std::string> found;
  for (const Json& slice : with_phase(events_of(3, eventful_run()), "X"))
    if (slice.at("dur") != 0)
      found.push_back(fmt::format("{} {} {} {} {}", slice.at("tid").get<int>() - 1, slice.at("name").get<std::string>(),
                                  ns_of(slice, "ts"), ns_of(slice, "dur"), slice.at("args").dump()));
  std::ranges::sort(found);
  CHECK(found == std::vector<std::string>{R"(0 compute 1700 600 {"round":0,"flops":60})",
                                          R"(0 encrypt 2300 200 {"round":0,"scalars":5})",
                                          R"(0 wait 0 1700 {"round":0})", R"(1 wait 0 2300 {"round":0})",
                                          R"(2 away 1200 300 {"round":0})", R"(2 sleep 0 1200 {"round":0})"});
}

TEST_CASE("a restart ends started activities and removes future ones") {
  std::vector<std::string> found;
  const std::vector<SimEvent> all{
      lasting(EventKind::computed, 0, 0, 10000),  lasting(EventKind::away, 0, 0, 1000),
      lasting(EventKind::restarted, 3000, 0, 0),  lasting(EventKind::slept, 3000, 0, 500),
      lasting(EventKind::computed, 3500, 0, 100), lasting(EventKind::restarted, 3600, 0, 0)};
  for (const Json& slice : with_phase(events_of(1, all), "X"))
    found.push_back(
        fmt::format("{} {} {}", slice.at("name").get<std::string>(), ns_of(slice, "ts"), ns_of(slice, "dur")));
  CHECK(found == std::vector<std::string>{"compute 0 3000", "sleep 3000 500", "compute 3500 100"});
}

TEST_CASE("nothing that an agent does is drawn beyond the end of the run, however long it would have taken") {
  std::ostringstream text;
  Timeline timeline(text, 3);
  timeline.on_event(lasting(EventKind::computed, 5, 0, 1000));
  timeline.on_event(lasting(EventKind::computed, 5, 1, 1000));
  timeline.on_event(lasting(EventKind::away, 5, 1, 300));  // begins at 1005
  timeline.on_event(lasting(EventKind::slept, 10, 2, Duration::longest().ns()));
  timeline.close(at(400));
  std::vector<std::string> found;
  const Json document = Json::parse(text.str());
  for (const Json& event : document.at("traceEvents"))
    if (event.at("ph") == "X")
      found.push_back(fmt::format("{} {} {} {}", event.at("tid").get<int>() - 1, event.at("name").get<std::string>(),
                                  ns_of(event, "ts"), ns_of(event, "dur")));
  CHECK(found == std::vector<std::string>{"0 compute 5 395", "1 compute 5 395", "2 sleep 10 390"});
}

TEST_CASE("a window has activities that begin in it, and messages sent in it up to their arrival") {
  std::ostringstream text;
  Timeline timeline(text, 2, {.from = at(100), .until = at(200)});
  timeline.on_event(message(EventKind::sent, 50, 0, 1, 1));
  timeline.on_event(message(EventKind::delivered, 110, 1, 0, 1));
  timeline.on_event(message(EventKind::sent, 120, 0, 1, 2));
  timeline.on_event(lasting(EventKind::computed, 150, 1, 500));
  timeline.on_event(message(EventKind::delivered, 250, 1, 0, 2));
  timeline.on_event(lasting(EventKind::computed, 260, 0, 10));
  timeline.close(at(1000));
  CHECK_FALSE(timeline.full_at());
  std::vector<std::string> found;
  const Json document = Json::parse(text.str());
  for (const Json& event : document.at("traceEvents"))
    if (const std::string phase = event.at("ph"); phase == "X" || phase == "b" || phase == "e")
      found.push_back(phase + " " + event.at("name").get<std::string>() + fmt::format(" {}", ns_of(event, "ts")));
  CHECK(found == std::vector<std::string>{"X receive 110", "X send 120", "b 0 → 1, round 0 120", "X receive 250",
                                          "e 0 → 1, round 0 250", "X compute 150"});
}

TEST_CASE("a timeline that has taken its bytes ends as a whole document") {
  std::ostringstream text;
  Timeline timeline(text, 1, {.bytes = 1000});
  for (int k = 0; k < 100; ++k) timeline.on_event(lasting(EventKind::computed, 100 * k, 0, 50));
  timeline.close(at(10000));
  REQUIRE(timeline.full_at());
  CHECK((*timeline.full_at() > Time() && *timeline.full_at() < at(5000)));
  CHECK((std::ssize(text.str()) > 1000 && std::ssize(text.str()) < 1300));
  CHECK(Json::parse(text.str()).at("traceEvents").size() < 20);
}

TEST_CASE("whatever else happens to an agent is an instant with its facts") {
  const auto facts = [](SimEvent one) {
    one.round = 3;
    const Json event = events_of(2, {one}).at(0);
    CHECK((event.at("ph") == "i" && event.at("s") == "t" && event.at("tid") == 2));
    return event.at("name").get<std::string>() + " " + event.at("args").dump();
  };
  SimEvent discarded = message(EventKind::late, 5, 1, 0, 0);
  for (const EventKind what : {EventKind::late, EventKind::superseded, EventKind::duplicate}) {
    discarded.what = what;
    CHECK(facts(discarded) == std::string(name(what)) + R"( {"round":3,"peer":0})");
  }
  SimEvent dropped = message(EventKind::dropped, 5, 1, 0, 0, Cause::deadline);
  CHECK(facts(dropped) == R"(dropped {"round":3,"peer":0,"cause":"deadline"})");
  SimEvent stale = message(EventKind::stale, 5, 1, 0, 0);
  stale.amount = 2;
  CHECK(facts(stale) == R"(stale {"round":3,"peer":0,"rounds_old":2})");
  CHECK(facts(lasting(EventKind::collected, 5, 1, 0, 9)) == R"(collected {"round":3,"answers":9})");
  CHECK(facts(lasting(EventKind::restarted, 5, 1, 0)) == R"(restarted {"round":3})");
  CHECK(facts(lasting(EventKind::reported, 5, 1, 0, 4)) == R"(reported {"round":3,"hops":4})");
}

TEST_CASE("all that an agent sends at one instant shares a slice, unless something comes between") {
  const auto names = [](const std::vector<SimEvent>& all) {
    std::string text;
    for (const Json& event : events_of(3, all))
      if (event.at("pid") == 1) text += event.at("ph").get<std::string>() + event.at("name").get<std::string>() + " ";
    return text;
  };
  const SimEvent one = message(EventKind::sent, 10, 0, 1, 1), other = message(EventKind::sent, 10, 0, 2, 2),
                 later = message(EventKind::sent, 11, 0, 2, 2), report = lasting(EventKind::reported, 10, 0, 0, 0),
                 work = lasting(EventKind::computed, 10, 0, 0, 0), elsewhere = message(EventKind::sent, 10, 1, 2, 2);
  CHECK(names({one, other}) == "Xsend smessage smessage ");
  CHECK(names({one, later}) == "Xsend smessage Xsend smessage ");
  CHECK(names({one, report, other}) == "Xsend smessage ireported Xsend smessage ");
  // The computation is written when the next begins, and viewers, which keep the order of equal times, show it last.
  CHECK(names({one, work, other}) == "Xsend smessage Xsend smessage Xcompute ");
  CHECK(names({one, elsewhere}) == "Xsend smessage Xsend smessage ");
}

TEST_CASE("times too long for exact doubles are written to the nanosecond") {
  const std::int64_t ns = 9007199254740993001;  // 2^53 + 1 microseconds and a nanosecond
  const std::string text =
      timeline_of(1, {lasting(EventKind::reported, ns, 0, 0), lasting(EventKind::slept, ns, 0, 1007)});
  CHECK(text.find(R"("ts":9007199254740993.001,"s":"t")") != std::string::npos);
  CHECK(text.find(R"("ts":9007199254740993.001,"dur":1.007,)") != std::string::npos);
}

TEST_CASE("messages without a serial have neither slices of their own nor arrows") {
  const auto events = events_of(2, {message(EventKind::sent, 1, 0, 1, 0), message(EventKind::delivered, 2, 1, 0, 0)});
  REQUIRE(events.size() == 2);
  CHECK((events[0].at("name") == "send" && events[1].at("name") == "receive"));
}

TEST_CASE("the document is complete when the timeline is destroyed, and closing again adds nothing") {
  std::ostringstream text;
  {
    Timeline timeline(text, 1);
    timeline.on_event(message(EventKind::sent, 1, 0, 0, 1));
    timeline.close();
    timeline.close();
  }
  const std::string closed = text.str();
  CHECK(Json::accept(closed));
  text.str("");
  { Timeline timeline(text, 0); }
  CHECK(Json::parse(text.str()).at("traceEvents").size() == 6);
}

}  // namespace lagnet::timeline_test
