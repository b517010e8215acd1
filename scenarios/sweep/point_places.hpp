#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lagnet {

/// What a finished point is known by.
struct PointIdentity {
  // NOLINTNEXTLINE(google-explicit-constructor): most points read no files
  PointIdentity(std::string of_scenario, std::shared_ptr<const std::string> of_inputs = nullptr)
      : scenario(std::move(of_scenario)), inputs(std::move(of_inputs)) {}
  PointIdentity(const char* of_scenario) : scenario(of_scenario) {}  // NOLINT(google-explicit-constructor)

  std::string scenario;                       // its text, or a digest of it
  std::shared_ptr<const std::string> inputs;  // the files that it reads (named_files.hpp), as JSON; null: none
};

/// Where the points of a sweep are in its staged folder until all are there, and how a finished one is known: by its
/// scenario, every default filled in, by the content of the files that it read, and by the build of lagnet that ran it,
/// so that points may be added to a sweep, or change places, without running the others again.
class PointPlaces {
 public:
  /// The file that announces the points: an array with "key" and "folder" of each, in their order. A point's files are
  /// in the folder of its key, or of the key and this suffix while it runs; a finished one has a file of the other, its
  /// certificate.
  static constexpr const char *points_name = "points.json", *running_suffix = ".running",
                              *finished_suffix = ".finished";

  /// `points` must outlive this.
  PointPlaces(std::filesystem::path folder, const std::vector<PointIdentity>& points);

  std::size_t count() const { return keys_.size(); }
  const std::string& key(std::size_t point) const { return keys_[point]; }
  /// The files of a finished point.
  std::filesystem::path place(std::size_t point) const { return folder_ / keys_[point]; }
  std::filesystem::path certificate(std::size_t point) const { return folder_ / (keys_[point] + finished_suffix); }
  /// What stands in it.
  std::string certificate_text(std::size_t point) const;
  /// Whether the certificate is there, and that of this build, this scenario and these inputs.
  bool is_certified(std::size_t point) const;
  /// Throws OutputError if this build has finished points of the sweep with other files than these, or if there are
  /// finished points that the sweep does not have: another folder, or --replace, must be asked for. `target`: what to
  /// call the folder.
  void refuse_other_work(const std::filesystem::path& target) const;
  /// The text of the file that announces the points, whose folders will have these names.
  std::string announcement(const std::vector<std::string>& names) const;
  /// Whether a publication was broken off that had given finished points of the announced sweep their names.
  bool has_named() const { return !named().empty(); }
  /// Moves them back to their places, whichever points this sweep has: only where nobody publishes.
  void take_names_back() const;

 private:
  /// Where they are and where they were.
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> named() const;

  std::filesystem::path folder_;
  const std::vector<PointIdentity>& points_;
  std::vector<std::string> keys_;  // the checksum of the scenario, and which of those with the same
};

/// Identifies the build of lagnet: checksums of the running program and, where that is Python, of lagnet's module.
std::string build_identity();

}  // namespace lagnet
