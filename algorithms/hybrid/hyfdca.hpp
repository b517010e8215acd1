#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "algorithms/hybrid/cell_schedule.hpp"
#include "algorithms/hybrid/hybrid.hpp"
#include "algorithms/hybrid/hyfdca_state.hpp"

/// HyFDCA: dual coordinate ascent where clients differ in samples and in features, over encrypted inner products.
///
///     minimize over w   P(w) = (lambda/2) ||w||^2 + (1/N) sum_i l_i(w'x_i) (1) maximize over a   D(a) = -(lambda/2)
///     ||w(a)||^2 - (1/N) sum_i l_i*(-a_i),  w(a) = (1/(lambda N)) sum_i a_i x_i  (2)
///
/// P(w) - D(a) >= 0 for every pair, so the gap is a certificate, also of a w that is old. Iteration t goes through the
/// phases A to F of the body, with the set K^t of clients. Where phases carry nothing new they are left out: with
/// nobody new C, D, E remain (3 round trips instead of 4.5); where no sample is shared B, D, E (2.5), or with nobody
/// new D, E (2). An iteration ends when its last message has arrived. All clients asked are waited for.
///
/// Local methods. Practical (Algorithm 5): an exact coordinate step for each chosen sample, all at the same p: fast for
/// small H, and with large H it oscillates or diverges; the damping s makes it safe when s is at least the number of
/// distinct coordinates of an iteration. Safe (Algorithm 3): a step towards a subgradient which never lets D fall.
/// Convergence is proved for the safe one: all clients, gamma = 1, c_k = n_k / N, H <= N (theorems 4.4, 4.5); samples
/// alone divided, random clients, gamma = 1, c_k = 1 (4.8); features alone divided, clients in turn, gamma_t = 1/t, c_k
/// = 1, normalize active (4.11).
/// Source: T. Overman, G. Blum, D. Klabjan, "A primal-dual algorithm for hybrid federated learning",
/// arXiv:2210.08106v3, Algorithms 1, 3, 5, where ||x_i||^2, the label in the closed form for hinge, and the sign of the
/// subgradient are put in, which the print lacks.
namespace lagnet {

enum class LocalDualMethod { practical, safe };
constexpr auto spellings(LocalDualMethod) {
  return std::array{Spelling{LocalDualMethod::practical, "practical"}, Spelling{LocalDualMethod::safe, "safe"}};
}
enum class GammaRule { constant, inverse_t };
constexpr auto spellings(GammaRule) {
  return std::array{Spelling{GammaRule::constant, "constant"}, Spelling{GammaRule::inverse_t, "inverse_t"}};
}
enum class NormalizeBy { all, active };
constexpr auto spellings(NormalizeBy) {
  return std::array{Spelling{NormalizeBy::all, "all"}, Spelling{NormalizeBy::active, "active"}};
}
enum class SipMode { full, selected };
constexpr auto spellings(SipMode) {
  return std::array{Spelling{SipMode::full, "full"}, Spelling{SipMode::selected, "selected"}};
}
enum class RowNorms { known, exchanged };
constexpr auto spellings(RowNorms) {
  return std::array{Spelling{RowNorms::known, "known"}, Spelling{RowNorms::exchanged, "exchanged"}};
}

struct HyfdcaOptions : InnerIterations {
  static constexpr std::string_view kind = "hyfdca";
  static constexpr std::string_view summary = "hybrid federated dual coordinate ascent (Overman, Blum, Klabjan 2022)";
  static constexpr AlgorithmTraits traits{.server = true, .partition_by = PartitionBy::cells, .waits_for_all = true};
  LocalDualMethod local_method = LocalDualMethod::practical;
  double damping = 1;
  double gamma = 1;
  GammaRule gamma_rule = GammaRule::constant;
  std::optional<double> c = 1.0;
  NormalizeBy normalize = NormalizeBy::all;
  SipMode sip_mode = SipMode::full;
  SendW send_w = SendW::active;
  bool second_sip = false;
  RowNorms row_norms = RowNorms::known;
  Phases phases = Phases::needed;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    declare_inner_iterations(self, field);
    field("local_method", self.local_method, "practical: exact coordinate steps; safe: the analyzed ones");
    field("damping", self.damping, "s, factor on the quadratic term of the practical method", at_least(1));
    field("gamma", self.gamma, "gamma_t, factor on all dual changes",
          Limits{.low = 0, .high = 1, .low_excluded = true});
    field("gamma_rule", self.gamma_rule, "constant; inverse_t: gamma / t, for the safe method");
    field("c", self.c, "c_k of the safe method; null: n_k / N", Limits{.low = 0, .high = 1, .low_excluded = true});
    field("normalize", self.normalize,
          "a dual change is divided by the holders of its sample: all, or those that take part");
    field("sip_mode", self.sip_mode,
          "full: inner products of all samples of a client are exchanged; selected: those of chosen samples, which "
          "leaves older ones of absent clients in use");
    field("send_w", self.send_w,
          "who gets w0 at the start of an iteration with newcomers: active (all that take part) or newcomers, which "
          "leaves the others with an older one");
    field("second_sip", self.second_sip, "a second exchange of inner products, at the end of an iteration");
    field(
        "row_norms", self.row_norms,
        "known: clients have the |x_i|^2 of whole samples; exchanged: these are added up, encrypted, before the first "
        "iteration");
    field("phases", self.phases, "needed: those that carry nothing new are left out; all: none is");
  }
  template <class Report>
  void check(Report& report) const {
    InnerIterations::check(report);
  }
};

class Hyfdca final : public HybridMethod {
 public:
  Hyfdca(const HyfdcaOptions& options, MethodInput assignment);
  void spawn(Host& host) const override;
  /// The server reports w0 (M), a0 (N) and the totals of the ciphers by then, without the exchange of norms (5): how
  /// many numbers were encrypted, decrypted, and ciphertexts added; the serial and the parallel seconds for these.
  std::vector<std::string> metric_names() const override;
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& yardstick) const override;
  std::vector<std::pair<std::string, double>> constants() const override;
  std::vector<std::string> warnings() const override;

 private:
  using Schedule = std::shared_ptr<CellSchedule>;
  Task<> serve(Agent& me, Schedule schedule, CipherCosts ciphers) const;
  Task<> add_norms(Agent& me) const;
  Task<> ascend(Agent& me, Schedule schedule) const;
  Task<> learn_norms(Agent& me, HyfdcaClient& own) const;
  /// changes = (gamma_t / |B_i|) Delta a_i of the samples that the client chose (H).
  void write_changes(const HyfdcaClient& own, const CellIteration& now, AgentId k, double gamma_t,
                     Eigen::Ref<Vector> changes) const;
  double dual_change(const HyfdcaClient& own, Index i, AgentId k, double gamma_t) const;
  double gamma_of(Round t) const;
  bool exchanges_norms() const { return options_.row_norms == RowNorms::exchanged && cells().shares_samples(); }
  Flops flops_of_absent(AgentId k) const override {
    const CellBlock& block = cells().of(k);
    return exchanges_norms() ? block.product_work(block.entries).flops : 0;
  }
  double dual_objective(VectorRef a) const;

  HyfdcaOptions options_;
};

}  // namespace lagnet
