#include "tools/flags/method_names.hpp"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <string>

namespace lagnet::tools {

namespace {

// One line each, by what they are here.
// clang-format off
constexpr MethodName all_names[]{
    {"dsgd", "dgd", "with batch"},
    {"d_psgd", "dgd", "with batch and \"form\": \"adapt_then_combine\", if steps are taken before averages"},
    {"dmsgd", "dgd", "with batch and momentum"},
    {"epidemic_learning", "dgd", "with \"form\": \"adapt_then_combine\", on a topology of kind epidemic"},
    {"d2", "nids", "without a prox, with batch; led with one local step is the same from another start"},
    {"exact_diffusion", "led", "with one local step"},
    {"local_exact_diffusion", "led", ""},
    {"diging", "gradient_tracking", "with \"form\": \"diging\""},
    {"aug_dgm", "gradient_tracking", "with \"form\": \"adapt_then_combine\""},
    {"gt_sgd", "gradient_tracking", "with batch"},
    {"dsgt", "gradient_tracking", "with batch"},
    {"momentum_tracking", "gradient_tracking", "with batch and momentum"},
    {"local_gradient_tracking", "k_gt", ""},
    {"dlm", "decentralized_admm", "with \"local_step\": \"linearized\""},
    {"relaysum", "relay_sgd", ""},
    {"ab", "push_pull", ""},
    {"choco", "choco_sgd", "and choco_gossip"},
    {"local_sgd", "fed_avg", "with batch and local_steps"},
    {"fedsgd", "fed_avg", "with one local step on all samples"},
    {"minibatch_sgd", "fed_avg", "with one local step and batch"},
    {"fedavgm", "fed_avg", "with \"server_optimizer\": {\"kind\": \"sgd\", \"momentum\": 0.9}"},
    {"fedopt", "fed_avg", "with server_optimizer"},
    {"fedadagrad", "fed_avg", "with \"server_optimizer\": {\"kind\": \"adagrad\"}"},
    {"fedadam", "fed_avg", "with \"server_optimizer\": {\"kind\": \"adam\"}"},
    {"fedyogi", "fed_avg", "with \"server_optimizer\": {\"kind\": \"yogi\"}"},
    {"scaffnew", "prox_skip", "without a regularizer that has a prox"},
    {"gradient_descent", "distributed_proximal_gradient", "without a regularizer; with one agent proximal_gradient"},
    {"ista", "proximal_gradient", ""},
    {"fista", "accelerated_proximal_gradient", "and, with a server, distributed_fista"},
};
// clang-format on

}  // namespace

std::span<const MethodName> method_names() { return all_names; }

const MethodName* method_called(std::string_view name) {
  std::string word(name);
  boost::to_lower(word);
  std::ranges::replace(word, '-', '_');
  const auto found = std::ranges::find(all_names, word, &MethodName::name);
  return found == std::end(all_names) ? nullptr : &*found;
}

}  // namespace lagnet::tools
