#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "scenarios/files/membership.hpp"

namespace lagnet {

/// The right to a piece of work in a folder, which one member has at a time: a folder that holds a file with the name
/// of its member. It takes its place whole, by a rename that fails where another one stands, on any file system. A
/// claim is void as soon as its member is not at work any more: that one's file is removed, which can never hit a claim
/// that came later, and the next claim takes its place. What results must never depend on that: a member that was
/// silent for long may go on, beside the one that took its work over.
class Claim {
 public:
  static constexpr const char* suffix = ".claim";

  /// Nothing if a member that is at work has it, be it this one. Throws OutputError if nothing can be written.
  static std::optional<Claim> take(const Membership& member, const std::string& work);
  /// Whether a member that is at work has it, in the folder, whoever looks.
  static bool is_taken(const std::filesystem::path& folder, const std::string& work);

  ~Claim();  // gives it back
  /// Whether nobody has taken it over.
  bool is_held() const;
  Claim(Claim&& other) noexcept;
  Claim& operator=(Claim&&) = delete;

 private:
  explicit Claim(std::filesystem::path file) : file_(std::move(file)) {}

  std::filesystem::path file_;  // empty: moved away
};

}  // namespace lagnet
