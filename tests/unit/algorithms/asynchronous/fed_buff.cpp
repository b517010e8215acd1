#include "algorithms/asynchronous/fed_buff.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/algorithms/asynchronous/answers_in_order.hpp"

namespace lagnet::fed_buff_test {

using namespace lagnet::test;

TEST_CASE("with a buffer for all clients, of equal sizes and speeds, fed_buff's first step is fed_avg's first round") {
  const Bench bench{.problem = random_problem(40, 4), .sizes = {10, 10, 10, 10}, .rounds = 1};
  FedBuffOptions options{{.local_steps = 3, .client_step = 0.1, .server_step = 0.8}};
  const FedAvgOptions average{{.local_steps = 3, .client_step = 0.1, .server_step = 0.8}};
  options.buffer = 4;
  const Vector got = simulate(bench, options).w[1], want = simulate(bench, average).w[1];
  CHECK(got.norm() > 0.1);
  CHECK((got - want).norm() <= rounding_of(4));
}

TEST_CASE("fed_buff steps when its buffer is full, and counts staleness in steps") {
  // A client that is answered from an unchanged model repeats its answer, with all its samples.
  const Round rounds = 12;
  const Index K_buf = 2;
  const Bench bench = three_clients(random_problem(40, 4), rounds);
  for (const BufferScaling scaling : {BufferScaling::sqrt, BufferScaling::none}) {
    FedBuffOptions options{{.local_steps = 1, .client_step = 0.1, .server_step = 0.7}};
    options.buffer = K_buf;
    options.scaling = scaling;
    const auto w = simulate(bench, options).w;
    std::vector<Vector> x{Vector::Zero(4)};
    Vector B = Vector::Zero(4);
    std::size_t count = 0;
    std::vector<Round> made_of{0};  // the version after so many answers
    for (const auto& [k, answers_before] : answers_in_order(three_latencies, 24)) {
      const Round version = made_of[static_cast<std::size_t>(answers_before)];
      const double tau = static_cast<double>(std::ssize(x) - 1 - version);
      const double s = scaling == BufferScaling::sqrt ? 1 / std::sqrt(1 + tau) : 1;
      B -= s * 0.1 * gradient_of(bench, k, x[static_cast<std::size_t>(version)]);
      if (++count % K_buf == 0) {
        x.push_back(x.back() + 0.7 / K_buf * B);
        B.setZero();
        CHECK((w[x.size() - 1] - x.back()).norm() <= rounding_of(count));
      }
      made_of.push_back(static_cast<Round>(x.size()) - 1);
    }
    CHECK(x.size() == w.size());
  }
}

TEST_CASE("fed_buff's buffer takes a third of the clients, one of few") {
  for (const std::size_t clients : {1u, 2u, 3u, 7u}) {
    const Bench bench{.problem = random_problem(40, 4),
                      .sizes = std::vector<Index>(clients, static_cast<Index>(40 / clients)),
                      .rounds = 1};
    const auto method = make_algorithm(FedBuffOptions{{.client_step = 0.1}}, bench.assignment());
    for (const auto& [name, value] : method->constants())
      if (name == "buffer") CHECK(value == (clients < 6 ? 1 : 2));
  }
}

}  // namespace lagnet::fed_buff_test
