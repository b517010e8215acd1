#include "scenarios/data/csv.hpp"

#include <fmt/format.h>

#include <utility>

#include "scenarios/data/linear_model.hpp"
#include "scenarios/json/fields.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::data_csv_recipes_test {
namespace {

/// The options that a section "data" has, without its source.
CsvOptions options_of(const std::string& section, const TestFolder& folder, const char* file = "x.csv") {
  Json json = Json::parse(section);
  json["path"] = (folder.path() / file).string();
  CsvOptions options;
  Diagnostics diagnostics("s.json");
  read_value(json, options, {}, "", diagnostics);
  diagnostics.throw_if_any();
  return options;
}

DataSet read(std::string_view text, const std::string& section) {
  const TestFolder folder;
  folder.write("x.csv", text);
  return load(options_of(section, folder));
}

Texts problems(std::string_view text, const std::string& section) {
  const TestFolder folder;
  folder.write("x.csv", text);
  return problems_of(folder.path(), [&] { load(options_of(section, folder)); });
}

constexpr const char* shops =
    "id,city,opened,rooms,garden,price\n"
    "a7,Ulm,2024-01-01,3,yes,10\n"
    "b2,Bonn,2024-01-03T12:00,NA,no,20\n"
    "c9,Ulm,1970-01-02,5,no,30\n"
    "d1,Aachen,1969-12-31,,yes,40\n";
constexpr const char* recipes =
    R"({"ignore_columns": ["id"], "columns": {"city": "one_hot", "opened": "date", "rooms": {"missing": "mean"},
        "garden": {"yes": 1, "no": 0}}})";

TEST_CASE("recipes make numbers of categories, dates, missing values and texts, in the order of the file") {
  const DataSet data = read(shops, recipes);
  CHECK(data.features == Texts{"city=Aachen", "city=Bonn", "city=Ulm", "opened", "rooms", "garden"});
  const Matrix expected = (Matrix(4, 6) << 0, 0, 1, 19723, 3, 1,  //
                           0, 1, 0, 19725.5, 4, 0,                //
                           0, 0, 1, 1, 5, 0,                      //
                           1, 0, 0, -1, 4, 1)
                              .finished();
  CHECK(data.X.dense() == expected);
  CHECK(data.y == Eigen::Vector4d(10, 20, 30, 40));
}

TEST_CASE("columns that are not numeric are refused together, each with the recipe that reads it") {
  CHECK(problems(shops, "{}") ==
        Texts{R"(x.csv:2: expected numbers in column 1 (id); "ignore_columns": ["id"] leaves it out, found texts in )"
              R"(4 rows, "a7" in the first)",
              R"(x.csv:2: expected numbers in column 2 (city); "columns": {"city":"one_hot"} reads it, found texts )"
              R"(in 4 rows, "Ulm" in the first)",
              R"(x.csv:2: expected numbers in column 3 (opened); "columns": {"opened":"date"} reads it, found texts )"
              R"(in 4 rows, "2024-01-01" in the first)",
              R"(x.csv:2: expected numbers in column 5 (garden); "columns": {"garden":{"no":0,"yes":1}} reads it, )"
              R"(found texts in 4 rows, "yes" in the first)",
              R"(x.csv:3: expected a value in column 4 (rooms); "columns": {"rooms":{"missing":"mean"}} reads it, )"
              R"(found none, nor in 1 other row)",
              R"(x.csv: expected these keys of the section data: )"
              R"({"columns":{"city":"one_hot","opened":"date","rooms":{"missing":"mean"},"garden":{"no":0,"yes":1}},)"
              R"("ignore_columns":["id"]}, found none of them)"});
}

TEST_CASE("the recipes that a survey proposes read the file") {
  const TestFolder folder;
  folder.write("x.csv", shops);
  const TableSurvey found = survey(options_of("{}", folder));
  CHECK(found.problems.size() == 5);
  const DataSet proposed = load(options_of(found.proposals.dump(), folder));
  CHECK(proposed.X.dense() == read(shops, recipes).X.dense());
}

TEST_CASE("dates are read in the order of their parts") {
  for (const auto& [text, section] :
       {std::pair("31.3.2024", "day_month_year"), {"3/31/2024", "month_day_year"}, {"2024-03-31", "year_month_day"}}) {
    const std::string recipe = fmt::format(R"({{"columns": {{"d": {{"kind": "date", "order": "{}"}}}}}})", section);
    CHECK(read(fmt::format("d,y\n{},1\n", text), recipe).X.dense()(0, 0) == 19813);
  }
  CHECK(problems("d,y\n2024-02-30,1\n2024-02-29,2\n", R"({"columns": {"d": "date"}})") ==
        Texts{"x.csv:2: expected a date of the recipe's order in column 1 (d), found \"2024-02-30\""});
}

TEST_CASE("a text that a map lacks and a missing value of any recipe are refused") {
  CHECK(problems("g,y\nyes,1\nmaybe,2\n", R"({"columns": {"g": {"yes": 1}}})") ==
        Texts{"x.csv:3: expected a text that the recipe maps in column 1 (g), found \"maybe\""});
  CHECK(problems("c,y\nA,1\nB,2\n?,3\n", R"({"columns": {"c": "one_hot"}})") ==
        Texts{R"(x.csv:4: expected a value in column 1 (c); "columns": )"
              R"({"c":{"kind":"one_hot","missing":"category"}} reads it, found none)"});
  CHECK(read("c,y\nA,1\nB,2\n?,3\n", R"({"columns": {"c": {"kind": "one_hot", "missing": "category"}}})").features ==
        Texts{"c=A", "c=B", "c=missing"});
}

