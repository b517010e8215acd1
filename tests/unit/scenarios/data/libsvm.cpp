#include "scenarios/data/libsvm.hpp"

#include "scenarios/data/columns.hpp"
#include "scenarios/data/linear_model.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::data_libsvm_test {
namespace {

DataSet read(std::string_view text, LibsvmOptions options = {}) {
  const TestFolder folder;
  folder.write("x.libsvm", text);
  options.path = folder.path() / "x.libsvm";
  return load(options);
}

Texts problems(std::string_view text, LibsvmOptions options = {}) {
  const TestFolder folder;
  folder.write("x.libsvm", text);
  options.path = folder.path() / "x.libsvm";
  return problems_of(folder.path(), [&] { load(options); });
}

TEST_CASE("a libsvm file gives its matrix and labels") {
  const DataSet data = read("+1 1:0.5 3:2\n-1 2:1.25\n2.5 1:-3e-1 2:4 3:5\n");
  const Matrix expected = (Matrix(3, 3) << 0.5, 0, 2, 0, 1.25, 0, -0.3, 4, 5).finished();
  CHECK(data.X.dense() == expected);
  CHECK(data.y == Eigen::Vector3d(1, -1, 2.5));
  CHECK(data.samples == 3);
  CHECK_FALSE(data.truth.has_value());
  CHECK(data.origin.ends_with("/x.libsvm"));
}

TEST_CASE("comments, blanks, blank lines, qid, other line ends and rows without entries are read") {
  const DataSet data = read("\xef\xbb\xbf# head\r\n\r\n1 qid:3 1:1 \t 2:2  # tail\r\n  -1\n0\t2:5 \n   \n1 1:4");
  const Matrix expected = (Matrix(4, 2) << 1, 2, 0, 0, 0, 5, 4, 0).finished();
  CHECK(data.X.dense() == expected);
  CHECK(data.y == Eigen::Vector4d(1, -1, 0, 1));
}

TEST_CASE("the number of features may be given and explicit zeros are not stored") {
  const DataSet data = read("1 1:1 2:0\n", {.features = 5, .storage = Storage::sparse});
  CHECK(data.X.cols() == 5);
  CHECK(data.X.nonzeros() == 1);
}

TEST_CASE("auto storage is sparse below a quarter of non-zeros and dense from there on") {
  CHECK_FALSE(read("1 1:1\n1 4:1\n").X.is_sparse());  // 2 of 8
  CHECK(read("1 1:1\n1 9:1\n").X.is_sparse());        // 2 of 18
  CHECK(read("1 1:1\n1 4:1\n", {.storage = Storage::sparse}).X.is_sparse());
  CHECK_FALSE(read("1 1:1\n1 9:1\n", {.storage = Storage::dense}).X.is_sparse());
}

TEST_CASE("every wrong token of a libsvm file is named with its line") {
  CHECK(
      problems(
          "yes 1:1\n1 1:1 2\n1 0:3\n1 2:1 2:5\n\n1 3:abc 4:nan 5:-inf 6:1e999\n1 a:1\n1 1: 2:3\n1,2 1:1\n1 1:0x3\n") ==
      Texts{"x.libsvm:1: expected a number as the label, found \"yes\"",
            "x.libsvm:2: expected index:value, found \"2\"",
            "x.libsvm:4: expected an index from 3 to 2147483647, found \"2:5\"",
            "x.libsvm:6: expected a number as the value of index 3, found \"abc\"",
            "x.libsvm:6: expected a finite number as the value of index 4, found \"nan\"",
            "x.libsvm:6: expected a finite number as the value of index 5, found \"-inf\"",
            "x.libsvm:6: expected a number within the range of a double as the value of index 6, found \"1e999\"",
            "x.libsvm:7: expected index:value, found \"a:1\"",
            "x.libsvm:8: expected a number as the value of index 1, found \"\"",
            "x.libsvm:9: expected a number as the label, found \"1,2\"",
            "x.libsvm:10: expected a number as the value of index 1, found \"0x3\""});
  CHECK(problems("nan 1:1\n") == Texts{"x.libsvm:1: expected a finite number as the label, found \"nan\""});
}

TEST_CASE("indices count from 0 if one of them is 0 (with a warning), or if scikit-learn or a key says so") {
  const Matrix expected = (Matrix(2, 3) << 5, 0, 1, 0, 2, 0).finished();
  const DataSet guessed = read("1 0:5 2:1\n-1 1:2\n");
  CHECK(guessed.X.dense() == expected);
  CHECK(guessed.learnt->doubts ==
        Texts{"x.libsvm:1: index 0 occurs, so that features are counted from 0, as scikit-learn "
              "does: \"index_base\": 0 says so"});
  const DataSet said = read("1 0:5 2:1\n-1 1:2\n", {.index_base = 0});
  CHECK(said.X.dense() == expected);
  CHECK(said.learnt->doubts.empty());
  // Column 0 is empty here: without the key or the comment the features would be one less.
  CHECK(read("1 2:1\n-1 1:2\n", {.index_base = 0}).X.cols() == 3);
  CHECK(read("# Column indices are zero-based\n1 2:1\n-1 1:2\n").X.cols() == 3);
  CHECK(read("1 2:1\n-1 1:2\n").X.cols() == 2);
  CHECK(problems("1 0:5\n", {.index_base = 1}) ==
        Texts{"x.libsvm:1: expected an index from 1 to 2147483647; \"index_base\": 0 counts from 0, found \"0:5\""});
  CHECK(problems("1 3:1\n1 0:5\n", {.features = 3}) == Texts{"x.libsvm:1: expected an index from 0 to 2, found 3"});
}

TEST_CASE("another file is counted as the first one was") {
  const TestFolder folder;
  folder.write("x.libsvm", "1 0:5 2:1\n");
  folder.write("test.libsvm", "1 1:2\n");
  LibsvmOptions options{.path = folder.path() / "x.libsvm"};
  const DataSet first = load(options);
  options = {.path = folder.path() / "test.libsvm", .features = 3};
  CHECK(load(options, first.learnt->read_as.get()).X.dense() == (Matrix(1, 3) << 0, 2, 0).finished());
}

TEST_CASE("indices in any order are read if a key says so, each once") {
  CHECK(read("1 3:3 1:1\n", {.sort = true}).X.dense() == (Matrix(1, 3) << 1, 0, 3).finished());
  CHECK(problems("1 3:3 1:1\n") ==
        Texts{"x.libsvm:1: expected an index from 4 to 2147483647; \"sort\": true takes any order, found \"1:1\""});
  CHECK(problems("1 3:3 1:1 3:2\n", {.sort = true}) ==
        Texts{"x.libsvm:1: expected every index of a line once, found 3 again"});
}

TEST_CASE("an index above the given number of features is an error") {
  CHECK(problems("1 1:1 4:1\n", {.features = 3}) == Texts{"x.libsvm:1: expected an index from 2 to 3, found \"4:1\""});
}

TEST_CASE("files without samples or features are errors") {
  CHECK(problems("") == Texts{"x.libsvm: expected at least one sample, found none"});
  CHECK(problems("# nothing\n\n") == Texts{"x.libsvm: expected at least one sample, found none"});
  CHECK(problems("1\n-1\n") == Texts{"x.libsvm: expected at least one feature, found none"});
}

TEST_CASE("twenty problems are reported and the others counted") {
  std::string text;
  for (int i = 0; i < 25; ++i) text += "1 bad\n";
  const Texts found = problems(text);
  REQUIRE(found.size() == 21);
  CHECK(found[19] == "x.libsvm:20: expected index:value, found \"bad\"");
  CHECK(found[20] == "x.libsvm: and 5 more problems");
}

TEST_CASE("long and unprintable tokens are shown short and safe") {
  CHECK(problems("1 " + std::string(50, 'x') + "\n") ==
        Texts{"x.libsvm:1: expected index:value, found \"" + std::string(40, 'x') + "...\""});
  CHECK(problems("1 \x1b[2J\n") == Texts{"x.libsvm:1: expected index:value, found \"\\x1b[2J\""});
}

}  // namespace
}  // namespace lagnet::data_libsvm_test
