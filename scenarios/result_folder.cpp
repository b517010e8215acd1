#include "scenarios/result_folder.hpp"

#include <fmt/format.h>

#include <fstream>
#include <system_error>

namespace lagnet {

namespace fs = std::filesystem;

bool is_result_folder(const fs::path& folder) {
  return fs::is_regular_file(folder / "summary.json") || fs::is_regular_file(folder / "sweep.csv");
}

StagedFolder::StagedFolder(fs::path target) : target_(fs::absolute(target).lexically_normal()) {
  if (!target_.has_filename()) target_ = target_.parent_path();
  staging_ = target_;
  staging_ += ".partial";
  if (fs::exists(target_) && !(fs::is_directory(target_) && (fs::is_empty(target_) || is_result_folder(target_))))
    throw OutputError(
        fmt::format("{}: expected a new folder, an empty one, or one with earlier results, found something else", target.string()));
  std::error_code error;
  fs::remove_all(staging_, error);
  fs::create_directories(staging_, error);
  if (error) throw OutputError(fmt::format("{}: cannot be written: {}", target.string(), error.message()));
}

StagedFolder::~StagedFolder() {
  std::error_code ignored;
  if (!published_) fs::remove_all(staging_, ignored);
}

void write_file(const fs::path& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  if (!file) throw OutputError(fmt::format("{}: cannot be written", path.string()));
}

void StagedFolder::publish() {
  const fs::path old = target_.string() + ".replaced";
  fs::remove_all(old);
  if (fs::exists(target_)) fs::rename(target_, old);
  fs::rename(staging_, target_);
  published_ = true;
  fs::remove_all(old);
}

}  // namespace lagnet
