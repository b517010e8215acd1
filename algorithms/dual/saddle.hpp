#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/dual/dual_method.hpp"
#include "algorithms/interface/rounds.hpp"

namespace lagnet {

/// Records which of the center's vectors the machines have, and so what a request brings them. It always brings v, and
/// z once a stage. It brings x always in the paper's messages; in lean ones only if a machine has missed a round and
/// cannot compute x.
class MachineView {
 public:
  MachineView(Index agents, bool lean) : lean_(lean), has_x_(agents, true), has_z_(agents, true) {}
  void new_z() { has_z_.assign(has_z_.size(), false); }
  /// A machine that has answered has got all that was sent, and can compute the next x.
  void answered(std::span<const Message> answers);
  /// What a message brings to a machine beside v: its tag.
  MessageTag brings(AgentId machine) const;
  /// v, and x and z as the tag says (d each).
  static Payload encode(MessageTag brings, const StateVector& v, const StateVector& x, const StateVector& z);
  /// Sends each of them what it lacks.
  void send(Agent& me, Round t, std::span<const AgentId> machines, const StateVector& v, const StateVector& x,
            const StateVector& z) const;
  static bool brings_x(const Message& request);
  struct State {
    VectorView v;
    std::optional<VectorView> x, z;
  };
  static State decode(const Message& request, Index d);

 private:
  bool lean_;
  std::vector<bool> has_x_, has_z_;  // by agent
};

/// DiSPA and A-DiSPA in one: parameters, Algorithm 1 for both roles, with the stages of A-DiSPA or without, the local
/// problem, and the closed form of the central one. The methods stand in dispa.hpp and a_dispa.hpp.

enum class SaddleMessages { paper, lean };
constexpr auto spellings(SaddleMessages) {
  return std::array{Spelling{SaddleMessages::paper, "paper"}, Spelling{SaddleMessages::lean, "lean"}};
}

struct SaddleOptions : LocalOptions {
  std::optional<double> tau = {};
  std::optional<double> sigma = {};
  SaddleMessages messages = SaddleMessages::paper;
  std::vector<double> dual_start = {};
  SaddleOptions() : LocalOptions{.local_solver = LocalSolverKind::spdc} {}
  static void fields(auto& self, auto& field) {
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
 protected:
  /// Stages of `rounds` rounds with extrapolation, as in a_dispa.hpp.
  struct Stages {
    Round rounds = 1;               // T_s
    bool starts_at_z = false;       // a stage starts at z, in the place of x
    std::optional<double> alpha_0;  // by default sqrt(q)
    double q = 0;                   // lambda / (lambda + vt), as it follows
  };
  /// `vt` is the Catalyst weight; none: 4 R^2 / (gamma + eps) - lambda. Throws Diagnosed for options that cannot be
  /// used. Theta is among the constants where Lemma 1 has it: for tau sigma <= 1 / (4 R^2), sigma > 1 / (2 K (gamma +
  /// eps)), and shards of equal size up to one sample; it bounds a round with exact local solutions.
  SaddleMethod(std::string_view kind, const SaddleOptions& options, std::optional<double> vt,
               std::optional<Stages> stages, MethodInput given);

 private:
  Task<> center(Agent& me, SharedReveal revealed) const override;
  Task<> machine(Agent& me, SharedReveal revealed) const override;
  /// Argmin over x of (1/n) v'x + (L/2) |x|^2 + a |x|_1 - vt z'x + |x - x_old|^2 / (2 tau), L = lambda + eps + vt: (6);
  /// 5 d flops, and 3 d for an l1 norm.
  StateVector central(VectorRef x_old, VectorRef v, VectorRef z) const;
  /// The same without the l1 norm.
  StateVector smooth_central(VectorRef x_old, VectorRef v, VectorRef z) const;
  Flops central_flops() const { return (l1() > 0 ? 8 : 5) * d(); }

  std::optional<Stages> stages_;
  double tau_, sigma_, vt_;
  double L_;  // lambda + eps + vt
  bool is_lean_;
  Vector y0_;             // y^0 (n)
  bool is_warm_ = false;  // y^0 is not 0
};

}  // namespace lagnet
