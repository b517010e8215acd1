#pragma once

#include <span>
#include <vector>

#include "algorithms/kernels/row_block.hpp"
#include "sim/base/array.hpp"
#include "sim/base/types.hpp"

/// Data partitioned by cells (sample, feature): hybrid federated learning, where clients differ in both. Clients are
/// agents 1, 2, ..; the server, agent 0, holds nothing. Source of the symbols: T. Overman, G. Blum, D. Klabjan, "A
/// primal-dual algorithm for hybrid federated learning", arXiv:2210.08106v3, section 3.
namespace lagnet {

/// The data of one client.
struct CellBlock {
  std::vector<Index> samples;   // I_k, ascending (n_k)
  std::vector<Index> features;  // M_k, ascending (m_k)
  SampleRows slices;            // x_{k,i} and the label y_i of each sample, dense or by compressed rows (n_k x m_k)
  Index entries = 0;            // nnz_k, the stored ones

  CellBlock(std::vector<Index> held_samples, std::vector<Index> held_features, const DataMatrix& X, Vector y);
  Index n() const { return static_cast<Index>(samples.size()); }
  Index m() const { return static_cast<Index>(features.size()); }
  void scores_into(Eigen::Ref<Vector> ip, VectorRef w) const;  // ip = w'x_{k,i} of every sample; w (m_k) -> (n_k)
  void sum_into(Vector& hat, VectorRef a) const;               // hat = sum_i a_i x_{k,i}; a (n_k) -> (m_k)
  Vector squared_norms() const;                                // ||x_{k,i}||^2 (n_k)
  DataMatrix matrix() const;                                   // the slices, one below the other (n_k x m_k)
  Index entries_of(std::span<const Index> rows) const;         // stored ones of these rows, places in I_k
  /// Two flops per entry; each entry is read from memory once.
  Cost product_work(Index passed) const;
};

/// All clients' blocks. Every cell whose entry is not zero belongs to exactly one of them; the caller makes sure of
/// that.
class Cells {
 public:
  /// blocks[c] is that of agent c + 1.
  Cells(std::vector<CellBlock> blocks, Index samples, Index features);

  Index samples() const { return N_; }                                  // N
  Index features() const { return M_; }                                 // M
  Index clients() const { return static_cast<Index>(blocks_.size()); }  // nc
  const CellBlock& of(AgentId client) const { return blocks_[client - 1]; }

  /// Where a sample is held.
  struct Place {
    AgentId client;
    Index row;  // its place in I_k
  };
  std::span<const Place> holders(Index sample) const;  // B_n, ascending by client
  /// The first client that holds parts of exactly the same samples.
  AgentId first_with_samples_of(AgentId client) const { return first_alike_[client - 1]; }
  bool shares_samples() const { return shares_samples_; }  // some sample has more than one holder
  const Vector& squared_norms() const { return norms_; }   // ||x_i||^2 of whole samples (N)
  /// The memory that the blocks take.
  Bytes bytes() const { return bytes_; }

 private:
  Index N_, M_;
  std::vector<CellBlock> blocks_;
  std::vector<Index> starts_;  // of each sample's holders among the places (N + 1)
  std::vector<Place> places_;
  std::vector<AgentId> first_alike_;  // for each client
  Vector norms_;
  bool shares_samples_ = false;
  Bytes bytes_ = 0;
};

}  // namespace lagnet
