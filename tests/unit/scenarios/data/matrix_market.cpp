#include "scenarios/data/matrix_market.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::data_matrix_market_test {
namespace {

MatrixMarketOptions files_in(const TestFolder& folder) {
  return {.path = folder.path() / "x.mtx", .labels_path = folder.path() / "y"};
}

DataSet read(std::string_view matrix, std::string_view labels, Storage storage = Storage::automatic) {
  const TestFolder folder;
  folder.write("x.mtx", matrix);
  folder.write("y", labels);
  MatrixMarketOptions options = files_in(folder);
  options.storage = storage;
  return load(options);
}

Texts problems(std::string_view matrix, std::string_view labels = "1\n2\n") {
  const TestFolder folder;
  folder.write("x.mtx", matrix);
  folder.write("y", labels);
  return problems_of(folder.path(), [&] { load(files_in(folder)); });
}

TEST_CASE("coordinate and array files of the same matrix agree") {
  const Matrix expected = (Matrix(2, 3) << 1.5, 0, -2, 0, 4, 0).finished();
  const DataSet coordinate =
      read("%%MatrixMarket matrix coordinate real general\n% note\n\n2 3 3\n2 2 4\n1 3 -2e0\n1 1 1.5\n", "1\n\n-1\n",
           Storage::sparse);
  CHECK(coordinate.X.is_sparse());
  CHECK(coordinate.X.nonzeros() == 3);
  CHECK(coordinate.X.dense() == expected);
  CHECK(coordinate.y == Eigen::Vector2d(1, -1));
  const DataSet array = read("%%matrixmarket MATRIX Array Real General\r\n2 3\r\n1.5\r\n0\r\n0\r\n4\r\n-2\r\n0\r\n",
                             "%%MatrixMarket matrix array integer general\n2 1\n1\n-1\n");
  CHECK(array.X.dense() == expected);
  CHECK(array.y == coordinate.y);
}

TEST_CASE("symmetric and pattern files are filled in") {
  const Matrix expected = (Matrix(2, 2) << 1, 3, 3, 0).finished();
  CHECK(read("%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 1\n2 1 3\n", "1\n2\n").X.dense() ==
        expected);
  CHECK(read("%%MatrixMarket matrix array real symmetric\n2 2\n1\n3\n0\n", "1\n2\n").X.dense() == expected);
  const Matrix ones = (Matrix(2, 2) << 0, 1, 1, 0).finished();
  CHECK(read("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", "1\n2\n").X.dense() == ones);
}

TEST_CASE("every wrong token of the banner is named") {
  CHECK(problems("2 2 1\n") == Texts{"x.mtx:1: expected the banner %%MatrixMarket, found \"2\""});
  CHECK(problems("") == Texts{"x.mtx:1: expected the banner %%MatrixMarket, found \"\""});
  CHECK(problems("%%MatrixMarket vector sparse complex hermitian\n") ==
        Texts{"x.mtx:1: expected matrix, found \"vector\"", "x.mtx:1: expected coordinate or array, found \"sparse\"",
              "x.mtx:1: expected real or integer, found \"complex\"",
              "x.mtx:1: expected general or symmetric, found \"hermitian\""});
  CHECK(problems("%%MatrixMarket matrix array pattern general\n") ==
        Texts{"x.mtx:1: expected real or integer, found \"pattern\""});
}

TEST_CASE("wrong sizes are errors") {
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
  CHECK(problems(banner) == Texts{"x.mtx: expected rows, columns and number of entries, found the end of the file"});
  for (const std::string line : {"2 2", "2 x 1", "0 2 0", "2 -2 1", "2 2 1 1", "3000000000 2 1"}) {
    CHECK(problems(banner + line + "\n") ==
          Texts{"x.mtx:2: expected rows, columns and number of entries, found \"" + line + "\""});
  }
  CHECK(problems("%%MatrixMarket matrix array real symmetric\n2 3\n") ==
        Texts{"x.mtx:2: expected a square symmetric matrix, found \"2 3\""});
}

TEST_CASE("every wrong entry is named with its line") {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n2 2 5\n";
  CHECK(problems(head + "0 1 1\n1 3 1\n1 1 nan\n1 2 1 1\n2 2\n") ==
        Texts{"x.mtx:3: expected a row from 1 to 2 and a column from 1 to 2, found \"0 1 1\"",
              "x.mtx:4: expected a row from 1 to 2 and a column from 1 to 2, found \"1 3 1\"",
              "x.mtx:5: expected a finite number as the value, found \"nan\"",
              "x.mtx:6: expected a row, a column and a value, found \"1 2 1 1\"",
              "x.mtx:7: expected a number as the value, found \"\""});
  CHECK(problems("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n") ==
        Texts{"x.mtx:3: expected a place on or below the diagonal, found \"1 2 1\""});
  CHECK(problems("%%MatrixMarket matrix array real general\n2 1\n1 2\nx\n") ==
        Texts{"x.mtx:3: expected one value, found \"1 2\"", "x.mtx:4: expected a number as the value, found \"x\""});
}

TEST_CASE("missing, surplus and repeated entries are errors") {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n2 2 3\n";
  CHECK(problems(head + "1 1 1\n") == Texts{"x.mtx: expected 3 entries, found 1"});
  CHECK(problems(head + "1 1 1\n1 2 1\n2 1 1\n2 2 1\n") == Texts{"x.mtx: expected 3 entries, found 4"});
  CHECK(problems(head + "1 2 1\n1 1 1\n1 2 0\n") ==
        Texts{"x.mtx:5: expected every place at most once, found row 1 column 2 again (first on line 3)"});
  CHECK(problems("%%MatrixMarket matrix array real general\n2 1\n1\n") == Texts{"x.mtx: expected 2 entries, found 1"});
}

TEST_CASE("labels must be numbers, one for each row") {
  const std::string matrix = "%%MatrixMarket matrix array real general\n2 1\n1\n2\n";
  for (const auto& [given, found] : {std::pair("1\n", "/x.mtx, found 1"), std::pair("", "/x.mtx, found 0")}) {
    const Texts said = problems(matrix, given);
    REQUIRE(said.size() == 1);
    CHECK(said[0].starts_with("y: expected 2 labels, one for each row of /"));
    CHECK(said[0].ends_with(found));
  }
  CHECK(problems(matrix, "1 2\ninf\n") == Texts{"y:1: expected a number as the label, found \"1 2\"",
                                                "y:2: expected a finite number as the label, found \"inf\""});
  CHECK(problems(matrix, "%%MatrixMarket matrix array real general\n1 2\n1\n2\n") ==
        Texts{"y: expected one column of labels, found 2 columns"});
}

}  // namespace
}  // namespace lagnet::data_matrix_market_test
