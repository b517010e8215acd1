#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "scenarios/files/interruption.hpp"

/// Who works in a folder, where any number of processes may, on any machines that see it. Each of them has a file there
/// with its name, which it touches as long as it lives. Nothing but files is needed, and no file system's locks.
namespace lagnet {

/// How long a member may be silent before it is taken for dead.
constexpr std::chrono::milliseconds silence_max = std::chrono::minutes(5);

struct Member {
  std::string name;   // of its file, without the suffix; no two members have the same
  std::string task;   // what it does in the folder
  bool is_anew;       // though it was done before
  std::string shown;  // for people: "process 4711 on node7"
};

/// The members of a folder that are at work, in the order of their names: those whose files were touched within
/// `silence`, by the clock of the file system, but for processes of this machine that have ended.
std::vector<Member> members_at_work(const std::filesystem::path& folder,
                                    std::chrono::milliseconds silence = silence_max);

/// Throws OutputError if a folder has members at work, for a process that wants to write to `target` alone.
void refuse_beside_members(const std::filesystem::path& folder, const std::filesystem::path& target);

/// Makes this process a member of a folder, for as long as the object lives. An interruption ends it, too.
class Membership {
 public:
  static constexpr const char* suffix = ".member";

  /// `task`: what is to be done there; `is_anew`: though it was done before. Throws OutputError if nothing can be
  /// written there.
  Membership(std::filesystem::path folder, const std::string& task, std::chrono::milliseconds silence = silence_max,
             bool is_anew = false);
  ~Membership();
  Membership(const Membership&) = delete;
  Membership& operator=(const Membership&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  const std::string& name() const { return name_; }
  /// Whether its file is there. That is found by a change, which no cache of a file system answers.
  bool is_listed() const;
  /// Whether the member of that name is at work, as members_at_work() has it.
  bool is_at_work(const std::string& name) const;
  std::vector<Member> all_at_work() const { return members_at_work(folder_, silence_); }
  /// A path in the folder that nobody else uses, for what takes its place by being renamed.
  std::filesystem::path scratch() const;

 private:
  std::filesystem::path file() const { return folder_ / (name_ + suffix); }

  std::filesystem::path folder_;
  std::string name_;
  std::chrono::milliseconds silence_;
  std::optional<Unfinished> unfinished_;
  std::mutex resting_;
  std::condition_variable_any rest_;
  std::jthread heart_;
};

}  // namespace lagnet
