#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/json/fields.hpp"
#include "scenarios/json/json_file.hpp"

/// The options that select the number of a claim: which runs, which column, which row. compare/measures.hpp takes it
/// from the runs.
namespace lagnet {

void check_pointer(auto& report, const std::string& key, const std::string& text) {
  if (!is_pointer(text)) report(key, "a JSON pointer", text);
}

/// How several runs that match are combined.
enum class Combine { seeds, mean_curve, mean, least, largest };
constexpr auto spellings(Combine) {
  return std::array{Spelling{Combine::seeds, "seeds"}, Spelling{Combine::mean_curve, "mean_curve"},
                    Spelling{Combine::mean, "mean"}, Spelling{Combine::least, "least"},
                    Spelling{Combine::largest, "largest"}};
}

struct MeasureOptions {
  std::string metric = "relative_error";
  Json where = Json::object();
  Json at = nullptr;
  Json first = nullptr;
  Combine combine = Combine::seeds;
  std::int64_t mean_of_rows = 1;
  std::optional<std::int64_t> rate_from_round;
  static void fields(auto& self, auto& field) {
    field(
        "metric", self.metric,
        "a column of progress.csv; excess: objective above the optimum; or a JSON pointer to a number of summary.json: "
        "\"/constants/Theta\"");
    field("where", self.where,
          "which runs: JSON pointers into a run's scenario, each to a value, a list of possible values, or a range "
          "{\"at_least\": 4, \"at_most\": 64}");
    field("at", self.at,
          "which row: {\"round\": 500}: the last row in which this column is at most 500; {\"duality_gap\": "
          "{\"at_least\": 1e-9}}: the last row in which it is at least that; null: the last row");
    field(
        "first", self.first,
        "instead: {\"l2_error\": 1}, the first row in which this column is at most that; {\"l2_error\": {\"at_most\": "
        "1.5, \"of_last\": true}}, at most that many times its last value; {\"at_most\": 1.02, \"of_last\": "
        "{\"/algorithm/kind\": \"extra\"}}, times the last value of the runs that these values select; if no row "
        "matches, the number is infinite");
    field("combine", self.combine,
          "how several matching runs are combined: seeds: by their mean, allowed only if they differ in nothing but "
          "the seed; mean_curve: the same, but rows are averaged round by round before one is chosen; mean; least; "
          "largest");
    field("mean_of_rows", self.mean_of_rows, "take the mean of this many rows: the chosen one and those before it",
          at_least(1));
    field("rate_from_round", self.rate_from_round,
          "instead of the number, its factor of change per round, from the row of this round to the chosen one",
          at_least(0));
  }
  void check(auto& report) const {
    check_where(report, "where", where);
    if (!at.is_null() && !first.is_null()) report("first", "one of at and first", first);
    if (!is_row(at)) report("at", "an object of one column to a number: {\"round\": 500}", at);
    if (!is_row(first)) report("first", "an object of one column to a number: {\"l2_error\": 1}", first);
    if (rate_from_round && mean_of_rows > 1) report("mean_of_rows", "1 beside rate_from_round", mean_of_rows);
    if (!metric.starts_with('/')) return;
    check_pointer(report, "metric", metric);
    const char* const no_rows = "no choice of rows, since a number of summary.json has none";
    if (!at.is_null()) report("at", no_rows, at);
    if (!first.is_null()) report("first", no_rows, first);
    if (rate_from_round) report("rate_from_round", no_rows, *rate_from_round);
    if (mean_of_rows > 1) report("mean_of_rows", no_rows, mean_of_rows);
  }
  static void check_where(auto& report, std::string_view key, const Json& where) {
    if (!is_where(where)) report(key, "an object of JSON pointers to values, lists of values or ranges", where);
  }

 private:
  static bool is_row(const Json& row);
  static bool is_where(const Json& where);
};

/// {"at_least": 4, "at_most": 64}, or one of them.
bool is_number_range(const Json& value);

}  // namespace lagnet
