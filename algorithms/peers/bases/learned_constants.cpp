#include "algorithms/peers/bases/learned_constants.hpp"

#include <cmath>
#include <limits>
#include <optional>

namespace lagnet {

namespace {

constexpr MessageTag echo = 1;
constexpr Purpose learning_purpose{"fd_primal_dual.learning"};

struct Tree {
  std::optional<AgentId> parent;  // none: the root
  std::vector<AgentId> children;  // ascending
};

/// Every agent sends one number over each of its links: 0 says that it has heard of the tree, 1, to the neighbor that
/// it heard from first, that all behind it have.
Task<Tree> span_tree(Agent& me, AgentId root) {
  Tree tree;
  std::vector<AgentId> others;
  if (me.id() != root) tree.parent = (co_await me.receive()).from;
  for (const AgentId k : me.neighbors())
    if (k != tree.parent) others.push_back(k);
  for (const AgentId k : others) me.send(k, 0, Payload(Vector::Zero(1)), echo);
  const std::vector<Message> heard = co_await me.collect(0, others, Time::never(), echo);
  for (const Message& message : heard)
    if (message.body.view()[0] == 1) tree.children.push_back(message.from);
  if (tree.parent) me.send(*tree.parent, 0, Payload(Vector::Ones(1)), echo);
  co_return tree;
}

/// The tags of a sum's messages, up and down the tree: a pair of its own for each, so that all can be of round 0.
class Tags {
 public:
  MessageTag next() { return last_ += 2; }

 private:
  MessageTag last_ = echo;
};

/// The sum of all agents' vectors, the same bits for all: each adds its children's, in their order, to its own.
Task<Vector> total(Agent& me, const Tree& tree, Tags& tags, Vector own) {
  const MessageTag up = tags.next(), down = up + 1;
  const Index n = own.size();
  if (!tree.children.empty()) {
    const std::vector<Message> parts = co_await me.collect(0, tree.children, Time::never(), up);
    auto add = [&] {
      for (const Message& part : parts) own += part.body.view();
    };
    co_await me.compute(Cost(std::ssize(parts) * n), add);
  }
  if (tree.parent) {
    me.send(*tree.parent, 0, Payload(own), up);
    const std::vector<AgentId> above(1, *tree.parent);
    const std::vector<Message> sum = co_await me.collect(0, above, Time::never(), down);
    own = sum.front().body.view();
  }
  for (const AgentId child : tree.children) me.send(child, 0, Payload(own), down);
  co_return own;
}

/// The largest eigenvalue of shift - sign L, sign = -1 for L itself, on all vectors or those of mean 0.
struct LaplacianPower {
  Agent& me;
  const Tree& tree;
  const std::vector<double>* weights;
  double shift, sign;
  bool without_mean;
};

Task<double> power_of_laplacian(LaplacianPower at, Tags& tags, std::int64_t iterations) {
  Agent& me = at.me;
  const double m = (co_await total(me, at.tree, tags, Vector::Ones(1)))[0];
  double degree = 0;
  GossipRow row{.own = 0, .neighbors = {}};
  for (Index k = 0; k < me.degree(); ++k) {
    row.neighbors.push_back(at.weights ? (*at.weights)[static_cast<std::size_t>(k)] : 1.0);
    degree += row.neighbors.back();
  }
  Vector own(2);  // w and its square
  double w = me.draws(learning_purpose, at.without_mean ? 2 : 1).normal(), norm = 1;
  for (std::int64_t k = 0; k <= iterations; ++k) {
    own << w, w * w;
    const Vector sums = co_await total(me, at.tree, tags, own);
    const double mean = at.without_mean ? sums[0] / m : 0;
    norm = std::sqrt(std::max(0.0, sums[1] - m * mean * mean));
    if (k == iterations || norm == 0) break;
    w = (w - mean) / norm;
    const StateVector sum = co_await me.neighbor_mix(Payload(Vector::Constant(1, w)), row);
    auto multiply = [&] { w = at.shift * w - at.sign * (degree * w - sum[0]); };
    co_await me.compute(Cost(2 * me.degree() + 6), multiply);
  }
  co_return norm;
}

Task<double> power_of_data(Agent& me, const Tree& tree, const ColumnBlock& X, Tags& tags, LearningRule rule) {
  const Index n = X.rows();
  Vector u = Vector::Zero(n);  // the same for all: from the root's draws   (n)
  if (me.id() == rule.root) {
    Draws draws = me.draws(learning_purpose, 0);
    for (double& entry : u) entry = draws.normal();
  }
  double norm = 0;
  for (std::int64_t k = 0; k <= rule.iterations; ++k) {
    u = co_await total(me, tree, tags, std::move(u));
    norm = u.norm();
    if (k == rule.iterations || norm == 0) break;
    Vector next = Vector::Zero(n);
    auto multiply = [&] {
      u /= norm;
      X.sweep(u, next, [](Index, Eigen::Ref<Vector>) {});  // X_j X_j' u
    };
    co_await me.compute(Cost(X.transpose_times_flops() + X.add_times_flops() + 3 * n), multiply);
    u = std::move(next);
  }
  co_return std::sqrt(norm);
}

}  // namespace

Task<LearnedConstants> learn_constants(Agent& me, const ColumnBlock& X, const std::vector<double>* weights,
                                       LearningRule rule) {
  Tags tags;
  const Tree tree = co_await span_tree(me, rule.root);
  LearnedConstants learned;
  learned.chi = (1 + rule.margin) * co_await power_of_data(me, tree, X, tags, rule);
  if (me.degree() == 0) {
    learned.delta = std::numeric_limits<double>::infinity();
    co_return learned;
  }
  const LaplacianPower largest{
      .me = me, .tree = tree, .weights = weights, .shift = 0, .sign = -1, .without_mean = false};
  learned.D = (1 + rule.margin) * co_await power_of_laplacian(largest, tags, rule.iterations);
  const LaplacianPower least{
      .me = me, .tree = tree, .weights = weights, .shift = learned.D, .sign = 1, .without_mean = true};
  learned.delta = learned.D - co_await power_of_laplacian(least, tags, rule.iterations);
  co_return learned;
}

}  // namespace lagnet
