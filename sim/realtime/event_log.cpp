#include "sim/realtime/event_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/endian/buffers.hpp>
#include <cstring>
#include <limits>
#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

namespace endian = boost::endian;

struct WireEvent {
  endian::little_int64_buf_t at;
  endian::little_uint8_buf_t what, cause;
  endian::little_uint16_buf_t reserved;
  endian::little_uint32_buf_t agent, peer, link;
  endian::little_int64_buf_t round, amount, duration, queued;
  endian::little_uint64_buf_t serial;
};
static_assert(sizeof(WireEvent) == 64);

struct WireReport {
  endian::little_uint32_buf_t agent, parts;
  endian::little_int64_buf_t round;
};

struct WireTime {
  endian::little_uint32_buf_t of, reserved;  // a link or an agent
  endian::little_int64_buf_t which, duration;
};

struct WireStart {
  endian::little_uint32_buf_t process, version;
  Hello::Digest scenario;
  endian::little_int64_buf_t wall_ns, steady_ns;
};

template <class Wire>
void add(std::vector<std::byte>& to, const Wire& wire) {
  append_bytes(to, std::as_bytes(std::span(&wire, 1)));
}

WireEvent wire_of(const SimEvent& event) {
  WireEvent wire;
  wire.at = event.at.ns();
  wire.what = static_cast<std::uint8_t>(event.what);
  wire.cause = static_cast<std::uint8_t>(event.cause);
  wire.reserved = 0;
  wire.agent = event.agent;
  wire.peer = event.peer;
  wire.link = event.link;
  wire.round = event.round;
  wire.amount = event.amount;
  wire.duration = event.duration.ns();
  wire.queued = event.queued.ns();
  wire.serial = event.serial;
  return wire;
}

WireTime wire_of(std::uint32_t of, std::int64_t which, Duration duration) {
  WireTime wire;
  wire.of = of;
  wire.reserved = 0;
  wire.which = which;
  wire.duration = duration.ns();
  return wire;
}

Duration duration_of(const WireTime& wire) {
  if (wire.duration.value() < 0) throw FrameError(fmt::format("a duration of {} ns", wire.duration.value()));
  return Duration::nanoseconds(wire.duration.value());
}

SimEvent event_of(const WireEvent& wire) {
  if (wire.what.value() >= event_kinds || wire.cause.value() > static_cast<std::uint8_t>(Cause::moved_on))
    throw FrameError(fmt::format("an event of kind {} and cause {}", wire.what.value(), wire.cause.value()));
  SimEvent event;
  event.at = Time::nanoseconds(wire.at.value());
  event.what = static_cast<EventKind>(wire.what.value());
  event.cause = static_cast<Cause>(wire.cause.value());
  event.agent = wire.agent.value();
  event.peer = wire.peer.value();
  event.link = wire.link.value();
  event.round = wire.round.value();
  event.amount = wire.amount.value();
  event.duration = Duration::nanoseconds(wire.duration.value());
  event.queued = Duration::nanoseconds(wire.queued.value());
  event.serial = wire.serial.value();
  return event;
}

/// Takes the parts of a body one after the other.
class BodyReader {
 public:
  explicit BodyReader(std::span<const std::byte> body) : left_(body) {}
  template <class Wire>
  Wire take() {
    Wire wire;
    std::memcpy(&wire, bytes(sizeof wire).data(), sizeof wire);
    return wire;
  }
  std::span<const std::byte> bytes(std::size_t count) {
    if (count > left_.size()) throw FrameError("an entry that ends early");
    return std::exchange(left_, left_.subspan(count)).first(count);
  }
  std::size_t left() const { return left_.size(); }
  bool is_over() const { return left_.empty(); }

 private:
  std::span<const std::byte> left_;
};

}  // namespace

// Writing

EventLog::EventLog(std::filesystem::path file) : file_(std::move(file)) {
  const int made = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (made >= 0) {
    out_.open(fmt::format("/proc/self/fd/{}", made), std::ios::binary);
    ::close(made);
  }
  if (!out_.is_open()) throw RunError(fmt::format("cannot write to {}", file_.string()));
}

void EventLog::write(FrameKind kind, std::span<const std::byte> body) {
  const auto frame = OutgoingFrame::with_body({.kind = kind}, body);
  for (const auto piece : frame.pieces())
    out_.write(reinterpret_cast<const char*>(piece.data()), static_cast<std::streamsize>(piece.size()));
}

void EventLog::start(const LogStart& start) {
  WireStart wire;
  wire.process = start.process;
  wire.version = Hello::protocol_version;
  wire.scenario = start.scenario;
  wire.wall_ns = start.wall_ns;
  wire.steady_ns = start.steady_ns;
  body_.clear();
  add(body_, wire);
  append_bytes(body_, std::as_bytes(std::span(start.boot)));
  write(FrameKind::log_start, body_);
}

void EventLog::on_event(const SimEvent& what) {
  const WireEvent wire = wire_of(what);
  write(FrameKind::log_event, std::as_bytes(std::span(&wire, 1)));
  if (what.what == EventKind::sent) out_.flush();  // before anybody can get it: this process may be killed
}

void EventLog::reported(AgentId agent, Round round, std::span<const VectorView> parts) {
  WireReport wire;
  wire.agent = agent;
  wire.parts = static_cast<std::uint32_t>(parts.size());
  wire.round = round;
  body_.clear();
  add(body_, wire);
  for (const VectorView& part : parts) {
    endian::little_uint64_buf_t size;
    size = static_cast<std::uint64_t>(part.size());
    add(body_, size);
    append_bytes(body_, std::as_bytes(std::span(part.data(), static_cast<std::size_t>(part.size()))));
  }
  write(FrameKind::log_report, body_);
}

