#include "algorithms/hybrid/hyfdca_state.hpp"

#include <algorithm>
#include <iterator>

#include "algorithms/interface/flush_subnormals.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

/// whole[place] += part, entry by entry.
void add_at(const std::vector<Index>& places, const Vector& part, Vector& whole) {
  for (std::size_t j = 0; j < places.size(); ++j) whole[places[j]] += part[static_cast<Index>(j)];
}

/// whole[place] = part, entry by entry.
void put_at(const std::vector<Index>& places, VectorRef part, Vector& whole) {
  for (std::size_t j = 0; j < places.size(); ++j) whole[places[j]] = part[static_cast<Index>(j)];
}

void check_size(const Payload& sent, Index expected) {
  LAGNET_CHECK(sent.size() == expected, "{} numbers of the server in place of {}", sent.size(), expected);
}

StateVector zeros(Index size, bool timing_only) {
  return timing_only ? StateVector::of_size(size) : StateVector::zeros(size);
}

}  // namespace

std::int64_t CipherTotals::note(Tally encryptions, Tally decryptions, std::int64_t additions) {
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

HyfdcaServer::HyfdcaServer(const Cells& all, double scaling, Encrypt what, CipherCosts of_ciphers, bool timing_only)
    : cells(all),
      scale(scaling),
      w0(zeros(all.features(), timing_only)),
      a0(zeros(all.samples(), timing_only)),
      p(zeros(all.samples(), timing_only)),
      hat(1),
      ip(1),
      encrypted(what),
      ciphers(of_ciphers) {
  std::vector<bool> is_held(static_cast<std::size_t>(all.features()), false);
  for (AgentId k = 1; k <= static_cast<AgentId>(all.clients()); ++k) {
    hat.emplace_back(zeros(all.of(k).m(), timing_only));
    ip.emplace_back(zeros(all.of(k).n(), timing_only));
    hats += all.of(k).m();
    for (const Index j : all.of(k).features) {
      additions += is_held[static_cast<std::size_t>(j)];
      is_held[static_cast<std::size_t>(j)] = true;
    }
  }
}

void HyfdcaServer::store_products(AgentId client, const RowSet& rows, VectorRef products) {
  if (rows.is_all())
    ip[client] = products;
  else
    put_at(rows.listed(), products, ip[client]);
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

void HyfdcaServer::drop_silent(const std::vector<AgentId>& asked, const std::vector<Message>& answers) {
  if (answers.size() == asked.size()) return;
  std::vector<AgentId> answered, silent;  // ascending: answers are in the order of their senders
  for (const Message& answer : answers) answered.push_back(answer.from);
  std::ranges::set_difference(asked, answered, std::back_inserter(silent));
  std::erase_if(present, [&](AgentId k) { return std::ranges::binary_search(silent, k); });
}

Index HyfdcaServer::additions_for(const std::vector<Index>& samples) const {
  Index count = 0;
  for (const Index i : samples) count += additions_for(i);
  return count;
}

HyfdcaClient::HyfdcaClient(const CellBlock& held, Encrypt what, bool timing_only)
    : cells(held),
      a(zeros(held.n(), timing_only)),
      w(zeros(held.m(), timing_only)),
      p(zeros(held.n(), timing_only)),
      norms(zeros(held.n(), timing_only)),
      hat(zeros(held.m(), timing_only)),
      encrypted(what) {}

void HyfdcaClient::multiply(const RowSet& rows, Eigen::Ref<Vector> ip) const {
  if (rows.is_all()) return cells.scores_into(ip, w);
  const std::vector<Index>& listed = rows.listed();
  for (std::size_t j = 0; j < listed.size(); ++j) ip[static_cast<Index>(j)] = cells.slices.score(listed[j], w);
}

Cost HyfdcaClient::product_work(const RowSet& rows) const {
  return cells.product_work(rows.is_all() ? cells.entries : cells.entries_of(rows.listed()));
}

void HyfdcaClient::take_w(const Payload& sent) {
  check_size(sent, cells.m());
  if (sent.has_numbers()) w = sent.view();
}

void HyfdcaClient::take_norms(const Payload& sent) {
  check_size(sent, cells.n());
  if (sent.has_numbers()) norms = sent.view();
}

void HyfdcaClient::take_duals(const Payload& sent, const std::vector<Index>& rows) {
  check_size(sent, std::ssize(rows));
  if (sent.has_numbers()) put_at(rows, sent.view(), a);
}

void HyfdcaClient::take_products(const Payload& sent, const RowSet& rows) {
  check_size(sent, rows.size());
  if (sent.has_numbers()) set_products(sent.view(), rows);
}

void HyfdcaClient::set_products(VectorRef sums, const RowSet& rows) {
  if (rows.is_all())
    p = sums;
  else
    put_at(rows.listed(), sums, p);
}

}  // namespace lagnet
