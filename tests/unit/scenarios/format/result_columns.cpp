#include "scenarios/format/result_columns.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>
#include <string_view>

namespace lagnet::result_columns_test {

namespace {

template <class Row>
void check_table(const ResultColumns<Row>& columns, std::map<std::string_view, std::string_view>& labels) {
  std::set<std::string_view> names;
  for (const auto& column : columns) {
    INFO(column.name);
    CHECK(names.insert(column.name).second);
    CHECK_FALSE(column.unit.empty());
    CHECK_FALSE(column.label.empty());
    CHECK(column.name.ends_with("_per_s") == (column.unit == "B/s"));
    CHECK((column.name.ends_with("_s") && column.unit != "B/s") == (column.unit == "s"));
    CHECK(labels.try_emplace(column.name, column.label).first->second == column.label);
  }
}

}  // namespace

TEST_CASE("in every table a column has one name, and its unit is the one at the end of the name") {
  std::map<std::string_view, std::string_view> labels;
  check_table(columns_before_metrics(), labels);
  check_table(columns_after_metrics(), labels);
  check_table(agent_columns(), labels);
  check_table(link_columns(), labels);
  check_table(site_columns(), labels);
  const auto all = column_labels();
  CHECK(std::map<std::string_view, std::string_view>(all.begin(), all.end()) == labels);
  CHECK(all.size() == labels.size());
}

TEST_CASE("columns of a row and of an agent have the numbers of its account") {
  Row row;
  row.total.messages_lost = 3;
  row.total.hops = 5;
  AgentRow agent{.account = row.total};
  const auto value = [](const auto& columns, const auto& of, std::string_view name) {
    for (const auto& column : columns)
      if (column.name == name) return column.value(of);
    return ColumnValue();
  };
  CHECK(value(columns_after_metrics(), row, "lost") == ColumnValue(std::int64_t{3}));
  CHECK(value(columns_after_metrics(), row, "round_trips") == ColumnValue(2.5));
  CHECK(value(agent_columns(), agent, "lost") == ColumnValue(std::int64_t{3}));
}

TEST_CASE("metrics cannot take the names of columns that every run has") {
  CHECK(is_common_column("relative_error"));
  CHECK(is_common_column("participants"));
  CHECK_FALSE(is_common_column("sleeping_s"));  // of agents.csv
  CHECK(unit_of_column("bytes") == "B");
  CHECK(unit_of_column("l2_error").empty());
}

}  // namespace lagnet::result_columns_test
