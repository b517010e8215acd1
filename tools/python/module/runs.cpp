#include "tools/python/module/runs.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <utility>
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

/// Reports to Python now and then how far the runs are, and lets Ctrl-C end them. What Python raises then ends them,
/// too.
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
  /// Whether Python raised something then.
  bool has_raised() const { return static_cast<bool>(raised_); }
  [[noreturn]] void raise_again() const {
    PyErr_SetObject(py::type::of(raised_).ptr(), raised_.ptr());
    throw py::error_already_set();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds between_looks{20};

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
    const auto now = Clock::now();
    if (!has_raised() && now - looked_ < between_looks) return;
    const py::gil_scoped_acquire lock;
    if (has_raised()) raise_again();
    looked_ = now;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (on_progress_.is_none()) return;
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
  std::optional<double> error_, latest_error_;  // the one that is reported; the one of the run's latest row
  Clock::time_point looked_;
  py::object raised_;  // null as long as nothing was
};

/// What a call runs: a text, or a file without one.
struct Source {
  std::optional<std::string> text;
  std::string shown, folder;  // what messages call it; what its paths are relative to
  std::vector<std::string> settings;

  ScenarioFile read() const {
    if (!text) return read_scenario_file(shown, settings);
    Diagnostics diagnostics(shown);
    ScenarioFile file{shown, fs::canonical(folder), parse_scenario(*text, diagnostics)};
    apply_settings(file.document, settings, diagnostics);
    diagnostics.throw_if_any();
    return file;
  }
};

void do_command(const std::string& command, const Source& source, const fs::path& out, const ExecuteOptions& options,
                Plan::Alike alike) {
  if (command == "retime") {
    execute_retimed(source.shown, source.settings, out, options);
    return;
  }
  const ScenarioFile file = source.read();
  if (command == "tune") {
    Diagnostics problems(file.shown);
    check_tune_leaves(file.document, source.settings, problems);
    problems.throw_if_any();
    execute_tune(file, out, options);
    return;
  }
  const ScenarioFile wanted = asks_for_tuning(file) ? tuned_steps(file, out, options).file : file;
  if (command == "run") execute(wanted, out, options);
  if (command == "sweep") execute_sweep(wanted, out, options, alike);
}

py::tuple ended_by_input(const std::string& why) { return py::make_tuple("input", why); }
py::tuple ended_by_system(const std::string& why) { return py::make_tuple("system", why); }
py::tuple ended_by_files(const OutputError& error) {
  return error.is_of_system ? ended_by_system(error.what()) : ended_by_input(error.what());
}

/// What ended a call, for lagnet/inside.py, which raises it: nothing, or a tuple that begins with what it is.
py::object ended_by(const Watcher& watcher, const std::function<void()>& action) {
  const OneCall call;
  try {
    try {
      const py::gil_scoped_release unlocked;
      action();
    } catch (...) {
      if (watcher.has_raised()) watcher.raise_again();
      throw;
    }
    return py::none();
  } catch (const py::error_already_set&) {
    throw;
  } catch (const py::builtin_exception&) {
    throw;
  } catch (const Diagnosed& error) {
    py::list problems;
    for (const Diagnostic& one : error.diagnostics) {
      const bool has_pointer = one.place == Diagnostic::Place::pointer;
      problems.append(py::make_tuple(has_pointer ? one.where : "", one.expected, one.found, place_of(one)));
    }
    return py::make_tuple("problems", problems);
  } catch (const PythonInterruption& interrupted) {
    std::rethrow_exception(interrupted.cause);
  } catch (const AgentError& error) {
    return py::make_tuple("agent", error.agent, error.round, error.at.in_seconds(), std::string(error.what()),
                          value_of(error.cause));
  } catch (const UserCodeError& error) {
    return py::make_tuple("code", std::string(error.what()), value_of(error.cause));
  } catch (const WorldLimit& error) {
    return ended_by_input(error.what());
  } catch (const OutputError& error) {
    return ended_by_files(error);
  } catch (const fs::filesystem_error& error) {
    return ended_by_files(
        {fmt::format("{}: cannot be used: {}", error.path1().string(), error.code().message()), error.code()});
  } catch (const std::bad_alloc&) {
    return ended_by_system("not enough memory");
  } catch (const std::exception& error) {
    return ended_by_system(error.what());
  }
}

