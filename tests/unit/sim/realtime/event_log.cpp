#include "sim/realtime/event_log.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace lagnet::event_log_test {

namespace {

namespace fs = std::filesystem;

/// A file name that no other process uses; the file is removed at the end.
class TemporaryFile {
 public:
  TemporaryFile() : path_(fs::temp_directory_path() / fmt::format("lagnet_event_log_{}", ::getpid())) {}
  ~TemporaryFile() { fs::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const fs::path& path() const { return path_; }
  std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

 private:
  fs::path path_;
};

SimEvent some_event() {
  SimEvent event;
  event.at = Time::nanoseconds(123456789012345);
  event.what = EventKind::delivered;
  event.cause = Cause::enough;
  event.agent = 3;
  event.peer = 4;
  event.link = 17;
  event.round = 5;
  event.amount = -8;
  event.duration = Duration::nanoseconds(77);
  event.queued = Duration::nanoseconds(7);
  event.serial = 1u << 31;
  return event;
}

void check_same(const SimEvent& found, const SimEvent& expected) {
  CHECK(found.at == expected.at);
  CHECK(found.what == expected.what);
  CHECK(found.cause == expected.cause);
  CHECK(found.agent == expected.agent);
  CHECK(found.peer == expected.peer);
  CHECK(found.link == expected.link);
  CHECK(found.round == expected.round);
  CHECK(found.amount == expected.amount);
  CHECK(found.duration == expected.duration);
  CHECK(found.queued == expected.queued);
  CHECK(found.serial == expected.serial);
}

const LogStart start{.wall_ns = 1'700'000'000'000'000'000, .steady_ns = 5, .boot = "a-b-c"};

void write_log(const fs::path& path, bool ends) {
  EventLog log(path);
  log.start(start);
  log.on_event(some_event());
  const Vector first{{1, 2, 3}}, second{{4}};
  const std::vector<VectorView> parts{{first.data(), 3}, {second.data(), 1}, {nullptr, 0}};
  log.reported(6, 9, parts);
  log.queued({.link = 17, .serial = 11, .duration = Duration::nanoseconds(12)});
  log.worked({.agent = 6, .number = 21, .duration = Duration::nanoseconds(22)});
  const std::vector<SimEvent> waits{some_event()};
  if (ends) log.end(Time::nanoseconds(99), waits);
}

}  // namespace

TEST_CASE("A record is not written through a link") {
  const TemporaryFile file;
  const fs::path target = file.path().string() + "_target";
  std::ofstream(target) << "kept";
  fs::create_symlink(target, file.path());
  CHECK_THROWS_AS(EventLog(file.path()), RunError);
  CHECK(fs::file_size(target) == 4);
  fs::remove(target);
}

TEST_CASE("The record of a process reads back as written") {
  const TemporaryFile file;
  write_log(file.path(), true);
  EventLogReader log(file.path());
  CHECK(log.start() == start);
  const auto event = log.next();
  REQUIRE(event);
  CHECK(!event->report);
  check_same(event->event, some_event());
  const auto report = log.next();
  REQUIRE((report && report->report));
  CHECK(report->report->agent == 6);
  CHECK(report->report->round == 9);
  CHECK(report->report->parts == std::vector<Vector>{Vector{{1, 2, 3}}, Vector{{4}}, Vector()});
  const auto wait = log.next();
  REQUIRE((wait && wait->wait && !wait->work));
  CHECK(wait->wait->link == 17);
  CHECK(wait->wait->serial == 11);
  CHECK(wait->wait->duration == Duration::nanoseconds(12));
  const auto work = log.next();
  REQUIRE((work && work->work && !work->wait));
  CHECK(work->work->agent == 6);
  CHECK(work->work->number == 21);
  CHECK(work->work->duration == Duration::nanoseconds(22));
  CHECK(!log.next());
  CHECK(log.has_ended());
  CHECK(log.end() == Time::nanoseconds(99));
  REQUIRE(log.waits().size() == 1);
  check_same(log.waits().front(), some_event());
}

TEST_CASE("The record of a killed process has its entries and no end") {
  const TemporaryFile file;
  write_log(file.path(), false);
  EventLogReader log(file.path());
  for (int entry = 0; entry < 4; ++entry) CHECK(log.next());
  CHECK(!log.next());
  CHECK(!log.has_ended());
}

TEST_CASE("The record of a process that was killed before its start is empty") {
  const TemporaryFile file;
  file.write("");
  EventLogReader log(file.path());
  CHECK(!log.has_started());
  CHECK(!log.next());
  CHECK(!log.has_ended());
}

/// Its entries before its end; -1: it has no end.
int entries_of(const fs::path& file) {
  EventLogReader log(file);
  int count = 0;
  while (log.next()) ++count;
  return log.has_ended() ? count : -1;
}

TEST_CASE("A changed bit anywhere in a record is found, and the error names the file, the entry and its place") {
  const TemporaryFile file;
  write_log(file.path(), true);
  const std::string whole = file.bytes();
  REQUIRE(entries_of(file.path()) == 4);
  const std::string named = file.path().string() + ": entry ";
  std::string last;
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    file.write(damaged);
    CAPTURE(bit);
    CHECK_THROWS_WITH(entries_of(file.path()), Catch::StartsWith(named));
  }
  const std::size_t second = frame_header_bytes + 61 + frame_end_bytes;  // after its start
  std::string damaged = whole;
  damaged[second + 40] = static_cast<char>(damaged[second + 40] ^ 1);
  file.write(damaged);
  CHECK_THROWS_WITH(entries_of(file.path()),
                    Catch::StartsWith(named + fmt::format("2, at byte {}: a damaged frame", second)));
}

TEST_CASE("A record that is cut off has no end") {
  const TemporaryFile file;
  write_log(file.path(), true);
  const std::string whole = file.bytes();
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    file.write(whole.substr(0, bytes));
    int found = -1;
    try {
      found = entries_of(file.path());
    } catch (const RunError&) {  // it is cut off within its start
    }
    CHECK(found == -1);
  }
}

TEST_CASE("A record with something after its end is refused") {
  const TemporaryFile file;
  write_log(file.path(), true);
  const std::string whole = file.bytes();
  for (const std::string& more : {std::string("x"), whole}) {
    file.write(whole + more);
    CHECK_THROWS_WITH(entries_of(file.path()),
                      fmt::format("{}: expected its end at byte {}, found more", file.path().string(), whole.size()));
  }
}

}  // namespace lagnet::event_log_test
