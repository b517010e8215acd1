#include <Eigen/Cholesky>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/property/registered/story.hpp"
#include "tests/property/registered/troubled_worlds.hpp"

/// Every state of an asynchronous server, under delays, losses, copies and crashes, from the states before it: by the
/// paper's formula on the versions that its clients had taken, which listeners hear of.
namespace lagnet::replayed_servers_test {

using namespace lagnet::test;

namespace {

const char* const base_of_servers = R"({
  "lagnet": 1,
  "data": {"source": "gaussian_regression", "samples": 60, "features": 5},
  "problem": {"loss": {"kind": "squared"},
              "regularizer": {"kind": "elastic_net", "l1_weight": 0.05, "l2_weight": 0.05}},
  "topology": {"kind": "star", "agents": 5},
  "partition": {"kind": "sample_blocks", "sizes": [10, 20, 14, 16]},
  "network": {"latency_ms": {"kind": "uniform", "low": 1, "high": 9}, "jitter_ms": 3},
  "compute": {"speed_flops_per_s": {"kind": "lognormal", "median": 3e5, "sigma": 1}},
  "stop": {"rounds": 400}, "record": {"every": 400}
})";

struct Used {
  AgentId client = 0;
  Round tau = 0;
  Vector answer;
};

/// A method by its formulas.
class Formulas {
 public:
  virtual ~Formulas() = default;
  /// Client k computes from that state.
  virtual Vector answer(AgentId k, const Vector& state) = 0;
  /// A crash took what client k knew.
  virtual void forget(AgentId) {}
  /// The server's state after it has used these.
  virtual Vector next(const Vector& state, const std::vector<Used>& used) const = 0;
  virtual void note(const std::vector<Used>&) {}
};

/// Those of clients with samples.
class OfSamples : public Formulas {
 protected:
  explicit OfSamples(const Experiment& experiment) : rows_(experiment) {}
  const Regularizer& r() const { return *rows_.problem.regularizer; }
  Vector prox(const Vector& v, double step) const { return r().prox(v, step); }
  RowsOfAgents rows_;
};

constexpr double eta = 0.1, mixing = 0.5, rho = 0.3, server_step = 0.7, penalty = 0.1;
constexpr int E = 2, K_buf = 2, K = 4;

class OfFedAsync final : public OfSamples {
 public:
  explicit OfFedAsync(const Experiment& experiment) : OfSamples(experiment) {}
  Vector answer(AgentId k, const Vector& w) override {
    Vector x = w;
    for (int j = 0; j < E; ++j) x -= eta * (rows_.gradient(k, x) + *r().subgradient(x) + rho * (x - w)).eval();
    return x;
  }
  Vector next(const Vector& x, const std::vector<Used>& used) const override {
    const double alpha = mixing / std::sqrt(static_cast<double>(used.at(0).tau) + 1);
    return (1 - alpha) * x + alpha * used[0].answer;
  }
};

class OfFedBuff final : public OfSamples {
 public:
  explicit OfFedBuff(const Experiment& experiment) : OfSamples(experiment) {}
  Vector answer(AgentId k, const Vector& w) override {
    Vector x = w;
    for (int j = 0; j < E; ++j) x -= eta * (rows_.gradient(k, x) + *r().subgradient(x)).eval();
    return x - w;
  }
  Vector next(const Vector& x, const std::vector<Used>& used) const override {
    CHECK(used.size() == K_buf);
    Vector B = Vector::Zero(x.size());
    for (const Used& one : used) B += one.answer / std::sqrt(1 + static_cast<double>(one.tau));
    return x + server_step / K_buf * B;
  }
};

class OfAsyncGradient final : public OfSamples {
 public:
  explicit OfAsyncGradient(const Experiment& experiment) : OfSamples(experiment) {}
  Vector answer(AgentId k, const Vector& w) override { return K * rows_.pi(k) * rows_.gradient(k, w); }
  Vector next(const Vector& x, const std::vector<Used>& used) const override {
    constexpr double L = 4, tau_C = 2;
    const auto tau = static_cast<double>(used.at(0).tau);
    const double gamma = tau <= tau_C ? eta : std::min(eta, 1 / (4 * L * tau));
    return prox(x - gamma * used[0].answer, gamma);
  }
};

