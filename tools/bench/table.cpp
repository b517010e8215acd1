#include "tools/bench/table.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace lagnet::bench {

namespace {

constexpr int name_width = 40;

std::string short_number(double value) {
  if (std::abs(value) >= 1e6) return fmt::format("{:.2f} M", value / 1e6);
  if (std::abs(value) >= 1e4) return fmt::format("{:.0f} k", value / 1e3);
  return fmt::format("{:.4g}", value);
}

std::string cell(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  const double median = values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  if (values.size() == 1) return short_number(median);
  return fmt::format("{} ({} - {})", short_number(median), short_number(values.front()), short_number(values.back()));
}

class Table : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& /*context*/) override { return true; }

  /// Gets all repetitions of one benchmark at once.
  void ReportRuns(const std::vector<Run>& runs) override {
    if (runs.front().run_type == Run::RT_Aggregate) return;  // comes after the repetitions; the table makes its own
    std::vector<std::string> names;
    std::vector<std::vector<double>> values;
    for (const Run& run : runs) {
      if (run.error_occurred) {
        failed_ = true;
        fmt::print("{}: {}\n", run.run_name.function_name, run.error_message);
        return;
      }
      for (const auto& [name, counter] : run.counters) {
        const auto place = std::ranges::find(names, name) - names.begin();
        if (place == std::ssize(names)) {
          names.push_back(name);
          values.emplace_back();
        }
        values[static_cast<std::size_t>(place)].push_back(counter.value);
      }
    }
    const int width = !values.empty() && values.front().size() > 1 ? 32 : 16;
    print_header(names, width);
    fmt::print("{:{}}", runs.front().run_name.function_name, name_width);
    for (const auto& column : values) fmt::print("{:>{}}", cell(column), width);
    fmt::print("\n");
    std::fflush(stdout);
  }

  bool failed() const { return failed_; }

 private:
  void print_header(const std::vector<std::string>& names, int width) {
    if (names == header_) return;
    header_ = names;
    fmt::print("\n{:{}}", "benchmark", name_width);
    for (const std::string& name : names) fmt::print("{:>{}}", name, width);
    fmt::print("\n");
  }

  std::vector<std::string> header_;
  bool failed_ = false;
};

}  // namespace

int run_benchmarks(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  Table table;
  benchmark::RunSpecifiedBenchmarks(&table);
  benchmark::Shutdown();
  return table.failed() ? 1 : 0;
}

}  // namespace lagnet::bench
