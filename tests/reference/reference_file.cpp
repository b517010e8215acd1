#include "tests/reference/reference_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lagnet::reference {

void Verdict::compare(const std::string& what, const std::vector<double>& got, const std::vector<double>& want) {
  compare(what, got, want, tolerance_);
}

void Verdict::compare(const std::string& what, const std::vector<double>& got, const std::vector<double>& want,
                      Tolerance own) {
  ++compared_;
  if (got.size() != want.size())
    return fail(fmt::format("{}: expected {} numbers, got {}", what, want.size(), got.size()));
  double scale = own.floor;
  for (const double w : want) scale = std::max(scale, std::abs(w));
  const double allowed = own.absolute + own.relative * scale;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double deviation = std::abs(got[i] - want[i]) / allowed;
    if (!(deviation <= 1))
      fail(fmt::format("{}[{}]: expected {}, got {}, {:.3g} times the tolerance", what, i, want[i], got[i], deviation));
    if (deviation >= largest_ || !std::isfinite(deviation)) {
      largest_ = deviation;
      largest_in_ = what;
    }
  }
}

void Verdict::fail(const std::string& why) { failures_.push_back(why); }

std::string case_name(const Json& item) {
  for (const char* key : {"id", "name"})
    if (item.contains(key) && item[key].is_string()) return item[key];
  return "unnamed";
}

Tolerance tolerance_of(const Json& item) {
  Tolerance tolerance;
  const auto given = item.find("tolerance");
  if (given == item.end()) return tolerance;
  if (given->is_number()) tolerance.relative = given->get<double>();
  if (given->is_object()) {
    tolerance.absolute = given->value("absolute", tolerance.absolute);
    tolerance.relative = given->value("relative", tolerance.relative);
    tolerance.floor = given->value("floor", tolerance.floor);
  }
  return tolerance;
}

std::vector<double> numbers(const Json& list) {
  std::vector<double> values;
  for (const Json& x : list) values.push_back(x.get<double>());
  return values;
}

}  // namespace lagnet::reference
