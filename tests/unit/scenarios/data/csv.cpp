#include "scenarios/data/csv.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::data_csv_test {
namespace {

DataSet read(std::string_view text, CsvOptions options = {}) {
  const TestFolder folder;
  folder.write("x.csv", text);
  options.path = folder.path() / "x.csv";
  return load(options);
}

Texts problems(std::string_view text, CsvOptions options = {}) {
  const TestFolder folder;
  folder.write("x.csv", text);
  options.path = folder.path() / "x.csv";
  return problems_of(folder.path(), [&] { load(options); });
}

const Matrix features = (Matrix(2, 2) << 1, 2.5, -3, 4).finished();
const Eigen::Vector2d labels(7, 8);

TEST_CASE("the last column of a csv file is the label unless said otherwise") {
  const DataSet data = read("1,2.5,7\n-3,4,8\n");
  CHECK(data.X.dense() == features);
  CHECK(data.y == labels);
  CHECK(data.samples == 2);
}

TEST_CASE("a label column is found by number or by name") {
  const DataSet by_number = read("1,7,2.5\n-3,8,4\n", {.label_column = 2});
  CHECK(by_number.X.dense() == features);
  CHECK(by_number.y == labels);
  const DataSet by_name = read("price,\"x, one\",x2\n7,1,2.5\n8,-3,4\n", {.label_name = "price"});
  CHECK(by_name.X.dense() == features);
  CHECK(by_name.y == labels);
}

TEST_CASE("auto takes a first record without any number for the header") {
  CHECK(read("a,b,c\n1,2.5,7\n-3,4,8\n").X.dense() == features);
  CHECK(read("1,2,3\n1,2.5,7\n-3,4,8\n", {.header = CsvHeader::present}).X.dense() == features);
  CHECK(problems("a,2,c\n1,2.5,7\n") == Texts{"x.csv:1: expected a number in column 1, found \"a\"",
                                              "x.csv:1: expected a number in column 3, found \"c\""});
  CHECK(problems("a,b\n1,2\n", {.header = CsvHeader::absent}).size() == 2);
}

TEST_CASE("quotes, separators in quotes, line ends in quotes and doubled quotes are read as RFC 4180 says") {
  const DataSet data =
      read("\"a \"\"b\"\"\",\"two\nlines; \\\",y\r\n\"1\",2.5,7\r\n\r\n -3 ,\"4\",8", {.label_name = "y"});
  CHECK(data.X.dense() == features);
  CHECK(data.y == labels);
  CHECK(read("a \"\"b,c\n1,2\n", {.header = CsvHeader::present, .label_name = "a \"\"b"}).y[0] == 1);
  CHECK(read("\"a \"\"b\",c\n1,2\n", {.header = CsvHeader::present, .label_name = "a \"b"}).y[0] == 1);
}

TEST_CASE("other separators are read") {
  CHECK(read("1;2.5;7\n-3;4;8\n", {.separator = ";"}).X.dense() == features);
  CHECK(read("1\t2.5\t7\n-3\t4\t8\n", {.separator = "\t"}).X.dense() == features);
  CHECK(read("1;2,5;7\n-3;4;8\n", {.separator = "semicolon", .decimal = DecimalMark::comma}).X.dense() == features);
  CHECK(read("  1 2.5   7 \r\n-3 4 8", {.separator = "space"}).X.dense() == features);
  CHECK(read("sep=;\r\n1;2.5;7\r\n-3;4;8\r\n").X.dense() == features);
  CHECK(read("1,2.5,7\r-3,4,8\r").X.dense() == features);
}

TEST_CASE("every wrong field of a csv file is named with its line") {
  CHECK(
      problems("a,b,y\n1,,3\n1,2\n\n1,2,nan\n\"p\nq\",1,2\n1,2,3,4\n1,2,\n") ==
      Texts{
          "x.csv:3: expected 3 fields, found 2", "x.csv:6: expected a number in column 1 (a), found \"p\\x0aq\"",
          "x.csv:8: expected 3 fields, found 4",
          "x.csv:2: expected a value in column 2 (b); \"columns\": {\"b\":{\"missing\":\"mean\"}} reads it, found none",
          "x.csv:5: expected a value in column 3 (y); a sample without a label has to leave the file, found none, "
          "nor in 1 other row",
          "x.csv: expected these keys of the section data: {\"columns\":{\"b\":{\"missing\":\"mean\"}}}, found none of "
          "them"});
  CHECK(problems("a,y\n1,2\n1e999,3\ninf,4\n4,5\n") ==
        Texts{"x.csv:3: expected a number within the range of a double in column 1 (a), found \"1e999\"",
              "x.csv:4: expected a finite number in column 1 (a), found \"inf\""});
}

TEST_CASE("a column of texts is reported once, and a file with another separator with its key") {
  CHECK(problems("a,city,y\n1,Bonn,3\n2,Ulm,4\n") ==
        Texts{"x.csv:2: expected numbers in column 2 (city); \"columns\": {\"city\":{\"Bonn\":0,\"Ulm\":1}} reads it, "
              "found texts in 2 rows, \"Bonn\" in the first"});
  CHECK(
      problems("a;b;y\n1;2;3\n") ==
      Texts{"x.csv:1: expected at least two columns, a feature and the label (\"separator\": \";\" splits this line), "
            "found 1"});
  CHECK(
      problems("1,2\n3,4\n", {.separator = ";"}) ==
      Texts{"x.csv:1: expected at least two columns, a feature and the label (\"separator\": \",\" splits this line), "
            "found 1"});
}

TEST_CASE("a separator at the very end of the file opens an empty field") {
  CHECK(problems("1,2\n1,2,") == Texts{"x.csv:2: expected 2 fields, found 3"});
  CHECK(problems("1,2\n1,") == Texts{"x.csv:2: expected a value in column 2; a sample without a label has to leave the "
                                     "file, found none"});
}

TEST_CASE("broken quotes are errors") {
  CHECK(problems("1,2\n\"3,4\n5,6\n")[0] ==
        "x.csv:2: expected a closing quote, found no quote up to the end of the file");
  CHECK(problems("1,2\n\"3\"x,4\n") ==
        Texts{"x.csv:2: expected a separator or the line's end after \"3\", found \"x\""});
}

TEST_CASE("a csv file without samples, features or its label column is an error") {
  CHECK(problems("") == Texts{"x.csv: expected at least one sample, found none"});
  CHECK(problems("a,b\n") == Texts{"x.csv: expected at least one sample, found none"});
  CHECK(problems("1\n2\n") == Texts{"x.csv:1: expected at least two columns, a feature and the label, found 1"});
  CHECK(problems("1,2\n", {.label_column = 3}) == Texts{"x.csv:1: expected a column 3 for the label, found 2 columns"});
  CHECK(problems("a,b\n1,2\n", {.label_name = "y"}) ==
        Texts{"x.csv:1: expected a header that names the label column \"y\" once, found it 0 times in \"a,b\""});
  CHECK(problems("1,2\n", {.label_name = "y"}) ==
        Texts{"x.csv:1: expected a header that names the label column \"y\" once, found no header"});
  CHECK(problems("1,2\n", {.separator = "::"}) == Texts{"x.csv: expected a separator of one character, found \"::\""});
}

}  // namespace
}  // namespace lagnet::data_csv_test
