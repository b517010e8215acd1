#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>

/// The files in progress, for an interruption (Ctrl-C, SIGTERM, SIGHUP): they appear complete or not at all, and
/// messages about them are true. One mutex orders everything here, so that an interruption is before or after each
/// step, never within.
namespace lagnet {

/// Something that an interruption must not leave behind, for as long as the object lives.
class Unfinished {
 public:
  explicit Unfinished(std::filesystem::path path);
  ~Unfinished();
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  /// From now on an interruption leaves it: it has finished parts, from which the same command goes on.
  void keep(bool wanted = true);

 private:
  std::filesystem::path path_;
};

/// Steps that belong together, such as those in which results take their place. No interruption comes between its two
/// ends; once one ends the program, the constructor does not return. Commits of one thread may contain others.
class Commit {
 public:
  explicit Commit(std::filesystem::path result);
  ~Commit();
  Commit(const Commit&) = delete;
  Commit& operator=(const Commit&) = delete;
  /// The results are in their place. Those of an inner commit are a part of the outer one's.
  void done();

 private:
  std::filesystem::path result_;
};

/// The files that an interruption leaves.
struct Leftovers {
  std::optional<std::filesystem::path> kept;    // finished parts, from which the same command goes on
  std::optional<std::filesystem::path> result;  // the last one that was completed
};

/// For the thread that ends the program: lets no commit begin any more, removes what is unfinished, passes what stays
/// to `end`, which must not return. If everything that was begun is complete, the program gets `patience` to end by
/// itself first.
[[noreturn]] void end_by_interruption(std::chrono::milliseconds patience, const std::function<void(Leftovers)>& end);

/// Does not return if the program is being ended by an interruption.
void yield_to_interruption();

}  // namespace lagnet
