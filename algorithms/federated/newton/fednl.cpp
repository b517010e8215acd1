#include "algorithms/federated/newton/fednl.hpp"

#include <limits>
#include <utility>
#include <vector>

#include "sim/numerics/decompositions.hpp"

namespace lagnet {

Task<> FedNl::serve(Agent& me) const {
  StateVector x = clients().start(me);  // the model                                      (d)
  StateVector H = me.vector(q());       // mean of the clients' estimates                 (q)
  StateVector p = me.vector(d());       // direction                                      (d)
  StateVector share = me.vector(1);     // of it, that is taken                           (1)
  StateVector mean;                     // of all that clients send: g, S, l, and the H_k (numbers_up)
  std::vector<Message> answers, values;
  Round t = 0;

  auto direct = [&] {
    take_mean(answers, mean);
    if (sends_hessian(t)) H = mean.tail(q());
    p = direction(H, mean.head(d()), raises() ? 0 : mean[d() + q()]);
  };
  auto move = [&] {
    share[0] = share_of(values, mean.head(d()), p);
    x -= share[0] * p;                             // (2), (3)
    H += options_.alpha * mean.segment(d(), q());  // (4)
  };

  const Cost work_of_move(2 * q() + 2 * d(), Bytes{sizeof(double)} * 3 * (q() + d()));

  report(me, 0, x, share);
  for (t = 1; t <= rounds(); ++t) {
    mean = me.vector(numbers_up(t));
    answers = co_await ask(me, t, x, Question::gradient);
    co_await me.compute(direction_work(std::ssize(answers), t), direct);
    if (searches()) values = co_await ask_again(me, t, p, Question::values);
    co_await me.compute(work_of_move, move);
    report(me, t, x, share);
  }
}

Task<> FedNl::train(Agent& me) const {
  const SmoothPart part = part_of_client(me.id());
  const OwnFunction f = function_of_client(me.id());
  StateVector x = me.vector(d());     // the model                          (d)
  StateVector g = x;                  // grad f_k(x)                        (d)
  StateVector H = me.vector(q());     // own estimate of the Hessian        (q)
  StateVector S = H;                  // what is sent of its error          (q)
  StateVector l = me.vector(1);       // its size                           (1)
  StateVector at_steps = values(me);  // f_k(x) and along the direction     (1 + 10)
  Message request;                    // x, or p
  CompressionDraws u;

  auto learn = [&] {
    x = request.body.view();
    g = part.gradient(x);
    S = packed(f.hessian(scores_for_hessian(f, x)));
    if (sends_hessian(request.round)) H = S;
    S -= H;  // (1)
    if (!raises()) l[0] = frobenius_norm(S, d());
    Q_(S, u);
    H += options_.alpha * S;  // (1)
  };
  auto evaluate = [&] { at_steps = values_along(f, x, request.body.view()); };
  const Cost of_matrices(3 * q() + Q_.flops() + (raises() ? 0 : 2 * d() * d()), Bytes{sizeof(double)} * 8 * q());
  const Cost work = part.gradient_work() + hessian_work(f) + of_matrices;

  for (;;) {
    request = co_await next_request(me);
    if (request.tag == Question::values) {
      co_await me.compute(values_work(f), evaluate);
      me.answer(request, at_steps, Question::values);
      continue;
    }
    u = Q_.draws(me, request.round);
    co_await me.compute(work, learn);
    const StateVector none = me.vector(0);
    const StateVector& error = raises() ? none : l;
    const StateVector& start = sends_hessian(request.round) ? H : none;
    const Bytes number = me.bytes_per_scalar();
    const Bytes bytes = number * (d() + error.size() + start.size()) + Q_.bytes(number);
    me.answer(request, Payload::as_encoding(Payload::joined(g, S, error, start), bytes));
  }
}

Vector FedNl::direction(VectorRef H, VectorRef g, double l) const {
  Matrix A = unpacked(H, d());
  if (!raises()) {
    A.diagonal().array() += l;
    return newton_direction(A, g);
  }
  if (!H.allFinite()) return Vector::Constant(d(), std::numeric_limits<double>::quiet_NaN());
  const SymmetricEigen eigen = symmetric_eigen(A);
  const Vector along = (eigen.vectors.transpose() * g).cwiseQuotient(eigen.values.cwiseMax(mu_));
  return eigen.vectors * along;
}

/// The means at 2 flops a number of g, S and the first H_k; eigenvalues with their vectors at 9 d^3 and two products
/// with these, or a factor of H + l I and a solution.
Cost FedNl::direction_work(Index answers, Round t) const {
  const Index d = this->d(), numbers = d + q() + (sends_hessian(t) ? q() : 0);
  const Flops solution = raises() ? 9 * d * d * d + 4 * d * d : cholesky_flops(d) + solution_flops(d) + d;
  return {2 * answers * numbers + solution, Bytes{sizeof(double)} * ((answers + 1) * numbers + 2 * d * d)};
}

FedNl::FedNl(const FedNlOptions& options, MethodInput given)
    : SecondOrderMethod(FedNlOptions::kind, FedNlOptions::traits, std::move(given),
                        options.line_search ? StepLadder{.factor = 0.5, .slope = 0.5, .count = 10} : StepLadder{}),
      options_(options),
      Q_(make_compressor(options.compressor, d()), this->given()) {
  if (raises()) {
    mu_ = options.mu.value_or(b());
    if (!options.mu && b() == 0) throw Diagnosed("mu", "above 0, since no l2 regularizer gives it a value", "null");
    if (mu_ == 0 && b() == 0) throw Diagnosed("mu", "above 0, or an l2 regularizer", "0");
    add_constant("mu", mu_);
  }
  add_constant("alpha", options.alpha);
  add_constant("delta", delta_of_matrices(Q_.compressor(), options.compressor, d()));
}

/// And of each client the estimate, what is sent of its error, and the message; at the server matrices of eigenvectors.
std::optional<Bytes> FedNl::memory() const {
  return *SecondOrderMethod::memory() + Bytes{sizeof(double)} * (3 * agents() * q() + 3 * d() * d());
}

}  // namespace lagnet
