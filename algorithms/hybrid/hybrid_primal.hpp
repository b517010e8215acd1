#pragma once

#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "algorithms/hybrid/hybrid.hpp"

/// The primal methods of hybrid federated learning. In iteration t = 1, 2, .. each client that takes part takes H local
/// steps with the learning rate
///
///     lr_t = a / (b + sqrt t)
///
/// and the server takes the plain mean of each feature over the answers of clients that hold it; a feature that no
/// answer holds keeps its value. One round trip an iteration: m_k numbers to client k and as many back. An answer that
/// is lost or late is discarded; a client that does not hear of it goes on from what it has, which matters to HyFEM
/// alone: its clients keep their models. Source: T. Overman, G. Blum, D. Klabjan, arXiv:2210.08106v3, section 7.
namespace lagnet {

struct HybridPrimalOptions : InnerIterations {
  static constexpr AlgorithmTraits traits{.server = true,
                                          .partition_by = PartitionBy::cells,
                                          .takes_regularizers = Regularizers::all,
                                          .square = SquareStands::in_every_f,
                                          .timing_only = true};
  std::optional<double> a = {};
  double b = 0;
  static void fields(auto& self, auto& field) {
    InnerIterations::fields(self, field);
    field("a", self.a,
          "of the learning rate a / (b + sqrt t) of iteration t: 0.5; theory: 1 / L, L the largest curvature of any "
          "sample's loss and regularizer",
          above(0).or_word("theory"));
    field("b", self.b, "of it; above -1, so that no rate is infinite or below 0", above(-1));
  }
};

class HybridPrimal : public HybridMethod {
 public:
  void spawn(Host& host) const final;

 protected:
  /// Throws Diagnosed for "a" where it is not given and theory has none: for a loss with kinks.
  HybridPrimal(std::string_view kind, const HybridPrimalOptions& options, MethodInput input);

  /// A client's part of an iteration.
  struct Local {
    const CellBlock& own;             // its part of its samples
    const std::vector<Index>& picks;  // the samples to use, one after the other (H)
    VectorView w0;                    // the server's model on M_k               (m_k)
    double lr;                        // the learning rate
  };
  /// The local steps of a client; w is its own model (m_k), 0 before its first.
  virtual void descend(const Local& now, StateVector& w) const = 0;
  /// Flops of a step of a client with m features, beside 4 for each entry of the sample.
  virtual Flops step_flops(Index m) const = 0;

  std::string_view without_answers() const override {
    return "each feature's mean is over the answers that came, and a feature that none of them holds kept its value";
  }
  double lr(Round t) const { return a_ / (b_ + std::sqrt(static_cast<double>(t))); }

 private:
  Task<> serve(Agent& me) const;
  Task<> train(Agent& me) const;  // a client

  double a_in_use(std::optional<double> stated) const;

  double a_, b_;  // of the learning rate
};

}  // namespace lagnet