class OfPiag final : public OfSamples {
 public:
  explicit OfPiag(const Experiment& experiment) : OfSamples(experiment), g_(rows_.agents()) {}
  Vector answer(AgentId k, const Vector& w) override { return rows_.gradient(k, w); }
  Vector next(const Vector& x, const std::vector<Used>& used) const override {
    auto g = g_;
    for (const Used& one : used) g[one.client] = one.answer;
    Vector G = Vector::Zero(x.size());
    for (AgentId k = 1; k <= K; ++k) G += rows_.pi(k) * g[k];
    constexpr double gamma = 0.05;
    return prox(x - gamma * G, gamma);
  }
  void note(const std::vector<Used>& used) override {
    for (const Used& one : used) g_[one.client] = one.answer;
  }

 private:
  std::vector<Vector> g_;  // the newest, by agent
};

/// Answers are the x_k; what the server has must be the mean of those that it has used.
class OfDavePg final : public OfSamples {
 public:
  explicit OfDavePg(const Experiment& experiment)
      : OfSamples(experiment), x_(rows_.agents(), Vector::Zero(rows_.d())), used_(x_) {}
  Vector answer(AgentId k, const Vector& xbar) override {
    constexpr double gamma = 0.3;
    Vector D = Vector::Zero(xbar.size());
    for (int i = 0; i < 2; ++i) {
      const Vector z = prox(xbar + D, gamma), y = z - gamma * rows_.gradient(k, z);
      D += rows_.pi(k) * (y - x_[k]);
      x_[k] = y;
    }
    return x_[k];
  }
  void forget(AgentId k) override { x_[k].setZero(); }
  Vector next(const Vector& xbar, const std::vector<Used>& used) const override {
    auto all = used_;
    for (const Used& one : used) all[one.client] = one.answer;
    Vector sum = Vector::Zero(xbar.size());
    for (AgentId k = 1; k <= K; ++k) sum += rows_.pi(k) * all[k];
    return sum;
  }
  void note(const std::vector<Used>& used) override {
    for (const Used& one : used) used_[one.client] = one.answer;
  }

 private:
  std::vector<Vector> x_, used_;  // by agent
};

class OfAsyncAdmm final : public OfSamples {
 public:
  explicit OfAsyncAdmm(const Experiment& experiment)
      : OfSamples(experiment), x_(rows_.agents()), u_(x_.size(), Vector::Zero(rows_.d())), newest_(x_.size()) {}
  Vector answer(AgentId k, const Vector& z) override {
    if (x_[k].size() > 0) u_[k] += x_[k] - z;
    const Matrix H = rows_.X[k].transpose() * rows_.X[k] / rows_.n();
    const Vector right = rows_.X[k].transpose() * rows_.y[k] / rows_.n() + penalty * (z - u_[k]);
    x_[k] = (H + penalty * Matrix::Identity(H.rows(), H.cols())).llt().solve(right);
    return x_[k] + u_[k];
  }
  void forget(AgentId k) override {
    x_[k] = Vector();
    u_[k].setZero();
  }
  Vector next(const Vector& z, const std::vector<Used>& used) const override {
    auto newest = newest_;
    for (const Used& one : used) newest[one.client] = one.answer;
    Vector sum = Vector::Zero(z.size());
    double N = 0;
    for (const Vector& one : newest)
      if (one.size() > 0) {
        sum += one;
        ++N;
      }
    return prox(sum / N, 1 / (N * penalty));
  }
  void note(const std::vector<Used>& used) override {
    for (const Used& one : used) newest_[one.client] = one.answer;
  }

 private:
  std::vector<Vector> x_, u_, newest_;  // by agent; x_, newest_: empty if there is none
};

/// Rounding: a client's step takes some ten operations an entry with numbers of size 1 over 20 rows, and multipliers
/// and sums pass it on for 400 versions.
constexpr double rounding_of_replays = 1e-11;

/// Goes through a story whose server reports its state, and checks each.
class Replay {
 public:
  Replay(Formulas& formulas, bool is_told) : formulas_(formulas), is_told_(is_told) {}
  /// The number of states.
  std::size_t follow(const Story& story) {
    for (const Step& step : story.steps) step.agent == 0 ? of_server(step) : of_client(step);
    return states_.size();
  }

