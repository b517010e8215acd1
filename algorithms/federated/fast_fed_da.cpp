#include "algorithms/federated/fast_fed_da.hpp"

namespace lagnet {

/// What goes to and fro of the sums g and s, of which z = g - mu s / 2 is all that matters.
class FastFedDa::Codec {
 public:
  explicit Codec(const FastFedDa& method) : of_(method) {}
  virtual ~Codec() = default;

  virtual Vectors vectors() const = 0;
  // The sums: as they are at the start, what they amount to, and what local steps add to them.
  virtual StateVector start() const = 0;
  virtual StateVector z(const StateVector& sums) const = 0;
  virtual void add_gradient(StateVector& sums, Round t, const Vector& gradient,
                            const Vector& x) const = 0;                             // at x = x_t
  virtual void add_iterate(StateVector& sums, Round t, const Vector& x) const = 0;  // x_t
  // A request: the server's sums and model, and these as a client takes them up.
  virtual Payload encode(const StateVector& sums, const StateVector& w) const = 0;
  virtual void decode(const Message& request, StateVector& sums, Vector& w) const = 0;

 protected:
  double alpha(Round t) const { return of_.weights_.alpha(t); }
  double half_mu() const { return of_.mu_ / 2; }
  Index d() const { return of_.d(); }
  const FastFedDa& of_;
};

/// As the paper has them: g and s, one below the other, and w.
class FastFedDa::Literal final : public Codec {
 public:
  using Codec::Codec;
  Vectors vectors() const override { return {.request = 3, .answer = 2}; }
  StateVector start() const override {
    StateVector sums = StateVector::zeros(2 * d());
    sums.tail(d()) = alpha(0) * of_.clients().start();
    return sums;
  }
  StateVector z(const StateVector& sums) const override { return sums.head(d()) - half_mu() * sums.tail(d()); }
  void add_gradient(StateVector& sums, Round t, const Vector& gradient, const Vector&) const override {
    sums.head(d()) += alpha(t) * gradient;
  }
  void add_iterate(StateVector& sums, Round t, const Vector& x) const override { sums.tail(d()) += alpha(t) * x; }
  Payload encode(const StateVector& sums, const StateVector& w) const override { return joined_payload(sums, w); }
  void decode(const Message& request, StateVector& sums, Vector& w) const override {
    sums = request.body.view().head(2 * d());
    w = request.body.view().tail(d());
  }
};

/// v = g - mu s / 2 alone, s up to the iterate of the last gradient: the client finds w itself.
class FastFedDa::Lean final : public Codec {
 public:
  using Codec::Codec;
  Vectors vectors() const override { return {.request = 1, .answer = 1}; }
  StateVector start() const override { return StateVector::zeros(d()); }
  StateVector z(const StateVector& v) const override { return v; }
  void add_gradient(StateVector& v, Round t, const Vector& gradient, const Vector& x) const override {
    v += alpha(t) * (gradient - half_mu() * x);
  }
  void add_iterate(StateVector&, Round, const Vector&) const override {}  // the gradient there adds it
  Payload encode(const StateVector& v, const StateVector&) const override { return v; }
  void decode(const Message& request, StateVector& v, Vector& w) const override {
    const Round first = (request.round - 1) * of_.E();
    const Round past = first - missed_rounds(request) * of_.E();  // steps that w comes from
    v = request.body.view();
    w = past == 0 ? of_.clients().start() : of_.prox(past - 1, v);
    if (past < first) v -= (alpha(past) - alpha(first)) * half_mu() * w;  // w's weight in s
  }
};

Task<> FastFedDa::serve(Agent& me, SharedReveal revealed) const {
  StateVector w = clients().start(me);                   // the model                                    (d)
  StateVector sums = me.vector(vectors().answer * d());  // g and s, cumulative gradients and iterates, or v
  WeightedMean published;                                // of w
  Vector virtual_sum = me.vector(d());                   // of alpha_t times virtual iterates            (d)
  std::vector<Message> answers;                          // g_k and s_k, or v_k
  Round r = 0, made_in = 0;                              // w is the model at the start of that round
  if (!me.timing_only()) sums = codec_->start();

  auto average = [&] {
    if (!clients().have_weight(answers)) return;
    const Round t = (r + 1) * E() - 1;
    sums.setZero();
    clients().add_mean(answers, 1, sums);
    w = prox(t, codec_->z(sums));
    codec_->add_iterate(sums, t + 1, w);
    published.add(weights_.alpha(t), w);
    if (revealed) add_virtual(virtual_sum, r, answers, *revealed);
  };
  auto report = [&](Round rounds) {
    const Vector average_w = published.or_else(w);
    if (!revealed) return me.report(rounds, w, average_w);
    me.report(rounds, w, average_w, published.weight > 0 ? Vector(virtual_sum / weights_.A(rounds * E() - 1)) : w);
  };

  report(0);
  for (r = 0; r < rounds(); ++r) {
    const Payload request = codec_->encode(sums, w);
    answers = co_await ask(me, r + 1, request, missed_rounds(r - made_in));
    if (!answers.empty()) co_await me.compute(server_work(answers.size()), average);
    if (clients().have_weight(answers)) made_in = r + 1;
    report(r + 1);
  }
}

Task<> FastFedDa::train(Agent& me, SharedReveal revealed) const {
  const AgentId k = me.id();
  const RowBlock& samples = clients().samples(k);
  return train_rounds(me, [k, &samples, revealed, this](const Message& request, const Minibatches& batches) {
    StateVector sums;  // own g_k and s_k, or v_k  (2 d, or d)
    Vector x;          // own model                 (d)
    Matrix z_k(d(), revealed ? E() : 0);
    codec_->decode(request, sums, x);
    for (Index j = 0; j < E(); ++j) {
      const Round t = (request.round - 1) * E() + j;
      codec_->add_gradient(sums, t, samples.gradient(loss(), x, batches.of_step(j)), x);
      if (revealed) z_k.col(j) = codec_->z(sums);
      if (j == E() - 1) break;
      x = prox(t, codec_->z(sums));
      codec_->add_iterate(sums, t + 1, x);
    }
    if (revealed) revealed->show(k, std::move(z_k));
    return sums;
  });
}

Vector FastFedDa::prox(Round t, VectorRef z) const {
  const double A = weights_.A(t), B = mu_ * A / 2 + gamma_;
  const StateVector v = (gamma_ * clients().start() - z) / B;
  return prox_in_ball(regularizer(), v, A / B, rho_);
}

void FastFedDa::add_virtual(Vector& sum, Round r, std::span<const Message> answers, const Reveal& revealed) const {
  const std::vector<double> q = clients().weights(answers);
  for (Index j = 0; j < E(); ++j) {
    const Round t = r * E() + j;
    Vector z = Vector::Zero(d());
    for (std::size_t k = 0; k < answers.size(); ++k) z += q[k] * revealed.shown_by(answers[k].from).col(j);
    sum += weights_.alpha(t) * prox(t, z);
  }
}

void FastFedDa::spawn(Host& host) const {
  SharedReveal revealed;
  if (output_ == FastOutput::virtual_average) revealed = std::make_shared<Reveal>(agents());
  spawn_server_and(
      host, clients().agents(), [=, this](Agent& me) { return serve(me, revealed); },
      [=, this](Agent& me) { return train(me, revealed); });
}

Evaluation FastFedDa::evaluate(Round, RoundReport report, const ErrorScale&) const {
  const Vector& w = report[server_agent][static_cast<std::size_t>(output_)];
  return {.iterate = w, .objective = clients().objective(problem(), w), .metrics = {}};
}

Cost FastFedDa::own_work(Round round) const {
  const Flops c_prox = prox_in_ball_flops(regularizer(), d(), rho_);
  if (vectors().answer == 2)
    return times(E(), vector_work(2 * d(), 3)) + times(E() - 1, vector_work(7 * d() + c_prox, 10));
  const Index proxes = round == 1 ? E() - 1 : E();
  return times(E(), vector_work(4 * d(), 4)) + times(proxes, vector_work(3 * d() + c_prox, 5));
}

Cost FastFedDa::server_work(std::size_t answers) const {
  const auto m = static_cast<Index>(answers);
  const Index sums = vectors().answer;
  return vector_work(2 * m * d() * sums + prox_in_ball_flops(regularizer(), d(), rho_), sums * (m + 2) + 4);
}

FederatedMethod::Vectors FastFedDa::vectors() const { return codec_->vectors(); }

FastFedDa::FastFedDa(const FastFedDaOptions& options, MethodInput given)
    : FederatedMethod(FastFedDaOptions::kind, {options.local_steps, options.batch, options.weights}, std::move(given)),
      mu_(options.mu),
      gamma_(options.gamma),
      weights_(options.alpha, options.a),
      rho_(checked_radius(options.rho)),
      output_(options.output) {
  if (options.messages == Messages::lean)
    codec_ = std::make_unique<Lean>(*this);
  else
    codec_ = std::make_unique<Literal>(*this);
}

FastFedDa::~FastFedDa() = default;

std::vector<Constant> FastFedDa::constants() const {
  return {{"E", static_cast<double>(E())}, {"mu", mu_}, {"gamma", gamma_}, {"alpha_0", weights_.alpha(0)}};
}

std::optional<Bytes> FastFedDa::memory() const {
  const bool reveals = output_ == FastOutput::virtual_average;
  return *FederatedMethod::memory() + (reveals ? Bytes{sizeof(double)} * agents() * d() * E() : 0);
}

}  // namespace lagnet
