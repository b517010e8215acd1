#include "scenarios/files/claim.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>
#include <vector>

#include "scenarios/files/result_folder.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

fs::path place_of(const fs::path& folder, const std::string& work) { return folder / (work + Claim::suffix); }

/// The files of those that have a claim, at work or not.
std::vector<fs::path> files_in(const fs::path& place) {
  std::vector<fs::path> files;
  std::error_code gone;
  for (fs::directory_iterator at(place, gone), end; !gone && at != end; at.increment(gone)) files.push_back(at->path());
  return files;
}

}  // namespace

bool Claim::is_taken(const fs::path& folder, const std::string& work) {
  const std::vector<fs::path> files = files_in(place_of(folder, work));
  if (files.empty()) return false;
  const std::vector<Member> members = members_at_work(folder);
  return std::ranges::any_of(files, [&](const fs::path& file) {
    return std::ranges::find(members, file.stem().string(), &Member::name) != members.end();
  });
}

std::optional<Claim> Claim::take(const Membership& member, const std::string& work) {
  const fs::path place = place_of(member.folder(), work);
  std::error_code ignored;
  for (const fs::path& file : files_in(place)) {
    if (member.is_at_work(file.stem().string())) return std::nullopt;
    fs::remove(file, ignored);
  }
  const fs::path made = member.scratch();
  const std::string own = member.name() + Membership::suffix;
  make_folder(made);
  write_file(made / own, "");
  ::rmdir(place.c_str());  // if it is empty: not every file system puts a folder in the place of an empty one
  if (std::rename(made.c_str(), place.c_str()) == 0) return Claim(place / own);
  const std::error_code why(errno, std::generic_category());
  fs::remove_all(made, ignored);
  // By SFTP a rename that meets a folder fails with EPERM, whatever the reason; writing here is allowed, as just seen.
  if (why.value() == EEXIST || why.value() == ENOTEMPTY || why.value() == EPERM) return std::nullopt;
  throw OutputError(fmt::format("{}: cannot be written: {}", place.string(), why.message()), why);
}

bool Claim::is_held() const {
  std::error_code gone;
  return fs::exists(file_, gone);
}

Claim::Claim(Claim&& other) noexcept : file_(std::exchange(other.file_, {})) {}

Claim::~Claim() {
  if (file_.empty()) return;
  std::error_code ignored;
  fs::remove(file_, ignored);
  ::rmdir(file_.parent_path().c_str());  // if nobody has it again
}

}  // namespace lagnet
