#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "algorithms/hybrid/hybrid.hpp"
#include "algorithms/kernels/cells.hpp"

namespace lagnet {

/// What server and clients of HyFDCA know of an iteration before its first message, since both the set of clients and
/// the samples that they choose follow from what all share: the seed, and the schedule. Places are within I_k.
struct CellIteration {
  struct Part {
    std::vector<Index> picks;    // the chosen samples
    std::vector<Index> holders;  // of each of them: who holds it among the members
    std::vector<Index> active;   // S cap I_k, ascending
    std::vector<Index> stale;    // of a newcomer: samples that were chosen since it last took part, ascending
    bool is_new = false;
    bool gets_w = false;  // B2 comes to it, else it goes on by itself
  };
  std::vector<AgentId> members;    // K^t, ascending, without clients that hold no sample
  std::vector<AgentId> newcomers;  // K^t minus K^{t-1}, ascending
  bool known = false;              // no member's copies are old
  std::vector<Index> S;            // samples chosen by somebody, ascending
  std::vector<Part> parts;         // of the members, in their order
  bool has_A = false, has_B = false, has_C = false, has_F = false;  // phases that take place, B for B2

  const Part& part(AgentId member) const {
    return parts[static_cast<std::size_t>(std::ranges::lower_bound(members, member) - members.begin())];
  }
  bool has(AgentId client) const { return std::ranges::binary_search(members, client); }
};

/// Which phases are left out where they carry nothing that is new.
enum class Phases { needed, all };
constexpr auto spellings(Phases) {
  return std::array{Spelling{Phases::needed, "needed"}, Spelling{Phases::all, "all"}};
}

/// Whom the server sends w0 to at the start of an iteration.
enum class SendW { active, newcomers };
constexpr auto spellings(SendW) {
  return std::array{Spelling{SendW::active, "active"}, Spelling{SendW::newcomers, "newcomers"}};
}

/// The iterations one after the other. Asked for iteration t > 1 it must not have been asked for t + 3 before.
class CellSchedule {
 public:
  struct Rule {
    Index H = 1;
    SamplePicker picker = SamplePicker::uniform;
    Phases phases = Phases::needed;
    SendW send_w = SendW::active;
    bool second_sip = false;
    bool selected = false;  // products of S alone are exchanged, so those of F do not serve the next iteration
    std::uint64_t seed = 1;
  };
  using Choose = std::function<std::vector<AgentId>(Round)>;  // K^t, ascending
  CellSchedule(const Cells& cells, Rule rule, Choose choose);
  std::shared_ptr<const CellIteration> of(Round t);  // t from 1

 private:
  std::shared_ptr<const CellIteration> next();
  void choose_samples(CellIteration& made);
  void find_holders(CellIteration& made);
  void find_stale(CellIteration& made) const;
  void choose_phases(CellIteration& made) const;

  const Cells& cells_;
  Rule rule_;
  Choose choose_;
  Round latest_ = 0;
  std::map<Round, std::shared_ptr<const CellIteration>> made_;
  std::vector<AgentId> before_;   // K^{t-1}
  std::vector<Index> held_;       // how many members hold a sample of S, 0 between iterations (N)
  std::vector<Round> touched_;    // the last iteration that chose each sample (N)
  std::vector<Round> took_part_;  // the last iteration of each client, by agent
  std::vector<Index> visits_;     // how often it took part
  static constexpr std::size_t nowhere = ~std::size_t{0};
  std::vector<std::size_t> place_;  // of each member among them while holders are looked for, else nowhere
};

}  // namespace lagnet
