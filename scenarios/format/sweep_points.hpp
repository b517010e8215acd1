#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/json/fields.hpp"

namespace lagnet {

/// How the values between two ends are spread.
enum class RangeScale { linear, log };
constexpr auto spellings(RangeScale) {
  return std::array{Spelling{RangeScale::linear, "linear"}, Spelling{RangeScale::log, "log"}};
}

/// Values of one parameter between two ends: low + u (high - low), or on the log scale low (high / low)^u, 0 < u <
/// 1. Integers are rounded such that the ends come as often as the integers between them.
struct RangeOptions {
  double low = 0, high = 0;
  RangeScale scale = RangeScale::linear;
  bool integer = false;
  static void fields(auto& self, auto& field) {
    field("low", self.low, "smallest value", any_value().required());
    field("high", self.high, "largest value, above the smallest", any_value().required());
    field("scale", self.scale, "linear: uniform; log: uniform in the logarithm, which is the default in tune.ranges");
    field("integer", self.integer, "only integers");
  }
  void check(auto& report) const {
    if (!(low < high)) report("high", "a number above low", high);
    if (scale == RangeScale::log && !(low > 0)) report("low", "a number above 0 on the log scale", low);
    constexpr double exact = 9007199254740992;  // 2^53: up to here every integer is a double
    if (integer && !(std::ceil(low) <= std::floor(high) && low >= -exact && high <= exact))
      report("high", "at least the first integer from low on, both within 2^53", high);
  }
  /// u in (0, 1).
  Json at(double u) const;
};

/// Points that are drawn: at random, each parameter uniformly and independently, or as a Latin hypercube, in which each
/// of n equal slices of every parameter's range holds one of the n points (M. D. McKay, R. J. Beckman, W. J. Conover,
/// Technometrics 21(2), 1979).
struct DrawnPointsOptions {
  std::int64_t samples = 0;
  std::uint64_t seed = 1;
  Json ranges = Json::object();
  static void fields(auto& self, auto& field) {
    field("samples", self.samples, "number of points", at_least(1).required());
    field("seed", self.seed, "seed of these draws, independent of the runs' seeds");
    field("ranges", self.ranges, "JSON pointers to ranges: {\"low\": 0.01, \"high\": 10, \"scale\": \"log\"}",
          any_value().required());
  }
};

/// Ranges by the JSON pointers of their parameters, in the order of the file.
using NamedRanges = std::vector<std::pair<std::string, RangeOptions>>;

/// The ranges of a JSON object of pointers, `place`; a range that does not name its scale has this one. Reports
/// problems, and an object without ranges.
NamedRanges read_ranges(const Json& ranges, RangeScale scale, const std::string& place, Diagnostics& diagnostics);

/// The values of one point, by their pointers.
using Settings = std::vector<std::pair<std::string, Json>>;

/// Points that are drawn at random or as a Latin hypercube. More random points start with the same points as fewer of
/// the same seed.
std::vector<Settings> draw_points(const NamedRanges& ranges, std::size_t count, std::uint64_t seed, bool is_hypercube);

}  // namespace lagnet
