#include "algorithms/local/spdc.hpp"

#include <cmath>
#include <vector>

#include "algorithms/local/idle_steps.hpp"
#include "algorithms/objectives/soft_threshold.hpp"

namespace lagnet {

namespace {

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
