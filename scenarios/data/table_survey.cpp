#include "scenarios/data/table_survey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "scenarios/files/text.hpp"
#include "scenarios/json/one_of.hpp"

namespace lagnet {

namespace {

constexpr std::size_t categories_max = 50;  // of a column that is proposed as one_hot

/// The order in which all texts of a column are dates.
std::optional<DateOrder> date_order(const SurveyedColumn& column) {
  if (column.values > 0 || column.texts.empty()) return {};
  for (const auto& spelling : spellings(DateOrder{}))
    if (std::ranges::all_of(column.texts,
                            [&](const auto& text) { return days_of(text.first, spelling.value).has_value(); }))
      return spelling.value;
  return {};
}

Json date_recipe(DateOrder order, bool has_missing) {
  if (order == DateOrder::year_month_day && !has_missing) return DateRecipe::kind;
  Json recipe{{"kind", DateRecipe::kind}};
  if (order != DateOrder::year_month_day) recipe["order"] = spelled(order);
  if (has_missing) recipe["missing"] = spelled(Missing::mean);
  return recipe;
}

Json map_recipe(const SurveyedColumn& column, bool has_missing) {
  Json values = Json::object();
  for (const auto& [text, line] : column.texts) values[text] = values.size();
  if (!has_missing) return values;
  return Json{{"kind", MapRecipe::kind}, {"values", std::move(values)}, {"missing", spelled(Missing::mean)}};
}

}  // namespace

std::string SurveyedColumn::shown() const {
  return name.empty() ? std::to_string(number) : fmt::format("{} ({})", number, name);
}

bool have_decimal_commas(const SurveyedColumn& column) {
  return !column.texts.empty() && std::ranges::all_of(column.texts, [](const auto& found) {
    std::string text = found.first;
    double value = 0;
    if (std::ranges::count(text, ',') != 1 || text.find('.') != std::string::npos) return false;
    std::ranges::replace(text, ',', '.');
    return parse_real(text, value) == nullptr;
  });
}

Json proposed_recipe(const SurveyedColumn& column) {
  const bool is_label = column.use == ColumnUse::label, has_missing = column.missing > 0;
  if (is_label && has_missing) return 0;  // no recipe makes a label up
  if (column.has_recipe && !has_missing) return 0;
  if (column.has_recipe) {
    Json recipe = OneOfJson<ColumnRecipe>::write(column.recipe);
    recipe["missing"] = column.is_one_hot() ? spelled(MissingCategory::category) : spelled(Missing::mean);
    return recipe;
  }
  if (column.texts.empty())
    return has_missing && column.values > 0 ? Json{{"missing", "mean"}} : has_missing ? Json() : Json(0);
  if (const auto order = date_order(column)) return date_recipe(*order, has_missing);
  if (column.values >= column.texts_count) return 0;  // numbers with mistakes
  const std::size_t count = column.texts.size();
  if (column.values == 0 && (count == 2 || (is_label && count <= categories_max)))
    return map_recipe(column, has_missing);
  if (is_label || count > categories_max || std::cmp_equal(column.texts_count, count)) return Json();
  if (!has_missing) return OneHotRecipe::kind;
  return Json{{"kind", OneHotRecipe::kind}, {"missing", spelled(MissingCategory::category)}};
}

}  // namespace lagnet
