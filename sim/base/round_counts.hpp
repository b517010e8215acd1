#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "sim/base/draws.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// Whole numbers from low to high, each as likely, drawn for each agent and round.
struct UniformCounts {
  static constexpr std::string_view kind = "uniform";
  static constexpr std::string_view summary = "drawn for each agent and round, each number from low to high as likely";
  std::int64_t low = 1;
  std::int64_t high = 1;
  static void fields(auto& self, auto& field) {
    field("low", self.low, "the least number", at_least(1).required());
    field("high", self.high, "the largest number: 5", at_least(1).required());
  }
  void check(auto& report) const {
    if (low > high) report("low", "at most high", low);
  }
};
struct DrawnCounts : OneOf<UniformCounts> {
  static constexpr std::string_view called = "drawn number";
  using OneOf::OneOf;
  UniformCounts range() const {
    return visit([](const auto& options) { return options; });
  }
};

/// A whole number of at least 1 for each agent of a list and each round: one for all; or a list with an entry for each
/// agent, which has one number, or those of rounds 1, 2, .. over and over; or drawn ones. A number belongs to its
/// round, whether the agent takes part in it or not.
class RoundCounts {
 public:
  using Lists = std::vector<std::vector<std::int64_t>>;  // none of them empty
  using Given = std::variant<std::int64_t, Lists, DrawnCounts>;

  RoundCounts(std::int64_t number = 1) : given_(number) {}  // NOLINT: implicit, since most are one number
  explicit RoundCounts(Given given) : given_(std::move(given)) {}

  const Given& given() const { return given_; }
  /// The entries of a list, if it is one.
  std::optional<std::size_t> entries() const;
  bool are_drawn() const { return std::holds_alternative<DrawnCounts>(given_); }
  /// The largest number of the agent at that place, from 0, in any round.
  std::int64_t most(std::size_t agent) const;
  /// Its number in a round, from 1 on; `below(n)`, a draw from 0 .. n - 1, is called once if numbers are drawn.
  template <class Below>
  std::int64_t at(std::size_t agent, Round round, Below& below) const {
    if (const auto* drawn = std::get_if<DrawnCounts>(&given_)) {
      const auto [low, high] = drawn->range();
      return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low + 1)));
    }
    return listed(agent, round);
  }

 private:
  std::int64_t listed(std::size_t agent, Round round) const;
  Given given_;
};

}  // namespace lagnet
