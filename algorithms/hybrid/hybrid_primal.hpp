#pragma once

#include <cmath>
#include <string_view>
#include <vector>

#include "algorithms/hybrid/hybrid.hpp"

/// What the primal methods of hybrid federated learning share: clients go H local steps, with the learning rate
///
///     lr_t = a / (b + sqrt t)
///
/// in iteration t = 1, 2, .., and the server takes the plain mean for each feature, over those that took part and hold
/// it; a feature that nobody brought keeps its value. One round trip; m_k numbers to client k and as many back. Source:
/// T. Overman, G. Blum, D. Klabjan, arXiv:2210.08106v3, section 7.
namespace lagnet {

struct HybridPrimalOptions : InnerIterations {
  double a = 0;
  double b = 0;
};
template <class Self, class Visitor>
void declare_hybrid_primal(Self& self, Visitor& field) {
  declare_inner_iterations(self, field);
  field("a", self.a, "of the learning rate a / (b + sqrt t) of iteration t: 0.5", above(0).required());
  field("b", self.b, "of it; above -1, so that no rate is infinite or below 0", above(-1));
}

class HybridPrimal : public HybridMethod {
 public:
  void spawn(Host& host) const final;
  std::vector<std::pair<std::string, double>> constants() const override;

 protected:
  HybridPrimal(std::string_view kind, const HybridPrimalOptions& options, MethodInput assignment);

  /// What a client has in an iteration.
  struct Local {
    const CellBlock& own;             // its part of its samples
    const std::vector<Index>& picks;  // the samples to use, one after the other (H)
    VectorView w0;                    // the server's model on M_k               (m_k)
    double lr;                        // the learning rate
  };
  /// The local steps of a client; w is its own model (m_k), 0 before its first.
  virtual void descend(const Local& now, Vector& w) const = 0;
  /// Of a step of a client with m features, beside 4 for each entry of the sample.
  virtual Flops step_flops(Index m) const = 0;

  double lr(Round t) const { return a_ / (b_ + std::sqrt(static_cast<double>(t))); }

 private:
  Task<> serve(Agent& me) const;  // per answer m_k flops, and M scalings
  Task<> train(Agent& me) const;

  double a_, b_;  // of the learning rate
};

}  // namespace lagnet
