#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/hybrid/cell_schedule.hpp"
#include "algorithms/hybrid/curious_server.hpp"
#include "algorithms/kernels/cells.hpp"
#include "sim/base/array.hpp"
#include "sim/base/options.hpp"
#include "sim/exchange/message.hpp"
#include "sim/world/ciphers.hpp"

namespace lagnet {

/// The vector that travels as ciphertexts: w or the duals, which the data map to each other. With either of them inner
/// products and norms do so, too.
enum class Encrypt { none, primal, dual };
constexpr auto spellings(Encrypt) {
  return std::array{Spelling{Encrypt::none, "none"}, Spelling{Encrypt::primal, "primal"},
                    Spelling{Encrypt::dual, "dual"}};
}

/// Whether numbers of each kind travel as ciphertexts.
struct Encrypted {
  bool duals, primal, products;  // a, w and its contributions, inner products and norms
  explicit Encrypted(Encrypt what = Encrypt::dual)
      : duals(what == Encrypt::dual), primal(what == Encrypt::primal), products(what != Encrypt::none) {}
};

/// The cost of encryption so far. An inner product counts the samples of S alone, even where more are exchanged. Serial
/// seconds take all operations one after the other; in parallel seconds, a phase lasts as long as its busiest client
/// and the server's additions (Overman, Blum, Klabjan, section 7).
class CipherTotals {
 public:
  explicit CipherTotals(CipherCosts each) : each_(each) {}
  /// Counts a phase; returns the additions.
  std::int64_t note(Tally encryptions, Tally decryptions, std::int64_t additions);
  /// Encrypted, decrypted, added, serial seconds, parallel seconds (5).
  VectorView totals() const { return {totals_.data(), static_cast<Index>(totals_.size())}; }

 private:
  CipherCosts each_;
  Duration serial_, parallel_;
  std::array<double, 5> totals_{0, 0, 0, 0, 0};
};

/// The state of HyFDCA's server and clients, and the arithmetic of its phases without the messages. Symbols and source:
/// hyfdca.hpp.

struct HyfdcaServer {
  const Cells& cells;
  double scale;             // 1 / (lambda N)
  StateVector w0, a0;       // primal (M), dual (N)
  StateVector p;            // x_i'w0, sums of the inner products                       (N)
  std::vector<Vector> hat;  // the last contribution of each client, by agent           (m_k each)
  std::vector<Vector> ip;   // the last partial inner products of each client, by agent (n_k each)
  Index hats = 0;           // entries of all contributions
  Index additions = 0;      // that reduce them to one number for each feature
  Encrypted encrypted;
  CipherTotals ciphers;
  std::optional<CuriousServer> curious;
  bool may_lack_answers = false;
  std::vector<AgentId> present;  // members of this iteration that have answered so far, ascending

  HyfdcaServer(const Cells& all, double scaling, Encrypt what = Encrypt::dual, CipherCosts of_ciphers = {},
               bool timing_only = false);
  /// Stores a client's inner products for these rows.
  void store_products(AgentId client, const RowSet& rows, VectorRef products);
  /// PrimalAggregation: w0 = (1/(lambda N)) sum over all clients of the stored hat_k.
  void aggregate();
  Cost aggregation_work() const;
  /// SecureInnerProduct: p_i = sum of the stored ip_{k,i} over the holders k of i.
  void add_products();
  /// a0_i += the changes of the samples that a client chose.
  void change_duals(AgentId client, VectorRef changes, const CellIteration& now);

  /// Clients that have not answered are skipped until the next iteration.
  void drop_silent(const std::vector<AgentId>& asked, const std::vector<Message>& answers);

  /// Additions that reduce the ciphertexts of a sample, one from each holder, to one.
  Index additions_for(Index sample) const { return std::max<Index>(std::ssize(cells.holders(sample)) - 1, 0); }
  Index additions_for(const std::vector<Index>& samples) const;
};

struct HyfdcaClient {
  const CellBlock& cells;
  StateVector a, w;       // own copies of duals (n_k) and primal (m_k)
  StateVector p;          // x_i'w0 of whole samples (n_k)
  StateVector norms;      // ||x_i||^2 of whole samples (n_k)
  StateVector hat;        // sum_i a_i x_{k,i} (m_k)
  Round t = 0;            // the iteration that it is in
  Round known_until = 0;  // the last one whose duals it has
  Message in;             // the server's last message
  Encrypted encrypted;

  explicit HyfdcaClient(const CellBlock& held, Encrypt what = Encrypt::dual, bool timing_only = false);
  void contribute() { cells.sum_into(hat, a); }
  /// ip = w'x_{k,i} of these rows.
  void multiply(const RowSet& rows, Eigen::Ref<Vector> ip) const;
  Cost product_work(const RowSet& rows) const;
  Cost contribution_work() const { return cells.product_work(cells.entries); }
  // The server's message; empty without numbers.
  void take_w(const Payload& sent);
  void take_norms(const Payload& sent);
  void take_duals(const Payload& sent, const std::vector<Index>& rows);
  void take_products(const Payload& sent, const RowSet& rows);
  void set_products(VectorRef sums, const RowSet& rows);
};

}  // namespace lagnet
