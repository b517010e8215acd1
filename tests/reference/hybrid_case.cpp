#include "tests/reference/hybrid_case.hpp"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <cctype>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "tests/reference/data_text.hpp"

namespace lagnet::reference {

namespace {

std::shared_ptr<const Loss> loss_of_case(const Json& item) {
  const std::string name = choice_of(item, "loss", "",
                                     {"hinge", "smooth_hinge", "smoothed_hinge", "smooth hinge", "smoothed hinge",
                                      "smooth", "logistic", "squared", "square"});
  if (name == "hinge") return make_loss(HingeOptions{});
  if (name.starts_with("smooth"))
    return make_loss(SmoothedHingeOptions{.gamma = item.value("smooth_hinge_gamma", 1.0)});
  if (name == "logistic") return make_loss(LogisticOptions{});
  return make_loss(SquaredOptions{});
}

/// What the text of the data says, in its order: changes of X, and at one place the labels of what X is there.
struct DataText {
  std::vector<MatrixChange> before, after;  // the labels
  bool labels_are_real = false;             // else signs
};

constexpr std::string_view formula = "X[i,j]=sin(1+7.3 i+3.1 j+0.37 i j)", ranges = ", i=0..N-1, j=0..M-1 (0-based)";

/// The clauses after the formula and the ranges of its indices.
std::vector<std::string> clauses_of(const Json& item) {
  choice_of(item, "data", "", {formula});
  std::string text = item.at("data").get<std::string>().substr(formula.size());
  if (text.starts_with(ranges)) text.erase(0, ranges.size());
  std::vector<std::string> clauses;
  boost::split(clauses, text, boost::is_any_of(";"));
  for (std::string& clause : clauses) boost::trim_if(clause, boost::is_any_of(" ,."));
  if (clauses.front().empty()) clauses.erase(clauses.begin());
  return clauses;
}

DataText read_data_text(const Json& item) {
  constexpr std::string_view labels = "sum_j X[i,j] cos(1.7 j)+0.4 sin(5 i)";
  const std::string signs = "y_i=+1 if " + std::string(labels) + " >= 0 else -1", reals = "y_i=" + std::string(labels);
  DataText said;
  bool has_labels = false;
  for (const std::string& clause : clauses_of(item)) {
    if (!has_labels && (clause == signs || clause == reals)) {
      has_labels = true;
      said.labels_are_real = clause == reals;
    } else if (auto change = matrix_change(clause)) {
      (has_labels ? said.after : said.before).push_back(std::move(*change));
    } else {
      throw std::runtime_error("not understood: data = \"" + clause + "\"");
    }
  }
  if (!has_labels) throw std::runtime_error("not understood: data without \"" + signs + "\"");
  return said;
}

}  // namespace

Json without_nulls(const Json& item) {
  if (item.is_array()) {
    Json all = Json::array();
    for (const Json& one : item) all.push_back(without_nulls(one));
    return all;
  }
  if (!item.is_object()) return item;
  Json left = Json::object();
  for (const auto& [key, value] : item.items())
    if (!value.is_null()) left[key] = without_nulls(value);
  return left;
}

std::string choice_of(const Json& item, const char* key, std::string_view otherwise,
                      std::initializer_list<std::string_view> choices) {
  const auto given = item.find(key);
  const std::string found = given == item.end() ? std::string(otherwise) : given->get<std::string>();
  const auto goes_on = [&found](std::size_t at) {
    return at < found.size() && (std::isalnum(static_cast<unsigned char>(found[at])) != 0 || found[at] == '_');
  };
  for (const std::string_view choice : choices)
    if (found.starts_with(choice) && !goes_on(choice.size())) return std::string(choice);
  throw std::runtime_error("not understood: " + std::string(key) + " = \"" + found + "\"");
}

Round last_round_of(const Json& item) {
  Round last = -1;
  for (const Json& row : list_at(item, "rounds")) {
    const Round t = row.at("t").get<Round>();
    if (t <= last) throw std::runtime_error("rounds: expected ascending t from 0, found " + std::to_string(t));
    last = t;
  }
  return last;
}

double number_of(const Json& value) {
  if (value.is_number()) return value.get<double>();
  const Json parsed = Json::parse(value.get<std::string>(), nullptr, false);
  if (!parsed.is_number()) throw std::runtime_error("not a number: " + value.dump());
  return parsed.get<double>();
}

Problem problem_of_case(const Json& item, Index samples, Index features) {
  Matrix X(samples, features);
  Vector y(samples);
  const DataText said = read_data_text(item);
  for (Index i = 0; i < samples; ++i)
    for (Index j = 0; j < features; ++j) {
      const double row = static_cast<double>(i), column = static_cast<double>(j);
      X(i, j) = std::sin(1 + 7.3 * row + 3.1 * column + 0.37 * row * column);
    }
  for (const MatrixChange& change : said.before) change(X);
  for (Index i = 0; i < samples; ++i) {
    double score = 0.4 * std::sin(5 * static_cast<double>(i));
    for (Index j = 0; j < features; ++j) score += X(i, j) * std::cos(1.7 * static_cast<double>(j));
    y[i] = said.labels_are_real ? score : score >= 0 ? 1 : -1;
  }
  for (const MatrixChange& change : said.after) change(X);
  return {.X = std::make_shared<const DataMatrix>(std::move(X)),
          .y = std::move(y),
          .samples = samples,
          .loss = loss_of_case(item),
          .regularizer = make_regularizer(L2Options{.weight = item.at("lambda").get<double>()})};
}

void compare_optimum(const Json& item, const Problem& problem, Verdict& verdict) {
  const auto given = item.find("optimum");
  if (given == item.end()) return;
  const Tolerance both_solvers{.absolute = 1e-12, .relative = 1e-8, .floor = 1e-3};  // here certified to 1e-10 of F(0)
  verdict.compare("optimum", {solve_centrally(problem).value}, {given->get<double>()}, both_solvers);
}

}  // namespace lagnet::reference
