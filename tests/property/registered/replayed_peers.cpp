#include <Eigen/Cholesky>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/local/local_fits.hpp"
#include "tests/property/registered/story.hpp"
#include "tests/property/registered/troubled_worlds.hpp"

/// Every state of asynchronous peers, under delays, losses, copies and absences, from what they had and took: by the
/// papers' formulas. And what their sums keep at all times.
namespace lagnet::replayed_peers_test {

using namespace lagnet::test;

namespace {

constexpr double l2 = 0.05, eta = 0.1, gamma = 0.4, rho = 0.3, rho_of_features = 30, alpha = 0.5;
/// Rounding: some ten operations an entry with numbers of size 1 over 10 rows, passed on over a thousand updates that
/// do not expand.
constexpr double rounding_of_peers = 1e-11;

const char* const base_of_peers = R"({
  "lagnet": 1,
  "data": {"source": "gaussian_regression", "samples": 60, "features": 5},
  "problem": {"loss": {"kind": "squared"}, "regularizer": {"kind": "l2", "weight": 0.05}},
  "topology": {"kind": "ring", "agents": 6},
  "partition": {"kind": "sample_blocks", "sizes": [8, 12, 9, 11, 6, 14]},
  "network": {"latency_ms": {"kind": "uniform", "low": 1, "high": 9}, "jitter_ms": 3},
  "compute": {"speed_flops_per_s": {"kind": "lognormal", "median": 1e5, "sigma": 1}},
  "stop": {"simulated_s": 1.2}, "record": {"every_s": 1}
})";

/// Of Poisson clocks, for exchanges that take no computation.
std::string with_clocks(const std::string& changes) {
  Json all = Json::parse(changes);
  all["compute"]["clock"] = {{"kind", "poisson"}, {"mean_ms", 6}};
  return all.dump();
}

/// Of methods that need each message.
std::map<std::string, std::string> worlds_of_those_who_wait() {
  std::map<std::string, std::string> all = worlds_without_losses();
  all["absences"] = R"({"network": {"retransmit": {"timeout_ms": 30}}, )" + availability_of(absences_of_agents) + "}";
  return all;
}

bool is_close(const Vector& got, const Vector& want) {
  return (got - want).norm() <= rounding_of_peers * (1 + want.norm());
}

/// What all peers have reported, and how each report comes about.
class Peers {
 public:
  explicit Peers(const Experiment& experiment)
      : experiment_(experiment), x_(std::size_t(experiment.facts.agents)), n_(x_.size(), -1), from_(x_.size()) {}
  virtual ~Peers() = default;
  void follow(const Story& story) {
    for (const Step& step : story.steps) {
      const AgentId i = step.agent;
      if (step.kind == Step::Kind::took) take(i, step.peer, step.round);
      if (step.kind == Step::Kind::computed) compute(i, step.amount);
      if (step.kind != Step::Kind::reported) continue;
      report(i, step.round, step.parts);
      if (n_[i] >= 0) ++reports_;
      x_[i] = step.parts.at(0);
      n_[i] = step.round;
    }
  }
  std::int64_t reports() const { return reports_; }  // but for the first ones

 protected:
  virtual void take(AgentId i, AgentId j, Round round) { from_[i] = {j, round}; }
  virtual void compute(AgentId, Flops) {}
  virtual void report(AgentId i, Round n, const std::vector<Vector>& parts) = 0;

  Index d() const { return experiment_.problem.X->cols(); }
  std::size_t m() const { return x_.size(); }
  std::span<const AgentId> neighbors(AgentId i) const { return experiment_.network->neighbors(i); }
  bool is_first(AgentId i) const { return n_[i] < 0; }
  bool all_have_reported() const { return std::ranges::min(n_) >= 0; }

  const Experiment& experiment_;
  std::vector<Vector> x_;                        // the last reports, by agent
  std::vector<Round> n_;                         // and their numbers; -1: none yet
  std::vector<std::pair<AgentId, Round>> from_;  // whose message an agent took last, and its round

 private:
  std::int64_t reports_ = 0;
};

/// Additive gossip: what each agent keeps of the sum, and both halves of each exchange.
class Additive final : public Peers {
 public:
  using Peers::Peers;