void EventLog::queued(const QueueWait& wait) {
  const WireTime wire = wire_of(wait.link, static_cast<std::int64_t>(wait.serial), wait.duration);
  write(FrameKind::log_queued, std::as_bytes(std::span(&wire, 1)));
}

void EventLog::worked(const WorkTime& work) {
  const WireTime wire = wire_of(work.agent, work.number, work.duration);
  write(FrameKind::log_worked, std::as_bytes(std::span(&wire, 1)));
}

void EventLog::end(Time at, std::span<const SimEvent> waits) {
  endian::little_int64_buf_t time;
  time = at.ns();
  body_.clear();
  add(body_, time);
  for (const SimEvent& wait : waits) add(body_, wire_of(wait));
  write(FrameKind::log_end, body_);
  out_.close();
  if (!out_) throw RunError(fmt::format("not all could be written to {}", file_.string()));
}

// Reading

EventLogReader::EventLogReader(std::filesystem::path file)
    : file_(std::move(file)),
      in_(file_, std::ios::binary),
      reader_({.largest_body = std::numeric_limits<std::uint32_t>::max()}) {
  if (!in_) fail("cannot be read");
  const auto frame = next_frame();
  if (!frame && in_.gcount() == 0 && reader_.is_empty()) return;
  if (!frame || frame->header.kind != FrameKind::log_start) fail("is no record of an agent's process");
  has_started_ = true;
  BodyReader body(frame->body);
  const auto wire = body.take<WireStart>();
  if (wire.version.value() != Hello::protocol_version)
    fail(fmt::format("a record of version {}, and this lagnet reads version {}", wire.version.value(),
                     Hello::protocol_version));
  start_.process = wire.process.value();
  start_.scenario = wire.scenario;
  start_.wall_ns = wire.wall_ns.value();
  start_.steady_ns = wire.steady_ns.value();
  const auto boot = body.bytes(body.left());
  start_.boot.assign(reinterpret_cast<const char*>(boot.data()), boot.size());
}

void EventLogReader::fail(const std::string& why) const { throw RunError(fmt::format("{}: {}", file_.string(), why)); }

void EventLogReader::fail_at_entry(const std::string& why) const {
  fail(fmt::format("entry {}, at byte {}: {}", entries_, entry_begin_, why));
}

void EventLogReader::check_end() {
  if (!reader_.is_empty() || in_.peek() != std::ifstream::traits_type::eof())
    fail(fmt::format("expected its end at byte {}, found more", entry_end_));
}

std::optional<Frame> EventLogReader::next_frame() {
  try {
    while (true) {
      if (const auto frame = reader_.next()) {
        ++entries_;
        entry_begin_ =
            std::exchange(entry_end_, entry_end_ + frame_header_bytes + frame->body.size() + frame_end_bytes);
        return frame;
      }
      const auto room = reader_.room();
      in_.read(reinterpret_cast<char*>(room.data()), static_cast<std::streamsize>(room.size()));
      if (in_.gcount() == 0) return std::nullopt;
      reader_.add(static_cast<std::size_t>(in_.gcount()));
    }
  } catch (const FrameError& error) {
    ++entries_;
    entry_begin_ = entry_end_;
    fail_at_entry(error.what());
  }
}

std::optional<LogEntry> EventLogReader::next() {
  const auto frame = has_started_ ? next_frame() : std::nullopt;
  if (!frame) return std::nullopt;
  try {
    BodyReader body(frame->body);
    LogEntry entry;
    switch (frame->header.kind) {
      case FrameKind::log_event:
        entry.event = event_of(body.take<WireEvent>());
        break;
      case FrameKind::log_report: {
        const auto wire = body.take<WireReport>();
        entry.report = LogEntry::Report();
        LogEntry::Report& report = *entry.report;
        report.agent = wire.agent.value();
        report.round = wire.round.value();
        for (std::uint32_t part = 0; part < wire.parts.value(); ++part) {
          const std::uint64_t size = body.take<endian::little_uint64_buf_t>().value();
          if (size > body.left() / sizeof(double)) throw FrameError("an entry that ends early");
          Vector numbers(static_cast<Index>(size));
          std::ranges::copy(body.bytes(size * sizeof(double)),
                            std::as_writable_bytes(std::span(numbers.data(), size)).begin());
          report.parts.push_back(std::move(numbers));
        }
        break;
      }
      case FrameKind::log_queued: {
        const auto wire = body.take<WireTime>();
        entry.wait = QueueWait{wire.of.value(), static_cast<std::uint64_t>(wire.which.value()), duration_of(wire)};
        break;
      }
      case FrameKind::log_worked: {
        const auto wire = body.take<WireTime>();
        entry.work = WorkTime{wire.of.value(), wire.which.value(), duration_of(wire)};
        break;
      }
      case FrameKind::log_end:
        has_ended_ = true;
        end_ = Time::nanoseconds(body.take<endian::little_int64_buf_t>().value());
        while (!body.is_over()) waits_.push_back(event_of(body.take<WireEvent>()));
        check_end();
        return std::nullopt;
      default:
        throw FrameError("an entry of another kind");
    }
    if (!body.is_over()) throw FrameError("an entry that is too long");
    return entry;
  } catch (const FrameError& error) {
    fail_at_entry(error.what());
  }
}

}  // namespace lagnet
