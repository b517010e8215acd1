#include "algorithms/hybrid/hyfdca_state.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "tests/unit/algorithms/hybrid/hyfdca_bench.hpp"

namespace lagnet::hyfdca_state_test {

using namespace lagnet::test;
using namespace lagnet::test::hyfdca_bench;

TEST_CASE("in parallel a phase takes as long as its busiest client, serially as long as all of them") {
  CipherCosts each;
  each.encrypt = Duration::nanoseconds(10);
  each.decrypt = Duration::nanoseconds(7);
  each.add = Duration::nanoseconds(1);
  CipherTotals totals(each);
  CHECK(totals.note({.all = 6, .most = 4}, {.all = 5, .most = 2}, 3) == 3);
  CHECK(totals.totals().head(3) == Vector{{6, 5, 3}});
  CHECK(totals.totals()[3] == Duration::nanoseconds(6 * 10 + 5 * 7 + 3).in_seconds());
  CHECK(totals.totals()[4] == Duration::nanoseconds(4 * 10 + 2 * 7 + 3).in_seconds());
}

TEST_CASE("encryptions are counted, billed and take time by the sheet's formulas") {
  const Lists listed{{1, 2}, {3, 1}, {1, 2, 3, 4}, {2, 4}, {1, 3}};
  const Index K = 2, Q = 2, n = 6, H = 4;
  const Round rounds = 10;
  const Run got = run(cyclic(H), divided(problem_with(make_loss(HingeOptions{})), K, Q, rounds), listed);
  std::vector<Round> touched(12, 0), took_part(5, 0);
  std::vector<Index> visits(5, 0);
  double enc = 0, dec = 0, add = 0, parallel_s = 0;
  for (Round t = 1; t <= rounds; ++t) {
    const auto& members = listed[static_cast<std::size_t>((t - 1) % 5)];
    std::set<Index> S;
    for (const AgentId k : members) {
      const Index first = (k - 1) / Q * n;
      for (Index h = 0; h < H; ++h) S.insert(first + (visits[k] * H + h) % n);
    }
    double most_stale = 0, most_active = 0;
    for (const AgentId k : members) {
      const Index first = (k - 1) / Q * n;
      double stale = 0;
      const auto mine = std::ranges::count_if(S, [&](Index i) { return i / n == first / n; });
      const bool is_new = took_part[k] < t - 1;
      for (Index i = first; is_new && i < first + n; ++i) stale += touched[static_cast<std::size_t>(i)] > took_part[k];
      dec += stale;
      most_stale = std::max(most_stale, stale);
      most_active = std::max(most_active, static_cast<double>(mine));
      enc += static_cast<double>(mine + H);
      dec += static_cast<double>(mine + H);
      add += static_cast<double>(H);
    }
    add += static_cast<double>(S.size()) * static_cast<double>(Q - 1);
    parallel_s += 18.882e-3 * (most_active + static_cast<double>(H)) +
                  18.865e-3 * (most_stale + static_cast<double>(H) + most_active);
    for (const Index i : S) touched[static_cast<std::size_t>(i)] = t;
    for (const AgentId k : members) took_part[k] = t, ++visits[k];
    // Sums of whole nanoseconds, read as seconds.
    const Vector& ciphers = got.parts[static_cast<std::size_t>(t)][2];
    CHECK(ciphers.head(3) == Vector{{enc, dec, add}});
    CHECK(ciphers[3] == Approx(18.882e-3 * enc + 18.865e-3 * dec + 54e-6 * add).epsilon(1e-12));
    CHECK(ciphers[4] == Approx(parallel_s + 54e-6 * add).epsilon(1e-12));
  }
  CHECK(got.ledger.total().encrypting.in_seconds() ==
        Approx(18.882e-3 * enc + 18.865e-3 * dec + 54e-6 * add).epsilon(1e-12));
}

TEST_CASE("with the primal encrypted, a contribution or a copy of w costs a cipher for each of its features") {
  const Lists listed{{1, 2}, {3, 1}, {1, 2, 3, 4}, {2, 4}, {1, 3}};
  const Index Q = 2, n = 6, m = 3, H = 4;
  const Round rounds = 10;
  HyfdcaOptions options = cyclic(H);
  options.encrypt = Encrypt::primal;
  const Run got = run(options, divided(problem_with(make_loss(HingeOptions{})), 2, Q, rounds), listed);
  std::vector<AgentId> before;
  std::vector<Index> visits(5, 0);
  double enc = 0, dec = 0, add = 0, parallel_s = 0;
  for (Round t = 1; t <= rounds; ++t) {
    const auto& members = listed[static_cast<std::size_t>((t - 1) % 5)];
    const auto all = std::ssize(members);
    const auto news = std::ranges::count_if(members, [&](AgentId k) { return !std::ranges::count(before, k); });
    std::set<Index> S;
    for (const AgentId k : members) {
      const Index first = (k - 1) / Q * n;
      for (Index h = 0; h < H; ++h) S.insert(first + (visits[k] * H + h) % n);
      ++visits[k];
    }
    Index active = 0, most_active = 0;
    for (const AgentId k : members) {
      const auto mine = std::ranges::count_if(S, [&](Index i) { return i / n == (k - 1) / Q; });
      active += mine;
      most_active = std::max<Index>(most_active, mine);
    }
    // B1 of newcomers, C, E; B2 of all where somebody is new, C, E.
    enc += static_cast<double>(news * m + active + all * m);
    dec += static_cast<double>((news > 0 ? all * m : 0) + all * H + all * m);
    // Four contributions of 3 numbers make 6 sums, once more with newcomers; each chosen sample has two holders.
    add += static_cast<double>((news > 0 ? 2 : 1) * 6 + std::ssize(S));
    parallel_s += 18.882e-3 * static_cast<double>((news > 0 ? m : 0) + most_active + m) +
                  18.865e-3 * static_cast<double>((news > 0 ? m : 0) + H + m);
    before = members;
    const Vector& ciphers = got.parts[static_cast<std::size_t>(t)][2];
    CHECK(ciphers.head(3) == Vector{{enc, dec, add}});
    CHECK(ciphers[4] == Approx(parallel_s + 54e-6 * add).epsilon(1e-12));  // sums of whole nanoseconds
  }
  CHECK(got.ledger.total().encrypting.in_seconds() ==
        Approx(18.882e-3 * enc + 18.865e-3 * dec + 54e-6 * add).epsilon(1e-12));
}

TEST_CASE("a second exchange of all inner products counts those of chosen samples alone") {
  const MethodInput given = divided(problem_with(make_loss(HingeOptions{})), 2, 2, 5);
  HyfdcaOptions options = cyclic(2);
  const Run first = run(options, given);
  options.second_sip = true;  // in place of the first one, as all clients take part
  const Run second = run(options, given);
  const auto ciphers = [](const Run& of, std::size_t t) -> const Vector& { return of.parts[t][2]; };
  // Iteration 1 has both.
  CHECK(ciphers(second, 5) - ciphers(second, 1) == ciphers(first, 5) - ciphers(first, 1));
  CHECK(second.ledger.total().encrypting.in_seconds() == Approx(ciphers(second, 5)[3]).epsilon(1e-12));
}

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
