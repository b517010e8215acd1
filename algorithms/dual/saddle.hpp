#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "algorithms/dual/dual_method.hpp"
#include "algorithms/dual/machine_view.hpp"

/// The base of DiSPA and A-DiSPA: parameters, Algorithm 1 for both roles, the local problem, and the closed form of the
/// central one.
namespace lagnet {

enum class SaddleMessages { paper, lean };
constexpr auto spellings(SaddleMessages) {
  return std::array{Spelling<SaddleMessages>{SaddleMessages::paper, "paper"},
                    Spelling<SaddleMessages>{SaddleMessages::lean, "lean"}};
}

struct SaddleOptions : LocalOptions {
  std::optional<double> tau = {};
  std::optional<double> sigma = {};
  SaddleMessages messages = SaddleMessages::paper;
  std::vector<double> dual_start = {};
  SaddleOptions() : LocalOptions{.local_solver = LocalSolverKind::spdc} {}
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("tau", self.tau,
          "proximal parameter of x; null: (gamma + eps) / (4 R^2), gamma = 1 / (smoothness of the loss), R the largest "
          "norm of a sample. Where it converges a larger one is faster",
          above(0));
    field("sigma", self.sigma, "proximal parameter of y; null: 1 / (gamma + eps)", above(0));
    LocalOptions::fields(self, field);
    field("messages", self.messages,
          "what machines are sent: paper (x and v, 2 d numbers) or lean (v, from which they find x), same iterates");
    field("dual_start", self.dual_start,
          "y^0, one number for each sample, in the order in which the machines hold them; an empty list: 0");
  }
};

class SaddleMethod : public DualMethod {
 public:
  /// Theta among them where Lemma 1 has it: for tau sigma <= 1 / (4 R^2), sigma > 1 / (2 K (gamma + eps)), and shards
  /// of equal size up to one sample; it bounds a round with exact local solutions.
  std::vector<Constant> constants() const override;
  std::vector<std::string> warnings() const override;

 protected:
  /// What the center keeps.
  struct Center {
    StateVector x;              // primal iterate                                 (d)
    StateVector v;              // sum_i y_i a_i                                  (d)
    StateVector z;              // extrapolated, where there are stages; else 0   (d)
    std::vector<Payload> v_of;  // v_k = A_k'y_[k], by agent                      (d each)
    MachineView view;           // what the machines have of x and z
    Vector y;                   // the duals, as machines reveal them             (n)
  };
  /// Starts, and reports round 0; where y^0 is not 0, after a set-up round in which the machines send A_k'y_[k].
  Task<> begin(Agent& me, Center& at) const;
  Center center_at_start(const Agent& me) const;
  /// Algorithm 1's rounds first .. last.
  Task<> rounds(Agent& me, Center& at, SharedReveal revealed, Round first, Round last) const;
  /// Whether a new z is also where machines go on from, in the place of x.
  virtual bool starts_at_z() const { return false; }

  /// `vt` is the Catalyst weight; none: 4 R^2 / (gamma + eps) - lambda. Throws OptionError for options that cannot be
  /// used.
  SaddleMethod(std::string_view kind, const SaddleOptions& options, std::optional<double> vt, MethodInput given);

  double vt() const { return vt_; }

 private:
  Task<> machine(Agent& me, SharedReveal revealed) const override;
  void send_state(Agent& me, Round t, std::span<const AgentId> members, const Center& at) const;
  /// Argmin over x of (1/n) v'x + (L/2) |x|^2 - vt z'x + |x - x_old|^2 / (2 tau), L = lambda + eps + vt: (6); 5 d
  /// flops.
  StateVector central(VectorRef x_old, VectorRef v, VectorRef z) const;
  /// v = sum_k v_k (d) of what the machines sent last, K d flops.
  StateVector sum(std::span<const Payload> v) const;
  Cost central_work() const { return vector_work((static_cast<Index>(machines().size()) + 5) * d(), 4); }
  /// Local-DiSPA: y_[k] goes on towards the saddle point of (5), around x and v, and stays as it is without samples.
  /// Its cost in addition to local_work().
  Cost local_dispa(AgentId machine, const Vector& x, VectorRef v, VectorRef z, std::span<const Index> order,
                   Vector& y) const;

  double tau_, sigma_, vt_;
  double L_;  // lambda + eps + vt
  bool is_lean_;
  Vector y0_;             // y^0 (n)
  bool is_warm_ = false;  // y^0 is not 0
};

}  // namespace lagnet
