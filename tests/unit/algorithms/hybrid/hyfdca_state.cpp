#include "algorithms/hybrid/hyfdca_state.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/algorithms/hybrid/hyfdca_bench.hpp"

namespace lagnet::hyfdca_state_test {

using namespace lagnet::test;
using namespace lagnet::test::hyfdca_bench;

TEST_CASE("the server's sums are those over all holders, of which absent ones count with their last") {
  const MethodInput given =
      divided(problem_with(make_loss(HingeOptions{}), 4, 2), 1, 2, 1);  // 2 clients, 1 feature each
  HyfdcaServer s(*given.cells, 0.5);
  s.store_products(1, RowSet::all(4), Vector{{1, 2, 3, 4}});
  s.store_products(2, RowSet::all(4), Vector{{10, 20, 30, 40}});
  s.add_products();
  CHECK(s.p == Vector{{11, 22, 33, 44}});
  const std::vector<Index> rows{1, 3};
  s.store_products(2, RowSet::listed(rows), Vector{{-2, -4}});
  s.add_products();
  CHECK(s.p == Vector{{11, 0, 33, 0}});
  s.hat[1] = Vector{{4}};
  s.aggregate();
  CHECK(s.w0 == Vector{{2, 0}});
  CHECK(s.additions_for(std::vector<Index>{0, 2}) == 2);  // one for each sample of two holders
  CHECK(s.aggregation_work().flops == 4);
}

TEST_CASE("a client's products are those of all rows or of the listed ones") {
  const MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 2, 2, 1);
  HyfdcaClient own(given.cells->of(1));
  own.w = Vector{{1, -2, 0.5}};
  Vector all(6), some(2);
  own.multiply(RowSet::all(6), all);
  const std::vector<Index> rows{4, 1};
  own.multiply(RowSet::listed(rows), some);
  // Sums of three products of numbers of about 1, perhaps in another order.
  CHECK(some[0] == Approx(all[4]).margin(1e-15));
  CHECK(some[1] == Approx(all[1]).margin(1e-15));
  CHECK(own.product_work(RowSet::all(6)).flops == 2 * 18);
  CHECK(own.product_work(RowSet::listed(rows)).flops == 2 * 6);
  own.set_products(some, RowSet::listed(rows));
  CHECK(own.p[4] == some[0]);
  CHECK(own.p[0] == 0);
}

}  // namespace lagnet::hyfdca_state_test
