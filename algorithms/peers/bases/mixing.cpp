#include "algorithms/peers/bases/mixing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

/// The smallest K of at least 1 with rho^K <= target, for rho < 1 and 0 < target < 1.
Index rounds_for(double rho, double target) {
  if (rho <= target) return 1;
  auto rounds = static_cast<Index>(std::ceil(std::log(target) / std::log(rho)));
  while (rounds > 1 && std::pow(rho, static_cast<double>(rounds - 1)) <= target) --rounds;
  while (std::pow(rho, static_cast<double>(rounds)) > target) ++rounds;
  return rounds;
}

/// Rounding leaves this much of an eigenvalue that is 0.
constexpr double eigenvalue_rounding = 1e-12;

}  // namespace

Mixing::Mixing(const MixingOptions& options, const NetworkFacts& network)
    : rows_(network.gossip),
      of_rounds_(network.round_weights),
      turns_(network.turns),
      W_(network.W),
      lowest_(network.gossip_lowest) {
  if (network.agents == 1) return;
  if (of_rounds_) {
    if (options.target)
      throw Diagnosed("gossip_target", "gossip_rounds, since one graph of those in turn, whose rho is 1, unites nobody",
                      fmt::format("{}", *options.target));
    if (options.acceleration == GossipAcceleration::chebyshev)
      throw Diagnosed("acceleration", "none, since rounds mix with weights of their own", "chebyshev");
    rounds_ = Index{options.rounds.value_or(1)};
    lowest_ = of_rounds_->lowest;
    rho_ = 1;
    return;
  }
  if (rows_.empty()) {  // of a fleet without numbers, in which nothing is mixed
    if (options.target)
      throw Diagnosed("gossip_target", "gossip_rounds, since W of a fleet is not computed with numerics off",
                      fmt::format("{}", *options.target));
    rounds_ = Index{options.rounds.value_or(1)};
    if (options.acceleration == GossipAcceleration::chebyshev) chebyshev_.emplace();
    return;
  }
  LAGNET_CHECK(std::ssize(rows_) == network.agents, "{} rows of a gossip matrix for {} agents", rows_.size(),
               network.agents);
  if (!(network.gossip_rho < 1))
    throw Diagnosed("kind", "a gossip matrix with |W - 11'/m| below 1, for an algorithm that mixes with it",
                    fmt::format("{}", network.gossip_rho));
  if (options.rounds && *options.rounds < 1)
    throw Diagnosed("gossip_rounds", "at least 1", fmt::format("{}", *options.rounds));
  if (options.target && !(*options.target > 0 && *options.target < 1))
    throw Diagnosed("gossip_target", "above 0 and below 1", fmt::format("{}", *options.target));
  if (options.acceleration == GossipAcceleration::chebyshev) {
    chebyshev_.emplace(network.gossip_lowest, network.gossip_second);
    rounds_ = options.target ? chebyshev_->rounds_for(*options.target) : Index{options.rounds.value_or(1)};
    if (chebyshev_->ends_at_mean()) rounds_ = 1;
    rho_ = chebyshev_->factor(rounds_);
    return;
  }
  rounds_ = options.target ? rounds_for(network.gossip_rho, *options.target) : Index{options.rounds.value_or(1)};
  rho_ = std::pow(network.gossip_rho, static_cast<double>(rounds_));
}

double Mixing::lowest() const {
  if (rounds_ == 0) return 1;
  if (chebyshev_) return -rho_;
  return rounds_ % 2 == 0 ? 0 : std::pow(lowest_, static_cast<double>(rounds_));
}

Remarks Mixing::semidefinite_warnings() const {
  if (chebyshev_ || lowest_ >= -eigenvalue_rounding || rounds_ % 2 == 0) return {};
  return {{"indefinite_gossip",
           {{"eigenvalue", lowest_}, {"rounds", rounds_}},
           fmt::format(
               "the gossip matrix W has the eigenvalue {:.6g}, and {} rounds of it, an odd number, leave a negative "
               "one: convergence is not guaranteed; take an even number or lazy_metropolis",
               lowest_, rounds_)}};
}

namespace {

void make_lazy(GossipRow& row) {
  row.own = (1 + row.own) / 2;
  for (double& weight : row.neighbors) weight /= 2;
}

}  // namespace

void make_lazy(NetworkFacts& network) {
  for (GossipRow& row : network.gossip) make_lazy(row);
  if (network.W) {
    SparseMatrix lazy(network.W->rows(), network.W->cols());
    lazy.setIdentity();
    lazy = (lazy + *network.W) / 2;
    network.W = std::make_shared<const SparseMatrix>(std::move(lazy));
  }
  network.gossip_lowest = (1 + network.gossip_lowest) / 2;
  network.gossip_second = (1 + network.gossip_second) / 2;
  if (network.agents > 1 && !network.gossip.empty()) network.gossip_rho = network.gossip_second;
  if (!network.round_weights) return;
  RoundWeights of_rounds = *network.round_weights;
  of_rounds.lowest = (1 + of_rounds.lowest) / 2;
  of_rounds.is_lazy = true;
  network.round_weights = std::make_shared<const RoundWeights>(std::move(of_rounds));
}

