#include "scenarios/data/columns.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "scenarios/files/text.hpp"
#include "scenarios/json/one_of.hpp"

namespace lagnet {

namespace {

using RecipeJson = OneOfJson<ColumnRecipe>;

bool holds_numbers(const Json& value) {
  return value.is_object() && !value.empty() &&
         std::ranges::all_of(value.items(), [](const auto& member) { return member.value().is_number(); });
}

Json numbers_by_text_schema() {
  return Json{{"type", "object"}, {"minProperties", 1}, {"additionalProperties", {{"type", "number"}}}};
}

void read_recipe(const Json& value, ColumnRecipe& out, const std::string& pointer, Diagnostics& diagnostics) {
  Json full = value;
  if (value.is_string()) full = {{"kind", value}};
  if (holds_numbers(value)) full = {{"kind", MapRecipe::kind}, {"values", value}};
  if (!full.is_object())
    return diagnostics.add(pointer,
                           "a recipe: \"one_hot\", \"date\", \"number\", {\"missing\": \"mean\"}, or a number for each "
                           "text as {\"yes\": 1, \"no\": 0}",
                           shown(value));
  if (full == value) return RecipeJson::read(full, out, pointer, diagnostics);
  // A problem of a short form is reported at its own place, not at the key that it stands for.
  Diagnostics inner(diagnostics.file());
  RecipeJson::read(full, out, "", inner);
  for (const Diagnostic& one : inner.list()) diagnostics.add(pointer, one.expected, one.found);
}

/// A whole number of at most four digits; otherwise nothing.
std::optional<int> digits_of(std::string_view text) {
  if (text.empty() || text.size() > 4 || !std::ranges::all_of(text, [](char c) { return '0' <= c && c <= '9'; }))
    return {};
  int number = 0;
  for (const char c : text) number = 10 * number + (c - '0');
  return number;
}

/// The parts of a text between separators; nothing if they are not of this number.
template <std::size_t count>
std::optional<std::array<std::string_view, count>> split(std::string_view text, std::string_view separators) {
  std::array<std::string_view, count> parts;
  for (std::size_t k = 0; k + 1 < count; ++k) {
    const std::size_t end = text.find_first_of(separators);
    if (end == std::string_view::npos) return {};
    parts[k] = text.substr(0, end);
    separators = separators.substr(separators.find(text[end]), 1);
    text.remove_prefix(end + 1);
  }
  parts.back() = text;
  return parts;
}

/// The share of a day that has passed at "18:30" or "18:30:15", with fractions of a second and a Z for UTC.
std::optional<double> share_of_day(std::string_view text) {
  if (text.ends_with('Z')) text.remove_suffix(1);
  const std::string_view minutes = text.substr(0, 5);
  const auto parts = split<2>(minutes, ":");
  if (!parts) return {};
  const auto hour = digits_of((*parts)[0]), minute = digits_of((*parts)[1]);
  double second = 0;
  if (text.size() > minutes.size() && (text[5] != ':' || parse_real(text.substr(6), second) != nullptr)) return {};
  if (!hour || !minute || *hour > 23 || *minute > 59 || second < 0 || second >= 60) return {};
  return (3600 * *hour + 60 * *minute + second) / 86400;
}

}  // namespace

std::optional<double> NumberByText::find(std::string_view text) const {
  const auto found = std::ranges::find_if(pairs, [text](const auto& pair) { return pair.first == text; });
  return found == pairs.end() ? std::nullopt : std::optional(found->second);
}

void NumberByText::read(const Json& value, const std::string& pointer, Diagnostics& diagnostics) {
  if (!holds_numbers(value))
    return diagnostics.add(pointer, "a number for each text, as {\"yes\": 1, \"no\": 0}", shown(value));
  pairs.clear();
  for (const auto& [text, number] : value.items()) pairs.emplace_back(text, number.get<double>());
}

Json NumberByText::write() const {
  Json object = Json::object();
  for (const auto& [text, number] : pairs) object[text] = number;
  return object;
}

Json NumberByText::schema(SchemaBuilder&) { return numbers_by_text_schema(); }

void ColumnRecipes::read(const Json& value, const std::string& pointer, Diagnostics& diagnostics) {
  if (!value.is_object()) return diagnostics.add(pointer, "an object of recipes by column", shown(value));
  by_column.clear();
  for (const auto& [column, recipe] : value.items()) {
    by_column.emplace_back(column, ColumnRecipe());
    read_recipe(recipe, by_column.back().second, child_pointer(pointer, column), diagnostics);
  }
}

Json ColumnRecipes::write() const {
  Json object = Json::object();
  for (const auto& [column, recipe] : by_column) object[column] = RecipeJson::write(recipe);
  return object;
}

Json ColumnRecipes::schema(SchemaBuilder& builder) {
  Json names = Json::array({NumberRecipe::kind, OneHotRecipe::kind, DateRecipe::kind});
  Json recipes = Json::array({RecipeJson::schema(builder), Json{{"enum", names}}, numbers_by_text_schema()});
  return Json{{"type", "object"}, {"additionalProperties", {{"oneOf", std::move(recipes)}}}};
}

void ColumnName::read(const Json& value, const std::string& pointer, Diagnostics& diagnostics) {
  if (value.is_string())
    name = value.get<std::string>();
  else if (value.is_number_integer() && value >= 1)
    name = value.get<std::int64_t>();
  else
    diagnostics.add(pointer, "a column's name, or its number from 1", shown(value));
}

Json ColumnName::write() const {
  return std::visit([](const auto& known) { return Json(known); }, name);
}

Json ColumnName::schema(SchemaBuilder&) {
  return Json{{"oneOf", {{{"type", "string"}}, {{"type", "integer"}, {"minimum", 1}}}}};
}

bool is_missing(std::string_view text) {
  constexpr std::array<std::string_view, 12> words{"",    "NA",   "N/A",  "n/a",  "na", "NaN",
                                                   "nan", "NULL", "null", "None", "?",  "<NA>"};
  return std::ranges::find(words, text) != words.end();
}

std::optional<double> days_of(std::string_view text, DateOrder order) {
  double time = 0;
  if (const std::size_t end = text.find_first_of("T "); end != std::string_view::npos) {
    const auto share = share_of_day(text.substr(end + 1));
    if (!share) return {};
    time = *share;
    text = text.substr(0, end);
  }
  const auto parts = split<3>(text, "-/.");
  if (!parts) return {};
  const std::size_t year_at = order == DateOrder::year_month_day ? 0 : 2;
  const std::size_t month_at = order == DateOrder::month_day_year ? 0 : 1;
  const auto year = digits_of((*parts)[year_at]), month = digits_of((*parts)[month_at]);
  const auto day = digits_of((*parts)[3 - year_at - month_at]);
  if (!year || !month || !day || (*parts)[year_at].size() != 4) return {};
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return {};
  return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count()) + time;
}

}  // namespace lagnet
