#include "tools/python/module/runs.hpp"

#include <pybind11/stl.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "scenarios/compare/replay.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/json/json_file.hpp"
#include "scenarios/sweep/execute.hpp"
#include "scenarios/tune/tune.hpp"
#include "scenarios/tune/tuned_steps.hpp"
#include "sim/base/errors.hpp"
#include "sim/machine/allowance.hpp"
#include "tools/python/module/python_error.hpp"

namespace lagnet::python {

namespace py = pybind11;
namespace fs = std::filesystem;

namespace {

/// Tells Python that a row was recorded, and lets Ctrl-C end the run.
class Watcher final : public RunWatcher {
 public:
  explicit Watcher(py::object on_row) : on_row_(std::move(on_row)) {}
  void recorded(std::size_t point, const Row&) override {
    const py::gil_scoped_acquire lock;
    in_python("", [&] {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!on_row_.is_none()) on_row_(point);
    });
  }

 private:
  py::object on_row_;
};

/// As `read_scenario_file` has it, from a text.
ScenarioFile scenario_of(const std::string& text, const std::string& shown, const std::string& folder,
                         const std::vector<std::string>& settings) {
  Diagnostics diagnostics(shown);
  ScenarioFile file{shown, fs::canonical(folder), parse_scenario(text, diagnostics)};
  for (const std::string& setting : settings) apply_setting(file.document, setting, diagnostics);
  diagnostics.throw_if_any();
  return file;
}

void do_command(const std::string& command, const ScenarioFile& file, const fs::path& out,
                const ExecuteOptions& options) {
  const ScenarioFile wanted = asks_for_tuning(file) && command != "tune" ? tuned_steps(file, out, options).file : file;
  if (command == "run") execute(wanted, out, options);
  if (command == "sweep") execute_sweep(wanted, out, options);
  if (command == "tune") execute_tune(wanted, out, options);
}

/// What ended a call, for lagnet/inside.py, which raises it: nothing, or a tuple that begins with what it is.
py::object ended_by(const std::function<void()>& action) {
  const OneCall call;
  try {
    action();
    return py::none();
  } catch (const ScenarioError& error) {
    py::list problems;
    for (const Diagnostic& one : error.diagnostics.list())
      problems.append(py::make_tuple(one.where, one.expected, one.found));
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
                              const std::string& out, unsigned threads, const py::object& on_row) {
  Watcher watcher(on_row);
  const ExecuteOptions options{
      .threads = threads, .budget = {.jobs = 1, .memory = memory_budget()}, .watcher = &watcher};
  return ended_by([&] {
    const py::gil_scoped_release unlocked;
    do_command(command, scenario_of(text, shown, folder, settings), out, options);
  });
}

py::object replay_in_process(const std::string& folder) {
  Watcher watcher{py::none()};
  std::string difference;
  const py::object end = ended_by([&] {
    const py::gil_scoped_release unlocked;
    difference = replay(folder, {.budget = {.jobs = 1, .memory = memory_budget()}, .watcher = &watcher});
  });
  return end.is_none() ? py::object(py::make_tuple("replayed", difference)) : end;
}

}  // namespace

void declare_runs(py::module_& module) {
  module.def("execute", &execute_in_process, py::arg("command"), py::arg("text"), py::arg("shown"), py::arg("folder"),
             py::arg("settings"), py::arg("out"), py::arg("threads") = 1, py::arg("on_row") = py::none());
  module.def("replay", &replay_in_process, py::arg("folder"));
}

}  // namespace lagnet::python
