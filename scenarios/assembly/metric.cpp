#include "scenarios/assembly/metric.hpp"

namespace lagnet {

const Vector& MetricInput::scores(const DataSet& samples, std::optional<Vector>& known) const {
  if (known) return *known;
  const Index n = samples.X.rows(), c = outputs();
  const Matrix Theta = as_matrix(iterate_, IterateShape::matrix(samples.X.cols(), c));
  known.emplace(n * c);
  for (Index k = 0; k < c; ++k) (*known)(Eigen::seqN(k, n, c)) = samples.X.times(Theta.col(k));
  return *known;
}

}  // namespace lagnet
