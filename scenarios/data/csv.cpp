#include "scenarios/data/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "scenarios/data/csv_columns.hpp"
#include "scenarios/data/csv_doubts.hpp"
#include "scenarios/data/linear_model.hpp"
#include "scenarios/files/compressed.hpp"
#include "scenarios/files/csv_records.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/files/text.hpp"
#include "scenarios/words/words.hpp"

namespace lagnet {

namespace {

/// A line "sep=;" at the beginning, as Excel writes and reads it: the character, and the text behind it.
char named_separator(std::string_view& text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (text.size() < 6 || !text.starts_with("sep=") || (text[5] != '\n' && text.substr(5, 2) != "\r\n")) return 0;
  const char separator = text[4];
  text.remove_prefix(text.find('\n') + 1);
  return separator;
}

/// A number as parse_real() reads it, with this decimal mark.
const char* parse_decimal(std::string_view field, DecimalMark mark, double& value) {
  if (mark == DecimalMark::point || field.find(',') == std::string_view::npos) return parse_real(field, value);
  std::string text(field);
  if (text.find('.') != std::string::npos) return "a number with a decimal comma";
  std::ranges::replace(text, ',', '.');
  return parse_real(text, value);
}

class CsvReader {
 public:
  CsvReader(const CsvOptions& options, const ReadAs* as)
      : options_(options),
        as_(as),
        file_(options.path.generic_string()),
        diagnostics_(file_),
        table_(options, as, diagnostics_) {}

  void read(std::string_view text) {
    char separator = options_.separator_character();
    if (const char named = named_separator(text)) {
      separator = named;
      ++skipped_lines_;
    }
    if (separator == 0) diagnostics_.add(0, "a separator of one character", shown_token(options_.separator));
    diagnostics_.throw_if_any();
    CsvRecords records(text, separator, diagnostics_);
    std::vector<std::string> fields;
    bool first = true;
    while (records.next(fields)) {
      const Index line = records.line() + skipped_lines_;
      if (first) {
        first = false;
        first_record_ = {.line = line, .fields = fields};
        const bool is_header = table_.begin(line, fields);
        wrong_in_column_.assign(fields.size(), 0);
        categories_.resize(fields.size());
        if (is_header) continue;
      }
      read_record(line, fields);
    }
    if (labels_.empty() && !diagnostics_.any() && wrong_.empty()) diagnostics_.add(0, "at least one sample", "none");
  }

  /// What was found, with the problems that a recipe mends and those that none does.
  TableSurvey survey() {
    tell_wrong_fields();
    TableSurvey found{.samples = std::ssize(labels_), .has_header = table_.has_header, .columns = table_.all};
    propose_recipes(found);
    add_doubts(options_, first_record_, found);
    try {
      diagnostics_.throw_if_any();
    } catch (const Diagnosed& error) {
      found.problems = error.diagnostics;
    }
    return found;
  }

  DataSet data() {
    const TableSurvey found = survey();
    if (found.problems.size() > 1 && !found.proposals.empty())
      diagnostics_.add(0, fmt::format("these keys of the section data: {}", found.proposals.dump()), "none of them");
    if (!found.problems.empty()) diagnostics_.throw_if_any();
    const auto samples = static_cast<Index>(labels_.size());
    auto learnt = std::make_shared<ReadAs>();
    std::vector<std::string> names = make_features(*learnt);
    diagnostics_.throw_if_any();
    DataSet data{.X = entries_.assemble(samples, std::ssize(names), options_.storage, file_),
                 .y = VectorView(labels_.data(), samples),
                 .samples = samples,
                 .origin = options_.path.string()};
    const bool has_recipes = !learnt->learnt.empty();
    if (table_.has_header || has_recipes) data.features = std::move(names);
    LearntSteps steps{.scaling = {}};
    if (table_.has_header || has_recipes) steps.read_as = std::move(learnt);
    if (!as_) steps.doubts = found.doubts;  // else they are those of the other file
    data.learnt = std::make_shared<const LearntSteps>(std::move(steps));
    return data;
  }

 private:
  static std::size_t at(Index k) { return static_cast<std::size_t>(k); }

