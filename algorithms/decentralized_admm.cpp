#include "algorithms/decentralized_admm.hpp"

#include <Eigen/Cholesky>

#include <utility>

namespace lagnet {

Task<> DecentralizedAdmm::run(Agent& me) const {
  const AgentId i = me.id();
  const double c = c_, degree = static_cast<double>(me.degree());
  Vector x = zero();          // the iterate                             (d)
  Vector a = zero();          // multiplier of the agreement             (d)
  Vector sum = zero();        // of the neighbors' last iterates         (d)
  Vector x_y = zero();        // X_i' y_i / n_i, where steps are exact   (d)
  Eigen::LLT<Matrix> system;  // X_i' X_i / n_i + 2 c deg I              (d x d)

  auto factor = [&] {
    const Index first = given().sample_starts[i], n = samples(i).rows();
    const DataMatrix& all = *given().problem.X;
    const Matrix X =
        all.is_sparse() ? Matrix(all.as_sparse()->middleRows(first, n)) : Matrix(all.as_dense()->middleRows(first, n));
    Matrix gram = X.transpose() * X / static_cast<double>(n);
    gram.diagonal().array() += 2 * c * degree;
    system.compute(gram);
    x_y = X.transpose() * given().problem.y.segment(first, n) / static_cast<double>(n);
  };
  auto local_step = [&] {
    if (exact_)
      x = system.solve(x_y - a + c * (degree * x + sum));
    else
      x -= (gradient(i, x) + a + c * (degree * x - sum)) / (2 * c * degree + damping_);
  };
  double came = degree;
  auto ascend = [&] { a += c * (came * x - sum); };

  me.report(0, x);
  if (exact_) co_await me.compute(factor_work(i), factor);
  for (Round t = 1; t <= given().rounds; t = me.next_round(t)) {
    co_await me.compute(local_work(i), local_step);
    sum = co_await me.neighbor_sum(x);
    const Index here = me.degree() - std::ssize(me.absent());
    came = static_cast<double>(here);
    co_await me.compute(dual_work(here), ascend);
    me.report(t, x);
  }
}

Work DecentralizedAdmm::factor_work(AgentId i) const {
  const Index n = samples(i).rows();
  return {n * d() * d() + d() * d() * d() / 3 + 2 * n * d(), Bytes{sizeof(double)} * (n * d() + d() * d())};
}

Work DecentralizedAdmm::local_work(AgentId i) const {
  if (!exact_) return gradient_work(i) + vector_work(7, 5);
  return vector_work(5, 5) + Work(2 * d() * d(), Bytes{sizeof(double)} * d() * d());  // two triangular solves
}

DecentralizedAdmm::DecentralizedAdmm(const DecentralizedAdmmOptions& options, Assignment assignment)
    : PeerAlgorithm(std::move(assignment), DecentralizedAdmmOptions::kind),
      c_(positive("penalty", options.penalty)),
      exact_(options.local_step == LocalStep::exact) {
  need_smooth(DecentralizedAdmmOptions::kind);
  if (given().network.agents < 2)
    throw OptionError("kind", "an algorithm for one agent, or a topology with 2 agents or more",
                      std::string(DecentralizedAdmmOptions::kind));
  if (exact_ && given().problem.loss->kind() != "squared")
    throw OptionError("local_step", "linearized, since only least squares have exact steps", "exact");
  if (!exact_) damping_ = largest_curvature(options.damping, given());
}

std::vector<std::pair<std::string, double>> DecentralizedAdmm::constants() const {
  std::vector<std::pair<std::string, double>> values{{"penalty", c_}};
  if (!exact_) values.emplace_back("damping", damping_);
  return values;
}

std::unique_ptr<Algorithm> make_algorithm(const DecentralizedAdmmOptions& options, Assignment assignment) {
  return std::make_unique<DecentralizedAdmm>(options, std::move(assignment));
}

}  // namespace lagnet
