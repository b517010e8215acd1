#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/agents/runtime.hpp"
#include "sim/base/array.hpp"
#include "sim/base/sim_event.hpp"
#include "sim/realtime/frames/frame.hpp"
#include "sim/realtime/frames/frame_reader.hpp"
#include "sim/realtime/measured_times.hpp"

/// The events and reports of one process's agents, in a file, in the order in which they happened. The files of all
/// processes together contain what the listeners and the recorder of a simulation would receive.
namespace lagnet {

/// The process of the record, and the instant of its time 0.
struct LogStart {
  std::uint32_t process = 0;
  Hello::Digest scenario{};    // of its agents
  std::int64_t wall_ns = 0;    // since 1970
  std::int64_t steady_ns = 0;  // by the steady clock, which processes of one computer share until it is started anew
  std::string boot;            // which start of which computer that is; at most 64 bytes

  bool operator==(const LogStart&) const = default;
};

/// Writes such a file. Written entries always stay; a killed process leaves it without an end.
class EventLog final : public Listener, public Recorder {
 public:
  /// Throws RunError if the file cannot be made, or is a link: others may write in its folder.
  explicit EventLog(std::filesystem::path file);
  void start(const LogStart& start);
  void on_event(const SimEvent& what) override;
  bool wants(EventKind what) const override { return what != EventKind::took; }
  void reported(AgentId agent, Round round, std::span<const VectorView> parts) override;
  void queued(const QueueWait& wait);
  void worked(const WorkTime& work);
  /// With the waits that the end cut off. Throws RunError where not all could be written.
  void end(Time at, std::span<const SimEvent> waits);

 private:
  void write(FrameKind kind, std::span<const std::byte> body);

  std::filesystem::path file_;
  std::ofstream out_;
  std::vector<std::byte> body_;
};

/// One thing that a process has seen.
struct LogEntry {
  struct Report {
    AgentId agent = 0;
    Round round = 0;
    std::vector<Vector> parts;
  };
  SimEvent event;                // unless it is one of the others
  std::optional<Report> report;  // which follows its EventKind::reported
  std::optional<QueueWait> wait;
  std::optional<WorkTime> work;
};

/// Reads such a file from its beginning. Each entry is a frame with checksums: it detects a changed byte, and a
/// truncated file looks like the file of a killed process. Throws RunError that names the file, and the entry with its
/// place, if the file is invalid or damaged.
class EventLogReader {
 public:
  explicit EventLogReader(std::filesystem::path file);
  /// Whether its process reached time 0; if not, the file has no entries.
  bool has_started() const { return has_started_; }
  const LogStart& start() const { return start_; }
  /// The next one; nothing at the end of the file.
  std::optional<LogEntry> next();
  /// Whether the process reached its end, and the events that the end cut off; known once next() gives nothing.
  bool has_ended() const { return has_ended_; }
  Time end() const { return end_; }
  const std::vector<SimEvent>& waits() const { return waits_; }

 private:
  std::optional<Frame> next_frame();
  void check_end();
  [[noreturn]] void fail(const std::string& why) const;
  [[noreturn]] void fail_at_entry(const std::string& why) const;

  std::filesystem::path file_;
  std::ifstream in_;
  FrameReader reader_;
  LogStart start_;
  std::int64_t entries_ = 0;                     // that were read
  std::size_t entry_begin_ = 0, entry_end_ = 0;  // of the last one, in bytes from the beginning of the file
  bool has_started_ = false, has_ended_ = false;
  Time end_;
  std::vector<SimEvent> waits_;
};

}  // namespace lagnet