 private:
  void of_client(const Step& step) {
    if (step.kind == Step::Kind::took) taken_[step.agent] = step.round;
    if (step.kind == Step::Kind::restarted) {
      taken_.erase(step.agent);
      formulas_.forget(step.agent);
    }
    if (step.kind != Step::Kind::computed || !taken_.contains(step.agent)) return;
    const Round version = taken_[step.agent];
    taken_.erase(step.agent);
    answers_[{step.agent, version}].push_back(formulas_.answer(step.agent, states_.at(std::size_t(version))));
  }
  void of_server(const Step& step) {
    if (is_told_ && step.kind == Step::Kind::used) used_.emplace_back(step.peer, version() - step.amount);
    if (!is_told_ && step.kind == Step::Kind::took) last_.emplace(step.peer, step.round);
    if (!is_told_ && step.kind == Step::Kind::computed &&
        last_) {  // what is no answer to an open job is not computed with
      used_.push_back(*last_);
      last_.reset();
    }
    if (step.kind == Step::Kind::reported) check(step.parts.at(0));
  }
  Round version() const { return std::ssize(states_) - 1; }

  /// Where a client that forgot has done a job again, either answer may be the one that came first.
  void check(const Vector& state) {
    if (!states_.empty()) {
      std::vector<std::vector<Used>> ways(1);
      for (const auto& job : used_) {
        const auto found = answers_.find(job);
        REQUIRE(found != answers_.end());
        std::vector<std::vector<Used>> longer;
        for (const auto& way : ways)
          for (const Vector& answer : found->second) {
            longer.push_back(way);
            longer.back().push_back({job.first, version() - job.second, answer});
          }
        ways = std::move(longer);
      }
      const auto distance = [&](const std::vector<Used>& way) {
        return (formulas_.next(states_.back(), way) - state).norm();
      };
      const auto best = std::ranges::min_element(ways, {}, distance);
      CHECK(distance(*best) <= rounding_of_replays * (1 + state.norm()));
      formulas_.note(*best);
    }
    used_.clear();
    states_.push_back(state);
  }

  Formulas& formulas_;
  bool is_told_;                    // whether the reported age of what is used is that of the answer
  std::vector<Vector> states_;      // by version
  std::map<AgentId, Round> taken_;  // by a client, which has not begun to compute
  std::map<std::pair<AgentId, Round>, std::vector<Vector>> answers_;  // by client and version
  std::optional<std::pair<AgentId, Round>> last_;                     // that the server took
  std::vector<std::pair<AgentId, Round>> used_;                       // since the last state
};

struct Method {
  std::string name, algorithm;
  std::function<std::unique_ptr<Formulas>(const Experiment&)> formulas;
  bool is_told = true;           // the reported age of what is used is that of the answer
  bool forgives_crashes = true;  // that lose what a client knows
};

template <class F>
std::unique_ptr<Formulas> made(const Experiment& experiment) {
  return std::make_unique<F>(experiment);
}

const std::vector<Method> methods_of_samples{
    {"fed_async", R"({"kind": "fed_async", "local_steps": 2, "client_step": 0.1, "mixing": 0.5, "proximal": 0.3,
                      "staleness": {"kind": "polynomial"}})",
     made<OfFedAsync>},
    {"fed_async in turn", R"({"kind": "fed_async", "local_steps": 2, "client_step": 0.1, "mixing": 0.5,
                              "proximal": 0.3, "staleness": {"kind": "polynomial"}, "assignment": "cyclic"})",
     made<OfFedAsync>},
    {"fed_buff", R"({"kind": "fed_buff", "local_steps": 2, "client_step": 0.1, "server_step": 0.7, "buffer": 2})",
     made<OfFedBuff>},
    {"async_gradient", R"({"kind": "async_gradient", "step": 0.1, "rule": "adaptive", "smoothness": 4,
                           "concurrency": 2, "assignment": "random"})",
     made<OfAsyncGradient>},
    {"piag", R"({"kind": "piag", "rule": "fixed", "step": 0.05})", made<OfPiag>, false},
    {"dave_pg by differences", R"({"kind": "dave_pg", "step": 0.3, "repetitions": 2, "send": "difference"})",
     made<OfDavePg>, true, false},
    {"dave_pg by whole vectors", R"({"kind": "dave_pg", "step": 0.3, "repetitions": 2, "send": "whole"})",
     made<OfDavePg>},
    {"async_admm", R"({"kind": "async_admm", "penalty": 0.1, "least": 1})", made<OfAsyncAdmm>},
    {"async_admm with a bound", R"({"kind": "async_admm", "penalty": 0.1, "least": 2, "max_delay": 6})",
     made<OfAsyncAdmm>}};

}  // namespace

