#include "scenarios/format/column_dictionary.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "scenarios/format/kinds/listings.hpp"

namespace lagnet::column_dictionary_test {

namespace {

const TableText& table(std::string_view name) {
  const auto found = std::ranges::find(table_texts(), name, &TableText::name);
  REQUIRE(found != table_texts().end());
  return *found;
}

bool is_sentence(std::string_view text) {
  return text.size() > 5 && text.front() >= 'A' && text.front() <= 'Z' && text.ends_with('.');
}

}  // namespace

TEST_CASE("every column of every table has a unit, a formula, a sentence, and a page of its table") {
  std::set<std::string_view> tables;
  for (const TableText& one : table_texts()) {
    INFO(one.name);
    CHECK(tables.insert(one.name).second);
    CHECK(is_sentence(one.meaning));
    CHECK_FALSE(one.page.empty());
    if (!one.with.empty()) CHECK_FALSE(table(one.with).columns.empty());
    std::set<std::string_view> names;
    for (const ColumnText& column : one.columns) {
      INFO(column.name);
      CHECK(names.insert(column.name).second);
      CHECK_FALSE(column.unit.empty());
      CHECK_FALSE(column.formula.empty());
      CHECK(is_sentence(column.meaning));
      const bool is_rate = column.name.ends_with("_per_s");
      if (column.name.ends_with("_s") && !is_rate) CHECK(column.unit == "s");
      if (column.name.ends_with("_ns")) CHECK(column.unit == "ns");
    }
  }
}

TEST_CASE("every metric that a scenario can record is a column of progress.csv") {
  for (const Listing& listing : listings()) {
    if (listing.what != "metrics") continue;
    for (const KindOfOptions* kind : listing.kinds) {
      INFO(kind->kind);
      const auto& columns = table("progress.csv").columns;
      if (kind->kind == "python") continue;  // called as its class
      const auto found = std::ranges::find(columns, kind->kind, &ColumnText::name);
      const std::string several = std::string(kind->kind) + "_*";  // a column each for least, deciles and largest
      if (std::ranges::find(columns, several, &ColumnText::name) != columns.end()) continue;
      REQUIRE(found != columns.end());
      CHECK(found->meaning == kind->summary);
    }
  }
}

TEST_CASE("a column is found in all tables that have it with one meaning, and by a match of its star") {
  const auto columns_called = [](std::string_view name) {
    std::vector<ColumnPlaces> found = all_columns();
    std::erase_if(found, [name](const ColumnPlaces& places) { return !is_called(*places.column, name); });
    return found;
  };
  const auto queueing = columns_called("queueing_s");
  REQUIRE(queueing.size() == 2);  // of messages, and at what they share
  std::vector<std::string_view> tables;
  for (const TableText* one : queueing.front().tables) tables.push_back(one->name);
  CHECK(tables == std::vector<std::string_view>{"progress.csv", "agents.csv", "links.csv"});
  CHECK(columns_called("updates").size() == 2);  // of all agents, and of one
  CHECK(columns_called("to_1e-4_bytes").size() == 1);
  CHECK(columns_called("to__bytes").empty());
  CHECK(columns_called("consensus").empty());
}

TEST_CASE("metrics cannot take the names of columns of sweeps") {
  for (const char* taken : {"point", "folder", "label", "stop", "trace_hash", "to_1e-4_s", "/topology/agents"})
    CHECK(is_column_of_sweeps(taken));
  CHECK_FALSE(is_column_of_sweeps("relative_error"));
  CHECK_FALSE(is_column_of_sweeps("to_s"));
}

}  // namespace lagnet::column_dictionary_test
