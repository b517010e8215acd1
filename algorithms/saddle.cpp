#include "algorithms/saddle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lagnet {

namespace {

Vector checked_dual_start(const std::vector<double>& y0, const Problem& problem) {
  const Index n = problem.X->rows();
  if (y0.empty()) return Vector::Zero(n);
  if (std::ssize(y0) != n)
    throw OptionError("dual_start", fmt::format("{} numbers, one for each sample", n), fmt::format("{}", y0.size()));
  for (Index i = 0; i < n; ++i) {
    const double y = y0[static_cast<std::size_t>(i)];
    if (std::isfinite(problem.loss->conjugate(y, problem.y[i]))) continue;
    throw OptionError("dual_start", "numbers in the domain of the loss's conjugate",
                      fmt::format("{} for sample {} with the label {}", y, i, problem.y[i]));
  }
  return VectorView(y0.data(), n);
}

}  // namespace

SaddleMethod::SaddleMethod(std::string_view kind, const SaddleOptions& options, std::optional<double> vt,
                           Assignment assignment)
    : DualMethod(kind, std::move(assignment), options.eps),
      H_(options.local_steps),
      order_(options.order),
      messages_(options.messages),
      y0_(checked_dual_start(options.dual_start, problem())),
      is_warm_(!y0_.isZero(0)) {
  const double strong = gamma() + eps();
  const auto known = [&](const char* key, std::optional<double> value, double otherwise) {
    if (value) return *value;
    if (strong > 0) return otherwise;
    throw OptionError(key, "a number, since the loss is not smooth and eps is 0, which leaves no rule for it", "null");
  };
  tau_ = known("tau", options.tau, strong / (4 * R() * R()));
  sigma_ = known("sigma", options.sigma, 1 / strong);
  vt_ = known("vt", vt, std::max(0.0, 4 * R() * R() / strong - lambda()));
  L_ = lambda() + vt_;
  solver_ = make_local_solver(options.local_solver, R(), gamma(), eps() + K() / sigma_);
  if (is_lean() && given().gaps)
    throw OptionError("messages", "paper, since machines may miss messages, without which they do not know x", "lean");
}

Vector SaddleMethod::central(VectorRef x_old, VectorRef v, VectorRef z) const {
  return (x_old / tau_ - v / n() + vt_ * z) / (L_ + 1 / tau_);
}

Work SaddleMethod::local_dispa(AgentId machine, const Vector& x, VectorRef v, VectorRef z, std::span<const Index> order,
                               Vector& y) const {
  const Vector x0 = central(x, v, z);  // that of (5) at the old y_[k], where v_{-k} + A_k'y_[k] = v
  const LocalProblem local{.samples = samples(machine),
                           .loss = loss(),
                           .n = n(),
                           .M = L_ + 1 / tau_,
                           .rho = K() / sigma_,
                           .eps = eps(),
                           .start = x,
                           .x0 = x0};
  return solver_->solve(local, order, y);
}

Work SaddleMethod::local_work(AgentId machine, std::span<const Index> order) const {
  return solver_->work(samples(machine), order) + pull_back_work(samples(machine));
}

std::vector<Index> SaddleMethod::order(const Agent& me, Round round) const {
  return step_order(order_, H_, samples(me.id()).rows(), me, round);
}

Vector SaddleMethod::sum(std::span<const Payload> v) const {
  Vector all = Vector::Zero(d());
  for (const Payload& of_machine : v)
    if (of_machine) all += of_machine.view();
  return all;
}

std::vector<std::pair<std::string, double>> SaddleMethod::constants() const {
  const double strong = gamma() + eps();
  const double dual = 1 / (1 + sigma_ * strong / K() - 1 / (2 * K() * K()));
  const double Theta = std::max(dual, 1 / (1 + tau_ * L_));  // Lemma 1
  std::vector<std::pair<std::string, double>> all{{"tau", tau_}, {"sigma", sigma_}, {"R", R()}, {"gamma", gamma()}};
  if (std::isfinite(kappa())) all.emplace_back("kappa", kappa());
  if (strong > 0 && sigma_ > 1 / (2 * K() * strong)) all.emplace_back("Theta", Theta);
  return all;
}

std::vector<std::string> SaddleMethod::warnings() const {
  if (H_ != 0) return {};
  return {"local_steps is 0: the dual variables stay where they are, and only x moves"};
}

}  // namespace lagnet