 private:
  void report(AgentId i, Round n, const std::vector<Vector>& parts) override {
    const Vector& x = parts.at(0);
    auto& of_this_n = had_[{i, n}];
    of_this_n.push_back(x);
    if (is_first(i)) {
      start_.emplace(i, x);
      return;
    }
    CHECK(is_close(parts.at(1), start_.at(i)));
    const auto [j, round] = from_[i];
    const Vector zero = Vector::Zero(x.size());
    if (n > n_[i]) {  // a request of j, which had made so many updates
      const auto distance = [&](const Vector& asked) { return (x_[i] + (asked - x_[i]) / 2 - x).norm(); };
      const std::vector<Vector>& all = had_.at({j, round});
      const Vector asked = *std::ranges::min_element(all, {}, distance);
      CHECK(distance(asked) <= rounding_of_peers);
      auto& S = S_[{i, j}];
      if (S.empty()) S.push_back(zero);
      S.push_back(S.back() + (asked - x_[i]) / 2);
    } else {  // j's answer with that count
      Vector& seen = seen_.emplace(std::pair(i, j), zero).first->second;
      const Vector& S = S_.at({j, i}).at(std::size_t(round));
      CHECK(is_close(x, x_[i] - (S - seen)));
      seen = S;
    }
  }

  std::map<AgentId, Vector> start_;
  std::map<std::pair<AgentId, Round>, std::vector<Vector>> had_;  // the x of an agent with that number of updates
  std::map<std::pair<AgentId, AgentId>, std::vector<Vector>> S_;  // by agent, who asked it, and count
  std::map<std::pair<AgentId, AgentId>, Vector> seen_;
};

/// Exchanges of a pair in which the one that asked has what it asked with until the answer comes.
class Pairs : public Peers {
 public:
  explicit Pairs(const Experiment& experiment) : Peers(experiment), sum_(Vector::Zero(d())) {}

 protected:
  /// i answers what j asked, and goes to the mean.
  Vector served(AgentId i, AgentId j) {
    answers_[j] = x_[i];
    return (x_[i] + x_[j]) / 2;
  }
  Vector answered(AgentId i) {
    const Vector mean = (x_[i] + answers_.at(i)) / 2;
    answers_.erase(i);
    return mean;
  }
  /// The sum of all x is `sum_`, but for the halves of exchanges whose answers have not been taken.
  void check_sum(AgentId i, const Vector& x) const {
    if (!all_have_reported()) return;
    Vector sum = x - sum_;
    for (AgentId k = 0; k < m(); ++k)
      if (k != i) sum += x_[k];
    for (const auto& [k, answer] : answers_) sum += (answer - (k == i ? x : x_[k])) / 2;
    CHECK(sum.norm() <= rounding_of_peers);
  }

  Vector sum_;  // that must be kept

 private:
  std::map<AgentId, Vector> answers_;  // that are under way, by who asked
};

class Locked final : public Pairs {
 public:
  using Pairs::Pairs;

 private:
  void report(AgentId i, Round n, const std::vector<Vector>& parts) override {
    const Vector& x = parts.at(0);
    if (is_first(i))
      sum_ += x;
    else
      CHECK(is_close(x, n > n_[i] ? served(i, from_[i].first) : answered(i)));
    check_sum(i, x);
  }
};

class AdPsgds final : public Pairs {
 public:
  explicit AdPsgds(const Experiment& experiment) : Pairs(experiment), rows_(experiment), g_(rows_.X.size()) {}

 private:
  void compute(AgentId i, Flops flops) override {  // averages take 2 d of them
    if (flops > 2 * d()) g_[i] = double(m()) * rows_.pi(i) * rows_.gradient(i, x_[i]) + l2 * x_[i];
  }
  void report(AgentId i, Round n, const std::vector<Vector>& parts) override {
    const Vector& x = parts.at(0);
    if (is_first(i)) {
      sum_ += x;
    } else if (n == n_[i]) {
      CHECK(is_close(x, served(i, from_[i].first)));
    } else {
      const Vector mean = experiment_.facts.first_side[i] ? answered(i) : x_[i];
      CHECK(is_close(x, mean - eta * g_[i]));
      sum_ -= eta * g_[i];
    }
    check_sum(i, x);
  }

  RowsOfAgents rows_;
  std::vector<Vector> g_;  // by agent
};

/// Messages of which the newest by count is used.
class Counting : public Peers {
 public:
  using Peers::Peers;

 protected:
  using Link = std::pair<AgentId, AgentId>;  // the agent that has it, and the neighbor that it is of
  void take(AgentId i, AgentId j, Round count) override {
    Round& newest = counts_.emplace(Link(i, j), 0).first->second;
    newest = std::max(newest, count);
  }
  bool has(AgentId i, AgentId j) const { return counts_.contains({i, j}); }
  /// What j has sent to i with the newest count that came; there is one.
  const Vector& newest(AgentId i, AgentId j) const { return sent_.at({j, i}).at(counts_.at({i, j})); }

