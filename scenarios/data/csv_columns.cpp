#include "scenarios/data/csv_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "scenarios/files/text.hpp"

namespace lagnet {

namespace {

std::size_t at(Index k) { return static_cast<std::size_t>(k); }

/// " (\"separator\": \";\" splits this line)" for a line that another usual separator splits.
std::string other_separator(const std::string& line) {
  for (const auto& [separator, written] : {std::pair(';', ";"), std::pair('\t', "\\t"), std::pair(',', ",")})
    if (line.find(separator) != std::string::npos)
      return fmt::format(" (\"separator\": \"{}\" splits this line)", written);
  return trimmed(line).find(' ') == std::string_view::npos ? "" : " (\"separator\": \"space\" splits this line)";
}

}  // namespace

bool CsvColumns::begin(Index line, const std::vector<std::string>& fields) {
  has_header = options_.header == CsvHeader::present ||
               (options_.header == CsvHeader::automatic &&
                std::ranges::none_of(fields, [](const auto& field) { return looks_numeric(trimmed(field)); }));
  const auto width = std::ssize(fields);
  for (Index k = 0; k < width; ++k) {
    SurveyedColumn& column = all.emplace_back();
    column.number = k + 1;
    if (has_header) column.name = trimmed(fields[at(k)]);
  }
  if (width < 2)
    diagnostics_.add(line, "at least two columns, a feature and the label" + other_separator(fields.front()),
                     fmt::format("{}", width));
  ignore_columns(line);
  find_label(line);
  give_recipes(line);
  diagnostics_.throw_if_any();
  order_features(line);
  diagnostics_.throw_if_any();
  return has_header;
}

std::vector<std::string> CsvColumns::names() const {
  std::vector<std::string> found;
  for (const SurveyedColumn& column : all) found.push_back(column.name);
  return found;
}

/// The column of this name, or of this number if none has it; nothing, and a problem, if there is not just one.
std::optional<Index> CsvColumns::column_of(Index line, std::string_view key, const std::string& name) {
  const auto has_name = [&name](const SurveyedColumn& column) { return column.name == name; };
  const auto times = has_header ? std::ranges::count_if(all, has_name) : 0;
  if (times == 1) return std::ranges::find_if(all, has_name) - all.begin();
  std::int64_t number = 0;
  if (times == 0 && parse_integer(name, number) == nullptr && 1 <= number && number <= std::ssize(all))
    return number - 1;
  diagnostics_.add(line, fmt::format("one column that {} calls {}", key, shown_token(name)),
                   times > 0     ? fmt::format("{}", times)
                   : !has_header ? fmt::format("{} columns without a header", all.size())
                                 : "none" + did_you_mean(name, names()));
  return {};
}

/// Whether the other file has a column of this name.
bool CsvColumns::is_known(const std::string& name) const {
  return std::ranges::find(as_->columns, name) != as_->columns.end();
}

void CsvColumns::ignore_columns(Index line) {
  for (const ColumnName& ignored : options_.ignore_columns) {
    const auto* number = std::get_if<std::int64_t>(&ignored.name);
    if (as_ && has_header) {  // another file need not have what is left out
      for (SurveyedColumn& column : all)
        if (number ? column.number == *number && !is_known(column.name)
                   : column.name == std::get<std::string>(ignored.name))
          column.use = ColumnUse::ignored;
    } else if (number && *number > std::ssize(all))
      diagnostics_.add(line, fmt::format("a column {}, since ignore_columns names it", *number),
                       fmt::format("{} columns", all.size()));
    else if (const auto found = number ? std::optional(*number - 1)
                                       : column_of(line, "ignore_columns", std::get<std::string>(ignored.name)))
      all[at(*found)].use = ColumnUse::ignored;
  }
}

void CsvColumns::find_label(Index line) {
  const auto width = std::ssize(all);
  const bool by_name = options_.label_name || (as_ && !as_->label.empty());
  if (by_name) return find_label_name(line, options_.label_name ? *options_.label_name : as_->label);
  label = options_.label_column.value_or(width) - 1;
  while (!options_.label_column && label > 0 && all[at(label)].use == ColumnUse::ignored) --label;
  if (label >= width)
    diagnostics_.add(line, fmt::format("a column {} for the label", label + 1), fmt::format("{} columns", width));
  else
    use_as_label(line);
}

void CsvColumns::find_label_name(Index line, const std::string& name) {
  const std::string expected = fmt::format("a header that names the label column {} once", shown_token(name));
  if (!has_header) return diagnostics_.add(line, expected, "no header");
  const std::vector<std::string> known = names();
  const auto times = std::ranges::count(known, name);
  if (times != 1)
    return diagnostics_.add(
        line, expected,
        fmt::format("it {} times in {}{}", times, shown_token(fmt::format("{}", fmt::join(known, ","))),
                    times == 0 ? did_you_mean(name, known) : ""));
  label = std::ranges::find(known, name) - known.begin();
  use_as_label(line);
}

void CsvColumns::use_as_label(Index line) {
  if (all[at(label)].use == ColumnUse::ignored)
    diagnostics_.add(line, "a label that ignore_columns does not leave out", all[at(label)].shown());
  all[at(label)].use = ColumnUse::label;
}

void CsvColumns::give_recipes(Index line) {
  for (const auto& [name, recipe] : options_.columns.by_column) {
    const auto found = column_of(line, "columns", name);
    if (!found) continue;
    SurveyedColumn& column = all[at(*found)];
    if (column.use == ColumnUse::ignored)
      diagnostics_.add(line, "no recipe for a column in ignore_columns", column.shown());
    if (column.use == ColumnUse::label && recipe.kind() == OneHotRecipe::kind)
      diagnostics_.add(line, "a label that becomes one number: a date, or a number for each text",
                       "one_hot for " + column.shown());
    column.recipe = recipe;
    column.has_recipe = true;
  }
}

/// Which columns are features, in the order of the file, or by name in that of the other file.
void CsvColumns::order_features(Index line) {
  if (!as_ || as_->label.empty()) {
    for (Index k = 0; k < std::ssize(all); ++k)
      if (all[at(k)].use == ColumnUse::feature) features.push_back(k);
    if (features.empty() && all.size() > 1) diagnostics_.add(line, "at least one feature", "none");
    return;
  }
  std::vector<std::string> missing, more;
  for (const std::string& name : as_->columns) {
    const auto found = std::ranges::find(all, name, &SurveyedColumn::name);
    if (found == all.end())
      missing.push_back(name);
    else if (found->use == ColumnUse::feature)
      features.push_back(found - all.begin());
  }
  for (const SurveyedColumn& column : all)
    if (column.use != ColumnUse::ignored && !is_known(column.name)) more.push_back(column.shown());
  if (!missing.empty())
    diagnostics_.add(line, fmt::format("the columns of the training samples, {}", comma_list(missing)),
                     "none of that name" + (missing.size() == 1 ? did_you_mean(missing[0], names()) : ""));
  if (!more.empty()) diagnostics_.add(line, "only columns of the training samples", comma_list(more));
  if (missing.empty() && more.empty() && all.size() > as_->columns.size() + options_.ignore_columns.size())
    diagnostics_.add(line, "every column once", fmt::format("{} columns", all.size()));
}

}  // namespace lagnet
