#include "scenarios/files/claim.hpp"

#include <dirent.h>
#include <fcntl.h>
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

/// The files of those that have a claim, at work or not, in a folder that is no link. Nothing else in it is lagnet's.
class ClaimFolder {
 public:
  explicit ClaimFolder(const fs::path& place)
      : folder_(::open(place.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) {}
  ~ClaimFolder() {
    if (folder_ >= 0) ::close(folder_);
  }
  ClaimFolder(const ClaimFolder&) = delete;
  ClaimFolder& operator=(const ClaimFolder&) = delete;

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    const int again = folder_ < 0 ? -1 : ::openat(folder_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* const entries = again < 0 ? nullptr : ::fdopendir(again);
    if (entries == nullptr) return names;
    while (const dirent* entry = ::readdir(entries))
      if (fs::path(entry->d_name).extension() == Membership::suffix) names.emplace_back(entry->d_name);
    ::closedir(entries);
    return names;
  }
  void remove(const std::string& file) const {
    if (folder_ >= 0) ::unlinkat(folder_, file.c_str(), 0);
  }

 private:
  int folder_;
};

std::string member_of(const std::string& file) { return fs::path(file).stem().string(); }

}  // namespace

bool Claim::is_taken(const fs::path& folder, const std::string& work) {
  const std::vector<std::string> files = ClaimFolder(place_of(folder, work)).files();
  if (files.empty()) return false;
  const std::vector<Member> members = members_at_work(folder);
  return std::ranges::any_of(files, [&](const std::string& file) {
    return std::ranges::find(members, member_of(file), &Member::name) != members.end();
  });
}

std::optional<Claim> Claim::take(const Membership& member, const std::string& work) {
  const fs::path place = place_of(member.folder(), work);
  std::error_code ignored;
  const ClaimFolder before(place);
  for (const std::string& file : before.files()) {
    if (member.is_at_work(member_of(file))) return std::nullopt;
    before.remove(file);
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
  ClaimFolder(file_.parent_path()).remove(file_.filename().string());
  ::rmdir(file_.parent_path().c_str());  // if nobody has it again
}

}  // namespace lagnet
