#include "scenarios/data/arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "scenarios/files/data_diagnostics.hpp"

namespace lagnet {

namespace {

/// All that is offered now.
struct Offers {
  std::mutex mutex;
  std::multimap<std::string, std::shared_ptr<const DataSet>> by_digest;
};

Offers& offers() {
  static Offers all;
  return all;
}

DataSet offered(const std::string& sha256, const char* option) {
  const std::lock_guard lock(offers().mutex);
  const auto found = offers().by_digest.find(sha256);
  if (found == offers().by_digest.end())
    refuse_data(option,
                "arrays that were offered for this run, as lagnet.run(.., data=(X, y)) and lagnet.replay(folder, "
                "data=(X, y)) of the Python package do",
                fmt::format("none with the digest {:.12}..", sha256));
  return *found->second;
}

}  // namespace

OfferedArrays::OfferedArrays(std::string sha256, std::shared_ptr<const DataSet> data)
    : sha256_(std::move(sha256)), data_(data.get()) {
  const std::lock_guard lock(offers().mutex);
  offers().by_digest.emplace(sha256_, std::move(data));
}

OfferedArrays::~OfferedArrays() {
  std::shared_ptr<const DataSet> last;  // goes when the lock is open again: its owner may wait for another one
  const std::lock_guard lock(offers().mutex);
  const auto [first, end] = offers().by_digest.equal_range(sha256_);
  const auto own = std::find_if(first, end, [this](const auto& one) { return one.second.get() == data_; });
  last = std::move(own->second);
  offers().by_digest.erase(own);
}

DataSet load(const ArraysOptions& options) {
  DataSet data = offered(options.sha256, "sha256");
  if (!options.test_sha256.empty())
    data.test = std::make_shared<const DataSet>(offered(options.test_sha256, "test_sha256"));
  return data;
}

}  // namespace lagnet
