#include "sim/realtime/link_meter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/base/errors.hpp"
#include "sim/realtime/frames/frame_layout.hpp"

namespace lagnet {

static_assert(message_header_bytes == frame_header_bytes + sizeof(wire::WireMessage) + frame_end_bytes);

namespace {

constexpr Index numbers_of_a_part = 8192;  // 64 KiB
constexpr Bytes bytes_of_a_part = message_header_bytes + Bytes{sizeof(double)} * numbers_of_a_part;

double seconds_between(Connection::Clock::time_point from, Connection::Clock::time_point until) {
  return std::chrono::duration<double>(until - from).count();
}

PeersOptions with_one_link(PeersOptions peers) {
  constexpr std::size_t largest = std::size_t{1} << 20;
  peers.limits = {.largest_body = largest, .links = 1};
  return peers;
}

/// What a transfer took at its receiver: bytes, and seconds. The first half finds the way: a connection begins with few
/// bytes on the way at once.
Vector later_half(const std::vector<Connection::Clock::time_point>& parts) {
  const std::size_t first = (parts.size() - 1) / 2;
  Vector told(2);
  told << static_cast<double>(bytes_of_a_part) * static_cast<double>(parts.size() - 1 - first),
      seconds_between(parts[first], parts.back());
  return told;
}

}  // namespace

std::vector<ProcessPair> measuring_order(std::vector<ProcessPair> pairs) {
  std::ranges::sort(pairs);
  std::map<std::uint32_t, std::set<std::size_t>> taken;  // colors, by process
  std::vector<std::pair<std::size_t, ProcessPair>> colored;
  for (const ProcessPair& pair : pairs) {
    std::size_t color = 0;
    while (taken[pair.first].contains(color) || taken[pair.second].contains(color)) ++color;
    taken[pair.first].insert(color);
    taken[pair.second].insert(color);
    colored.emplace_back(color, pair);
  }
  std::ranges::sort(colored);
  std::ranges::transform(colored, pairs.begin(), [](const auto& each) { return each.second; });
  return pairs;
}

LinkMeter::LinkMeter(LinkMeterOptions options)
    : options_(std::move(options)),
      peers_(context_, with_one_link(options_.peers),
             {[this](std::uint32_t peer, const Frame& frame) { came(peer, frame); }, [](std::uint32_t, bool) {},
              [this](const Remark& one) {
                if (options_.warn) options_.warn(one);
              }}) {}

void LinkMeter::came(std::uint32_t peer, const Frame& frame) {
  if (frame.header.kind == FrameKind::goodbye) return;
  if (frame.header.kind != FrameKind::message)
    throw FrameError("something else than a message while links are measured");
  const auto at = Clock::now();
  inbox_[peer].push_back({read_message(frame, {.largest_body = frame.body.size(), .links = 1}).message, at});
}

void LinkMeter::send(std::uint32_t peer, Word word, const Payload& numbers) {
  Message message;
  message.from = options_.peers.process;
  message.tag = static_cast<MessageTag>(word);
  message.body = numbers;
  peers_.link(peer).send(FrameKind::message,
                         [&](const FrameHeader& header) { return OutgoingFrame::message(header, 0, Time(), message); });
}

void LinkMeter::wait_until(const std::function<bool()>& is_over) {
  while (!is_over()) {
    peers_.check_patience(options_.patience);
    context_.run_one_for(options_.patience / 8);
  }
}

LinkMeter::Came LinkMeter::take(std::uint32_t peer) {
  auto& from = inbox_[peer];
  wait_until([&] { return !from.empty(); });
  Came first = std::move(from.front());
  from.pop_front();
  return first;
}

LinkMeter::Came LinkMeter::take(std::uint32_t peer, Word expected) {
  Came came = take(peer);
  if (came.message.tag != static_cast<MessageTag>(expected))
    throw RunError(fmt::format("process {} says {}, expected {}", peer, came.message.tag, static_cast<int>(expected)));
  return came;
}

std::vector<MeasuredWay> LinkMeter::run() {
  wait_until([&] { return peers_.have_met(); });
  const std::uint32_t own = options_.peers.process;
  const Vector nothing = Vector::Zero(1);
  std::vector<MeasuredWay> ways;
  for (const auto& [first, second] : options_.order) {
    if (own == first) {
      take(second, Word::ready);
      ways.push_back(measure(second));
      serve(second);
    } else if (own == second) {
      send(first, Word::ready, nothing);
      serve(first);
      ways.push_back(measure(first));
    }
  }
  peers_.say_goodbye();
  peers_.end(options_.patience);
  std::ranges::sort(ways, {}, &MeasuredWay::to);
  return ways;
}

/// The median of several.
double LinkMeter::round_trip_s(std::uint32_t peer, MeasuredWay& way) {
  constexpr std::size_t least = 5, most = 1000;
  static const Vector one = Vector::Ones(1);
  std::vector<double> trips;
  const auto begin = Clock::now();
  while (trips.size() < least || (trips.size() < most && Clock::now() < begin + options_.time / 2)) {
    const auto start = Clock::now();
    send(peer, Word::ping, one);
    trips.push_back(seconds_between(start, take(peer, Word::answer).at));
  }
  way.round_trips += static_cast<std::int64_t>(trips.size());
  const auto middle = trips.begin() + static_cast<std::ptrdiff_t>(trips.size() / 2);
  std::ranges::nth_element(trips, middle);
  return *middle;
}

/// Round trips before the transfer and after it: what else a computer does at one time makes none of them shorter.
MeasuredWay LinkMeter::measure(std::uint32_t peer) {
  MeasuredWay way{.to = peer};
  const double before = round_trip_s(peer, way);
  way.bytes_per_s = transfer_bytes_per_s(peer, way);
  way.round_trip_s = std::min(before, round_trip_s(peer, way));
  send(peer, Word::done, Vector::Zero(1));
  return way;
}

/// Of the last of several transfers, each larger than the one before until it takes a while; then until two of them
/// have the same rate.
double LinkMeter::transfer_bytes_per_s(std::uint32_t peer, MeasuredWay& way) {
  constexpr Index first = 4, most = 2048;  // parts: up to 128 MiB wait for being written
  constexpr double same = 0.02;
  constexpr int tries = 20;
  const double enough_s = std::chrono::duration<double>(options_.time).count() / 2;
  const Payload part(Vector::Constant(numbers_of_a_part, 1.0)), end(Vector::Zero(numbers_of_a_part));
  double rate = 0;
  Index parts = first;
  for (int k = 0; k < tries; ++k) {
    for (Index sent = 1; sent < parts; ++sent) send(peer, Word::part, part);
    send(peer, Word::part, end);
    way.bytes += parts * bytes_of_a_part;
    const Payload told = take(peer, Word::transferred).message.body;
    if (told.size() != 2) throw RunError(fmt::format("process {} tells no time of a transfer", peer));
    const double seconds = told.data()[1];
    const double before = std::exchange(rate, told.data()[0] / std::max(seconds, 1e-9));
    const bool is_long = seconds >= enough_s / 2 || parts >= most;
    if (is_long && std::abs(rate - before) <= same * rate) break;
    if (!is_long) parts *= 2;
  }
  return rate;
}

void LinkMeter::serve(std::uint32_t peer) {
  std::vector<Clock::time_point> parts;
  for (;;) {
    const Came came = take(peer);
    const Payload& body = came.message.body;
    switch (static_cast<Word>(came.message.tag)) {
      case Word::ping:
        send(peer, Word::answer, body);
        break;
      case Word::part:
        parts.push_back(came.at);
        if (body.size() > 0 && body.data()[0] != 0) break;
        send(peer, Word::transferred, later_half(parts));
        parts.clear();
        break;
      case Word::done:
        return;
      default:
        throw RunError(fmt::format("process {} says {} while it measures", peer, came.message.tag));
    }
  }
}

}  // namespace lagnet