  void read_record(Index line, const std::vector<std::string>& fields) {
    if (fields.size() != table_.all.size()) {
      const bool has_row_names =
          table_.has_header && fields.size() == table_.all.size() + 1 && labels_.empty() && wrong_.empty();
      wrong_.push_back(
          {line, whole_record,
           fmt::format("{} fields{}", table_.all.size(),
                       has_row_names ? ", as in the header: R's write.table "
                                       "leaves out the name of the column of row names, row.names = FALSE the column"
                                     : ""),
           fmt::format("{}", fields.size())});
      return;
    }
    const auto row = static_cast<Index>(labels_.size());
    labels_.push_back(0);
    for (Index k = 0; k < std::ssize(table_.all); ++k)
      if (table_.all[at(k)].use != ColumnUse::ignored) read_field(line, row, k, trimmed(fields[at(k)]));
  }

  void read_field(Index line, Index row, Index k, std::string_view field) {
    SurveyedColumn& column = table_.all[at(k)];
    double value = 0;
    const char* wrong = nullptr;
    const bool is_one_hot = column.is_one_hot();
    if (!is_one_hot) wrong = number_of(column, field, value);
    if (!is_one_hot && !wrong) {
      count_value(column, row, value);
      if (k == table_.label)
        labels_.back() = value;
      else
        entries_.add(row, k, value);
      return;
    }
    const bool misses = is_missing(field) && column.use != ColumnUse::ignored;
    if (misses) {
      missing_.emplace_back(row, k);
      if (++column.missing == 1) column.first_missing_line = line;
    } else {
      ++column.texts_count;
      auto text = column.texts.find(field);
      if (text == column.texts.end() && (is_one_hot || column.texts.size() < SurveyedColumn::texts_max))
        text = column.texts.emplace(field, line).first;
      if (is_one_hot) categories_[at(k)].emplace_back(row, &text->first);
    }
    if (is_one_hot || misses) return;
    wrong_.push_back({line, k, wrong, shown_token(field)});
    ++wrong_in_column_[at(k)];
  }

  /// The number that a field is by the recipe of its column; otherwise what was expected.
  const char* number_of(const SurveyedColumn& column, std::string_view field, double& value) const {
    return column.recipe.visit([&](const auto& recipe) -> const char* {
      using Recipe = std::remove_cvref_t<decltype(recipe)>;
      std::optional<double> found;
      if constexpr (std::same_as<Recipe, DateRecipe>)
        found = days_of(field, recipe.order);
      else if constexpr (std::same_as<Recipe, MapRecipe>)
        found = recipe.values.find(field);
      else
        return parse_decimal(field, options_.decimal, value);
      if (found) value = *found;
      return found                              ? nullptr
             : std::same_as<Recipe, DateRecipe> ? "a date of the recipe's order"
                                                : "a text that the recipe maps";
    });
  }

  static void count_value(SurveyedColumn& column, Index row, double value) {
    ++column.values;
    column.sum += value;
    column.least = std::min(column.least, value);
    column.most = std::max(column.most, value);
    column.counts_rows &= value == static_cast<double>(row) + (column.least == 1 ? 1 : 0);
    if (column.distinct.size() > SurveyedColumn::few_values) return;
    const auto place = std::ranges::lower_bound(column.distinct, value);
    if (place == column.distinct.end() || *place != value) column.distinct.insert(place, value);
  }

  /// Each of them, but of a column of texts only the first: a recipe mends all of it.
  void tell_wrong_fields() {
    std::vector<bool> told(table_.all.size());
    for (const WrongField& field : wrong_) {
      if (field.column == whole_record) {
        diagnostics_.add(field.line, field.expected, field.found);
        continue;
      }
      const SurveyedColumn& column = table_.all[at(field.column)];
      const Index count = wrong_in_column_[at(field.column)];
      if (count == 1 || column.has_recipe || count <= column.values) {
        diagnostics_.add(field.line, fmt::format("{} in column {}", field.expected, column.shown()), field.found);
      } else if (!told[at(field.column)]) {
        told[at(field.column)] = true;
        diagnostics_.add(field.line, fmt::format("numbers in column {}{}", column.shown(), remedy(column)),
                         fmt::format("texts in {} rows, {} in the first", count, field.found));
      }
    }
    for (const SurveyedColumn& column : table_.all)
      if (column.missing > 0 && !takes_missing(column))
        diagnostics_.add(
            column.first_missing_line, fmt::format("a value in column {}{}", column.shown(), remedy(column)),
            column.missing == 1 ? "none" : fmt::format("none, nor in {}", counted(column.missing - 1, "other row")));
  }

