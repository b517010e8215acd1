#pragma once

#include <functional>
#include <string>
#include <vector>

#include "algorithms/interface/algorithm.hpp"

namespace lagnet {

/// Methods of a server and clients that hold cells: some features of some samples.
class CellMethod : public Algorithm {
 public:
  /// The server.
  std::vector<AgentId> reporters() const final { return {server_agent}; }
  /// The iterate is the first part of the server's report, with an entry for each feature (M).
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& scale) const override;

 protected:
  explicit CellMethod(MethodInput given);

  const MethodInput& given() const { return given_; }
  const Problem& problem() const { return given_.problem; }
  const Cells& cells() const { return *given_.cells; }
  /// 1, 2, ..
  const std::vector<AgentId>& clients() const { return clients_; }
  /// A remark on the clients with samples that never took part in a run, if there are any.
  Remarks remarks_on_absent(const std::function<bool(AgentId)>& took_part) const;

 private:
  MethodInput given_;
  std::vector<AgentId> clients_;
};

/// Places of a vector, to index it by: v(at(places)). A std::vector in there would be copied.
inline auto at(const std::vector<Index>& places) {
  return Eigen::Map<const Eigen::Array<Index, Eigen::Dynamic, 1>>(places.data(), std::ssize(places));
}

/// Entries of a whole vector at these places: M_k, or I_k.
inline Vector restricted(VectorRef whole, const std::vector<Index>& places) { return whole(at(places)); }

}  // namespace lagnet
