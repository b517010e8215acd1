#include <cstdint>
#include <stdexcept>
#include <string>

#include "tests/reference/asynchronous_case.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::reference {

namespace {

/// The enumerator of that name.
template <class Enum>
Enum spelled_out(const std::string& name) {
  for (const auto& spelling : spellings(Enum{}))
    if (spelling.name == name) return spelling.value;
  throw std::runtime_error("not understood: params: " + name);
}

template <class Value>
void read(const Json& params, const char* key, Value& value) {
  if (params.contains(key)) value = params[key].get<Value>();
}
template <class Value>
void read(const Json& params, const char* key, std::optional<Value>& value) {
  if (params.contains(key) && !params[key].is_null()) value = params[key].get<Value>();
}
template <class Enum>
void read_name(const Json& params, const char* key, Enum& value) {
  if (params.contains(key)) value = spelled_out<Enum>(params[key].get<std::string>());
}

std::unique_ptr<Algorithm> make_fed_async(const Json& params, MethodInput given) {
  check_keys(params, "params/",
             {"local_steps", "client_step", "mixing", "staleness", "a", "b", "proximal", "assignment", "resend_ms"});
  FedAsyncOptions options;
  read(params, "local_steps", options.local_steps);
  read(params, "client_step", options.client_step);
  read(params, "mixing", options.mixing);
  read_name(params, "staleness", options.staleness.kind);
  read(params, "a", options.staleness.a);
  read(params, "b", options.staleness.b);
  read(params, "proximal", options.proximal);
  read_name(params, "assignment", options.assignment);
  read(params, "resend_ms", options.resend_ms);
  return make_algorithm(options, std::move(given));
}

std::unique_ptr<Algorithm> make_fed_buff(const Json& params, MethodInput given) {
  check_keys(params, "params/",
             {"local_steps", "client_step", "server_step", "buffer", "scaling", "assignment", "resend_ms"});
  FedBuffOptions options;
  read(params, "local_steps", options.local_steps);
  read(params, "client_step", options.client_step);
  read(params, "server_step", options.server_step);
  read(params, "buffer", options.buffer);
  read_name(params, "scaling", options.scaling);
  read_name(params, "assignment", options.assignment);
  read(params, "resend_ms", options.resend_ms);
  return make_algorithm(options, std::move(given));
}

std::unique_ptr<Algorithm> make_async_gradient(const Json& params, MethodInput given) {
  check_keys(params, "params/", {"step", "rule", "concurrency", "L", "assignment", "resend_ms"});
  AsyncGradientOptions options;
  read(params, "step", options.step);
  read_name(params, "rule", options.rule);
  read(params, "concurrency", options.concurrency);
  read(params, "L", options.smoothness);
  read_name(params, "assignment", options.assignment);
  read(params, "resend_ms", options.resend_ms);
  return make_algorithm(options, std::move(given));
}

std::unique_ptr<Algorithm> make_piag(const Json& params, MethodInput given) {
  check_keys(params, "params/", {"step", "rule", "resend_ms"});
  PiagOptions options;
  read(params, "step", options.step);
  read_name(params, "rule", options.rule);
  read(params, "resend_ms", options.resend_ms);
  return make_algorithm(options, std::move(given));
}

std::unique_ptr<Algorithm> make_dave_pg(const Json& params, MethodInput given) {
  check_keys(params, "params/", {"step", "repetitions", "send", "assignment", "resend_ms"});
  DavePgOptions options;
  read(params, "step", options.step);
  read(params, "repetitions", options.repetitions);
  if (params.contains("send")) options.send = spelled_out<DaveMessages>(params["send"].get<std::string>());
  read_name(params, "assignment", options.assignment);
  read(params, "resend_ms", options.resend_ms);
  return make_algorithm(options, std::move(given));
}

std::unique_ptr<Algorithm> make_async_admm(const Json& params, MethodInput given) {
  check_keys(params, "params/", {"penalty", "least", "max_delay", "resend_ms"});
  AsyncAdmmOptions options;
  read(params, "penalty", options.penalty);
  read(params, "least", options.least);
  read(params, "max_delay", options.max_delay);
  read(params, "resend_ms", options.resend_ms);
  return make_algorithm(options, std::move(given));
}

std::unique_ptr<Algorithm> make_async_blocks(const Json& params, MethodInput given) {
  check_keys(params, "params/", {"step", "steps", "resend_ms"});
  AsyncBlocksOptions options;
  read(params, "step", options.step);
  read(params, "steps", options.steps);
  read(params, "resend_ms", options.resend_ms);
  return make_algorithm(options, std::move(given));
}

}  // namespace

const std::vector<AsynchronousKind>& server_kinds() {
  static const std::vector<AsynchronousKind> all{
      {.name = "fed_async", .make = make_fed_async},
      {.name = "fed_buff", .make = make_fed_buff},
      {.name = "async_gradient", .make = make_async_gradient},
      {.name = "piag", .make = make_piag},
      {.name = "dave_pg", .make = make_dave_pg},
      {.name = "async_admm", .make = make_async_admm},
      {.name = "async_blocks", .make = make_async_blocks, .starts_at_zero = true}};
  return all;
}

}  // namespace lagnet::reference
