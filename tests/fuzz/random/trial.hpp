#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

#include "scenarios/results/recorded_runs.hpp"
#include "tests/fuzz/random/scenario_generator.hpp"

namespace lagnet::fuzz {

/// Something that must be true of every run is not.
class Finding : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One random scenario in a folder of its own. Errors in a file are reported by the product's own errors for users;
/// whatever else is thrown is a finding, too.
class Trial {
 public:
  Trial(ScenarioGenerator& generator, std::filesystem::path folder)
      : generator_(generator), folder_(std::move(folder)) {}

  /// A scenario that is accepted, or nothing if none was found. Throws Finding.
  std::optional<Json> accepted();
  /// What was read last: what a finding is about.
  const std::string& text() const { return text_; }
  /// Runs it and holds it against what is true of every run: messages sent are those delivered, lost and under way, in
  /// each row as well; a run on two threads writes the same bytes; a replay agrees; the values in the times of another
  /// network, where the scenario can have them, are those of a run in it; a sweep with several jobs writes the same
  /// bytes; a run without numbers, where the scenario can have one, has the same trace; what compares and reports runs
  /// takes the folder. Returns what became of it. Throws Finding.
  std::string check_accepted(Json document);
  /// Reads and runs any text: a refusal leaves nothing behind. Throws Finding.
  std::string check_broken(const std::string& text);

 private:
  std::vector<Diagnostic> problems_of(const Json& document);
  std::optional<std::string> refusal_of_run(const Json& document, const std::string& out, unsigned threads);
  Json summary_of(const std::string& out) const;
  void check_conservation(const Json& totals) const;
  void check_rows(const ProgressTable& rows) const;
  void check_same_files(const std::string& one, const std::string& other, const char* where) const;
  void check_replay(const std::string& out) const;
  bool check_retiming() const;
  void check_jobs(Json document);
  void check_readers() const;
  std::string check_twin(Json document);

  ScenarioGenerator& generator_;
  std::filesystem::path folder_;
  std::string text_;
};

}  // namespace lagnet::fuzz
