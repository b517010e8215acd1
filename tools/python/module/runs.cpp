#include "tools/python/module/runs.hpp"

#include <pybind11/stl.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "scenarios/compare/golden.hpp"
#include "scenarios/compare/replay.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/format/settings.hpp"
#include "scenarios/json/json_file.hpp"
#include "scenarios/sweep/execute.hpp"
#include "scenarios/tune/tune.hpp"
#include "scenarios/tune/tuned_steps.hpp"
#include "sim/base/errors.hpp"
#include "sim/machine/allowance.hpp"
#include "tools/python/module/offers.hpp"
#include "tools/python/module/python_error.hpp"

namespace lagnet::python {

namespace py = pybind11;
namespace fs = std::filesystem;

namespace {

/// Tells Python now and then how far the runs are, and lets Ctrl-C end them, as an exception of what is told.
class Watcher final : public RunWatcher {
 public:
  explicit Watcher(py::object on_progress) : on_progress_(std::move(on_progress)) {}
  void planned(const Plan& plan) override {
    points_ = plan.points.size();
    done_ = 0;
  }
  void started(std::size_t, const Experiment& experiment) override {
    rounds_ = experiment.scenario.stop.rounds.value_or(0);
  }
  void recorded(std::size_t, const Row& row) override {
    if (points_ == 1) error_ = row.relative_error;
    latest_error_ = row.relative_error;
    look(row.round);
  }
  void finished(std::size_t, const Experiment&, const Outcome&) override { ended(latest_error_); }
  void failed(std::size_t, const std::string&) override { ended(std::nullopt); }
  void skipped(std::size_t, const Json&) override { ended(std::nullopt); }
  void left_out(std::size_t) override { --points_; }
  /// Whether Python raised something where it was told.
  bool has_raised() const { return static_cast<bool>(raised_); }
  [[noreturn]] void raise_again() const {
    PyErr_SetObject(py::type::of(raised_).ptr(), raised_.ptr());
    throw py::error_already_set();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds between_tellings{100};

  void ended(const std::optional<double>& error) {
    ++done_;
    if (points_ > 1 && error && (!error_ || *error < *error_)) error_ = error;  // the best so far
    look_between_runs();
  }
  /// An exception from here would be the result of a point; this ends all of them.
  void look_between_runs() {
    try {
      look(0);
    } catch (const py::error_already_set&) {
      throw PythonInterruption();
    }
  }
  /// Within a run Python may have called what calls this: it is given its exception, and ended after that.
  void look(Round round) {
    const py::gil_scoped_acquire lock;
    if (has_raised()) raise_again();
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      const auto now = Clock::now();
      if (on_progress_.is_none() || now - told_ < between_tellings) return;
      told_ = now;
      const bool is_sweep = points_ > 1;
      const std::size_t all = is_sweep ? points_ : static_cast<std::size_t>(rounds_);
      on_progress_(is_sweep ? py::int_(done_) : py::int_(round), all > 0 ? py::object(py::int_(all)) : py::none(),
                   is_sweep ? "run" : "round", py::cast(error_));
    } catch (py::error_already_set& error) {
      raised_ = error.value();
      if (error.trace()) PyException_SetTraceback(raised_.ptr(), error.trace().ptr());
      raise_again();
    }
  }