  bool takes_missing(const SurveyedColumn& column) const {
    if (column.use == ColumnUse::label) return false;
    return column.recipe.visit([&](const auto& recipe) {
      if constexpr (std::same_as<std::remove_cvref_t<decltype(recipe)>, OneHotRecipe>)
        return recipe.missing == MissingCategory::category;
      else
        return recipe.missing == Missing::mean;
    });
  }

  /// "; \"columns\": {\"city\": \"one_hot\"} makes numbers of them"
  std::string remedy(const SurveyedColumn& column) const {
    if (column.use == ColumnUse::label && column.missing > 0) return "; a sample without a label has to leave the file";
    if (have_decimal_commas(column)) return R"(; "decimal": "comma" reads them)";
    const Json recipe = proposed_recipe(column);
    const Json key = column.name.empty() ? Json(column.number) : Json(column.name);
    if (recipe.is_null())
      return column.use == ColumnUse::label ? "" : fmt::format("; \"ignore_columns\": [{}] leaves it out", key.dump());
    if (recipe == 0) return "";
    return fmt::format("; \"columns\": {} reads it", Json{{column.key(), recipe}}.dump());
  }

  void propose_recipes(TableSurvey& found) {
    Json columns = Json::object(), ignored = Json::array();
    for (const SurveyedColumn& column : table_.all) {
      if (column.use == ColumnUse::ignored || takes_missing(column)) continue;
      if (have_decimal_commas(column) && !column.has_recipe) {
        found.proposals["decimal"] = "comma";
        continue;
      }
      const Json recipe = proposed_recipe(column);
      if (recipe.is_null() && column.use == ColumnUse::feature)
        ignored.push_back(column.name.empty() ? Json(column.number) : Json(column.name));
      if (!recipe.is_null() && recipe != 0) columns[column.key()] = recipe;
    }
    if (!columns.empty()) found.proposals["columns"] = columns;
    if (!ignored.empty()) found.proposals["ignore_columns"] = ignored;
  }

  /// The names of the features, after their numbers have been put in their columns. Says what was learned.
  std::vector<std::string> make_features(ReadAs& learnt) {
    std::vector<std::string> names;
    std::vector<Index> starts(table_.all.size(), 0);  // where the features of each column begin
    for (const Index k : table_.features) {
      const SurveyedColumn& column = table_.all[at(k)];
      starts[at(k)] = std::ssize(names);
      if (!column.is_one_hot()) {
        names.push_back(column.key());
        continue;
      }
      const std::vector<std::string> categories = categories_of(column);
      for (const std::string& category : categories) names.push_back(fmt::format("{}={}", column.key(), category));
      learnt.learnt.push_back({.column = column.key(), .categories = categories, .fill = {}});
    }
    entries_.move_columns([&](Index k) { return starts[at(k)]; });
    for (const Index k : table_.features)
      if (table_.all[at(k)].is_one_hot()) add_categories(k, starts[at(k)], categories_of(table_.all[at(k)]));
    fill_missing(starts, learnt);
    std::vector<std::string> all = table_.names();
    std::ranges::sort(all);
    const bool are_names = table_.has_header && std::ranges::adjacent_find(all) == all.end();
    if (!are_names) return names;  // another file is read by position
    learnt.label = table_.all[at(table_.label)].name;
    for (Index k = 0; k < std::ssize(table_.all); ++k)
      if (k == table_.label || std::ranges::find(table_.features, k) != table_.features.end())
        learnt.columns.push_back(table_.all[at(k)].name);
    return names;
  }

