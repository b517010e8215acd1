#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "algorithms/hybrid/hybrid.hpp"
#include "algorithms/kernels/cells.hpp"

namespace lagnet {

/// Rows of a client's block, by their places within I_k: all rows, or those in a list that must outlive this object.
class RowSet {
 public:
  static RowSet all(Index n) { return {n, nullptr}; }
  static RowSet listed(const std::vector<Index>& rows) { return {std::ssize(rows), &rows}; }
  bool is_all() const { return !listed_; }
  Index size() const { return size_; }
  const std::vector<Index>& listed() const { return *listed_; }  // unless all

 private:
  RowSet(Index size, const std::vector<Index>* listed) : size_(size), listed_(listed) {}
  Index size_;
  const std::vector<Index>* listed_;
};

/// A count over all members, and the count of the member with most.
struct Tally {
  Index all = 0, most = 0;
  void add(Index of_member) {
    all += of_member;
    most = std::max(most, of_member);
  }
};

/// An iteration of HyFDCA as server and clients know it before its first message: the set of clients and the samples
/// that they choose follow from the seed and the schedule, which all share.
struct CellIteration {
  /// The part of one member. Rows are places within I_k.
  struct Part {
    std::vector<Index> picks;    // rows of the chosen samples
    std::vector<Index> holders;  // of each of them: how many members hold it
    std::vector<Index> active;   // S cap I_k, ascending
    std::vector<Index> stale;    // of a newcomer: samples that were chosen since it last took part, ascending
    bool is_new = false;
    Round known_until = 0;              // its copies hold what iterations up to this one chose; 0: nothing
    bool gets_duals = false;            // phase A
    bool gets_w = false;                // phase B2; without it the client begins the iteration unasked
    RowSet exchanged = RowSet::all(0);  // whose inner products C and F exchange: all rows, or the active ones
  };
  CellIteration() = default;
  CellIteration(const CellIteration&) = delete;  // parts refer to their own lists

  Round t = 0;
  std::vector<AgentId> members;  // K^t, ascending, without clients that hold no sample
  std::vector<AgentId>
      newcomers;              // K^t minus K^{t-1}, ascending; where answers may be missing, minus who finished t - 1
  std::vector<AgentId> of_A;  // those of them that get duals, ascending
  bool known = false;         // no member's copies are old
  std::vector<Index> S;       // samples chosen by any client, ascending
  std::vector<Part> parts;    // of the members, in their order
  bool has_A = false, has_B = false, has_C = false, has_F = false;  // phases that take place, B for B2

  const Part& part(AgentId member) const {
    return parts[static_cast<std::size_t>(std::ranges::lower_bound(members, member) - members.begin())];
  }
  bool has(AgentId client) const { return std::ranges::binary_search(members, client); }
  /// Whether a client begins this iteration without a message: it has no news to wait for.
  bool begins_unasked(AgentId client) const { return has(client) && !part(client).gets_w; }
};

/// Which phases are left out where they carry nothing that is new.
enum class Phases { needed, all };
constexpr auto spellings(Phases) {
  return std::array{Spelling{Phases::needed, "needed"}, Spelling{Phases::all, "all"}};
}

/// The clients that the server sends w0 to at the start of an iteration.
enum class SendW { active, newcomers };
constexpr auto spellings(SendW) {
  return std::array{Spelling{SendW::active, "active"}, Spelling{SendW::newcomers, "newcomers"}};
}

/// The iterations one after the other. Where every answer comes, an iteration follows from the one before it: asked for
/// iteration t > 1 it must not have been asked for t + 3 before. Where answers may be missing, an iteration is made
/// when the server begins it, from what the server knows: which clients finished the one before.
class CellSchedule {
 public:
  struct Rule {
    Index H = 1;
    SamplePicker picker = SamplePicker::uniform;
    Phases phases = Phases::needed;
    SendW send_w = SendW::active;
    bool second_sip = false;
    bool selected = false;  // products of S alone are exchanged, so those of F do not serve the next iteration
    bool may_lack_answers = false;
    bool may_lose_state = false;  // a client that does not answer may know nothing any more
    std::uint64_t seed = 1;
  };
  using Choose = std::function<std::vector<AgentId>(Round)>;  // K^t, ascending
  CellSchedule(const Cells& cells, Rule rule, Choose choose);
  std::shared_ptr<const CellIteration> of(Round t);  // t from 1
  /// The server has closed the latest iteration; these clients finished it: their copies are those of the server.
  void close(std::vector<AgentId> finished);
  /// For a client: an iteration that the server has begun, perhaps with a schedule of its own. Null if it lies so far
  /// back that it is not remembered; the client is then too late for it in any case.
  std::shared_ptr<const CellIteration> begun(Round t) {
    return rule_.may_lack_answers || t <= latest_ ? find(t) : of(t);
  }
  /// The next iteration, as far as a client knows it; null if it depends on which clients answer.
  std::shared_ptr<const CellIteration> foreseen(Round t) { return rule_.may_lack_answers ? nullptr : of(t); }

 private:
  std::shared_ptr<const CellIteration> next();
  std::shared_ptr<const CellIteration> find(Round t) const;  // null if it is not remembered
  void choose_samples(CellIteration& made);
  void find_holders(CellIteration& made);
  void find_stale(CellIteration& made) const;
  void choose_phases(CellIteration& made) const;
  void note_finished(const std::vector<AgentId>& clients);

  const Cells& cells_;
  Rule rule_;
  Choose choose_;
  Round latest_ = 0;
  std::map<Round, std::shared_ptr<const CellIteration>> made_;
  std::vector<AgentId> before_;   // K^{t-1}, or those of it who finished
  std::vector<Index> held_;       // how many members hold a sample of S, 0 between iterations (N)
  std::vector<Round> touched_;    // the last iteration that chose each sample (N)
  std::vector<Round> took_part_;  // the last iteration that each client finished, by agent
  std::vector<Index> visits_;     // how often it was asked
  static constexpr std::size_t nowhere = ~std::size_t{0};
  std::vector<std::size_t> place_;  // of each member among them while holders are looked for, else nowhere
};

}  // namespace lagnet
