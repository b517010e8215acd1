#include "scenarios/compare/golden_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/json/json_file.hpp"

namespace lagnet {

namespace {

// Reals may differ between compilers and machines by rounding, which a few hundred rounds of a stable method do not
// amplify beyond this.
constexpr double usual_tolerance = 1e-9;

bool is_tolerance(const Json& value) {
  return value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() >= 0;
}

bool is_pointer(const std::string& name) { return name.starts_with('/'); }

/// Whether a run has a column, or a value at the pointer, of this name.
bool has(const Json& run, const std::string& name) {
  if (!is_pointer(name)) return std::ranges::find(run["columns"], Json(name)) != run["columns"].end();
  try {
    return run.contains(Json::json_pointer(name));
  } catch (const Json::exception&) {  // of a name that is not a pointer
    return false;
  }
}

void read_number(const Json& number, const std::string& where, double& into, std::vector<std::string>& wrong) {
  if (is_tolerance(number))
    into = number.get<double>();
  else
    wrong.push_back(sentence(Diagnostic{where, "a tolerance of at least 0", shown(number)}));
}

/// The tolerance that a number stands for, or an object with two; adds what is wrong.
Tolerance read_tolerance(const Json& value, const std::string& pointer, const Tolerance& usual,
                         std::vector<std::string>& wrong) {
  Tolerance found = usual;
  if (!value.is_object()) {
    read_number(value, pointer, found.relative, wrong);
    return found;
  }
  for (const auto& [key, number] : value.items())
    if (key == "relative" || key == "absolute")
      read_number(number, child_pointer(pointer, key), key == "relative" ? found.relative : found.absolute, wrong);
    else
      wrong.push_back(sentence(Diagnostic{child_pointer(pointer, key), "relative or absolute", key}));
  return found;
}

}  // namespace

GoldenTerms::GoldenTerms(const Json& golden, const std::string& file) : file_(file), usual_{usual_tolerance, 0} {
  std::vector<std::string> wrong;
  const auto stated = [&](const char* key) {
    if (golden.contains(key)) stated_[key] = golden[key];
    return golden.contains(key);
  };
  if (stated("relative_tolerance"))
    read_number(golden["relative_tolerance"], "/relative_tolerance", usual_.relative, wrong);
  if (stated("absolute_tolerance"))
    read_number(golden["absolute_tolerance"], "/absolute_tolerance", usual_.absolute, wrong);
  if (stated("tolerances")) {
    if (!golden["tolerances"].is_object())
      wrong.push_back(sentence(Diagnostic{"/tolerances", "an object of names", shown(golden["tolerances"])}));
    else
      for (const auto& [name, value] : golden["tolerances"].items())
        by_name_[name] = read_tolerance(value, child_pointer("/tolerances", name), usual_, wrong);
  }
  if (stated("columns")) {
    const Json& names = golden["columns"];
    const auto is_text = [](const Json& name) { return name.is_string(); };
    if (!names.is_array() || names.empty() || !std::ranges::all_of(names, is_text))
      wrong.push_back(sentence(Diagnostic{"/columns", "a list of names", shown(names)}));
    else
      columns_ = names.get<std::vector<std::string>>();
  }
  for (std::string& one : wrong) one = file + ": " + one;
  if (!wrong.empty()) throw OutputError(fmt::format("{}", fmt::join(wrong, "\n")));
}

Json GoldenTerms::chosen(const Json& run) const {
  if (columns_.empty()) return run;
  Json kept = Json::object();
  std::vector<std::size_t> places{0};  // the round, by which a row is found
  for (const std::string& name : columns_) {
    if (!has(run, name)) continue;
    if (is_pointer(name))
      kept[Json::json_pointer(name)] = run[Json::json_pointer(name)];
    else if (const auto place = std::ranges::find(run["columns"], Json(name)) - run["columns"].begin(); place > 0)
      places.push_back(static_cast<std::size_t>(place));
  }
  const auto of = [&](const Json& cells) {
    Json some = Json::array();
    for (const std::size_t place : places) some.push_back(cells[place]);
    return some;
  };
  kept["columns"] = of(run["columns"]);
  kept["rows"] = Json::array();
  for (const Json& row : run["rows"]) kept["rows"].push_back(of(row));
  return kept;
}

bool GoldenTerms::is_same(const std::string& name, const Json& want, const Json& got) const {
  const auto own = by_name_.find(name);
  const bool are_numbers = want.is_number() && got.is_number();
  const bool is_real = want.is_number_float() || got.is_number_float() || own != by_name_.end();
  if (!are_numbers || !is_real) return want == got;
  const Tolerance& tolerance = own == by_name_.end() ? usual_ : own->second;
  const double a = want.get<double>(), b = got.get<double>();
  return std::abs(a - b) <= std::max(tolerance.absolute, tolerance.relative * std::max(std::abs(a), std::abs(b)));
}

void GoldenTerms::check_names(const Json& runs) const {
  std::vector<std::string> wrong;
  const auto check = [&](const std::string& pointer, const std::string& name) {
    if (std::ranges::none_of(runs, [&](const Json& run) { return has(run, name); }))
      wrong.push_back(fmt::format("{}: {}", file_,
                                  sentence(Diagnostic{pointer,
                                                      "a column of progress.csv or a pointer into the "
                                                      "summary of a run",
                                                      name})));
  };
  for (const auto& [name, tolerance] : by_name_) check("/tolerances", name);
  for (const std::string& name : columns_) check("/columns", name);
  if (!wrong.empty()) throw OutputError(fmt::format("{}", fmt::join(wrong, "\n")));
}

Json GoldenTerms::as_json() const {
  Json terms{{"relative_tolerance", usual_.relative}};
  for (const auto& [key, value] : stated_.items()) terms[key] = value;
  return terms;
}

}  // namespace lagnet
