#include "scenarios/data/partitions/cell_partitions.hpp"

#include <catch2/catch.hpp>

#include "scenarios/data/data_set.hpp"
#include "scenarios/files/data_diagnostics.hpp"

namespace lagnet::cell_partitions_test {

namespace {

using Places = std::vector<Index>;
using Texts = std::vector<std::string>;

/// 5 samples of 6 features, each non-zero telling its place, with some zeros.
struct Data {
  DataMatrix X;
  Vector y;
};
Data data(bool sparse = false) {
  Matrix X(5, 6);
  for (Index i = 0; i < 5; ++i)
    for (Index j = 0; j < 6; ++j) X(i, j) = (i + j) % 4 == 3 ? 0 : static_cast<double>(10 * i + j + 1);
  X.row(2).setZero();
  return {sparse ? DataMatrix(SparseMatrix(X.sparseView())) : DataMatrix(X), Vector::LinSpaced(5, 0, 4)};
}

PartitionContext context_of(const Data& given, Index clients) {
  return {.features = given.X.cols(),
          .labels = VectorView(given.y.data(), given.y.size()),
          .holders = clients,
          .X = &given.X};
}

template <class Options>
std::shared_ptr<const Cells> cells_of(const Options& options, const Data& given, Index clients) {
  return make_partition(options, context_of(given, clients)).cells;
}

Vector scores_of(const CellBlock& block, const Vector& w) {
  Vector scores(block.n());
  block.scores_into(scores, w);
  return scores;
}

/// All blocks put where they belong.
Matrix put_together(const Cells& cells) {
  Matrix X = Matrix::Zero(cells.samples(), cells.features());
  for (AgentId k = 1; k <= static_cast<AgentId>(cells.clients()); ++k) {
    const CellBlock& block = cells.of(k);
    for (Index j = 0; j < block.m(); ++j)
      X(block.samples, Places{block.features[static_cast<std::size_t>(j)]}) +=
          scores_of(block, Vector::Unit(block.m(), j));
  }
  return X;
}

template <class Options>
Texts problems_of(const Options& options, Index clients) {
  try {
    const Data given = data();
    make_partition(options, context_of(given, clients));
  } catch (const Diagnosed& error) {
    Texts texts;
    for (const Diagnostic& diagnostic : error.diagnostics) texts.push_back(sentence(diagnostic));
    return texts;
  }
  return {};
}

}  // namespace

TEST_CASE("blocks are sample groups x feature groups, the first ones longer, dense or sparse") {
  for (const bool sparse : {false, true}) {
    const Data given = data(sparse);
    const auto cells = cells_of(BlocksOptions{.sample_groups = 2, .feature_groups = 2}, given, 4);
    CHECK(cells->of(2).samples == Places{0, 1, 2});  // group 0 of the samples, 1 of the features
    CHECK(cells->of(2).features == Places{3, 4, 5});
    CHECK(cells->of(3).samples == Places{3, 4});
    CHECK(cells->of(3).slices.label(1) == 4);
    CHECK(put_together(*cells) == given.X.dense());
    CHECK(std::ssize(cells->holders(3)) == 2);
    CHECK(cells->holders(3)[1].client == 4);
    CHECK(cells->holders(3)[1].row == 0);
    CHECK(cells->shares_samples());
    CHECK(cells->squared_norms() == Vector(given.X.dense().rowwise().squaredNorm()));  // whole numbers
  }
  CHECK_FALSE(cells_of(BlocksOptions{}, data(), 5)->shares_samples());
}

TEST_CASE(
    "the non-zeros of each sample are cut into consecutive chunks, and every client of a group holds the sample") {
  for (const bool sparse : {false, true}) {
    const Data given = data(sparse);
    const auto cells = cells_of(NonzeroChunksOptions{.chunks = 2}, given, 4);
    CHECK(put_together(*cells) == given.X.dense());
    // Samples 0 and 1 have non-zeros at 0 1 2 4 5 and 0 1 3 4 5, of which the first three are the first chunk.
    CHECK(cells->of(1).samples == Places{0, 1, 2});
    CHECK(cells->of(1).features == Places{0, 1, 2, 3});
    CHECK(cells->of(1).entries == 6);
    CHECK(cells->of(2).features == Places{4, 5});
    CHECK(std::ssize(cells->holders(2)) == 2);  // a sample of zeros
  }
}

TEST_CASE("quadrants of images share the clients, and features after the pixels belong to the fourth") {
  const Data given = data();
  const auto cells = cells_of(QuadrantsOptions{}, given, 5);  // 2 x 2 pixels and two features more
  CHECK(cells->of(1).features == Places{0});                  // clients 0 and 1 of 5: floor(4 c / 5) = 0
  CHECK(cells->of(1).samples == Places{0, 1, 2});
  CHECK(cells->of(2).samples == Places{3, 4});
  CHECK(cells->of(3).features == Places{1});
  CHECK(cells->of(4).features == Places{2});
  CHECK(cells->of(5).features == Places{3, 4, 5});
  CHECK(put_together(*cells) == given.X.dense());
}

TEST_CASE("lists that do not divide the cells are refused") {
  CHECK(problems_of(BlocksOptions{.sample_groups = 2, .feature_groups = 3}, 4) ==
        Texts{"blocks: expected sample_groups x feature_groups = 4 clients, found 2 x 3"});
  CHECK(problems_of(BlocksOptions{.feature_groups = 3}, 4) ==
        Texts{"blocks: expected feature_groups that divide the 4 clients, found 3"});
  CHECK(problems_of(QuadrantsOptions{.width = 4}, 3) ==
        Texts{"quadrants: expected at least 4 clients, one for each quadrant, found 3",
              "quadrants: expected images of 2 x 2 to all of the 6 features, found 4 x 4"});
  const std::vector<std::int64_t> all{0, 1, 2, 3, 4};
  CHECK(problems_of(CellListsOptions{.samples = {all, all}, .features = {{0, 1, 2}, {2, 3, 4, 5}}}, 2) ==
        Texts{"cell_lists: expected every cell held by exactly one agent, found sample 0, feature 2 held by agents 1 "
              "and 2"});
  CHECK(problems_of(CellListsOptions{.samples = {all, all}, .features = {{0, 1, 2}, {4, 5}}}, 2) ==
        Texts{"cell_lists: expected an agent for every non-zero cell, found no agent for sample 1, feature 3, "
              "which is 14"});
  CHECK(problems_of(CellListsOptions{.samples = {{5, -1}, {0, 0}}, .features = {{0}, {1}}}, 2) ==
        Texts{"cell_lists: expected samples of agent 1 from 0 to 4, found -1",
              "cell_lists: expected each of the samples of agent 2 once, found 0 twice"});
  CHECK(problems_of(CellListsOptions{.samples = {all}, .features = {{0}, {1}}}, 2) ==
        Texts{"cell_lists: expected 2 lists of samples, one for each client, found 1"});
}

}  // namespace lagnet::cell_partitions_test
