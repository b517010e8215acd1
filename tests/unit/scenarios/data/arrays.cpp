#include "scenarios/data/arrays.hpp"

#include <catch2/catch.hpp>
#include <memory>
#include <optional>

#include "scenarios/files/data_diagnostics.hpp"

namespace lagnet::arrays_test {

namespace {

std::shared_ptr<const DataSet> some_set(double label) {
  return std::make_shared<const DataSet>(DataSet{.X = DataMatrix(Matrix::Ones(2, 3)),
                                                 .y = Vector::Constant(2, label),
                                                 .samples = 2,
                                                 .truth = {},
                                                 .origin = "arrays"});
}

}  // namespace

TEST_CASE("Arrays are found by their digest as long as they are offered and share their numbers") {
  CHECK_THROWS_AS(load(ArraysOptions{.sha256 = "a", .test_sha256 = ""}), Diagnosed);
  const auto set = some_set(1);
  std::optional<OfferedArrays> offer(std::in_place, "a", set);
  const DataSet found = load(ArraysOptions{.sha256 = "a", .test_sha256 = ""});
  CHECK(found.X.as_dense()->data() == set->X.as_dense()->data());
  CHECK_FALSE(found.test);
  CHECK_THROWS_AS(load(ArraysOptions{.sha256 = "b", .test_sha256 = ""}), Diagnosed);
  offer.reset();
  CHECK_THROWS_AS(load(ArraysOptions{.sha256 = "a", .test_sha256 = ""}), Diagnosed);
  CHECK(found.X.dense() == Matrix::Ones(2, 3));
}

TEST_CASE("Arrays for tests come with the others or are missed by their own digest") {
  const OfferedArrays offer("a", some_set(1)), tests("t", some_set(2));
  CHECK(load(ArraysOptions{.sha256 = "a", .test_sha256 = "t"}).test->y[0] == 2);
  try {
    load(ArraysOptions{.sha256 = "a", .test_sha256 = "u"});
    FAIL("no tests were offered under this digest");
  } catch (const Diagnosed& error) {
    REQUIRE(error.diagnostics.size() == 1);
    CHECK(error.diagnostics[0].where == "test_sha256");
  }
}

TEST_CASE("The same arrays may be offered several times at once") {
  std::optional<OfferedArrays> first(std::in_place, "a", some_set(1));
  const OfferedArrays second("a", some_set(1));
  first.reset();
  CHECK(load(ArraysOptions{.sha256 = "a", .test_sha256 = ""}).y.size() == 2);
}

}  // namespace lagnet::arrays_test
