#include "tests/reference/reference_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

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

namespace {

constexpr std::array describing{"id", "name", "public", "algorithm", "note", "description", "tolerance", "objectives"};

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> known) {
  return std::ranges::any_of(known, [name](std::string_view one) {
    return one.ends_with('*') ? name.starts_with(one.substr(0, one.size() - 1)) : name == one;
  });
}

/// Whether a description says what no key says.
bool changes_data(const std::string& text) {
  return std::ranges::any_of(std::array{"set to", "removed", "left out", "divided", "normalized", "normalised"},
                             [&](const char* words) { return text.find(words) != std::string::npos; });
}

void check_keys(const Json& item, std::string_view where, std::initializer_list<std::string_view> known,
                bool texts_may_describe) {
  if (!item.is_object()) throw std::runtime_error(fmt::format("not understood: {} is {}", where, item.dump()));
  for (const auto& [key, value] : item.items()) {
    const std::string_view name = key;
    if (is_one_of(name, known)) continue;
    if (texts_may_describe && (value.is_null() || (value.is_string() && !changes_data(value.get<std::string>()))))
      continue;
    if (where.empty() && std::ranges::find(describing, name) != describing.end()) {
      if ((name == "note" || name == "description") && value.is_string() && changes_data(value.get<std::string>()))
        throw std::runtime_error(fmt::format("not understood: {} = {}", name, value.dump()));
      continue;
    }
    throw std::runtime_error(fmt::format("not understood: {}{} = {}", where, name, value.dump()));
  }
}

}  // namespace

void check_keys(const Json& item, std::string_view where, std::initializer_list<std::string_view> known) {
  check_keys(item, where, known, false);
}

void check_keys_but_texts(const Json& item, std::string_view where, std::initializer_list<std::string_view> known) {
  check_keys(item, where, known, true);
}

std::int64_t size_at(const Json& item, const char* key, std::int64_t least) {
  const Json& found = item.at(key);
  if (found.is_number_integer() && found.get<std::int64_t>() >= least) return found.get<std::int64_t>();
  throw std::runtime_error(fmt::format("{}: expected an integer, at least {}, found {}", key, least, found.dump()));
}

const Json& list_at(const Json& item, const char* key) {
  const Json& found = item.at(key);
  if (found.is_array() && !found.empty()) return found;
  throw std::runtime_error(fmt::format("{}: expected a list that is not empty, found {}", key, found.dump()));
}

std::vector<double> numbers(const Json& list) {
  std::vector<double> values;
  for (const Json& x : list) values.push_back(x.get<double>());
  return values;
}

std::vector<double> as_list(const Vector& v) { return {v.begin(), v.end()}; }

}  // namespace lagnet::reference