  const LearntColumn* learnt_before(const SurveyedColumn& column) const {
    if (!as_) return nullptr;
    const auto found = std::ranges::find(as_->learnt, column.key(), &LearntColumn::column);
    return found == as_->learnt.end() ? nullptr : &*found;
  }

  std::vector<std::string> categories_of(const SurveyedColumn& column) const {
    if (const LearntColumn* before = learnt_before(column)) return before->categories;
    std::vector<std::string> categories;
    for (const auto& [text, line] : column.texts) categories.push_back(text);
    if (column.missing > 0) categories.emplace_back(missing_name);
    return categories;
  }

  void add_categories(Index k, Index start, const std::vector<std::string>& categories) {
    const SurveyedColumn& column = table_.all[at(k)];
    std::map<std::string_view, Index> places;
    for (const std::string& category : categories) places.emplace(category, std::ssize(places));
    for (const auto& [text, line] : column.texts)
      if (!places.contains(text))
        diagnostics_.add(line, fmt::format("a text of column {} that occurs in the training samples", column.shown()),
                         shown_token(text));
    for (const auto& [row, text] : categories_[at(k)])
      if (const auto place = places.find(*text); place != places.end()) entries_.add(row, start + place->second, 1);
    for (const auto& [row, missing_column] : missing_)
      if (missing_column == k) {
        if (const auto place = places.find(missing_name); place != places.end())
          entries_.add(row, start + place->second, 1);
        else
          diagnostics_.add(column.first_missing_line,
                           fmt::format("a value in column {}, as in all training samples", column.shown()), "none");
      }
  }

  void fill_missing(const std::vector<Index>& starts, ReadAs& learnt) {
    std::vector<double> fills(table_.all.size(), 0);
    for (const Index k : table_.features) {
      const SurveyedColumn& column = table_.all[at(k)];
      const LearntColumn* before = learnt_before(column);
      if (column.is_one_hot() || (column.missing == 0 && !before && !takes_missing(column))) continue;
      if (column.values == 0 && !(before && before->fill))
        diagnostics_.add(0, fmt::format("a number in column {}, for the mean", column.shown()), "none");
      fills[at(k)] = before && before->fill ? *before->fill : column.sum / static_cast<double>(column.values);
      learnt.learnt.push_back({.column = column.key(), .categories = {}, .fill = fills[at(k)]});
    }
    for (const auto& [row, k] : missing_)
      if (!table_.all[at(k)].is_one_hot() && k != table_.label) entries_.add(row, starts[at(k)], fills[at(k)]);
  }

  static constexpr Index whole_record = -1;
  static constexpr const char* missing_name = "missing";  // of the category of missing values
  struct WrongField {
    Index line = 0, column = 0;
    std::string expected, found;
  };

  const CsvOptions& options_;
  const ReadAs* as_;  // null: this file is read for itself
  const std::string file_;
  DataDiagnostics diagnostics_;
  CsvColumns table_;
  Index skipped_lines_ = 0;
  FirstRecord first_record_;
  std::vector<double> labels_;
  MatrixEntries entries_;                                                      // by column of the file
  std::vector<std::vector<std::pair<Index, const std::string*>>> categories_;  // of each column: rows with their texts
  std::vector<std::pair<Index, Index>> missing_;                               // rows and columns
  std::vector<WrongField> wrong_;                                              // in the order of the file
  std::vector<Index> wrong_in_column_;                                         // how many of them
};

}  // namespace

char CsvOptions::separator_character() const {
  for (const auto& [name, character] :
       {std::pair("comma", ','), std::pair("semicolon", ';'), std::pair("tab", '\t'), std::pair("space", ' ')})
    if (separator == name) return character;
  return separator.size() == 1 ? separator[0] : '\0';
}

DataSet load(const CsvOptions& options, const ReadAs* as) {
  CsvReader reader(options, as);
  reader.read(read_data_text(options.path));
  return reader.data();
}

TableSurvey survey(const CsvOptions& options) {
  CsvReader reader(options, nullptr);
  reader.read(read_data_text(options.path));
  return reader.survey();
}

}  // namespace lagnet
