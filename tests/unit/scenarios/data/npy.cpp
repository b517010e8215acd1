#include "scenarios/data/npy.hpp"

#include <limits>

#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::data_npy_test {
namespace {

/// A file as numpy.save writes it.
template <class Number>
std::string npy(const char* descr, const std::string& shape, const std::vector<Number>& numbers,
                const char* by_columns = "False") {
  std::string head =
      std::string("{'descr': '") + descr + "', 'fortran_order': " + by_columns + ", 'shape': " + shape + ", }";
  while ((10 + head.size() + 1) % 64 != 0) head += ' ';
  head += '\n';
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(head.size() & 0xff);
  text += static_cast<char>(head.size() >> 8);
  text += head;
  text.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
  return text;
}

DataSet read(const std::string& text, NpyOptions options = {}, const std::string& labels = "") {
  const TestFolder folder;
  folder.write("x.npy", text);
  folder.write("y", labels);
  options.path = folder.path() / "x.npy";
  if (!labels.empty()) options.labels_path = folder.path() / "y";
  return load(options);
}

Texts problems(const std::string& text, NpyOptions options = {}) {
  const TestFolder folder;
  folder.write("x.npy", text);
  options.path = folder.path() / "x.npy";
  return problems_of(folder.path(), [&] { load(options); });
}

const Matrix features = (Matrix(2, 2) << 1, 2, 3, 4).finished();

TEST_CASE("an array has its labels in its last column, in another one, or in a second file") {
  const std::string table = npy<double>("<f8", "(2, 3)", {1, 2, 7, 3, 4, 8});
  CHECK(read(table).X.dense() == features);
  CHECK(read(table).y == Eigen::Vector2d(7, 8));
  CHECK(read(npy<double>("<f8", "(2, 3)", {7, 1, 2, 8, 3, 4}), {.label_column = 1}).X.dense() == features);
  const std::string X = npy<double>("<f8", "(2, 2)", {1, 2, 3, 4});
  CHECK(read(X, {}, npy<std::int64_t>("<i8", "(2,)", {7, 8})).y == Eigen::Vector2d(7, 8));
  CHECK(read(X, {}, "7\n8\n").y == Eigen::Vector2d(7, 8));
}

TEST_CASE("arrays by columns, of other types and of the other byte order are read") {
  CHECK(read(npy<double>("<f8", "(2, 3)", {1, 3, 2, 4, 7, 8}, "True")).X.dense() == features);
  CHECK(read(npy<float>("<f4", "(2, 3)", {1, 2, 7, 3, 4, 8})).X.dense() == features);
  CHECK(read(npy<std::int8_t>("|i1", "(2, 3)", {1, 2, 7, 3, 4, 8})).X.dense() == features);
  CHECK(read(npy<std::uint8_t>(">u2", "(2, 3)", {0, 1, 0, 2, 0, 7, 0, 3, 0, 4, 0, 8})).X.dense() == features);
  CHECK(read(npy<std::uint8_t>("|b1", "(1, 2)", {1, 0})).X.dense()(0, 0) == 1);
}

TEST_CASE("files other than arrays of real numbers are refused with their kind") {
  CHECK(problems("x,y\n1,2\n") ==
        Texts{"x.npy: expected an array of NumPy (.npy), found a file that does not begin like one"});
  CHECK(problems(npy<double>("<c16", "(1, 2)", {1, 2, 3, 4}))[0].ends_with(
      "integers or booleans, found complex numbers"));
  CHECK(problems(npy<double>("<f8", "(2, 3)", {1, 2, 7, 3, 4}))[0] ==
        "x.npy: expected 48 bytes of numbers, 2 x 3, found 40");
  CHECK(problems(npy<double>("<f8", "(1, 2)", {1, std::numeric_limits<double>::infinity()})) ==
        Texts{"x.npy: expected a finite number that a double holds at [0, 1], found inf"});
  CHECK(problems(npy<std::int64_t>("<i8", "(1, 2)", {1, 9007199254740993})) ==
        Texts{"x.npy: expected a finite number that a double holds at [0, 1], found a larger integer"});
  CHECK(problems(npy<double>("<f8", "(2, 1, 1)", {1, 2})).size() == 1);
  CHECK(problems(npy<double>("<f8", "(2,)", {1, 2}))[0].find("or labels_path, found 1") != std::string::npos);
}

}  // namespace
}  // namespace lagnet::data_npy_test