TEST_CASE("every state of an asynchronous server is its formula of the answers used and the versions they are from") {
  for (const Method& method : methods_of_samples)
    for (const auto& [world, changes] : worlds_of_servers())
      for (const int seed : {1, 2}) {
        CAPTURE(method.name, world, seed);
        if (!method.forgives_crashes && (world == "crashes" || world == "all of it")) continue;
        const Experiment experiment = experiment_of(base_of_servers, method.algorithm, changes, seed);
        const auto formulas = method.formulas(experiment);
        CHECK(Replay(*formulas, method.is_told).follow(story_of(experiment)) == 401);
      }
}

namespace {

/// Blocks of features: what each worker reports must be a step from the server's sum of the answers that it had used.
class OfBlocks {
 public:
  explicit OfBlocks(const Experiment& experiment) : problem_(experiment.problem) {
    const auto starts = starts_by_agent(experiment.partition, experiment.traits);
    const Matrix all = problem_.X->dense();
    for (std::size_t j = 0; j + 1 < starts.size(); ++j) {
      A_.push_back(all.middleCols(starts[j], starts[j + 1] - starts[j]));
      theta_.push_back(Vector::Zero(A_.back().cols()));
      q_.push_back(Vector::Zero(all.rows()));
    }
    z_ = {Vector::Zero(all.rows())};
  }

  void follow(const Story& story) {
    for (const Step& step : story.steps) {
      const AgentId j = step.agent;
      if (j == 0) {
        if (step.kind == Step::Kind::used) use(step);
        continue;
      }
      if (step.kind == Step::Kind::took) taken_[j] = step.round;
      if (step.kind == Step::Kind::restarted) {
        taken_.erase(j);
        theta_[j].setZero();
      }
      if (step.kind == Step::Kind::computed && taken_.contains(j)) compute(j);
      if (step.kind == Step::Kind::reported)
        CHECK((step.parts.at(0) - theta_[j]).norm() <= rounding_of_replays * (1 + theta_[j].norm()));
    }
  }
  std::size_t versions() const { return z_.size(); }

 private:
  void compute(AgentId j) {
    const Round version = taken_[j];
    taken_.erase(j);
    constexpr double gamma = 0.2;
    const Vector slope = (z_.at(std::size_t(version)) - problem_.y) / static_cast<double>(problem_.y.size());
    theta_[j] = problem_.regularizer->prox(theta_[j] - gamma * (A_[j].transpose() * slope), gamma);
    answers_[{j, version}] = A_[j] * theta_[j];
  }
  void use(const Step& step) {
    const Round version = std::ssize(z_) - 1 - step.amount;
    const auto found = answers_.find({step.peer, version});
    REQUIRE(found != answers_.end());
    q_[step.peer] = found->second;
    Vector sum = Vector::Zero(z_[0].size());  // and not z + q - q_j: z must be this sum at all times
    for (const Vector& one : q_) sum += one;
    z_.push_back(sum);
  }

  Problem problem_;
  std::vector<Matrix> A_;      // by agent       (n x d_j)
  std::vector<Vector> theta_;  // by agent       (d_j)
  std::vector<Vector> q_;      // by agent       (n)
  std::vector<Vector> z_;      // by version     (n)
  std::map<AgentId, Round> taken_;
  std::map<std::pair<AgentId, Round>, Vector> answers_;  // by worker and version
};

}  // namespace

TEST_CASE(
    "every block of asynchronous coordinate blocks is a step from the sum of all answers that were used by then") {
  Json base = Json::parse(base_of_servers);
  base.erase("partition");
  base["data"]["features"] = 9;
  for (const auto& [world, changes] : worlds_of_servers())
    for (const int seed : {1, 2}) {
      CAPTURE(world, seed);
      const Experiment experiment =
          experiment_of(base.dump().c_str(), R"({"kind": "async_blocks", "step": 0.2})", changes, seed);
      OfBlocks blocks(experiment);
      blocks.follow(story_of(experiment));
      CHECK(blocks.versions() == 401);
    }
}

}  // namespace lagnet::replayed_servers_test
