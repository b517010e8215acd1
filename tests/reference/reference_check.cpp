/// reference_check [--only PREFIX] FILE...
/// Runs the cases of files of reference numbers and compares: a line per case with its largest deviation relative to
/// the tolerance, then `N passed, N failed, N skipped`. Cases of algorithms that do not exist here are skipped. Exit
/// status 0 when all passed, 1 when something failed, 3 when something was only skipped, 2 for files that cannot be
/// read.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <boost/algorithm/string.hpp>
#include <fstream>
#include <iterator>

#include "tests/reference/data_text.hpp"
#include "tests/reference/reference_file.hpp"

namespace {

using namespace lagnet::reference;

struct Counts {
  int passed = 0, failed = 0, skipped = 0;
};

void run_case(const Json& item, const std::string& name, Counts& counts) {
  const auto check = is_network(item)                 ? check_network_case
                     : is_server_method(item)         ? check_server_method
                     : is_accounts(item)              ? check_accounts
                     : is_fd_primal_dual(item)        ? check_fd_primal_dual
                     : is_fed_composite(item)         ? check_fed_composite
                     : is_ball_prox(item)             ? check_ball_prox
                     : is_fed_composite_optimum(item) ? check_fed_composite_optimum
                     : is_decentralised(item)         ? check_decentralised
                     : is_projections(item)           ? check_projections
                     : is_hybrid_saddle(item)         ? check_hybrid_saddle
                     : is_hybrid_fed(item)            ? check_hybrid_fed
                     : is_gray_relational(item)       ? check_gray_relational
                     : is_asynchronous(item)          ? check_asynchronous
                     : is_graph_rounds(item)          ? check_graph_rounds
                     : is_compressors(item)           ? check_compressors
                     : is_compressed(item)            ? check_compressed
                     : is_aggregation(item)           ? check_aggregation
                     : is_oort(item)                  ? check_oort
                                                      : nullptr;
  if (!check) {
    ++counts.skipped;
    fmt::print("skip  {}: no such algorithm here: {}\n", name, item.value("algorithm", "not named"));
    return;
  }
  try {
    Verdict verdict = check(item);
    if (verdict.compared() == 0) verdict.fail("no number to compare");
    ++(verdict.passed() ? counts.passed : counts.failed);
    fmt::print("{}  {}: {} arrays, largest deviation {:.3g} of the tolerance ({})\n",
               verdict.passed() ? "pass" : "FAIL", name, verdict.compared(), verdict.largest(), verdict.largest_in());
    for (const std::string& failure : verdict.failures()) fmt::print("      {}\n", failure);
  } catch (const std::exception& error) {
    ++counts.failed;
    fmt::print("FAIL  {}: {}\n", name, error.what());
  }
}

/// An optimum says only how many entries it has: its shape is that of a case with as many, of softmax or not as it is.
Json with_shape(Json item, const Json& cases) {
  if (!is_fed_composite_optimum(item) || item.contains("w_shape")) return item;
  const auto is_softmax = [](const Json& one) { return one.dump().find("softmax") != std::string::npos; };
  for (const Json& one : cases) {
    if (!one.contains("w_shape") || is_softmax(one) != is_softmax(item)) continue;
    std::size_t entries = 1;
    for (const Json& size : one["w_shape"]) entries *= size.get<std::size_t>();
    if (entries != item["w"].size()) continue;
    item["w_shape"] = one["w_shape"];
    break;
  }
  return item;
}

/// A file may describe the data of all its federated cases in one text; what it says of changes holds for each of them.
Json with_common_data(Json item, const Json& file) {
  if (!is_fed_composite(item) || item.contains("data") || !file.contains("data") || !file["data"].is_string())
    return item;
  std::vector<std::string> sentences, told;
  const std::string text = boost::replace_all_copy(file["data"].get<std::string>(), ". ", ";");
  boost::split(sentences, text, boost::is_any_of(";"));
  std::ranges::copy_if(sentences, std::back_inserter(told), tells_of_change);
  if (!told.empty()) item["data"] = boost::join(told, ";");
  return item;
}

/// Every list of objects is a list of cases, whatever its key: "cases", "prox_cases", "optima".
void run_file(const Json& file, const std::string& only, Counts& counts) {
  for (const auto& [key, list] : file.items()) {
    if (list.is_object()) throw std::runtime_error("expected \"" + key + "\" to be a list of cases, found an object");
    if (!list.is_array()) continue;
    for (const Json& item : list) {
      if (!item.is_object()) throw std::runtime_error("expected cases in \"" + key + "\", found " + item.dump());
      if (case_name(item).starts_with(only))
        run_case(with_common_data(with_shape(item, file.at("cases")), file), case_name(item), counts);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Compares lagnet's algorithms with files of reference numbers.");
  std::vector<std::string> files;
  std::string only;
  app.add_option("FILE", files, "JSON files of cases")->required();
  app.add_option("--only", only, "run only the cases whose name starts so");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  Counts counts;
  for (const std::string& name : files) {
    std::ifstream stream(name);
    if (!stream) {
      fmt::print(stderr, "{}: expected a file of reference numbers, found none that can be read\n", name);
      return 2;
    }
    const Json file = Json::parse(stream, nullptr, false);
    if (!file.is_object() || !file.contains("cases")) {
      fmt::print(stderr, "{}: expected JSON with a list \"cases\", found something else\n", name);
      return 2;
    }
    try {
      run_file(file, only, counts);
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}: {}\n", name, error.what());
      return 2;
    }
  }
  fmt::print("{} passed, {} failed, {} skipped\n", counts.passed, counts.failed, counts.skipped);
  return counts.failed > 0 ? 1 : counts.skipped > 0 ? 3 : 0;
}
