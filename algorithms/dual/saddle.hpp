#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "algorithms/dual/dual_method.hpp"
#include "algorithms/local/local_steps.hpp"

/// What DiSPA and A-DiSPA share: parameters, the local problem, and the closed form of the central one.
namespace lagnet {

enum class SaddleMessages { paper, lean };
constexpr auto spellings(SaddleMessages) {
  return std::array{Spelling<SaddleMessages>{SaddleMessages::paper, "paper"},
                    Spelling<SaddleMessages>{SaddleMessages::lean, "lean"}};
}

struct SaddleOptions {
  std::optional<double> tau = {};
  std::optional<double> sigma = {};
  LocalSolverKind local_solver = LocalSolverKind::spdc;
  std::optional<std::int64_t> local_steps = {};
  StepOrder order = StepOrder::uniform;
  double eps = 0;
  SaddleMessages messages = SaddleMessages::paper;
  std::vector<double> dual_start = {};
};

template <class Self, class Visitor>
void declare_saddle(Self& self, Visitor& field) {
  field("tau", self.tau,
        "proximal parameter of x; null: (gamma + eps) / (4 R^2), gamma = 1 / (smoothness of the loss), R the largest "
        "norm of a sample. Where it converges a larger one is faster",
        above(0));
  field("sigma", self.sigma, "proximal parameter of y; null: 1 / (gamma + eps)", above(0));
  declare_local_solver(self, field);
  field("eps", self.eps, "perturbation: eps / 2 times the square norms of x and of y, for losses that are not smooth",
        at_least(0));
  field("messages", self.messages,
        "what machines are sent: paper (x and v, 2 d numbers) or lean (v, from which they find x), same iterates");
  field("dual_start", self.dual_start,
        "y^0, one number for each sample, in the order in which the machines hold them; an empty list: 0");
}

class SaddleMethod : public DualMethod {
 public:
  void spawn(Host& host) const final;
  /// Theta among them where Lemma 1 has it: for tau sigma <= 1 / (4 R^2), sigma > 1 / (2 K (gamma + eps)), and shards
  /// of equal size up to one sample; it bounds a round with exact local solutions.
  std::vector<std::pair<std::string, double>> constants() const override;
  std::vector<std::string> warnings() const override;

 protected:
  /// Agent 0's program: it reports x and the duals that it has answers for.
  virtual Task<> center(Agent& me, SharedDuals duals) const = 0;
  /// Whether a new z is also where machines go on from, in the place of x.
  virtual bool starts_at_z() const { return false; }

  /// What the machines have of the center's vectors, by agent. A lean message brings x only to those that cannot work
  /// it out: they have missed a round. z goes to each machine once.
  struct Known {
    std::vector<bool> x, z;
  };
  Known all_known() const;
  /// Who has answered has got all that was sent, and can work out the next x.
  void note_answers(Known& known, std::span<const Message> answers) const;
  /// v and what they lack of x and z (d each), in messages whose tags say what they bring.
  void send_state(Agent& me, Round t, std::span<const AgentId> members, VectorRef x, VectorRef v, VectorRef z,
                  const Known& known) const;
  /// Where y^0 is not 0, the machines' A_k'y_[k] of the set-up round, by agent, and their sum v.
  Task<> set_up(Agent& me, std::vector<Payload>& v_of, Vector& v) const;

  /// `vt` is the Catalyst weight; none: 4 R^2 / (gamma + eps) - lambda. Throws OptionError for what cannot be used.
  SaddleMethod(std::string_view kind, const SaddleOptions& options, std::optional<double> vt, MethodInput assignment);

  /// Argmin over x of (1/n) v'x + (L/2) |x|^2 - vt z'x + |x - x_old|^2 / (2 tau), L = lambda + eps + vt: (6); 5 d
  /// flops.
  Vector central(VectorRef x_old, VectorRef v, VectorRef z) const;
  /// v = sum_k v_k (d) of what the machines sent last, K d flops.
  Vector sum(std::span<const Payload> v) const;
  Cost central_work() const { return vector_work((static_cast<Index>(machines().size()) + 5) * d(), 4); }

  double vt() const { return vt_; }

 private:
  Task<> machine(Agent& me, SharedDuals duals) const;
  /// Local-DiSPA: y_[k] goes on towards the saddle point of (5), around x and v, and stays as it is without samples.
  /// What it cost beside local_work().
  Cost local_dispa(AgentId machine, const Vector& x, VectorRef v, VectorRef z, std::span<const Index> order,
                   Vector& y) const;
  /// Of local_dispa() and A_k'y: with spdc 4 nnz_k flops and the steps'.
  Cost local_work(AgentId machine, std::span<const Index> order) const;
  std::vector<Index> order(const Agent& me, Round round) const;

  bool is_lean() const { return messages_ == SaddleMessages::lean; }
  double tau_, sigma_, vt_;
  double L_;  // lambda + eps + vt
  std::unique_ptr<const LocalSolver> solver_;
  std::optional<std::int64_t> H_;
  StepOrder order_;
  SaddleMessages messages_;
  Vector y0_;             // y^0 (n)
  bool is_warm_ = false;  // y^0 is not 0
};

}  // namespace lagnet
