#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "sim/base/options.hpp"

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

/// The base of the methods of hybrid federated learning, in which clients around a server differ in samples and in
/// features.
///
///     minimize over w   P(w) = (lambda/2) ||w||^2 + (1/N) sum_i l_i(w'x_i) (1)
///
/// Source: T. Overman, G. Blum, D. Klabjan, "A primal-dual algorithm for hybrid federated learning",
/// arXiv:2210.08106v3.

/// How a client chooses among its samples.
enum class SamplePicker { uniform, cyclic };
constexpr auto spellings(SamplePicker) {
  return std::array{Spelling{SamplePicker::uniform, "uniform"}, Spelling{SamplePicker::cyclic, "cyclic"}};
}

/// `count` of 0 .. n-1. Uniform: without replacement, and again after each n of them. Cyclic: in turn, beginning where
/// `visits` choices of this size have ended. n >= 1.
std::vector<Index> pick_samples(SamplePicker picker, Index n, Index count, Index visits, Draws draws);

/// The number of inner iterations of a client and the samples they use: options of each of these methods.
struct InnerIterations {
  std::optional<std::int64_t> local_steps = {};
  std::optional<double> iic = {};
  SamplePicker picker = SamplePicker::uniform;
  static void fields(auto& self, auto& field) {
    field("local_steps", self.local_steps, "H, samples that a client uses in an iteration", at_least(1));
    field("iic", self.iic, "instead of local_steps: H = ceil(iic N / clients), at least 1 (equation 13)", above(0));
    field("picker", self.picker,
          "how a client chooses them: uniform (drawn without replacement) or cyclic (one after the other, in turn)");
  }
  void check(auto& report) const {
    if (local_steps && iic) report("iic", "exactly one of local_steps and iic", *iic);
    if (!local_steps && !iic) report("", "exactly one of local_steps and iic", "neither");
  }
};
class HybridMethod : public CellMethod {
 public:
  std::vector<std::string> metric_names() const override { return {"relative_loss"}; }
  /// The iterate is w0; relative_loss = (P(w0) - P*) / P*.
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& scale) const override;
  std::optional<Bytes> memory() const override;
  /// Answers that were missing, and clients that never took part.
  Remarks remarks(const RunCounts& counts) const final;

 protected:
  /// Throws Diagnosed unless the regularizer is (lambda/2) ||w||^2 with lambda > 0; `kind` names the method.
  HybridMethod(std::string_view kind, const InnerIterations& inner, MethodInput input);

  const Loss& loss() const { return *problem().loss; }
  double lambda() const { return lambda_; }
  double N() const { return static_cast<double>(cells().samples()); }
  Index H() const { return H_; }
  SamplePicker picker() const { return picker_; }
  Round rounds() const { return given().rounds; }
  /// D(a) = -(lambda/2) ||w(a)||^2 - (1/N) sum_i l_i*(-a_i),   w(a) = (1/(lambda N)) sum_i a_i x_i            (2)
  double dual_objective(VectorRef a) const;
  /// A client that holds no samples sends nothing, and is not asked.
  bool holds_samples(AgentId k) const { return cells().of(k).n() > 0; }
  /// Flops of a client that never takes part. Messages do not show which clients did: the network may duplicate or
  /// resend them.
  virtual Flops flops_of_absent(AgentId) const { return 0; }
  /// The server's behavior without an answer, in words.
  virtual std::string_view without_answers() const = 0;

 private:
  double lambda_;
  Index H_;
  SamplePicker picker_;
};

}  // namespace lagnet
