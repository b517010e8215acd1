#include <memory>
#include <utility>

#include "algorithms/federated/prox_skip.hpp"
#include "tests/reference/compressed_case.hpp"
#include "tests/reference/listed_steps.hpp"

namespace lagnet::reference {

namespace {

std::unique_ptr<Algorithm> prox_skip_of(const Json& item, MethodInput given) {
  const Json& parameters = item.at("parameters");
  check_keys(parameters, "parameters/", {"step", "p", "local_steps"});
  const ProxSkipOptions options{.step = parameters.at("step").get<double>(), .p = parameters.at("p").get<double>()};
  return std::make_unique<ListedSteps<ProxSkip>>(options, std::move(given), parameters.at("local_steps"));
}

}  // namespace

const std::vector<CompressedKind>& compressed_server_kinds() {
  static const std::vector<CompressedKind> all{{.name = "diana", .has_server = true},
                                               {.name = "ef21", .has_server = true},
                                               {.name = "ef_sgd", .has_server = true},
                                               {.name = "prox_skip", .has_server = true, .make = prox_skip_of}};
  return all;
}

}  // namespace lagnet::reference
