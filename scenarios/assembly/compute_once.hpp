#pragma once

#include <map>
#include <mutex>
#include <string>

namespace lagnet {

/// Values by name that several threads look up. Who holds an entry's mutex looks whether its value is there and makes
/// it if not; others who want the same one wait meanwhile, and those of other entries do not.
template <class Value>
class ComputeOnce {
 public:
  struct Entry {
    std::mutex making;
    Value value{};
  };
  /// The entry of a name, made empty if there is none; it stays where it is.
  Entry& at(const std::string& name) {
    const std::lock_guard lock(mutex_);
    return entries_[name];
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
};

}  // namespace lagnet
