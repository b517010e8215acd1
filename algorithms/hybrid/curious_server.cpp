#include "algorithms/hybrid/curious_server.hpp"

#include <Eigen/QR>
#include <cmath>

namespace lagnet {

void KnownEquations::add(VectorRef a, VectorRef b) {
  const Index rows = A_.rows(), unknowns = a.size();
  if (unknowns == 0 || b.size() == 0) return;
  A_.conservativeResize(rows + 1, unknowns);
  B_.conservativeResize(rows + 1, b.size());
  A_.row(rows) = a.transpose();
  B_.row(rows) = b.transpose();
  if (A_.rows() < 2 * unknowns) return;
  const Eigen::HouseholderQR<Matrix> qr(A_);
  B_.applyOnTheLeft(qr.householderQ().adjoint());
  B_.conservativeResize(unknowns, Eigen::NoChange);
  A_ = Matrix(qr.matrixQR().topRows(unknowns).triangularView<Eigen::Upper>());
}

Matrix KnownEquations::solution() const {
  constexpr double unknown_below = 1e-10;
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;
  decomposition.setThreshold(unknown_below);
  decomposition.compute(A_);
  return decomposition.solve(B_);
}

CuriousServer::CuriousServer(const Cells& cells) {
  for (AgentId k = 1; k <= static_cast<AgentId>(cells.clients()); ++k) {
    Matrix X = cells.of(k).matrix().dense();
    const double square = X.squaredNorm();
    square_ += square;
    clients_.push_back({.X = std::move(X), .of_duals = {}, .of_products = {}, .squares = {square, square}});
  }
}

void CuriousServer::see_contribution(AgentId k, VectorRef a_k, const Payload& hat) {
  reads_w_ = reads_w_ && hat.is_plain();
  if (!reads_duals_ || !hat.is_plain()) return;
  clients_[k - 1].of_duals.add(a_k, hat.view());
  clients_[k - 1].has_news = true;
}

void CuriousServer::see_products(AgentId k, VectorRef w_k, const Payload& ip) {
  if (!reads_w_ || !ip.is_plain()) return;
  clients_[k - 1].of_products.add(w_k, ip.view());
  clients_[k - 1].has_news = true;
}

VectorView CuriousServer::errors() {
  std::array<double, 2> squares{0, 0};
  for (OfClient& one : clients_) {
    if (one.has_news && !one.of_duals.empty()) one.squares[0] = (one.of_duals.solution() - one.X).squaredNorm();
    if (one.has_news && !one.of_products.empty())
      one.squares[1] = (one.of_products.solution().transpose() - one.X).squaredNorm();
    one.has_news = false;
    for (std::size_t which : {0u, 1u}) squares[which] += one.squares[which];
  }
  if (square_ > 0) errors_ = {std::sqrt(squares[0] / square_), std::sqrt(squares[1] / square_)};
  return {errors_.data(), static_cast<Index>(errors_.size())};
}

}  // namespace lagnet
