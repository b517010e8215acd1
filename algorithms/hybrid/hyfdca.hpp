#pragma once

#include <memory>
#include <string>
#include <vector>

#include "algorithms/hybrid/cell_schedule.hpp"
#include "algorithms/hybrid/hybrid.hpp"
#include "algorithms/hybrid/hyfdca_state.hpp"
#include "algorithms/hybrid/local_dual_method.hpp"

/// HyFDCA: dual coordinate ascent where clients differ in samples and in features, over encrypted inner products.
///
///     minimize over w   P(w) = (lambda/2) ||w||^2 + (1/N) sum_i l_i(w'x_i)                  (1)
///     maximize over a   D(a) = -(lambda/2) ||w(a)||^2 - (1/N) sum_i l_i*(-a_i),             (2)
///                       w(a) = (1/(lambda N)) sum_i a_i x_i
///
/// P(w) - D(a) >= 0 for every pair, so the gap is a certificate even for an old w. Iteration t runs the phases A to F
/// with the set K^t of clients; hyfdca_phases.hpp lists their messages, local_dual_method.hpp the clients' local
/// methods and when they converge. Phases that carry nothing new are left out: of the 4.5 round trips of A to E, 3
/// remain without newcomers (C, D, E), 2.5 if every sample has one holder (B, D, E), and 2 with both (D, E). An
/// iteration ends when its last message has arrived. Clients may be away, messages lost and rounds closed before all
/// have answered: hyfdca_phases.hpp says what a missing answer means in each phase. Source: T. Overman, G. Blum, D.
/// Klabjan, "A primal-dual algorithm for hybrid federated learning", arXiv:2210.08106v3, Algorithm 1.
namespace lagnet {

enum class SipMode { full, selected };
constexpr auto spellings(SipMode) {
  return std::array{Spelling{SipMode::full, "full"}, Spelling{SipMode::selected, "selected"}};
}
enum class RowNorms { known, exchanged };
constexpr auto spellings(RowNorms) {
  return std::array{Spelling{RowNorms::known, "known"}, Spelling{RowNorms::exchanged, "exchanged"}};
}

struct HyfdcaOptions : InnerIterations, LocalDualOptions {
  static constexpr std::string_view kind = "hyfdca";
  static constexpr std::string_view summary = "hybrid federated dual coordinate ascent (Overman, Blum, Klabjan 2022)";
  static constexpr AlgorithmTraits traits{.server = true,
                                          .partition_by = PartitionBy::cells,
                                          .takes_regularizers = Regularizers::all,
                                          .square = SquareStands::in_subproblems,
                                          .needs_conjugate = true,
                                          .server_keeps_state = true,
                                          .timing_only = true,
                                          .records_cipher_times = true};
  SipMode sip_mode = SipMode::full;
  SendW send_w = SendW::active;
  bool second_sip = false;
  RowNorms row_norms = RowNorms::known;
  Phases phases = Phases::needed;
  Encrypt encrypt = Encrypt::dual;
  bool curious_server = false;
  static void fields(auto& self, auto& field) {
    InnerIterations::fields(self, field);
    LocalDualOptions::fields(self, field);
    field("sip_mode", self.sip_mode,
          "full: inner products of all samples of a client are exchanged; selected: those of chosen samples, which "
          "leaves older ones of absent clients in use");
    field("send_w", self.send_w,
          "who gets w0 at the start of an iteration with newcomers: active (all that take part) or newcomers, which "
          "leaves the others with an older one; where answers may be missing, all");
    field("second_sip", self.second_sip, "a second exchange of inner products, at the end of an iteration");
    field(
        "row_norms", self.row_norms,
        "known: clients have the |x_i|^2 of whole samples; exchanged: these are added up, encrypted, before the first "
        "iteration");
    field("phases", self.phases, "needed: phases that carry nothing new are left out; all: every phase takes place");
    field("encrypt", self.encrypt,
          "dual: duals and inner products are sent as ciphertexts, w and contributions to it are not; primal: w, "
          "contributions and inner products, but no duals, whose signs are those of labels; none: nothing");
    field(
        "curious_server", self.curious_server,
        "columns reconstruction_error_duals and reconstruction_error_products: how far the clients' data are from what "
        "the server solves for by least squares, from the numbers that reach it as plain text");
  }
};

class Hyfdca final : public HybridMethod {
 public:
  Hyfdca(const HyfdcaOptions& options, MethodInput input);
  void spawn(Host& host) const override;
  std::string_view shares_memory() const override {
    if (given().may_lack_answers)
      return "where answers may be missing, clients know who has finished an iteration, which no message says";
    return options_.curious_server ? "a curious server compares what it solves for with the clients' data" : "";
  }
  /// The server reports w0 (M), a0 (N) and the totals of the ciphers by then, without the exchange of norms (5): how
  /// many numbers were encrypted, decrypted, and ciphertexts added; the serial and the parallel seconds for these. A
  /// curious server reports its errors, too (2).
  std::vector<std::string> metric_names() const override;
  Evaluation evaluate(Round round, RoundReport report, const ErrorScale& scale) const override;

 private:
  using Schedule = std::shared_ptr<CellSchedule>;
  Task<> serve(Agent& me, Schedule schedule, CipherCosts ciphers) const;
  Task<> ascend(Agent& me, Schedule schedule) const;  // a client
  bool exchanges_norms() const { return options_.row_norms == RowNorms::exchanged && cells().shares_samples(); }
  Flops flops_of_absent(AgentId k) const override;
  std::string_view without_answers() const override {
    return "their duals did not change, and their last contributions and inner products stood in the sums";
  }

  HyfdcaOptions options_;
  LocalDualSteps steps_;
};

}  // namespace lagnet
