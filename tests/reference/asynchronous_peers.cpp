#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "algorithms/peers/asynchronous/ad_psgd.hpp"
#include "algorithms/peers/asynchronous/asy_sonata.hpp"
#include "algorithms/peers/asynchronous/edge_admm.hpp"
#include "algorithms/peers/asynchronous/fd_edge_admm.hpp"
#include "algorithms/peers/asynchronous/pairwise_gossip.hpp"
#include "tests/reference/asynchronous_case.hpp"

namespace lagnet::reference {

namespace {

/// Neighbors are chosen one after the other in all cases.
constexpr NeighborChoice listed_choice = NeighborChoice::cyclic;

std::unique_ptr<Algorithm> make_pairwise_gossip(const Json& params, MethodInput given) {
  check_keys(params, "params/", {"protocol", "period_ns", "d"});
  const bool is_locked = params.value("protocol", "additive") == "locked";
  return std::make_unique<PairwiseGossip>(
      PairwiseGossipOptions{.protocol = is_locked ? GossipProtocol::locked : GossipProtocol::additive,
                            .choose = listed_choice},
      std::move(given));
}

std::unique_ptr<Algorithm> make_ad_psgd(const Json& params, MethodInput given) {
  check_keys(params, "params/", {"step", "active", "overlap"});
  AdPsgdOptions options{
      .step = params.at("step").get<double>(), .overlap = params.value("overlap", true), .choose = listed_choice};
  if (params.contains("active")) options.active = params["active"].get<std::vector<std::int64_t>>();
  return std::make_unique<AdPsgd>(options, std::move(given));
}

std::unique_ptr<Algorithm> make_asy_sonata(const Json& params, MethodInput given) {
  check_keys(params, "params/", {"step", "W", "A"});
  for (const char* key : {"W", "A"})
    if (params.value(key, "metropolis") != "metropolis")
      throw std::runtime_error(std::string("not understood: params/") + key + " = " + params[key].dump());
  return std::make_unique<AsySonata>(AsySonataOptions{.step = params.at("step").get<double>()}, std::move(given));
}

EdgeOptions edge_options(const Json& params) {
  if (params.value("form", "tick") != "tick")
    throw std::runtime_error("not understood: params/form = " + params["form"].dump());
  EdgeOptions options{.relaxation = params.value("relaxation", 0.5)};
  if (params.contains("threshold") && !params["threshold"].is_null())
    options.threshold = SendThreshold{.value = params["threshold"].at(0).get<double>(),
                                      .factor = params["threshold"].at(1).get<double>()};
  return options;
}

std::unique_ptr<Algorithm> make_edge_admm(const Json& params, MethodInput given) {
  check_keys(params, "params/", {"penalty", "relaxation", "form", "threshold"});
  return std::make_unique<EdgeAdmm>(
      EdgeAdmmOptions{.penalty = params.at("penalty").get<double>(), .edges = edge_options(params)}, std::move(given));
}

std::unique_ptr<Algorithm> make_fd_edge_admm(const Json& params, MethodInput given) {
  check_keys(params, "params/", {"penalty", "relaxation", "form", "threshold", "owner"});
  return std::make_unique<FdEdgeAdmm>(FdEdgeAdmmOptions{.penalty = params.at("penalty").get<double>(),
                                                        .edges = edge_options(params),
                                                        .label_agent = params.value("owner", std::int64_t{0})},
                                      std::move(given));
}

}  // namespace

const std::vector<AsynchronousKind>& peer_kinds() {
  static const std::vector<AsynchronousKind> all{
      {.name = "pairwise_gossip",
       .has_server = false,
       .make = make_pairwise_gossip,
       .starts_at_zero = true,
       .measures_spread = true},
      {.name = "ad_psgd", .has_server = false, .make = make_ad_psgd},
      {.name = "asy_sonata", .has_server = false, .make = make_asy_sonata},
      {.name = "edge_admm", .has_server = false, .make = make_edge_admm},
      {.name = "fd_edge_admm", .has_server = false, .make = make_fd_edge_admm, .starts_at_zero = true}};
  return all;
}

}  // namespace lagnet::reference
