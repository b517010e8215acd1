#include "scenarios/data/linear_model.hpp"

#include <algorithm>

#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

/// What a scaling subtracts from each column and divides it by; a divisor of 0 makes it 0.
std::pair<Vector, Vector> affine(const LearntScaling& learnt, Index d) {
  Vector offset = Vector::Zero(d), divisor = Vector::Ones(d);
  if (learnt.offset.size() > 0) {
    offset = learnt.offset;
    divisor = learnt.divisor;
    if (learnt.kind == Scaling::minmax) {  // 2 (x - least) / range - 1
      divisor /= 2;
      offset += divisor;
    }
  } else if (learnt.divisor.size() > 0) {  // max_abs, which leaves a column of zeros as it is
    divisor = (learnt.divisor.array() == 0).select(divisor, learnt.divisor);
  }
  return {offset, divisor};
}

}  // namespace

double class_of(VectorRef scores) {
  if (scores.size() == 1) return scores[0] >= 0 ? 1 : -1;
  return static_cast<double>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

LinearModel model_of(VectorRef theta, Index outputs, const LearntSteps& learnt, std::vector<std::string> features) {
  const Index columns = theta.size() / outputs, d = columns - (learnt.has_intercept ? 1 : 0);
  LAGNET_CHECK(columns * outputs == theta.size(), "{} coefficients of {} outputs", theta.size(), outputs);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const RowMajor> W(theta.data(), columns, outputs);
  const auto [offset, divisor] = affine(learnt.scaling, d);
  LinearModel model{.W = W.topRows(d) * learnt.factor, .intercept = Vector::Zero(outputs)};
  for (Index j = 0; j < d; ++j)
    if (divisor[j] != 0)
      model.W.row(j) /= divisor[j];
    else
      model.W.row(j).setZero();  // a constant column became 0
  model.intercept = -model.W.transpose() * offset;
  if (learnt.has_intercept) model.intercept += W.row(d).transpose() * learnt.intercept_value;
  model.W *= learnt.label_deviation;
  model.intercept = (model.intercept * learnt.label_deviation).array() + learnt.label_mean;
  if (!learnt.has_intercept && learnt.scaling.offset.size() == 0 && learnt.label_mean == 0) model.intercept.resize(0);
  model.unit_rows = learnt.scaling.kind == Scaling::unit_rows;
  model.features = std::move(features);
  model.labels = learnt.labels;
  model.label_mean = learnt.label_mean;
  model.label_deviation = learnt.label_deviation;
  return model;
}

Vector LinearModel::scores(const DataMatrix& X) const {
  LAGNET_CHECK(X.cols() == W.rows(), "{} features of a model of {}", X.cols(), W.rows());
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const RowMajor by_rows = W;
  const Eigen::Map<const Vector> theta(by_rows.data(), by_rows.size());
  const LearntScaling by_rows_alone{
      .kind = unit_rows ? Scaling::unit_rows : Scaling::none, .offset = {}, .divisor = {}};
  Vector scores = scaled(X, by_rows_alone).times(theta, outputs());
  if (intercept.size() > 0)
    for (Index i = 0; i < X.rows(); ++i) scores.segment(i * outputs(), outputs()) += intercept;
  return scores;
}

}  // namespace lagnet
