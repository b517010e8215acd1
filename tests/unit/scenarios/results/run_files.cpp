#include "scenarios/results/run_files.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"
#include "tests/unit/scenarios/results/written_files.hpp"

namespace lagnet::run_files_test {

TEST_CASE("the files of a run are its scenario, tables, model and summary, which knows the scenario's checksum") {
  const Experiment experiment = assembled("{}");
  const auto files = written_files(experiment, run(experiment));
  std::vector<std::string> names;
  for (const auto& [name, content] : files) names.push_back(name);
  CHECK(names == std::vector<std::string>{"agents.csv", "links.csv", "model.csv", "progress.csv", "scenario.json",
                                          "summary.json"});
  const Json facts = Json::parse(files.at("summary.json"));
  CHECK(facts["scenario_crc32"] == checksum(files.at("scenario.json")));
  CHECK(facts["status"] == "done");
  CHECK(facts["stop"]["round"] == 12);
}

namespace {

/// The cells of a table of CSV without quotes, by column.
std::map<std::string, std::vector<std::string>> table(const std::string& csv) {
  std::map<std::string, std::vector<std::string>> columns;
  std::vector<std::string> header;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line + ",");
    std::vector<std::string> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
    if (header.empty())
      header = row;
    else
      for (std::size_t k = 0; k < header.size(); ++k) columns[header[k]].push_back(row.at(k));
  }
  return columns;
}

}  // namespace

TEST_CASE("accounts of messages and time have columns in every table where they have a meaning") {
  const Experiment experiment = assembled("{}");
  const auto files = written_files(experiment, run(experiment));
  const auto check = [&](const std::string& file, const std::vector<std::string>& names) {
    const auto columns = table(files.at(file));
    for (const std::string& name : names) {
      INFO(file << " " << name);
      CHECK(columns.contains(name));
    }
  };
  check("progress.csv", {"messages", "messages_delivered", "bytes", "bytes_delivered", "lost", "bytes_lost", "late",
                         "superseded", "retransmitted", "queueing_s", "transfer_s", "idle_s", "computing_s",
                         "encrypting_s", "compute_utilization", "round_trips", "participants", "stale"});
  check("agents.csv", {"messages_sent", "messages_delivered", "bytes_sent", "bytes_delivered", "lost", "bytes_lost",
                       "late", "superseded", "retransmitted", "queueing_s", "transfer_s", "idle_s", "computing_s",
                       "encrypting_s", "compute_utilization", "up_utilization", "down_utilization", "round_trips"});
  check("links.csv", {"messages_sent", "messages_delivered", "bytes_sent", "bytes_delivered", "lost", "bytes_lost",
                      "retransmitted", "queueing_s", "transfer_s", "utilization"});
  const Json totals = Json::parse(files.at("summary.json"))["totals"];
  for (const char* name : {"encrypting_s", "round_trips", "staleness", "compute_utilization", "link_utilization_mean",
                           "link_utilization_max"}) {
    INFO(name);
    CHECK(totals.contains(name));
  }
}

TEST_CASE("utilizations are the shares of the run that flops and bytes take") {
  // 12 rounds of two exchanges in a ring of 5: over each link 24 messages of 20 numbers of 8 bytes, at 1e5 bytes/s.
  const Experiment experiment = assembled(R"({"network": {"bandwidth_bytes_per_s": 1e5}})");
  const Outcome outcome = run(experiment);
  const auto files = written_files(experiment, outcome);
  const double seconds = outcome.ending.last_report.in_seconds(), busy = 24 * 20 * 8 / 1e5;
  const Json totals = Json::parse(files.at("summary.json"))["totals"];
  // 1e-15: a few products and quotients of doubles; 1e-12 where ten links are added up.
  CHECK(totals["link_utilization_max"].get<double>() == Approx(busy / seconds).epsilon(1e-15));
  CHECK(totals["link_utilization_mean"].get<double>() == Approx(busy / seconds).epsilon(1e-12));
  CHECK(totals["round_trips"] == 12.0);
  const auto agents = table(files.at("agents.csv"));
  double sum = 0;
  for (std::size_t a = 0; a < 5; ++a) {
    const double share = std::stod(agents.at("compute_utilization")[a]);
    // Flops take a nanosecond each.
    CHECK(share == Approx(std::stod(agents.at("flops")[a]) * 1e-9 / seconds).epsilon(1e-12));
    CHECK(agents.at("round_trips")[a] == "12.0");
    sum += share;
  }
  const auto progress = table(files.at("progress.csv"));
  CHECK(progress.at("compute_utilization").front() == "0");
  CHECK(std::stod(progress.at("compute_utilization").back()) == Approx(sum / 5).epsilon(1e-12));
  CHECK(totals["compute_utilization"].get<double>() == Approx(sum / 5).epsilon(1e-12));
}

}  // namespace lagnet::run_files_test