  py::object on_progress_;
  std::size_t points_ = 0, done_ = 0;
  Round rounds_ = 0;
  std::optional<double> error_, latest_error_;  // the one that is told; the one of the run's latest row
  Clock::time_point told_;
  py::object raised_;  // null as long as nothing was
};

/// As `read_scenario_file` has it, from a text.
ScenarioFile scenario_of(const std::string& text, const std::string& shown, const std::string& folder,
                         const std::vector<std::string>& settings) {
  Diagnostics diagnostics(shown);
  ScenarioFile file{shown, fs::canonical(folder), parse_scenario(text, diagnostics)};
  apply_settings(file.document, settings, diagnostics);
  diagnostics.throw_if_any();
  return file;
}

void do_command(const std::string& command, const ScenarioFile& file, const fs::path& out,
                const ExecuteOptions& options) {
  ScenarioFile wanted = file;
  if (asks_for_tuning(file) && command != "tune") {
    if (options.part)
      throw OutputError("jobs: expected numbers for all options, found tune, which every process would search");
    wanted = tuned_steps(file, out, options).file;
  }
  if (command == "run") execute(wanted, out, options);
  if (command == "sweep") execute_sweep(wanted, out, options);
  if (command == "tune") execute_tune(wanted, out, options);
}

/// What ended a call, for lagnet/inside.py, which raises it: nothing, or a tuple that begins with what it is.
py::object ended_by(const Watcher& watcher, const std::function<void()>& action) {
  const OneCall call;
  try {
    try {
      action();
    } catch (...) {
      if (watcher.has_raised()) watcher.raise_again();
      throw;
    }
    return py::none();
  } catch (const Diagnosed& error) {
    py::list problems;
    for (const Diagnostic& one : error.diagnostics) problems.append(py::make_tuple(one.where, one.expected, one.found));
    return py::make_tuple("problems", problems);
  } catch (const PythonInterruption& interrupted) {
    std::rethrow_exception(interrupted.cause);
  } catch (const AgentError& error) {
    return py::make_tuple("agent", error.agent, error.round, error.at.in_seconds(), std::string(error.what()),
                          value_of(error.cause));
  } catch (const UserCodeError& error) {
    return py::make_tuple("code", std::string(error.what()), value_of(error.cause));
  } catch (const WorldLimit& error) {
    return py::make_tuple("input", std::string(error.what()));
  } catch (const OutputError& error) {
    return py::make_tuple(error.is_of_system ? "system" : "input", std::string(error.what()));
  }
}

py::object execute_in_process(const std::string& command, const std::string& text, const std::string& shown,
                              const std::string& folder, const std::vector<std::string>& settings,
                              const std::string& out, unsigned threads, const py::object& on_progress,
                              const std::string& part, unsigned processes, const py::list& arrays, bool replaces) {
  Watcher watcher(on_progress);
  const auto offers = offer(arrays);
  const ExecuteOptions options{.settings = {.threads = threads, .memory = memory_budget() / processes},
                               .watcher = &watcher,
                               .replaces = replaces,
                               .part = share_of(part)};
  return ended_by(watcher, [&] {
    const py::gil_scoped_release unlocked;
    do_command(command, scenario_of(text, shown, folder, settings), out, options);
  });
}

py::object replay_in_process(const std::string& folder, const py::list& arrays) {
  Watcher watcher{py::none()};
  const auto offers = offer(arrays);
  std::string difference;
  const py::object end = ended_by(watcher, [&] {
    const py::gil_scoped_release unlocked;
    difference = replay(folder, {.settings = {.memory = memory_budget()}, .watcher = &watcher});
  });
  return end.is_none() ? py::object(py::make_tuple("replayed", difference)) : end;
}

py::object check_in_process(const std::string& folder, bool update, unsigned threads) {
  Watcher watcher{py::none()};
  std::vector<GoldenVerdict> verdicts;
  const py::object end = ended_by(watcher, [&] {
    const py::gil_scoped_release unlocked;
    verdicts = check_goldens(
        folder, {.update = update, .threads = threads, .row = [&](const Row& row) { watcher.recorded(0, row); }});
  });
  if (!end.is_none()) return end;
  py::list all;
  for (const GoldenVerdict& one : verdicts) all.append(py::make_tuple(one.name, one.differences));
  return py::make_tuple("checked", all);
}

py::object validate_in_process(const std::string& text, const std::string& shown, const std::string& folder,
                               const std::vector<std::string>& settings, const py::list& arrays) {
  Watcher watcher{py::none()};
  const auto offers = offer(arrays);
  return ended_by(watcher, [&] {
    const py::gil_scoped_release unlocked;
    const ScenarioFile file = with_theory(scenario_of(text, shown, folder, settings));
    const std::vector<SweepPoint> points = sweep_points(file);
    check_points(file, points);
    if (read_scenario(points.front().file).tune) check_points(file, Tuning(file).points);
  });
}

}  // namespace

void declare_runs(py::module_& module) {
  module.def("execute", &execute_in_process, py::arg("command"), py::arg("text"), py::arg("shown"), py::arg("folder"),
             py::arg("settings"), py::arg("out"), py::arg("threads") = 1, py::arg("on_progress") = py::none(),
             py::arg("part") = "", py::arg("processes") = 1, py::arg("arrays") = py::list(),
             py::arg("replaces") = false);
  module.def("check", &check_in_process, py::arg("folder"), py::arg("update"), py::arg("threads"));
  module.def("validate", &validate_in_process, py::arg("text"), py::arg("shown"), py::arg("folder"),
             py::arg("settings"), py::arg("arrays") = py::list());
  module.def("replay", &replay_in_process, py::arg("folder"), py::arg("arrays") = py::list());
}

}  // namespace lagnet::python