  std::map<Link, std::map<Round, Vector>> sent_;  // by sender and receiver, and count

 private:
  std::map<Link, Round> counts_;
};

class AsySonatas final : public Counting {
 public:
  explicit AsySonatas(const Experiment& experiment)
      : Counting(experiment), rows_(experiment), of_(rows_.X.size()), is_ready_(rows_.X.size()) {}

 private:
  struct OfAgent {
    Vector x, z, g, v, new_g;
    std::map<AgentId, Vector> used, rho_out;
  };
  Vector gradient(AgentId i, const Vector& x) const {
    return double(m()) * rows_.pi(i) * rows_.gradient(i, x) + l2 * x;
  }
  void compute(AgentId i, Flops flops) override {
    if (flops == 0) return;
    OfAgent& own = of_[i];
    if (!is_ready_[i]) {  // the first gradient
      own.g = own.z = gradient(i, own.x);
      is_ready_[i] = true;
      return;
    }
    const GossipRow& w = experiment_.facts.gossip[i];
    own.v = own.x - gamma * own.z;
    own.x = w.own * own.v;
    for (std::size_t k = 0; k < neighbors(i).size(); ++k) {
      const AgentId j = neighbors(i)[k];
      own.x += w.neighbors[k] * (has(i, j) ? Vector(newest(i, j).head(d())) : Vector::Zero(d()));
    }
    own.new_g = gradient(i, own.x);
  }
  void report(AgentId i, Round n, const std::vector<Vector>& parts) override {
    OfAgent& own = of_[i];
    CHECK(parts.at(1).norm() <= rounding_of_peers);  // z + sum of (rho - used) - g
    if (is_first(i)) {
      own.x = parts.at(0);
      for (const AgentId j : neighbors(i)) own.used[j] = own.rho_out[j] = Vector::Zero(d());
      return;
    }
    CHECK(is_close(parts.at(0), own.x));
    const GossipRow& w = experiment_.facts.gossip[i];
    Vector h = own.z + own.new_g - own.g;
    for (auto& [j, used] : own.used)
      if (has(i, j)) {
        h += newest(i, j).tail(d()) - used;
        used = newest(i, j).tail(d());
      }
    own.g = own.new_g;
    own.z = w.own * h;
    for (std::size_t k = 0; k < neighbors(i).size(); ++k) {
      const AgentId j = neighbors(i)[k];
      own.rho_out[j] += w.neighbors[k] * h;
      sent_[{i, j}][n] = (Vector(2 * d()) << own.v, own.rho_out[j]).finished();
    }
  }

  RowsOfAgents rows_;
  std::vector<OfAgent> of_;
  std::vector<bool> is_ready_;
};

/// Relaxed ADMM over edges: z_ij moves when an agent's update begins.
class Edges : public Counting {
 public:
  Edges(const Experiment& experiment, double penalty, Index size)
      : Counting(experiment), penalty_(penalty), size_(size), is_ready_(m()), has_begun_(m()) {}

 protected:
  double degree(AgentId i) const { return static_cast<double>(neighbors(i).size()); }
  Vector sum_of_z(AgentId i) {
    Vector sum = Vector::Zero(size_);
    for (const AgentId j : neighbors(i)) sum += z(i, j);
    return sum;
  }
  /// i sends 2 rho x - z_ij to each neighbor.
  void send(AgentId i, Round n, const Vector& x) {
    for (const AgentId j : neighbors(i)) sent_[{i, j}][n] = 2 * penalty_ * x - z(i, j);
    has_begun_[i] = false;
  }
  double penalty_;

 private:
  Vector& z(AgentId i, AgentId j) { return z_.emplace(Link(i, j), Vector::Zero(size_)).first->second; }
  void compute(AgentId i, Flops flops) override {
    if (flops == 0 || has_begun_[i]) return;
    has_begun_[i] = is_ready_[i];
    if (is_ready_[i])
      for (const AgentId j : neighbors(i))
        if (has(i, j)) z(i, j) = (1 - alpha) * z(i, j) + alpha * newest(i, j);
    is_ready_[i] = true;  // the first computation is that of factors
  }

  Index size_;
  std::vector<bool> is_ready_, has_begun_;  // has_begun_: the update since the last report
  std::map<Link, Vector> z_;
};

class EdgeAdmms final : public Edges {
 public:
  explicit EdgeAdmms(const Experiment& experiment)
      : Edges(experiment, rho, experiment.problem.X->cols()), rows_(experiment) {}

