#include "algorithms/hybrid/curious_server.hpp"

#include <Eigen/SVD>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/algorithms/hybrid/hybrid_bench.hpp"
#include "tests/unit/algorithms/hybrid/hyfdca_bench.hpp"

namespace lagnet::curious_server_test {

using namespace lagnet::test;
using namespace lagnet::test::hyfdca_bench;

namespace {

Matrix drawn(Index rows, Index cols, std::uint64_t seed) {
  Draws draws(seed, Purpose{"curious server test"});
  Matrix made(rows, cols);
  for (double& x : made.reshaped()) x = draws.normal();
  return made;
}

/// |X - (the part of X whose columns lie in the span of the rows of A)|^2, by singular values.
double square_outside(const Matrix& A, const Matrix& X) {
  const Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeThinV);
  double inside = 0;
  for (Index r = 0; r < svd.singularValues().size(); ++r)
    if (svd.singularValues()[r] > 1e-10 * svd.singularValues()[0])
      inside += (svd.matrixV().col(r).transpose() * X).squaredNorm();
  return std::max(X.squaredNorm() - inside, 0.0);
}

/// Two groups of six samples, two of three features.
MethodInput blocks(const std::shared_ptr<const Loss>& loss, Round rounds) {
  return divided(problem_with(loss), 2, 2, rounds);
}

HyfdcaOptions watched(Encrypt encrypt) {
  HyfdcaOptions options = cyclic(2);
  options.encrypt = encrypt;
  options.curious_server = true;
  return options;
}

}  // namespace

TEST_CASE("equations give what they determine, and zero in all other directions") {
  const Index unknowns = 7;
  const Matrix X = drawn(unknowns, 3, 1), A = drawn(40, unknowns, 2);
  KnownEquations known;
  CHECK(known.empty());
  for (Index t = 0; t < A.rows(); ++t) {
    known.add(A.row(t).transpose(), X.transpose() * A.row(t).transpose());
    const double squared_error = (known.solution() - X).squaredNorm(), outside = square_outside(A.topRows(t + 1), X);
    // What is outside is a difference of sums of 21 squares of about 1.
    CHECK(squared_error == Approx(outside).margin(1e-13));
    CHECK((squared_error < 1e-20) == (t + 1 >= unknowns));  // rounding, by singular values that are not small
  }
  KnownEquations twice;  // the same equation again says nothing new
  for (int i = 0; i < 20; ++i) twice.add(A.row(0).transpose(), X.transpose() * A.row(0).transpose());
  CHECK((twice.solution() - X).squaredNorm() == Approx(square_outside(A.topRows(1), X)));
}

TEST_CASE("without encryption the server knows the part of the data that duals and w span") {
  const Round rounds = 40;
  const std::vector<std::shared_ptr<const Loss>> losses{make_loss(HingeOptions{}), make_loss(SquaredOptions{})};
  for (const auto& loss : losses) {
    const MethodInput given = blocks(loss, rounds);
    const Run got = run(watched(Encrypt::none), given);
    const Matrix X = given.problem.X->dense();
    for (const Round last : {0, 1, 2, 3, 5, 9, 40}) {
      double of_duals = 0, of_products = 0;
      for (AgentId k = 1; k <= 4; ++k) {
        const CellBlock& block = given.cells->of(k);
        const Matrix part = X(at(block.samples), at(block.features));
        Matrix a(last + 1, block.n()), w(last + 1, block.m());  // w of an iteration's start
        for (Round t = 0; t <= last; ++t) {
          a.row(t) = restricted(got.parts[static_cast<std::size_t>(t)][1], block.samples).transpose();
          w.row(t) =
              restricted(got.parts[static_cast<std::size_t>(std::max<Round>(t - 1, 0))][0], block.features).transpose();
        }
        of_duals += square_outside(a, part);
        of_products += square_outside(w, part.transpose());
      }
      const Vector& errors = got.parts[static_cast<std::size_t>(last)][3];
      // Singular values near the threshold of 1e-10 add a millionth at most.
      CHECK(errors[0] == Approx(std::sqrt(of_duals / X.squaredNorm())).margin(1e-6));
      CHECK(errors[1] == Approx(std::sqrt(of_products / X.squaredNorm())).margin(1e-6));
    }
    CHECK(got.parts[0][3] == Vector{{1, 1}});
    CHECK(got.parts[2][3].minCoeff() > 0.1);  // two equations for six samples, one for three features
    // Of the hinge loss two duals that reach the ends of their domain together, and stay, are known by their sum alone.
    const bool all_vary = &loss != &losses.front();
    CHECK((got.parts.back()[3][0] < 1e-6) == all_vary);
  }
}

TEST_CASE("with the primal or the dual encrypted the server has no equation") {
  for (const Encrypt encrypt : {Encrypt::primal, Encrypt::dual}) {
    const Run got = run(watched(encrypt), blocks(make_loss(HingeOptions{}), 40));
    for (const auto& parts : got.parts) CHECK(parts[3] == Vector{{1, 1}});
  }
}

TEST_CASE("equations also hold where clients are away") {
  const Lists listed{{1, 2}, {1}, {1, 2, 3, 4}, {2, 3}, {4, 1}};
  const Run got = run(watched(Encrypt::none), blocks(make_loss(SquaredOptions{}), 60), listed);
  CHECK(got.parts.back()[3].maxCoeff() < 1e-6);
}

TEST_CASE("a curious server reports its errors in columns of their own, and changes nothing else") {
  const MethodInput given = blocks(make_loss(HingeOptions{}), 5);
  HyfdcaOptions options = watched(Encrypt::none);
  const auto method = make_algorithm(options, given);
  const Run with = run(*method, 5);
  const std::vector<std::vector<Vector>> report{with.parts.back()};
  const auto names = method->metric_names();
  const auto metrics = method->evaluate(5, report, {}).metrics;
  REQUIRE(names.size() == metrics.size());
  CHECK(method->shares_memory() == "a curious server compares what it solves for with the clients' data");
  CHECK(names[names.size() - 2] == "reconstruction_error_duals");
  CHECK(names.back() == "reconstruction_error_products");
  CHECK(metrics[metrics.size() - 2] == with.parts.back()[3][0]);
  CHECK(metrics.back() == with.parts.back()[3][1]);
  options.curious_server = false;
  const Run without = run(options, given);
  CHECK(without.parts.back().size() == 3);
  CHECK(without.parts.back()[0] == with.parts.back()[0]);
  CHECK(without.ended_s == with.ended_s);
}

TEST_CASE("a curious server needs products of all samples with a w that it knows") {
  const MethodInput given = blocks(make_loss(HingeOptions{}), 5);
  constexpr const char* refused =
      "curious_server: expected false with sip_mode selected or send_w newcomers, found true";
  HyfdcaOptions options = watched(Encrypt::none);
  options.sip_mode = SipMode::selected;
  CHECK_THROWS_WITH(make_algorithm(options, given), refused);
  options = watched(Encrypt::none);
  options.send_w = SendW::newcomers;
  CHECK_THROWS_WITH(make_algorithm(options, given), refused);
}

}  // namespace lagnet::curious_server_test
