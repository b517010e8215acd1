#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "algorithms/hybrid/cell_schedule.hpp"
#include "algorithms/kernels/cells.hpp"
#include "sim/exchange/message.hpp"
#include "sim/world/ciphers.hpp"

/// What the server and the clients of HyFDCA keep, and the arithmetic of its phases without the messages. Symbols and
/// source: hyfdca.hpp.
namespace lagnet {

/// How many numbers all clients together encrypt or decrypt in a phase, and the one with most.
struct CipherShare {
  Index all = 0, most = 0;
  void add(Index of_client) {
    all += of_client;
    most = std::max(most, of_client);
  }
};

/// What encryption costs by some time. An inner product counts the samples of S alone, whatever is exchanged of the
/// others. Serial seconds are of all operations one after the other; in parallel each phase lasts as long as the client
/// with most, and the server's additions (section 7).
class CipherTotals {
 public:
  explicit CipherTotals(CipherCosts each) : each_(each) {}
  /// Counts a phase; returns the additions.
  std::int64_t note(CipherShare encryptions, CipherShare decryptions, std::int64_t additions);
  /// Encrypted, decrypted, added, serial seconds, parallel seconds (5).
  VectorView totals() const { return {totals_.data(), static_cast<Index>(totals_.size())}; }

 private:
  CipherCosts each_;
  Duration serial_, parallel_;
  std::array<double, 5> totals_{0, 0, 0, 0, 0};
};

struct HyfdcaServer {
  const Cells& cells;
  double scale;             // 1 / (lambda N)
  Vector w0, a0;            // primal (M), dual (N)
  std::vector<Vector> hat;  // the last contribution of each client, by agent           (m_k each)
  std::vector<Vector> ip;   // the last partial inner products of each client, by agent (n_k each)
  Vector p;                 // their sums, x_i'w0                                       (N)
  Index hats = 0;           // entries of all contributions
  CipherTotals ciphers;

  HyfdcaServer(const Cells& all, double scaling, CipherCosts of_ciphers = {});
  /// Stores inner products of a client: of all its samples, or of those that are selected.
  void store_products(AgentId client, VectorRef products, const CellIteration* selected);
  /// PrimalAggregation: w0 = (1/(lambda N)) sum over all clients of the stored hat_k.
  void aggregate();
  Cost aggregation_work() const;
  /// SecureInnerProduct: p_i = sum of the stored ip_{k,i} over the holders k of i.
  void add_products();
  /// a0_i += the changes of the samples that a client chose.
  void change_duals(AgentId client, VectorRef changes, const CellIteration& now);

  /// Ciphertexts that are added until one is left of each of these samples.
  Index additions_for(const std::vector<Index>& samples) const;
};

struct HyfdcaClient {
  const CellBlock& cells;
  Vector a, w;   // own copies of duals (n_k) and primal (m_k)
  Vector p;      // x_i'w0 of whole samples (n_k)
  Vector norms;  // ||x_i||^2 of whole samples (n_k)
  Vector hat;    // sum_i a_i x_{k,i} (m_k)

  explicit HyfdcaClient(const CellBlock& held);
  void contribute() { cells.sum_into(hat, a); }
  /// ip = w'x_{k,i} of these samples, of all without (n_k, or as many).
  void multiply(const std::vector<Index>* some, Eigen::Ref<Vector> ip) const;
  void set_duals(VectorRef values, const std::vector<Index>& places);
  /// Sums for these samples; without, for all, of which those of some are used, or all.
  void set_products(VectorRef sums, const std::vector<Index>* some, const std::vector<Index>* used = nullptr);
  Cost all_products() const { return cells.product_work(cells.entries); }
  Cost products_of(const std::vector<Index>* some) const {
    return some ? cells.product_work(cells.entries_of(*some)) : all_products();
  }
};

}  // namespace lagnet
