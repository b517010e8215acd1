#include "sim/base/errors.hpp"

#include <string_view>

namespace lagnet {

namespace {
std::string describe(Time at, const std::vector<Deadlock::Waiting>& waiting) {
  constexpr std::size_t shown = 10;  // a thousand waiting agents say the same thing
  std::string text = fmt::format("deadlock at {} ns: no event is left and {} agent{} still wait{}", at.ns(),
                                 waiting.size(), waiting.size() == 1 ? "" : "s", waiting.size() == 1 ? "s" : "");
  for (std::size_t i = 0; i < waiting.size() && i < shown; ++i)
    text += fmt::format("\n  agent {} waits for {}", waiting[i].agent, waiting[i].reason);
  if (waiting.size() > shown) text += fmt::format("\n  and {} more", waiting.size() - shown);
  return text;
}
}  // namespace

Deadlock::Deadlock(Time when, std::vector<Waiting> who_waits)
    : std::runtime_error(describe(when, who_waits)), at(when), waiting(std::move(who_waits)) {}

void check_failed(const char* condition, const char* file, int line, const std::string& detail) {
  std::string_view name(file);
  if (const auto slash = name.rfind('/'); slash != std::string_view::npos) name.remove_prefix(slash + 1);
  throw InternalError(fmt::format("{}:{}: check failed: {}: {}", name, line, condition, detail));
}

}  // namespace lagnet
