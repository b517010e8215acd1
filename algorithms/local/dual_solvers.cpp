#include "algorithms/local/dual_solvers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "algorithms/objectives/soft_threshold.hpp"

namespace lagnet {

namespace {

/// What a sweep of steps needs of the present y.
class Ascent {
 public:
  explicit Ascent(const LocalProblem& local, const Vector& y0) : local_(local), y0_(y0), u_(local.x0) {}

  /// One step on y_j; how far it went.
  double step(Index j, Vector& y) {
    const double w = local_.samples.squared_norm(j) / (local_.n * local_.M), both = local_.rho + w;
    const double center = both > 0 ? (local_.rho * y0_[j] + w * y[j]) / both : 0;
    const double next = dual_prox(local_, j, score(j), both, center);
    const double change = next - y[j];
    local_.samples.add(j, -change / (local_.n * local_.M), u_);
    y[j] = next;
    return std::abs(change);
  }

 private:
  double score(Index j) const {  // a_j'x
    if (local_.l1 == 0) return local_.samples.score(j, u_);
    const SampleRow a = local_.samples.row(j);
    const double threshold = local_.l1 / local_.M;
    double sum = 0;
    for (std::size_t e = 0; e < a.values.size(); ++e) {
      const Index i = local_.samples.is_sparse() ? Index{a.columns[e]} : static_cast<Index>(e);
      sum += a.values[e] * soft_threshold(u_[i], threshold);
    }
    return sum;
  }

  const LocalProblem& local_;
  const Vector y0_;
  Vector u_;  // u(y)   (d)
};

Cost step_work(const RowBlock& samples, Index j, bool has_l1) {
  constexpr Bytes number = sizeof(double), index = sizeof(SparseMatrix::StorageIndex);
  const Index nnz = samples.entries(j);
  return {(has_l1 ? 7 : 4) * nnz + 10, (samples.is_sparse() ? number + index : number) * nnz};
}

/// Numbers and vectors that both forms of a step share.
struct SpdcState {
  const LocalProblem& local;
  const Vector y0;
  double n_k, tau, sigma, theta;
  double Lam;  // (n/n_k) M
  double P;    // Lam + 1/tau
  double t;    // (n/n_k) a
  Vector x;    // own primal iterate                 (d)
  Vector u;    // (1/n_k) sum_j y_j a_j              (d)
  Vector C;    // (n/n_k) c = Lam x0 + u at the start  (d)

  SpdcState(const LocalProblem& problem, const Vector& y, double R, double gamma)
      : local(problem), y0(y), n_k(static_cast<double>(y.size())), x(problem.start) {
    const double G1 = gamma + local.eps + local.rho;
    Lam = local.n / n_k * local.M;
    tau = std::sqrt(G1 / (n_k * Lam)) / (2 * R);
    sigma = std::sqrt(n_k * Lam / G1) / (2 * R);
    theta = 1 - 1 / (n_k + R * std::sqrt(n_k / (Lam * G1)));
    P = Lam + 1 / tau;
    t = local.n / n_k * local.l1;
    u = local.samples.transpose_times(y) / n_k;
    C = Lam * local.x0 + u;
  }

  /// y_j+ for the score a_j'xbar.
  double next(Index j, double score, double y_j) const {
    const double w = local.rho + 1 / sigma;
    return dual_prox(local, j, score, w, (local.rho * y0[j] + y_j / sigma) / w);
  }
};

void dense_steps(SpdcState& at, std::span<const Index> order, Vector& y) {
  Vector xbar = at.x;  // extrapolated primal iterate   (d)
  for (const Index j : order) {
    const VectorView a(at.local.samples.row(j).values.data(), at.x.size());
    const double y_next = at.next(j, a.dot(xbar), y[j]);
    const double change = y_next - y[j], per_sample = change / at.n_k;
    y[j] = y_next;
    for (Index i = 0; i < a.size(); ++i) {
      const double x_next = soft_threshold(at.x[i] / at.tau + at.C[i] - at.u[i] - change * a[i], at.t) / at.P;
      at.u[i] += per_sample * a[i];
      xbar[i] = x_next + at.theta * (x_next - at.x[i]);
      at.x[i] = x_next;
    }
  }
}

/// The same, where each coordinate is brought up to date when a sample needs it. After m steps without it,
/// x = f + A^m (x - f) and xbar = f + A^(m-1) (A + theta (A - 1)) (x - f), f = (C - u) / Lam.
class LazySteps {
 public:
  LazySteps(SpdcState& state, std::size_t steps)
      : at_(state),
        xbar_(state.x),
        current_(static_cast<std::size_t>(state.x.size()), 0),
        powers_(steps + 1, 1.0),
        idle_(1 / (state.tau * state.P) - state.theta * (state.Lam / state.P)) {
    const double A = 1 / (state.tau * state.P);
    for (std::size_t m = 1; m < powers_.size(); ++m) powers_[m] = A * powers_[m - 1];
  }

