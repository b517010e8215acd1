#include <fmt/format.h>

#include <cmath>
#include <sstream>
#include <stdexcept>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/objectives/ball_prox.hpp"
#include "tests/reference/fed_composite_problem.hpp"

namespace lagnet::reference {

namespace {

/// The first number among the parts of a name that stand between underscores.
double number_in(const std::string& name) {
  std::istringstream parts(name);
  for (std::string part; std::getline(parts, part, '_');) {
    std::size_t used = 0;
    const bool starts = !part.empty() && part[0] >= '0' && part[0] <= '9';
    const double number = starts ? std::stod(part, &used) : 0;
    if (starts && used == part.size()) return number;
  }
  throw std::invalid_argument(name + ": expected lambda in the name, found no number");
}

/// An optimum's name says what it is of: "ls_l1_0.05", the loss, the norm and lambda; the data are those of the cases.
FedCompositeProblem problem_of_optimum(const Json& item) {
  const std::string name = case_name(item);
  const auto has = [&](const char* word) { return name.find(word) != std::string::npos; };
  FedCompositeProblem problem{.shape = {}, .softmax = has("softmax"), .samples = {7, 5, 9, 6}};
  problem.norm = item.value("regulariser", has("nuc") ? "nuclear" : "l1");
  problem.lambda = item.contains("lambda") ? item["lambda"].get<double>() : number_in(name);
  if (item.contains("n")) problem.samples = item["n"].get<std::vector<Index>>();
  const auto size = static_cast<Index>(list_at(item, "w").size());
  const bool is_matrix = problem.softmax || problem.norm == "nuclear";
  problem.shape = item.contains("w_shape") ? shape_of(item["w_shape"])
                  : is_matrix              ? IterateShape::matrix(size / 3, 3)
                                           : IterateShape::vector(size);
  return problem;
}

Vector vector_of(const Json& list) {
  const std::vector<double> values = numbers(list);
  return VectorView(values.data(), static_cast<Index>(values.size()));
}

}  // namespace

bool is_ball_prox(const Json& item) {
  return item.contains("norm") && item.contains("tau") && item.contains("v") && item.contains("w");
}

/// Without a centre it is 0, without eps or rho that ball is all of space. Diagnostics that ADMM solves agree to 1e-8,
/// the others to 1e-9.
Verdict check_ball_prox(const Json& item) {
  check_keys_but_texts(item, "", {"shape", "v", "tau", "centre", "eps", "rho", "w", "objective", "R_dist", "norm2"});
  const bool nuclear = item.at("norm") == "nuclear";
  Verdict verdict({.absolute = 0, .relative = nuclear ? 1e-8 : 1e-9, .floor = 1});
  const double tau = item.at("tau").get<double>(), epsilon = number_or_infinity(item, "eps");
  const auto r = regularizer_of(item["norm"], tau, shape_of(item.at("shape")));
  const ScaledNorm& norm = *r->as_norm();
  const Vector v = vector_of(list_at(item, "v"));
  const Vector c = item.contains("centre") ? vector_of(item["centre"]) : Vector(Vector::Zero(v.size()));
  const double rho = number_or_infinity(item, "rho");
  const bool quick = item.dump().find("shortcut") != std::string::npos;
  const BallRule rule = quick ? BallRule::shortcut : BallRule::exact;
  const Vector w = prox_in_balls(norm, v, 1, {c, epsilon}, rho, rule).w;
  verdict.compare("w", {w.begin(), w.end()}, numbers(item.at("w")));
  verdict.compare("objective", {(w - v).squaredNorm() / 2 + tau * norm.norm(w)}, {item.at("objective").get<double>()});
  if (item.contains("R_dist")) verdict.compare("R_dist", {norm.norm(w - c)}, {item["R_dist"].get<double>()});
  if (item.contains("norm2")) verdict.compare("norm2", {w.norm()}, {item["norm2"].get<double>()});
  return verdict;
}

bool is_fed_composite_optimum(const Json& item) {
  return !item.contains("params") && item.contains("prox_residual") && item.contains("w");
}

Verdict check_fed_composite_optimum(const Json& item) {
  Verdict verdict(fed_composite_tolerance(item));
  check_keys_but_texts(item, "", {"w", "objective", "norm2", "lambda", "n", "w_shape", "classes", "prox_residual"});
  const Optimum optimum = solve_centrally(assignment_of(problem_of_optimum(item)).problem);
  if (!optimum.certified())
    verdict.fail(
        fmt::format("no certified optimum: {} {}", name_of(optimum.certificate.kind), optimum.certificate.relative));
  verdict.compare("w", {optimum.theta.begin(), optimum.theta.end()}, numbers(item.at("w")));
  verdict.compare("objective", {optimum.value}, {item.at("objective").get<double>()});
  if (item.contains("norm2")) verdict.compare("norm2", {optimum.theta.norm()}, {item["norm2"].get<double>()});
  return verdict;
}

}  // namespace lagnet::reference
