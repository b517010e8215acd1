#pragma once

#include <set>
#include <utility>

/// Objects that know which of their kind are alive, so that a test sees one that is destroyed twice or never: g++ 12
/// destroys some temporaries of co_await expressions twice.
namespace lagnet::test {

class Counted {
 public:
  explicit Counted(int number) : value(number) { born(); }
  Counted(const Counted& other) : value(other.value) { born(); }
  Counted(Counted&& other) noexcept : value(std::exchange(other.value, -1)) { born(); }
  Counted& operator=(const Counted&) = default;
  Counted& operator=(Counted&& other) noexcept {
    value = std::exchange(other.value, -1);
    return *this;
  }
  ~Counted() {
    if (alive().erase(this) == 0) ++faults();
  }

  static std::set<const void*>& alive() {
    static std::set<const void*> objects;
    return objects;
  }
  /// Objects that were destroyed while not alive, or made where one was alive.
  static int& faults() {
    static int count = 0;
    return count;
  }

  int value;

 private:
  void born() noexcept {
    if (!alive().insert(this).second) ++faults();
  }
};

}  // namespace lagnet::test
