#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/format/column_dictionary.hpp"
#include "scenarios/format/kinds/python_class.hpp"
#include "tests/property/registered/scenarios_of_algorithms.hpp"

namespace lagnet::described_columns_test {

namespace {

std::vector<std::string> metrics_of(const Json& document) {
  ExperimentCache cache;
  return assemble(read_scenario({"columns.json", "/nowhere", document}), "columns.json", cache)
      .algorithm->metric_names();
}

void check_described(const Json& document) {
  const auto& columns = table_texts().front().columns;  // of progress.csv
  for (const std::string& name : metrics_of(document)) {
    INFO(name);
    CHECK(std::ranges::find(columns, name, &ColumnText::name) != columns.end());
  }
}

}  // namespace

TEST_CASE("The columns that algorithms add to progress.csv all have a unit, a formula and a meaning") {
  REQUIRE(table_texts().front().name == "progress.csv");
  for (const auto& entry : AlgorithmFamily::catalogue().entries()) {
    if (entry->kind == python_kind) continue;  // adds none
    CAPTURE(std::string(entry->kind));
    check_described(test::scenario_with(*entry, test::traits_of_registered(*entry)));
  }
  for (const auto& entry : AlgorithmFamily::catalogue().entries()) {
    if (entry->kind != "fd_primal_dual") continue;  // whose columns depend on its options
    Json document = test::scenario_with(*entry, test::traits_of_registered(*entry));
    document["algorithm"]["constants"] = "learned";
    check_described(document);
    document["algorithm"]["constants"] = "exact";
    document.merge_patch(Json::parse(R"({"network": {"loss_probability": 0.2},
        "participation": {"missing_neighbor": {"kind": "reuse_last", "deadline_ms": 30}}})"));
    check_described(document);
  }
}

}  // namespace lagnet::described_columns_test
