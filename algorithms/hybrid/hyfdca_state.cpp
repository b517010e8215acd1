#include "algorithms/hybrid/hyfdca_state.hpp"

#include <algorithm>

#include "algorithms/interface/flush_subnormals.hpp"

namespace lagnet {

namespace {

/// whole[place] += part, entry by entry.
void add_at(const std::vector<Index>& places, const Vector& part, Vector& whole) {
  for (std::size_t j = 0; j < places.size(); ++j) whole[places[j]] += part[static_cast<Index>(j)];
}

}  // namespace

std::int64_t CipherTotals::note(CipherShare encryptions, CipherShare decryptions, std::int64_t additions) {
  CipherCosts alone = each_;
  alone.cores = 1;
  serial_ += alone.time(alone.encrypt, encryptions.all) + alone.time(alone.decrypt, decryptions.all) +
             alone.time(alone.add, additions);
  parallel_ += each_.time(each_.encrypt, encryptions.most) + each_.time(each_.decrypt, decryptions.most) +
               each_.time(each_.add, additions);
  totals_[0] += static_cast<double>(encryptions.all);
  totals_[1] += static_cast<double>(decryptions.all);
  totals_[2] += static_cast<double>(additions);
  totals_[3] = serial_.in_seconds();
  totals_[4] = parallel_.in_seconds();
  return additions;
}

HyfdcaServer::HyfdcaServer(const Cells& all, double scaling, CipherCosts of_ciphers)
    : cells(all),
      scale(scaling),
      w0(Vector::Zero(all.features())),
      a0(Vector::Zero(all.samples())),
      hat(1),
      ip(1),
      p(Vector::Zero(all.samples())),
      ciphers(of_ciphers) {
  for (AgentId k = 1; k <= static_cast<AgentId>(all.clients()); ++k) {
    hat.emplace_back(Vector::Zero(all.of(k).m()));
    ip.emplace_back(Vector::Zero(all.of(k).n()));
    hats += all.of(k).m();
  }
}

void HyfdcaServer::store_products(AgentId client, VectorRef products, const CellIteration* selected) {
  if (!selected) {
    ip[client] = products;
    return;
  }
  const std::vector<Index>& active = selected->part(client).active;
  for (std::size_t j = 0; j < active.size(); ++j) ip[client][active[j]] = products[static_cast<Index>(j)];
}

void HyfdcaServer::aggregate() {
  w0.setZero();
  for (AgentId k = 1; k < hat.size(); ++k) add_at(cells.of(k).features, hat[k], w0);
  w0 *= scale;
}

Cost HyfdcaServer::aggregation_work() const {
  const Index M = w0.size();
  return {hats + M, Bytes{sizeof(double)} * (hats + 2 * M)};
}

void HyfdcaServer::add_products() {
  p.setZero();
  for (AgentId k = 1; k < ip.size(); ++k) add_at(cells.of(k).samples, ip[k], p);
}

void HyfdcaServer::change_duals(AgentId client, VectorRef changes, const CellIteration& now) {
  const std::vector<Index>&picks = now.part(client).picks, &samples = cells.of(client).samples;
  for (std::size_t j = 0; j < picks.size(); ++j) {
    double& a = a0[samples[static_cast<std::size_t>(picks[j])]];
    a = without_dust(a + changes[static_cast<Index>(j)]);
  }
}

Index HyfdcaServer::additions_for(const std::vector<Index>& samples) const {
  Index count = 0;
  for (const Index i : samples) count += std::ssize(cells.holders(i)) - 1;
  return count;
}

HyfdcaClient::HyfdcaClient(const CellBlock& held)
    : cells(held), a(Vector::Zero(held.n())), w(Vector::Zero(held.m())), p(Vector::Zero(held.n())) {}

void HyfdcaClient::multiply(const std::vector<Index>* some, Eigen::Ref<Vector> ip) const {
  if (!some) return cells.scores_into(ip, w);
  for (std::size_t j = 0; j < some->size(); ++j) ip[static_cast<Index>(j)] = cells.slices.score((*some)[j], w);
}

void HyfdcaClient::set_duals(VectorRef values, const std::vector<Index>& places) {
  for (std::size_t j = 0; j < places.size(); ++j) a[places[j]] = values[static_cast<Index>(j)];
}

void HyfdcaClient::set_products(VectorRef sums, const std::vector<Index>* some, const std::vector<Index>* used) {
  if (some)
    for (std::size_t j = 0; j < some->size(); ++j) p[(*some)[j]] = sums[static_cast<Index>(j)];
  else if (used)
    for (const Index row : *used) p[row] = sums[row];
  else
    p = sums;
}

}  // namespace lagnet
