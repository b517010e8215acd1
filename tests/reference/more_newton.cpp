#include <memory>

#include "algorithms/compression/compressor.hpp"
#include "algorithms/compression/symmetric.hpp"
#include "scenarios/json/one_of.hpp"
#include "tests/reference/compressed_case.hpp"

namespace lagnet::reference {

namespace {

/// Methods with second derivatives, whose clients answer several questions in a round.

Json fednl_section(const Json& item) {
  check_keys(item.at("parameters"), "parameters/", {"option", "alpha", "start", "line_search", "mu"});
  Json section = section_of(item, "fednl", {"start"});
  if (item["parameters"].contains("start")) section["hessian_start"] = item["parameters"]["start"];
  if (item["parameters"].value("option", 1) == 2) section.erase("mu");  // which it does without
  return section;
}

Bytes in_round_2(const Compared& all, AgentId first, AgentId end) {
  Bytes sum = 0;
  for (AgentId k = first; k < end; ++k) sum += all.in_round_2(k).bytes_sent;
  return sum;
}

/// What all send and receive, over the clients.
void compare_bytes_of_client(const Compared& all, const std::string& key, const Json& want) {
  const auto agents = static_cast<AgentId>(all.agents());
  all.verdict.compare(key, {static_cast<double>(in_round_2(all, 0, agents)) / (agents - 1)}, {want.get<double>()},
                      whole_numbers);
}

/// The shares of the direction that the server took: all of it without a line search.
void compare_steps(const Compared& all, const std::string& key, const Json& want) {
  std::vector<double> got;
  for (std::size_t t = 1; t <= want.size(); ++t) {
    const auto& parts = all.run.reports.at(static_cast<Round>(t)).at(0);
    got.push_back(parts.size() > 1 ? parts[1][0] : 1);
  }
  all.verdict.compare(key, got, numbers(want));
}

/// Down go x, and with a line search the direction; up an answer, and with a line search the values.
Bytes of_vector(const Compared& all) { return 8 * all.made.given.problem.dim(); }
Bytes of_line_search(const Compared& all) { return all.item.value("bytes_of_line_search_per_client", Bytes{0}); }
void compare_bytes_up(const Compared& all, const std::string& key, const Json& want) {
  const Bytes values = of_line_search(all) > 0 ? of_line_search(all) - of_vector(all) : 0;
  for (AgentId k = 1; k < all.agents(); ++k) all.one_count(key, all.in_round_2(k).bytes_sent - values, want);
}
void compare_bytes_of_line_search(const Compared& all, const std::string& key, const Json& want) {
  const auto agents = static_cast<AgentId>(all.agents());
  const Bytes else_sent = of_vector(all) + all.item.at("bytes_up_per_message").get<Bytes>();
  all.one_count(key, in_round_2(all, 0, agents) - (agents - 1) * else_sent, Json((agents - 1) * want.get<Bytes>()));
}
void compare_bytes_more_in_round_1(const Compared& all, const std::string& key, const Json& want) {
  for (AgentId k = 1; k < all.agents(); ++k)
    all.one_count(key, all.run.of_round(k, 1).bytes_sent - all.in_round_2(k).bytes_sent, want);
}

void compare_bits_of_matrix(const Compared& all, const std::string& key, const Json& want) {
  MatrixCompressorOptions options;
  Diagnostics diagnostics("");
  if (all.item.contains("compressor"))
    OneOfJson<MatrixCompressorOptions>::read(all.item["compressor"], options, "", diagnostics);
  diagnostics.throw_if_any();
  all.one_count(key, make_compressor(options, all.made.given.problem.dim())->bits(64), want);
}

constexpr Handler of_servers[]{{"steps", compare_steps},
                               {"bytes_per_client_and_round", compare_bytes_of_client},
                               {"bytes_up_per_message", compare_bytes_up},
                               {"bytes_of_line_search_per_client", compare_bytes_of_line_search},
                               {"bytes_up_more_in_round_1", compare_bytes_more_in_round_1},
                               {"bits_of_the_matrix", compare_bits_of_matrix}};

}  // namespace

const std::vector<CompressedKind>& second_order_kinds() {
  static const std::vector<CompressedKind> all{
      {.name = "fednl", .has_server = true, .section = fednl_section, .handlers = of_servers},
      {.name = "giant", .has_server = true, .handlers = of_servers},
      {.name = "dane", .has_server = true, .handlers = of_servers},
      {.name = "network_dane"}};
  return all;
}

}  // namespace lagnet::reference
