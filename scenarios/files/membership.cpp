#include "scenarios/files/membership.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <utility>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/json/diagnostics.hpp"
#include "scenarios/json/json_file.hpp"
#include "sim/base/input_file.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

// A beat may be late by several before others go on without its member.
constexpr int beats_within_silence = 15;

/// "" where the system has no such file.
std::string text_of(const fs::path& path) {
  std::ifstream file = open_regular_file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "host";
  return name.data();
}

/// What numbers of processes are good for: this boot of this machine, and this space of numbers in it. "" where the
/// system does not say.
std::string space_of_processes() {
  const std::string boot = text_of("/proc/sys/kernel/random/boot_id");
  std::error_code none;
  const fs::path space = fs::read_symlink("/proc/self/ns/pid", none);
  return boot.empty() || none ? "" : boot.substr(0, boot.find('\n')) + " " + space.string();
}

struct ProcessStatus {
  bool is_over = false;  // it has ended, and its parent does not know yet
  std::string started;   // in ticks since the boot: a number may be given to another process
};

/// Nothing where the system does not show the process.
std::optional<ProcessStatus> status_of_process(long process) {
  const std::string text = text_of(fmt::format("/proc/{}/stat", process));
  const std::size_t name_ends = text.rfind(')');  // it may hold anything
  if (name_ends == std::string::npos) return std::nullopt;
  std::istringstream rest(text.substr(name_ends + 1));
  const std::vector<std::string> fields{std::istream_iterator<std::string>(rest), {}};
  constexpr std::size_t started = 19;  // from the state on, see proc(5)
  if (fields.size() <= started) return std::nullopt;
  return ProcessStatus{.is_over = fields[0] == "Z" || fields[0] == "X", .started = fields[started]};
}

Json facts_of_this_process(const std::string& task, bool is_anew) {
  const auto status = status_of_process(::getpid());
  Json facts{{"task", task},
             {"anew", is_anew},
             {"host", host_name()},
             {"process", ::getpid()},
             {"started", status ? status->started : ""},
             {"space", space_of_processes()}};
  if (const char* job = std::getenv("SLURM_JOB_ID")) facts["job"] = job;
  return facts;
}

std::string name_of_this_process(const Json& facts) {
  static std::atomic<unsigned> count = 0;
  std::string host = facts["host"].get<std::string>().substr(0, 40);
  for (char& c : host)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '-';
  return fmt::format("{}-{}-{}", host, ::getpid(), checksum(fmt::format("{} {}", facts.dump(), count++)));
}

/// Of a process of this machine; of others nobody knows.
bool has_ended(const Json& facts) {
  const std::string here = space_of_processes();
  if (here.empty() || facts.value("space", "") != here) return false;
  const long process = facts.value("process", 0L);
  if (process <= 0) return false;
  if (::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH) return true;
  const auto status = status_of_process(process);
  return status && (status->is_over || status->started != facts.value("started", ""));
}

/// The facts of a member that is at work at a moment of the file system's clock.
std::optional<Json> facts_at_work(const fs::path& file, fs::file_time_type now, milliseconds silence) {
  std::error_code gone;
  const auto touched = fs::last_write_time(file, gone);
  if (gone || now - touched > silence) return std::nullopt;
  Json facts = try_json(text_of(file));
  if (!fs::exists(file, gone)) return std::nullopt;
  if (!facts.is_object()) facts = Json::object();
  if (has_ended(facts)) return std::nullopt;
  return facts;
}

/// False if it is not there.
bool touch(const fs::path& file) { return ::utimensat(AT_FDCWD, file.c_str(), nullptr, AT_SYMLINK_NOFOLLOW) == 0; }

/// The file system's own time, whose clock may be that of another machine; `file` is touched.
fs::file_time_type now_by(const fs::path& file) {
  std::error_code gone;
  if (touch(file)) {
    const auto now = fs::last_write_time(file, gone);
    if (!gone) return now;
  }
  return fs::file_time_type::clock::now();
}

Member member_of(const fs::path& file, const Json& facts) {
  Member member{.name = file.stem().string(),
                .task = facts.value("task", ""),
                .is_anew = facts.value("anew", false),
                .shown = ""};
  member.shown = fmt::format("process {} on {}", facts.value("process", 0L), facts.value("host", "another machine"));
  if (facts.contains("job")) member.shown += fmt::format(", job {}", facts.value("job", ""));
  return member;
}

}  // namespace

std::vector<Member> members_at_work(const fs::path& folder, milliseconds silence) {
  std::vector<fs::path> files;
  std::error_code gone;
  for (fs::directory_iterator at(folder, gone), end; !gone && at != end; at.increment(gone))
    if (at->path().extension() == Membership::suffix && !at->is_symlink(gone)) files.push_back(at->path());
  std::ranges::sort(files);
  std::vector<Member> members;
  if (files.empty()) return members;
  const auto now = now_by(folder / FolderLock::name);
  for (const fs::path& file : files)
    if (const auto facts = facts_at_work(file, now, silence)) members.push_back(member_of(file, *facts));
  return members;
}

void refuse_beside_members(const fs::path& folder, const fs::path& target) {
  const std::vector<Member> members = members_at_work(folder);
  if (members.empty()) return;
  throw OutputError(
      fmt::format("{}: expected no other run or sweep that writes there, found a sweep that processes have joined "
                  "({}{}): wait for its end, or join it with --join",
                  target.string(), members.front().shown,
                  members.size() > 1 ? fmt::format(", and {} more", members.size() - 1) : ""));
}

Membership::Membership(fs::path folder, const std::string& task, milliseconds silence, bool is_anew)
    : folder_(std::move(folder)), silence_(silence) {
  const Json facts = facts_of_this_process(task, is_anew);
  name_ = name_of_this_process(facts);
  {
    const Commit together(file());  // an interruption removes the file, and it may not be made after that
    unfinished_.emplace(file());
    replace_file(file(), facts.dump(2) + "\n", Links::refused);
  }
  heart_ = std::jthread([this](const std::stop_token& ended) {
    std::unique_lock lock(resting_);
    while (!rest_.wait_for(lock, ended, silence_ / beats_within_silence, [&] { return ended.stop_requested(); }))
      touch(file());
  });
}

Membership::~Membership() {
  heart_.request_stop();
  heart_.join();
  std::error_code ignored;
  fs::remove(file(), ignored);
}

bool Membership::is_listed() const { return touch(file()) || errno != ENOENT; }

bool Membership::is_at_work(const std::string& name) const {
  return facts_at_work(folder_ / (name + suffix), now_by(file()), silence_).has_value();
}

fs::path Membership::scratch() const {
  static std::atomic<unsigned> count = 0;
  return folder_ / fmt::format("{}-{}{}.partial", name_, count++, suffix);
}

}  // namespace lagnet
