#include "algorithms/federated/bases/local_work.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lagnet {

LocalWork::LocalWork(const LocalWorkOptions& options, const MethodInput& given, const Clients& clients)
    : options_(options), steps_(options.local_steps.value_or(1)), given_(given), clients_(clients) {
  const std::size_t m = clients.agents().size();
  if (const auto entries = counts().entries(); entries && *entries != m)
    throw Diagnosed(options.local_epochs ? "local_epochs" : "local_steps",
                    fmt::format("{} entries, one for each client", m), fmt::format("{}", *entries));
}

Index LocalWork::of_each(AgentId client) const {
  return options_.local_epochs ? Minibatches::steps_of_epoch(clients_.samples(client).rows(), options_.batch) : 1;
}

Minibatches::Below LocalWork::below(const Agent& me, Purpose purpose, Round round) const {
  if (given_.compression_draws) {
    CompressionDraws draws(given_.compression_draws, me.id(), round);
    return [draws](std::uint64_t n) mutable {
      return static_cast<std::uint64_t>(draws.uniform() * static_cast<double>(n));
    };
  }
  return [draws = me.draws(purpose, round)](std::uint64_t n) mutable { return draws.below(n); };
}

Index LocalWork::steps(const Agent& me, Round round) const {
  const Minibatches::Below number = below(me, Purpose{"local_steps"}, round);
  return counts().at(me.id() - clients_.agents().front(), round, number) * of_each(me.id());
}

Minibatches LocalWork::minibatches(const Agent& me, Round round, Index more) const {
  const RowBlock& samples = clients_.samples(me.id());
  const auto order = options_.local_epochs ? BatchOrder::reshuffle : BatchOrder::independent;
  const bool matter = !me.timing_only() || samples.is_sparse();  // the rows of a sparse batch make its work
  const auto sample = matter ? below(me, Purpose{"minibatch"}, round) : Minibatches::Below();
  return {samples.rows(), options_.batch, steps(me, round) + more, sample, options_.batch_order.value_or(order)};
}

Index LocalWork::most_steps() const {
  Index most = 0;
  for (std::size_t k = 0; k < clients_.agents().size(); ++k)
    most = std::max(most, counts().most(k) * of_each(clients_.agents()[k]));
  return most;
}

bool LocalWork::is_even() const {
  const auto all = clients_.agents();
  const auto* lists = std::get_if<RoundCounts::Lists>(&counts().given());
  return !options_.is_drawn() &&
         std::ranges::all_of(all, [&](AgentId k) { return of_each(k) == of_each(all.front()); }) &&
         (!lists || std::ranges::all_of(*lists, [&](const auto& of_client) {
           return std::ranges::all_of(of_client, [&](std::int64_t n) { return n == lists->front().front(); });
         }));
}

Remarks LocalWork::warnings() const {
  constexpr double many = 1e8;
  double most = 0;  // indices of a round's batches, of one client
  for (std::size_t k = 0; k < clients_.agents().size(); ++k) {
    const AgentId client = clients_.agents()[k];
    const Index n_k = clients_.samples(client).rows();
    if (!options_.batch || *options_.batch >= n_k) continue;
    const double count = static_cast<double>(counts().most(k));
    most = std::max(most, count * static_cast<double>(options_.local_epochs ? n_k : *options_.batch));
  }
  if (most <= many) return {};
  return {{"many_batches",
           {{"indices", most}},
           fmt::format("the minibatches of a client's round list up to {:.3g} samples, 8 bytes each", most)}};
}

}  // namespace lagnet