 private:
  void report(AgentId i, Round n, const std::vector<Vector>& parts) override {
    if (is_first(i)) return;
    const double share = static_cast<double>(m()) / rows_.n();  // of F in a sample of an agent
    const Matrix H = share * rows_.X[i].transpose() * rows_.X[i] + (l2 + rho * degree(i)) * Matrix::Identity(d(), d());
    const Vector x = H.llt().solve(share * rows_.X[i].transpose() * rows_.y[i] + sum_of_z(i));
    CHECK(is_close(parts.at(0), x));
    send(i, n, x);
  }

  RowsOfAgents rows_;
};

class FdEdgeAdmms final : public Edges {
 public:
  explicit FdEdgeAdmms(const Experiment& experiment)
      : Edges(experiment, rho_of_features, experiment.problem.y.size()), problem_(experiment.problem) {
    const auto starts = starts_by_agent(experiment.partition, experiment.traits);
    const Matrix all = problem_.X->dense();
    for (std::size_t j = 0; j + 1 < starts.size(); ++j)
      A_.push_back(all.middleCols(starts[j], starts[j + 1] - starts[j]));
  }

 private:
  void report(AgentId i, Round n, const std::vector<Vector>& parts) override {
    if (is_first(i)) return;
    const Matrix& A = A_[i];
    const Vector& theta = parts.at(0);
    const double c = static_cast<double>(problem_.y.size()) / static_cast<double>(m()) + penalty_ * degree(i);
    Vector b = sum_of_z(i);
    if (i == 0) b -= problem_.y;
    // The block minimizes r + |A theta + b|^2 / (2 c): a proximal gradient step of that leaves it where it is.
    const double step = c / A.squaredNorm();
    const Vector stepped = problem_.regularizer->prox(theta - step / c * (A.transpose() * (A * theta + b)), step);
    CHECK((stepped - theta).norm() <= 1e-10);  // local steps end at 1e-13, and conditions are below 100
    send(i, n, (b + A * theta) / c);
  }

  Problem problem_;
  std::vector<Matrix> A_;  // by agent
};

template <class Replay>
void check_replays(const char* base, const std::string& algorithm, const std::map<std::string, std::string>& worlds,
                   bool has_clocks) {
  for (const auto& [world, changes] : worlds)
    for (const int seed : {1, 2}) {
      CAPTURE(algorithm, world, seed);
      const Experiment experiment = experiment_of(base, algorithm, has_clocks ? with_clocks(changes) : changes, seed);
      Replay replay(experiment);
      replay.follow(story_of(experiment));
      CHECK(replay.reports() > 50);  // also of slow agents
    }
}

}  // namespace

TEST_CASE("additive gossip of pairs keeps each agent's part of the sum and both halves of each exchange agree") {
  check_replays<Additive>(base_of_peers, R"({"kind": "pairwise_gossip"})", worlds_of_peers(), true);
}

TEST_CASE("locked gossip of pairs keeps the sum but for answers under way where no message is lost for good") {
  check_replays<Locked>(base_of_peers, R"({"kind": "pairwise_gossip", "protocol": "locked"})",
                        worlds_of_those_who_wait(), true);
}

TEST_CASE("AD-PSGD changes the sum of all iterates by the gradients alone but for answers under way") {
  for (const char* overlap : {"true", "false"})
    check_replays<AdPsgds>(base_of_peers,
                           R"({"kind": "ad_psgd", "step": 0.1, "overlap": )" + std::string(overlap) + "}",
                           worlds_of_those_who_wait(), false);
}

TEST_CASE("ASY-SONATA's trackers and sums under way add up to the gradients whatever is lost late or doubled") {
  check_replays<AsySonatas>(base_of_peers, R"({"kind": "asy_sonata", "step": 0.4})", worlds_of_peers(), false);
}

TEST_CASE("every iterate of ADMM over edges minimizes its function with the terms of the newest messages") {
  check_replays<EdgeAdmms>(base_of_peers, R"({"kind": "edge_admm", "penalty": 0.3})", worlds_of_peers(), false);
}

TEST_CASE(
    "every block of ADMM over edges for divided features minimizes its part with the terms of the newest messages") {
  Json base = Json::parse(base_of_peers);
  base.erase("partition");
  base["data"]["features"] = 13;
  for (const char* regularizer :
       {R"({"kind": "l2", "weight": 0.05})", R"({"kind": "elastic_net", "l1_weight": 0.05, "l2_weight": 0.02})"}) {
    base["problem"]["regularizer"] = Json::parse(regularizer);
    check_replays<FdEdgeAdmms>(base.dump().c_str(), R"({"kind": "fd_edge_admm", "penalty": 30})", worlds_of_peers(),
                               false);
  }
}

}  // namespace lagnet::replayed_peers_test
