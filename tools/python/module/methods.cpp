#include "tools/python/module/methods.hpp"

#include <fmt/format.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <utility>
#include <vector>

#include "algorithms/federated/bases/federated.hpp"
#include "algorithms/interface/proximal_map.hpp"
#include "algorithms/peers/bases/mixing.hpp"
#include "algorithms/peers/bases/peers.hpp"
#include "scenarios/format/kinds/python_method.hpp"
#include "sim/base/diagnostic.hpp"
#include "tools/python/module/drive.hpp"
#include "tools/python/module/held.hpp"
#include "tools/python/module/instances.hpp"

namespace lagnet::python {

namespace py = pybind11;

namespace {

/// Throws Diagnosed for what a section says otherwise than its class.
void check_facts(const PythonOptions& options, const py::dict& facts) {
  const auto check = [&](const char* key, const std::string& said) {
    if (const std::string is = py::str(facts[key]); is != said)
      throw Diagnosed(key, fmt::format("{}, as {} has it", is, class_called(options.name)), said);
  };
  const auto word = [](bool yes) { return yes ? "True" : "False"; };
  check("roles", std::string(spelled(options.roles)));
  check("asynchronous", word(options.asynchronous));
  check("keeps_constraint", word(options.keeps_constraint));
  check("smooth_by", std::string(spelled(options.smooth_by)));
}

/// Throws Diagnosed for a part of the regularizer that the class leaves out. `takes`: "none", "smooth", "rest",
/// "all".
void check_regularizer(const PythonOptions& options, const std::string& takes, const Problem& problem) {
  PythonOptions split = options;
  split.smooth_by = SmoothBy::gradient;
  const bool has_smooth = part_of_every_f(problem, split.traits()) != nullptr;
  const bool has_rest = !is_zero(*with_the_rest(problem, split.traits()).regularizer);
  const auto refuse = [&](const char* call, const char* left_out) {
    throw Diagnosed("class",
                    fmt::format("a class that calls {}, or that says regularizers = \"all\" since it computes with the "
                                "regularizer itself; or a problem without",
                                call),
                    fmt::format("{}, which leaves out {}", class_called(options.name), left_out));
  };
  const char* const prox = "me.prox(u, step)";
  if (has_rest && takes != "rest" && takes != "all") refuse(prox, "the regularizer");
  if (has_smooth && takes != "smooth" && takes != "all")
    refuse(options.smooth_by == SmoothBy::prox ? prox
                                               : "me.gradient(x) and not with regularizer=False, or me.prox(u, step) "
                                                 "with smooth_by = \"prox\" in the class",
           "the smooth regularizer");
}

class PythonPeers final : public PeerAlgorithm {
 public:
  PythonPeers(const PythonOptions& options, MethodInput given, py::object method)
      : PeerAlgorithm(std::move(given), PythonOptions::kind, options.traits()),
        method_(std::move(method)),
        reports_(!options.asynchronous),
        P_(with_the_rest(this->given().problem, options.traits()), PythonOptions::kind),
        mixing_(MixingOptions{}, this->given().network) {
    const auto m = static_cast<AgentId>(this->given().network.agents);
    for (AgentId i = 0; i < m; ++i) shares_.push_back(weight(i) / m);
  }

 private:
  bool forgets_starts() const override { return true; }  // what the class keeps is unknown
  Task<> run(Agent& me) const override {
    const AgentId i = me.id();
    return drive(
        me,
        {.samples = &samples(i),
         .mixing = &mixing_,
         .gradient = [this, i](VectorRef x, bool with_r) { return with_r ? gradient(i, x) : loss_gradient(i, x); },
         .gradient_work = gradient_work(i),
         .gossip = &given().network.gossip,
         .P = &P_,
         .weight = weight(i),
         .shares = &shares_,
         .d = d(),
         .rounds = given().rounds,
         .must_report = reports_,
         .usage = &usage_},
        method_.get(), "run");
  }
  bool works_for_free() const override { return usage_.works && !usage_.awaits; }

  const Held method_;
  const bool reports_;
  const ProximalMap P_;
  const Mixing mixing_;
  std::vector<double> shares_;
  mutable Usage usage_;
};

class PythonServerAndClients final : public FederatedMethod {
 public:
  PythonServerAndClients(const PythonOptions& options, MethodInput given, py::object method)
      : FederatedMethod(PythonOptions::kind, {.keeps_constraint = options.keeps_constraint}, std::move(given)),
        method_(std::move(method)),
        reports_(!options.asynchronous),
        P_(with_the_rest(problem(), options.traits()), PythonOptions::kind),
        smooth_(part_of_every_f(problem(), options.traits())),
        shares_(static_cast<std::size_t>(agents())) {
    for (const AgentId k : clients().agents()) {
      shares_[k] = clients().pi(k);
      all_.resize(k + 1);
      for (Index i = 0; i < clients().samples(k).rows(); ++i) all_[k].push_back(i);
    }
  }

 private:
  Task<> serve(Agent& me) const override {
    return drive(
        me, {.P = &P_, .shares = &shares_, .d = d(), .rounds = rounds(), .must_report = reports_, .usage = &usage_},
        method_.get(), "serve");
  }
  Task<> train(Agent& me) const override {
    const AgentId k = me.id();
    const RowBlock& own = clients().samples(k);
    return drive(me,
                 {.samples = &own,
                  .gradient = [this, &own, k](VectorRef w, bool with_r) { return gradient(own, k, w, with_r); },
                  .gradient_work = own.gradient_work(all_[k], loss().outputs()) +
                                   Cost(smooth_ ? smooth_->subgradient_flops(d()) : 0),
                  .P = &P_,
                  .shares = &shares_,
                  .d = d(),
                  .rounds = rounds(),
                  .usage = &usage_},
                 method_.get(), "train");
  }
  /// Of the mean loss of client k, and of the smooth regularizer (d).
  Vector gradient(const RowBlock& own, AgentId k, VectorRef w, bool with_regularizer) const {
    Vector g = own.gradient(loss(), w, all_[k]);
    if (with_regularizer && smooth_) g += *smooth_->subgradient(w);
    return g;
  }
  bool works_for_free() const override { return usage_.works && !usage_.awaits; }

  const Held method_;
  const bool reports_;
  const ProximalMap P_;
  const std::shared_ptr<const Regularizer> smooth_;  // null: none
  std::vector<double> shares_;
  mutable Usage usage_;
  std::vector<std::vector<Index>> all_;  // the rows of each client's samples
};

class Methods final : public PythonMethods {
 public:
  std::unique_ptr<Algorithm> make(const PythonOptions& options, MethodInput given) const override {
    const py::gil_scoped_acquire lock;
    py::object method = instance_of("Method", options.name, options.options);
    const auto facts = method.attr("_facts")().cast<py::dict>();
    check_facts(options, facts);
    check_regularizer(options, py::str(method.attr("_takes")()), given.problem);
    if (options.roles == PythonRoles::peers)
      return std::make_unique<PythonPeers>(options, std::move(given), std::move(method));
    return std::make_unique<PythonServerAndClients>(options, std::move(given), std::move(method));
  }
};

}  // namespace

void offer_python_methods() {
  static const Methods methods;
  set_python_methods(&methods);
}

}  // namespace lagnet::python