/// `given`: what inside.py calls it with, `processes` those that share the memory, `part` (K, N) or none.
py::object execute_in_process(const std::string& command, const Source& source, const std::string& out,
                              const py::dict& given, const py::object& on_progress, const py::list& arrays) {
  const auto number = [&](const char* key) { return given[key].cast<std::optional<std::int64_t>>(); };
  const auto is = [&](const char* key) { return given[key].cast<bool>(); };
  const auto offers = offer(arrays);
  const auto memory = number("memory_budget_mib");
  set_memory_budget(memory ? std::optional(*memory * (Bytes{1} << 20)) : std::nullopt);
  Watcher watcher(on_progress);
  ExecuteOptions options{.settings = asked_settings(given["threads"].cast<std::optional<unsigned>>().value_or(1),
                                                    given["jobs"].cast<std::optional<unsigned>>()),
                         .watcher = &watcher,
                         .replaces = is("replace")};
  options.settings.memory /= number("processes").value_or(1);
  if (const auto part = given["part"].cast<std::optional<std::pair<std::size_t, std::size_t>>>())
    options.part = Share{.number = part->first, .of = part->second};
  const auto alike = is("retime") ? Plan::Alike::shared : Plan::Alike::apart;
  return ended_by(watcher, [&] { do_command(command, source, out, options, alike); });
}

py::object replay_in_process(const std::string& folder, unsigned threads, std::optional<unsigned> jobs,
                             const py::object& on_progress, const py::list& arrays) {
  Watcher watcher(on_progress);
  const auto offers = offer(arrays);
  std::optional<Difference> difference;
  const ExecuteOptions options{.settings = asked_settings(threads, jobs), .watcher = &watcher};
  const py::object end = ended_by(watcher, [&] { difference = replay(folder, options); });
  if (!end.is_none()) return end;
  if (!difference) return py::make_tuple("replayed", "", "{}");
  return py::make_tuple("replayed", sentence(*difference), parts_of(*difference).dump());
}

py::object check_in_process(const std::string& folder, bool update, unsigned threads) {
  Watcher watcher{py::none()};
  std::vector<GoldenVerdict> verdicts;
  const py::object end = ended_by(watcher, [&] {
    verdicts = check_goldens(
        folder, {.update = update, .threads = threads, .row = [&](const Row& row) { watcher.recorded(0, row); }});
  });
  if (!end.is_none()) return end;
  Json all = Json::array();
  for (const GoldenVerdict& one : verdicts) all.push_back(as_json(one));
  return py::make_tuple("checked", all.dump());
}

py::object validate_in_process(const Source& source, const py::list& arrays) {
  const auto offers = offer(arrays);
  return ended_by(Watcher{py::none()}, [&] {
    const ScenarioFile file = with_theory(source.read());
    const std::vector<SweepPoint> points = sweep_points(file);
    check_points(file, points);
    if (read_scenario(points.front().file).tune) check_points(file, Tuning(file).points);
  });
}

/// How many runs there are; 0 where options are searched before the runs, and nothing where there is no sweep.
py::object count_points(const std::string& command, const Source& source) {
  std::optional<std::size_t> count;
  const py::object end = ended_by(Watcher{py::none()}, [&] {
    const ScenarioFile file = source.read();
    if (asks_for_tuning(file)) count = 0;
    if (command == "tune") count = Tuning(file).points.size();
    if (!count && !file.document.value("sweep", Json::object()).empty()) count = sweep_points(file).size();
  });
  return end.is_none() ? py::object(py::make_tuple("counted", count)) : end;
}

}  // namespace

void declare_runs(py::module_& module) {
  py::class_<Source>(module, "Source")
      .def(py::init<std::optional<std::string>, std::string, std::string, std::vector<std::string>>(), py::arg("text"),
           py::arg("shown"), py::arg("folder"), py::arg("settings"));
  module.def("execute", &execute_in_process, py::arg("command"), py::arg("source"), py::arg("out"), py::arg("given"),
             py::arg("on_progress") = py::none(), py::arg("arrays") = py::list());
  module.def("check", &check_in_process, py::arg("folder"), py::arg("update"), py::arg("threads"));
  module.def("validate", &validate_in_process, py::arg("source"), py::arg("arrays") = py::list());
  module.def("replay", &replay_in_process, py::arg("folder"), py::arg("threads") = 1, py::arg("jobs") = py::none(),
             py::arg("on_progress") = py::none(), py::arg("arrays") = py::list());
  module.def("count_points", &count_points, py::arg("command"), py::arg("source"));
}

}  // namespace lagnet::python
