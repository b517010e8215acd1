#include "tools/python/module/methods.hpp"

#include <pybind11/pybind11.h>

#include <memory>
#include <utility>
#include <vector>

#include "algorithms/federated/bases/federated.hpp"
#include "algorithms/peers/bases/mixing.hpp"
#include "algorithms/peers/bases/peers.hpp"
#include "scenarios/format/kinds/python_method.hpp"
#include "tools/python/module/drive.hpp"
#include "tools/python/module/held.hpp"
#include "tools/python/module/instances.hpp"

namespace lagnet::python {

namespace py = pybind11;

namespace {

class PythonPeers final : public PeerAlgorithm {
 public:
  PythonPeers(const PythonOptions& options, MethodInput given, py::object method)
      : PeerAlgorithm(std::move(given), PythonOptions::kind, options.traits()),
        method_(std::move(method)),
        reports_(!options.asynchronous),
        P_(with_the_rest(this->given().problem, options.traits()), PythonOptions::kind),
        mixing_(MixingOptions{}, this->given().network) {}

 private:
  Task<> run(Agent& me) const override {
    const AgentId i = me.id();
    return drive(me,
                 {.samples = &samples(i),
                  .mixing = &mixing_,
                  .gradient = [this, i](VectorRef x) { return gradient(i, x); },
                  .gradient_work = gradient_work(i),
                  .gossip = &given().network.gossip,
                  .P = &P_,
                  .weight = weight(i),
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
  mutable Usage usage_;
};

class PythonServerAndClients final : public FederatedMethod {
 public:
  PythonServerAndClients(const PythonOptions& options, MethodInput given, py::object method)
      : FederatedMethod(PythonOptions::kind, {.keeps_constraint = options.keeps_constraint}, std::move(given)),
        method_(std::move(method)),
        reports_(!options.asynchronous),
        P_(with_the_rest(problem(), options.traits()), PythonOptions::kind) {
    for (const AgentId k : clients().agents()) {
      all_.resize(k + 1);
      for (Index i = 0; i < clients().samples(k).rows(); ++i) all_[k].push_back(i);
    }
  }

 private:
  Task<> serve(Agent& me) const override {
    return drive(me, {.P = &P_, .d = d(), .rounds = rounds(), .must_report = reports_, .usage = &usage_}, method_.get(),
                 "serve");
  }
  Task<> train(Agent& me) const override {
    const AgentId k = me.id();
    const RowBlock& own = clients().samples(k);
    return drive(me,
                 {.samples = &own,
                  .gradient = [this, &own, k](VectorRef w) { return own.gradient(loss(), w, all_[k]); },
                  .gradient_work = own.gradient_work(all_[k], loss().outputs()),
                  .P = &P_,
                  .d = d(),
                  .rounds = rounds(),
                  .usage = &usage_},
                 method_.get(), "train");
  }
  bool works_for_free() const override { return usage_.works && !usage_.awaits; }

  const Held method_;
  const bool reports_;
  const ProximalMap P_;
  mutable Usage usage_;
  std::vector<std::vector<Index>> all_;  // the rows of each client's samples
};

class Methods final : public PythonMethods {
 public:
  std::unique_ptr<Algorithm> make(const PythonOptions& options, MethodInput given) const override {
    const py::gil_scoped_acquire lock;
    py::object method = instance_of("Method", options.name, options.options);
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
