#include "algorithms/federated/scaffold.hpp"

#include "algorithms/federated/fed_avg.hpp"

namespace lagnet {

Task<> Scaffold::serve(Agent& me) const {
  StateVector w = clients().start(me);  // the model                        (d)
  StateVector c = me.vector(d());       // control variate, sum_k pi_k c_k  (d)
  auto request = [&] { return joined_payload(w, c); };
  auto average = [&](std::span<const Message> changes) {  // dx_k = x_k - w, dc_k             (2 d each)
    clients().add_mean(changes, eta_s(), w);
    for (const Message& of_k : changes) c += clients().pi(of_k.from) * part_of(of_k.body, 1, d());
  };
  co_await serve_rounds(me, request, average, w, c);
}

Task<> Scaffold::train(Agent& me) const {
  const RowBlock& samples = clients().samples(me.id());
  StateVector c_k = me.vector(d());  // own control variate, kept between rounds   (d)
  return train_rounds(me, [&samples, c_k, this](const Message& request, const Minibatches& batches) mutable {
    const VectorView w = part_of(request.body, 0, d()), c = part_of(request.body, 1, d());
    StateVector x = w, dc;  // own model, the change of c_k                (d)
    for (Index j = 0; j < E(); ++j)
      x -= eta_c() * (samples.gradient(loss(), x, batches.of_step(j)) + *regularizer().subgradient(x) - c_k + c);
    const StateVector dx = x - w;
    if (control_ == ControlVariate::local_path)
      dc = -c - dx / (static_cast<double>(E()) * eta_c());  // option II, c_k^+ = c_k - c + (w - x)/(E eta_c)
    else
      dc = samples.gradient(loss(), Vector(w), batches.of_step(E())) - c_k;  // option I
    c_k += dc;
    Vector answer(2 * d());
    answer << dx, dc;
    return answer;
  });
}

Cost Scaffold::own_work(Round) const {
  const Cost update = vector_work(4 * d() + regularizer().subgradient_flops(d()), 5);
  const Cost changes = control_ == ControlVariate::local_path ? vector_work(5 * d(), 8) : vector_work(3 * d(), 6);
  return times(E(), update) + changes;
}

Cost Scaffold::server_work(std::size_t answers) const {
  const auto m = static_cast<Index>(answers);
  return vector_work(4 * m * d(), 2 * (m + 2));
}

Scaffold::Scaffold(const ScaffoldOptions& options, MethodInput given)
    : AveragingMethod(options, std::move(given)), control_(options.control) {
  need_subgradient(problem(), ScaffoldOptions::kind);
}

std::vector<std::string> Scaffold::remarks(const RunCounts& counts) const {
  std::vector<std::string> all = FederatedMethod::remarks(counts);
  if (counts.missing > 0)
    all.push_back("where an answer was missed, the control variate c is no longer the mean of the c_k");
  return all;
}

}  // namespace lagnet
