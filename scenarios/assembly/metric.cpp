#include "scenarios/assembly/metric.hpp"

namespace lagnet {

const Vector& MetricInput::scores(const DataSet& samples, std::optional<Vector>& known) const {
  if (!known) known = scores_of(iterate_, samples);
  return *known;
}

Vector MetricInput::scores_of(const Vector& theta, const DataSet& samples) const {
  const Index n = samples.X.rows(), c = outputs();
  const Matrix Theta = as_matrix(theta, IterateShape::matrix(samples.X.cols(), c));
  Vector all(n * c);
  for (Index k = 0; k < c; ++k) all(Eigen::seqN(k, n, c)) = samples.X.times(Theta.col(k));
  return all;
}

}  // namespace lagnet
