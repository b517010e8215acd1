#pragma once

#include <array>
#include <vector>

#include "algorithms/kernels/cells.hpp"
#include "sim/base/array.hpp"
#include "sim/exchange/message.hpp"

/// What a curious server of HyFDCA finds out about the clients' data X_k (n_k x m_k): it follows the protocol, keeps
/// the numbers that reach it, and solves these equations for X_k. A message with ciphertexts gives none.
///
///     hat_k = X_k' a_k    duals and contributions, n_k unknowns for each feature
///     ip_k  = X_k w_k     w and inner products,    m_k unknowns for each sample
///
/// An iteration adds one equation for each feature, or sample. X^ is the solution of least squares that has the
/// smallest norm. The equations hold, so it is the part of X_k in the span of the a_k, or w_k: all of X_k after n_k, or
/// m_k, iterations at the earliest. Source: T. Overman, G. Blum, D. Klabjan, arXiv:2210.08106v3, section 3, which
/// writes the first system with w and all duals, where a feature has N unknowns; here the server gets contributions one
/// by one.
namespace lagnet {

/// Equations A X = B, row by row.
class KnownEquations {
 public:
  void add(VectorRef a, VectorRef b);  // a'X = b'
  bool empty() const { return A_.rows() == 0; }
  /// The X of least squares with the smallest norm. Combinations of X that enter with less than 1e-10 of the largest
  /// singular value count as unknown: rounding then moves X^ by less than a millionth.
  Matrix solution() const;

 private:
  Matrix A_, B_;  // an equivalent system of less than two rows for each unknown
};

class CuriousServer {
 public:
  explicit CuriousServer(const Cells& cells);
  // Messages of client k to the server, and what the server sent it before.
  void see_changes(const Payload& changes) { reads_duals_ = reads_duals_ && changes.is_plain(); }
  void see_contribution(AgentId k, VectorRef a_k, const Payload& hat);
  void see_products(AgentId k, VectorRef w_k, const Payload& ip);
  /// |X^ - X| / |X| over the cells of all clients: from duals and contributions, from w and inner products (2).
  VectorView errors();

 private:
  struct OfClient {
    Matrix X;
    KnownEquations of_duals, of_products;
    std::array<double, 2> squares;  // |X^ - X|^2 of either system
    bool has_news = false;
  };
  std::vector<OfClient> clients_;  // by agent, beginning with 1
  double square_ = 0;              // |X|^2
  bool reads_duals_ = true, reads_w_ = true;
  std::array<double, 2> errors_{1, 1};
};

}  // namespace lagnet
