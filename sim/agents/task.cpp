#include "sim/agents/task.hpp"

#include <map>

namespace lagnet::detail {

namespace {
std::map<const void*, std::exception_ptr>& thrown() {  // a task is resumed on the thread of its simulation
  static thread_local std::map<const void*, std::exception_ptr> errors;
  return errors;
}
}  // namespace

void ThrownErrors::put(const void* promise, std::exception_ptr error) {
  thrown().insert_or_assign(promise, std::move(error));
}

std::exception_ptr ThrownErrors::take(const void* promise) {
  const auto node = thrown().extract(promise);
  return node.empty() ? nullptr : node.mapped();
}

}  // namespace lagnet::detail