const GossipRow& OwnRows::next() {
  if (!of_rounds_ || me_.timing_only()) return gossip_row(rows_, me_);
  if (of_rounds_->W.empty())
    weigh_alike();
  else
    take_row(of_rounds_->W.at(turns_.of(me_.round())));
  if (of_rounds_->is_lazy) make_lazy(row_);
  return row_;
}

void OwnRows::weigh_alike() {
  const std::vector<bool> heard = me_.senders_of_round();
  row_.own = 1 / (1 + static_cast<double>(std::ranges::count(heard, true)));
  row_.neighbors.assign(heard.size(), 0.0);
  for (std::size_t k = 0; k < heard.size(); ++k)
    if (heard[k]) row_.neighbors[k] = row_.own;
}

void OwnRows::take_row(const SparseMatrix& W) {
  const std::span<const AgentId> senders = me_.in_neighbors();
  row_.own = 0;
  row_.neighbors.assign(senders.size(), 0.0);
  for (SparseMatrix::InnerIterator entry(W, me_.id()); entry; ++entry) {
    const auto from = static_cast<AgentId>(entry.row());  // symmetric: a column is a row
    const auto place = std::ranges::lower_bound(senders, from);
    if (from == me_.id())
      row_.own = entry.value();
    else if (place != senders.end() && *place == from)
      row_.neighbors[static_cast<std::size_t>(place - senders.begin())] = entry.value();
  }
}

const GossipRow& gossip_row(const std::vector<GossipRow>& rows, const Agent& me) {
  static const GossipRow none;
  if (me.timing_only() && rows.empty()) return none;
  LAGNET_CHECK(me.id() < rows.size(), "no row of W for agent {}", me.id());
  return rows[me.id()];
}

void add_absent(const Agent& me, const GossipRow& row, const Vector& own, Vector& mixed) {
  if (me.timing_only()) return;
  for (const std::uint32_t place : me.absent())
    if (row.neighbors[place] != 0) mixed += row.neighbors[place] * own;
}

// What is added and taken away again would leave its rounding, so the absent are left out.
double weight_of_present(const Agent& me, const GossipRow& row) {
  const auto absent = me.absent();
  double sum = 0;
  auto next = absent.begin();  // ascending, like the neighbors
  for (std::uint32_t k = 0; k < row.neighbors.size(); ++k)
    if (next != absent.end() && *next == k)
      ++next;
    else
      sum += row.neighbors[k];
  return sum;
}

Cost mixing_cost(const Agent& me, Index d) {
  const Index came = me.in_degree() - std::ssize(me.absent());
  return {(2 * came + 1) * d, Bytes{sizeof(double)} * (came + 2) * d};
}

Task<> Mixing::mix(Agent& me, StateVector& u) const {
  if (chebyshev_) return mix_accelerated(me, u);
  return mix_plainly(me, u);
}

// x_{k+1} = a W x_k + b x_k + c x_{k-1}, x_0 = u.
Task<> Mixing::mix_accelerated(Agent& me, StateVector& u) const {
  const GossipRow& w = gossip_row(rows_, me);
  StateVector last;  // x_{k-1}   (d)
  Chebyshev::Recursion recursion(*chebyshev_);
  for (Index k = 0; k < rounds_; ++k) {
    StateVector mixed = co_await me.neighbor_mix(u, w);  // W x_k, then x_{k+1}   (d)
    const auto [a, b, c] = recursion.next();
    const auto combine = [&] {
      mixed = a * mixed + b * u;
      if (k > 0) mixed += c * last;
    };
    const Index d = u.size(), vectors = k > 0 ? 5 : 3;
    co_await me.compute(mixing_cost(me, d) + Cost{vectors * d, Bytes{sizeof(double)} * vectors * d}, combine);
    last = std::move(u);
    u = std::move(mixed);
  }
}

Matrix Mixing::mixed(Matrix u) const {
  Matrix last;
  std::optional<Chebyshev::Recursion> recursion;
  if (chebyshev_) recursion.emplace(*chebyshev_);
  for (Index k = 0; k < rounds_; ++k) {
    Matrix next = *W_ * u;
    if (recursion) {
      const auto [a, b, c] = recursion->next();
      next = a * next + b * u;
      if (k > 0) next += c * last;
    }
    last = std::exchange(u, std::move(next));
  }
  return u;
}

Task<> Mixing::mix_plainly(Agent& me, StateVector& u) const {
  OwnRows rows(rows_, of_rounds_.get(), turns_, me);
  for (Index k = 0; k < rounds_; ++k) {
    const GossipRow& w = rows.next();
    StateVector mixed = co_await me.neighbor_mix(u, w);
    add_absent(me, w, u, mixed);
    u = std::move(mixed);
    co_await me.compute(mixing_cost(me, u.size()));
  }
}

}  // namespace lagnet
