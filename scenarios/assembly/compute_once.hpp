#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace lagnet {

/// Values by name that several threads look up, each made once. The thread that holds an entry's mutex makes the value
/// if it does not exist yet; threads that want the same entry wait, those that want other entries do not.
template <class Value>
class ComputeOnce {
 public:
  struct Entry {
    std::mutex making;
    Value value{};
  };
  /// The entry of a name, made empty if there is none. An entry may outlive this object.
  std::shared_ptr<Entry> at(const std::string& name) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Entry>& entry = entries_[name];
    if (!entry) entry = std::make_shared<Entry>();
    return entry;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Entry>> entries_;
};

}  // namespace lagnet