TEST_CASE("recipes and ignored columns that name no column are refused") {
  CHECK(problems("city,y\n1,2\n", R"({"columns": {"ctiy": "number"}, "ignore_columns": ["x", 7]})") ==
        Texts{R"(x.csv:1: expected one column that ignore_columns calls "x", found none)",
              "x.csv:1: expected a column 7, since ignore_columns names it, found 2 columns",
              R"(x.csv:1: expected one column that columns calls "ctiy", found none; did you mean city?)"});
  CHECK(problems("a,b,y\n1,2,3\n", R"({"label_name": "y", "ignore_columns": ["y"]})") ==
        Texts{"x.csv:1: expected a label that ignore_columns does not leave out, found 3 (y)"});
}

TEST_CASE("an index column of pandas, a header of numbers and another label are doubted until a key settles it") {
  const auto doubts = [](std::string_view text, const std::string& section) {
    return read(text, section).learnt->doubts;
  };
  const char* pandas = ",x,z,y\n0,1.5,2,3\n1,2,5,4\n2,3,7,9\n";
  CHECK(doubts(pandas, "{}") ==
        Texts{R"(x.csv: column 1, without a name, looks like the rows' own numbers: "ignore_columns": [1] leaves )"
              R"(it out, as ask and new do, "columns": {"1":"number"} keeps it, and without either a run reads it )"
              R"(as a feature)"});
  CHECK(doubts(pandas, R"({"ignore_columns": [1]})").empty());
  CHECK(read(pandas, R"({"ignore_columns": [1]})").features == Texts{"x", "z"});
  CHECK(doubts(pandas, R"({"columns": {"1": "number"}})").empty());
  CHECK(doubts("0,1,2\n1.5,2,3\n2,5,4\n", "{}") ==
        Texts{R"(x.csv:1: the numbers "0,1,2" are read as a sample, and look like names of columns: "header": )"
              R"("present" takes them so, "absent" for a sample)"});
  CHECK(doubts("0,1,2\n1.5,2,3\n2,5,4\n", R"({"header": "absent"})").empty());
  std::string fees = "churn,age,fee\n";
  for (int k = 0; k < 30; ++k) fees += fmt::format("{},{},{}.5\n", k % 2, 20 + k, k);
  CHECK(doubts(fees, "{}") ==
        Texts{R"(x.csv: the label is column 3 (fee), the last one, and "churn" may be: "label_name": "churn" takes )"
              R"(that one, "fee" this one)"});
  CHECK(doubts(fees, R"({"label_name": "fee"})").empty());
}

TEST_CASE("another file is read by the names of its columns, with the categories and means of the first") {
  const TestFolder folder;
  folder.write("x.csv", "c,r,y\nA,1,1\nB,3,2\nA,,3\n");
  folder.write("other.csv", "y,r,c\n5,NA,B\n6,7,A\n");
  folder.write("wrong.csv", "y,rr,c,d\n5,1,B,1\n");
  folder.write("new.csv", "c,r,y\nC,1,1\n");
  folder.write("none.csv", "1,2,3\n");
  const char* section = R"({"columns": {"c": "one_hot", "r": {"missing": "mean"}}})";
  const DataSet first = load(options_of(section, folder));
  const ReadAs* const as = first.learnt->read_as.get();
  const DataSet other = load(options_of(section, folder, "other.csv"), as);
  CHECK(other.features == first.features);
  CHECK(other.X.dense() == (Matrix(2, 3) << 0, 1, 2, 1, 0, 7).finished());
  CHECK(other.y == Eigen::Vector2d(5, 6));
  const auto refused = [&](const char* file) {
    return problems_of(folder.path(), [&] { load(options_of(R"({"columns": {"c": "one_hot"}})", folder, file), as); });
  };
  CHECK(refused("wrong.csv") ==
        Texts{"wrong.csv:1: expected the columns of the training samples, r, found none of that name",
              "wrong.csv:1: expected only columns of the training samples, found 2 (rr), 4 (d)"});
  CHECK(refused("new.csv")[0] ==
        "new.csv:2: expected a text of column 1 (c) that occurs in the training samples, found \"C\"");
  CHECK(refused("none.csv")[0] ==
        "none.csv:1: expected a header that names the label column \"y\" once, found no header");
}

TEST_CASE("recipes are read in their short and full forms and written in full") {
  ColumnRecipes recipes_read;
  Diagnostics diagnostics("s.json");
  read_value(Json::parse(R"({"a": "one_hot", "b": {"yes": 1}, "c": {"kind": "date"}, "d": {"missing": "mean"}})"),
             recipes_read, {}, "", diagnostics);
  CHECK(diagnostics.empty());
  CHECK(recipes_read.write().dump() ==
        R"({"a":{"kind":"one_hot","missing":"refuse"},"b":{"kind":"map","values":{"yes":1.0},"missing":"refuse"},)"
        R"("c":{"kind":"date","order":"year_month_day","missing":"refuse"},"d":{"kind":"number","missing":"mean"}})");
  read_value(Json::parse(R"({"a": "onehot", "b": 3, "c": {"missing": "median"}})"), recipes_read, {}, "/data/columns",
             diagnostics);
  CHECK(diagnostics.count() == 3);
  CHECK(diagnostics.list()[0].where == "/data/columns/a");
}

TEST_CASE("UTF-16 and binary files are refused with their kind") {
  CHECK(problems(std::string("\xff\xfe"
                             "a\0,\0",
                             6),
                 "{}") == Texts{"x.csv: expected text in UTF-8 (`iconv -f UTF-16 -t UTF-8` converts UTF-16; in Excel, "
                                "save as \"CSV UTF-8\"), found UTF-16"});
  CHECK(problems(std::string("a,b\n1,\0\n", 8), "{}")[0].ends_with("found other data: byte 7 is zero"));
}

}  // namespace
}  // namespace lagnet::data_csv_recipes_test