  void step(std::size_t done, Index j, Vector& y) {
    const SampleRow a = at_.local.samples.row(j);
    double score = 0;
    for (std::size_t e = 0; e < a.values.size(); ++e) {
      bring_up(a.columns[e], done);
      score += a.values[e] * xbar_[a.columns[e]];
    }
    const double y_next = at_.next(j, score, y[j]);
    const double change = y_next - y[j], per_sample = change / at_.n_k;
    y[j] = y_next;
    for (std::size_t e = 0; e < a.values.size(); ++e) {
      const Index i = a.columns[e];
      const double x_next =
          soft_threshold(at_.x[i] / at_.tau + at_.C[i] - at_.u[i] - change * a.values[e], at_.t) / at_.P;
      at_.u[i] += per_sample * a.values[e];
      xbar_[i] = x_next + at_.theta * (x_next - at_.x[i]);
      at_.x[i] = x_next;
      current_[static_cast<std::size_t>(i)] = done + 1;
    }
  }

 private:
  void bring_up(Index i, std::size_t done) {
    const std::size_t missed = done - current_[static_cast<std::size_t>(i)];
    if (missed == 0) return;
    if (at_.t > 0) {
      const IdleSteps idle{.tau = at_.tau, .Lam = at_.Lam, .t = at_.t, .powers = powers_};
      const auto [x, last] = idle.after(missed, at_.x[i], at_.C[i] - at_.u[i]);
      at_.x[i] = x;
      xbar_[i] = x + at_.theta * (x - last);
      return;
    }
    const double f = (at_.C[i] - at_.u[i]) / at_.Lam, off = at_.x[i] - f;
    xbar_[i] = f + powers_[missed - 1] * idle_ * off;
    at_.x[i] = f + powers_[missed] * off;
  }

  SpdcState& at_;
  Vector xbar_;                       // (d)
  std::vector<std::size_t> current_;  // after how many steps x_i and xbar_i are what they are (d)
  std::vector<double> powers_;        // A^m, A = 1 / (tau P)
  double idle_;                       // A + theta (A - 1)
};

}  // namespace

Cost DualAscent::work(const RowBlock& samples, std::span<const Index> order, bool has_l1) const {
  Cost all;
  for (const Index j : order) all = all + step_work(samples, j, has_l1);
  return all;
}

Cost DualAscent::solve(const LocalProblem& local, std::span<const Index> order, Vector& y) const {
  Ascent ascent(local, y);
  for (const Index j : order) ascent.step(j, y);
  return {};
}

Cost ExactAscent::solve(const LocalProblem& local, std::span<const Index>, Vector& y) const {
  constexpr double enough = 1e-15;
  constexpr int most_sweeps = 20'000;
  Ascent ascent(local, y);
  Cost sweep;
  for (Index j = 0; j < y.size(); ++j) sweep = sweep + step_work(local.samples, j, local.l1 > 0);
  Cost all;
  for (int sweeps = 0; sweeps < most_sweeps; ++sweeps) {
    double largest = 0;
    for (Index j = 0; j < y.size(); ++j) {
      const double change = ascent.step(j, y);
      largest = std::max(largest, change / std::max(1.0, std::abs(y[j])));
    }
    all = all + sweep;
    if (!(largest > enough)) break;  // or not a number
  }
  return all;
}

std::size_t IdleSteps::steps_on_side(double side, double x, double f, double s, std::size_t m) const {
  const auto is_on_side = [&](double at) { return side * (at / tau + s) > t; };
  if (is_on_side(f)) return m;  // and all between x and f
  // The first k with A^k (x - f) no longer on the side, by bisection: powers fall with k.
  std::size_t low = 0, high = m;  // on the side after low steps; not after high, or high is m
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (is_on_side(f + powers[middle] * (x - f)) ? low : high) = middle;
  }
  return low + 1;
}

IdleSteps::State IdleSteps::after(std::size_t m, double x, double s) const {
  double last = x;
  while (m > 0) {
    const double w = x / tau + s;
    if (std::abs(w) <= t) {
      last = std::exchange(x, 0.0);
      --m;
      if (m > 0 && std::abs(s) <= t) return {};  // it stays there
      continue;
    }
    const double side = w > 0 ? 1 : -1, f = (s - side * t) / Lam, off = x - f;
    const std::size_t steps = steps_on_side(side, x, f, s, m);
    last = f + powers[steps - 1] * off;
    x = f + powers[steps] * off;
    m -= steps;
  }
  return {.x = x, .last = last};
}

Cost Spdc::work(const RowBlock& samples, std::span<const Index> order, bool has_l1) const {
  constexpr Bytes number = sizeof(double), index = sizeof(SparseMatrix::StorageIndex);
  const Index nnz = samples.all_entries(), d = samples.cols();
  const bool sparse = samples.is_sparse();
  Cost all{2 * nnz, (sparse ? number + index : number) * nnz};
  for (const Index j : order)
    all = all + (sparse ? Cost{(has_l1 ? 36 : 22) * samples.entries(j) + 15,
                               (number + index + 5 * number) * samples.entries(j)}
                        : Cost{(has_l1 ? 16 : 13) * d + 15, 8 * number * d});
  return all;
}

Cost Spdc::solve(const LocalProblem& local, std::span<const Index> order, Vector& y) const {
  if (y.size() == 0) return {};
  SpdcState state(local, y, R_, gamma_);
  if (!local.samples.is_sparse()) {
    dense_steps(state, order, y);
    return {};
  }
  LazySteps lazy(state, order.size());
  for (std::size_t done = 0; done < order.size(); ++done) lazy.step(done, order[done], y);
  return {};
}

}  // namespace lagnet
