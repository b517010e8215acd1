#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "scenarios/json/diagnostics.hpp"
#include "sim/base/options.hpp"

/// Recipes that make numbers of the columns of a table: keys of a scenario, and what reading with them learned.
namespace lagnet {

class SchemaBuilder;

/// The treatment of a missing value.
enum class Missing { refuse, mean };
constexpr auto spellings(Missing) {
  return std::array{Spelling{Missing::refuse, "refuse"}, Spelling{Missing::mean, "mean"}};
}
enum class MissingCategory { refuse, category };
constexpr auto spellings(MissingCategory) {
  return std::array{Spelling{MissingCategory::refuse, "refuse"}, Spelling{MissingCategory::category, "category"}};
}

/// The order of the parts of a date.
enum class DateOrder { year_month_day, day_month_year, month_day_year };
constexpr auto spellings(DateOrder) {
  return std::array{Spelling{DateOrder::year_month_day, "year_month_day"},
                    Spelling{DateOrder::day_month_year, "day_month_year"},
                    Spelling{DateOrder::month_day_year, "month_day_year"}};
}

/// A number for each of some texts: {"yes": 1, "no": 0}.
struct NumberByText {
  std::vector<std::pair<std::string, double>> pairs;

  std::optional<double> find(std::string_view text) const;
  void read(const Json& value, const std::string& pointer, Diagnostics& diagnostics);
  Json write() const;
  bool has_value() const { return !pairs.empty(); }
  static Json schema(SchemaBuilder& builder);
  static std::string type_words() { return "object of numbers by text"; }
};

void declare_missing(auto& self, auto& field) {
  field("missing", self.missing,
        "a missing value (empty, NA, N/A, NaN, null, None or ?) is refused, or becomes the mean of the column's other "
        "values in the file");
}

struct NumberRecipe {
  Missing missing = Missing::refuse;
  static constexpr std::string_view kind = "number", summary = "numbers as they are";
  static void fields(auto& self, auto& field) { declare_missing(self, field); }
};
struct OneHotRecipe {
  MissingCategory missing = MissingCategory::refuse;
  static constexpr std::string_view kind = "one_hot", summary = "a column of 0 and 1 for each text, in ascending order";
  static void fields(auto& self, auto& field) {
    field("missing", self.missing, "a missing value is refused, or is a category with the name \"missing\"");
  }
};
struct DateRecipe {
  DateOrder order = DateOrder::year_month_day;
  Missing missing = Missing::refuse;
  static constexpr std::string_view kind = "date", summary = "days since 1970-01-01; a time of the day is a fraction";
  static void fields(auto& self, auto& field) {
    field("order", self.order,
          "the order of a date's parts, which -, / or . separates: 2024-03-31, 31.3.2024, 3/31/2024");
    declare_missing(self, field);
  }
};
struct MapRecipe {
  NumberByText values;
  Missing missing = Missing::refuse;
  static constexpr std::string_view kind = "map", summary = "a number for each text; other texts are refused";
  static void fields(auto& self, auto& field) {
    field("values", self.values, "the number of each text: {\"yes\": 1, \"no\": 0}");
    declare_missing(self, field);
  }
};

/// How the texts of one column become numbers.
struct ColumnRecipe : OneOf<NumberRecipe, OneHotRecipe, DateRecipe, MapRecipe> {
  static constexpr std::string_view called = "column recipe";
  using OneOf::OneOf;
};

/// Recipes by the name of a column, or by its number where there is no header: {"city": "one_hot", "opened": "date",
/// "rooms": {"missing": "mean"}, "garden": {"yes": 1, "no": 0}}.
struct ColumnRecipes {
  std::vector<std::pair<std::string, ColumnRecipe>> by_column;

  void read(const Json& value, const std::string& pointer, Diagnostics& diagnostics);
  Json write() const;
  bool has_value() const { return true; }
  static Json schema(SchemaBuilder& builder);
  static std::string type_words() { return "object of column recipes by column (number, one_hot, date, map)"; }
};

/// A column by its name or by its number, from 1.
struct ColumnName {
  std::variant<std::string, std::int64_t> name;

  void read(const Json& value, const std::string& pointer, Diagnostics& diagnostics);
  Json write() const;
  bool has_value() const { return true; }
  static Json schema(SchemaBuilder& builder);
  static std::string type_words() { return "string or integer"; }
};

/// The constants learned from a column of texts or with missing values.
struct LearntColumn {
  std::string column;
  std::vector<std::string> categories;  // of one_hot, in the order of their columns
  std::optional<double> fill;           // in place of missing values
  static void fields(auto& self, auto& field) {
    field("column", self.column, "its name");
    field("categories", self.categories, "its texts");
    field("fill", self.fill, "what a missing value becomes");
  }
};

/// The input to read another file like this one: a test file, samples for a model.
struct ReadAs {
  std::vector<std::string> columns;        // of a table with a header, without ignored ones, the label's among them
  std::string label;                       // the label's
  std::vector<LearntColumn> learnt;        // of some of them
  std::optional<std::int64_t> index_base;  // from which a LIBSVM file counts
  static void fields(auto& self, auto& field) {
    field("columns", self.columns, "names of the columns");
    field("label", self.label, "the label's");
    field("learnt", self.learnt, "what was learned of columns of texts or with missing values");
    field("index_base", self.index_base, "the index of the first feature in a LIBSVM file");
  }
};

/// Whether a field stands for a missing value.
bool is_missing(std::string_view text);

/// Days since 1970-01-01 of a date in this order, with a time of the day as a fraction ("2024-03-31T18:00"); nothing if
/// it is not a date.
std::optional<double> days_of(std::string_view text, DateOrder order);

}  // namespace lagnet
