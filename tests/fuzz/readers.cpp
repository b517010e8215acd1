#include "tests/fuzz/readers.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/deploy/deploy_plan.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/report/timeline_window.hpp"
#include "scenarios/results/model_files.hpp"
#include "scenarios/results/recorded_runs.hpp"
#include "scenarios/sweep/execute.hpp"
#include "sim/base/errors.hpp"
#include "sim/realtime/event_log.hpp"
#include "sim/realtime/frames/frame_reader.hpp"

namespace lagnet::fuzz {

namespace {

namespace fs = std::filesystem;

/// A scenario of one round, small enough for a thousand readings a second.
Json small_scenario() {
  return Json::parse(R"({"lagnet": 1, "name": "fuzz",
    "data": {"source": "gaussian_regression", "samples": 12, "features": 2, "noise": 0.1},
    "topology": {"kind": "ring", "agents": 3}, "algorithm": {"kind": "nids"}, "stop": {"rounds": 1},
    "record": {"optimum": false}})");
}

/// What a scenario names is read where it is assembled.
Reader of_scenario(const fs::path& folder, std::string name, std::vector<std::pair<std::string, Json>> members,
                   std::function<void(std::string_view)> put) {
  Json document = small_scenario();
  for (auto& [pointer, value] : members) document[Json::json_pointer(pointer)] = std::move(value);
  write_file(folder / (name + ".json"), document.dump());
  return {name, [=](std::string_view text) {
            put(text);
            try {
              const Scenario scenario = read_scenario(read_scenario_file(folder / (name + ".json")));
              ExperimentCache cache;
              assemble(scenario, name, cache);
              return true;
            } catch (const Diagnosed&) {
            } catch (const WorldLimit&) {
            }
            return false;
          }};
}

/// The same where that is one file.
Reader of_file(const fs::path& folder, std::string name, const std::string& pointer, Json options) {
  const fs::path path = folder / (name + ".input");
  options["path"] = path.string();
  return of_scenario(folder, std::move(name), {{pointer, std::move(options)}},
                     [path](std::string_view text) { write_file(path, std::string(text)); });
}

/// The same where it has the arcs of a digraph, for an algorithm that takes one.
Reader of_digraph(const fs::path& folder, std::string name, const char* kind) {
  const fs::path path = folder / (name + ".input");
  const Json options{{"kind", kind}, {"directed", true}, {"path", path.string()}};
  return of_scenario(folder, std::move(name), {{"/topology", options}, {"/algorithm", {{"kind", "push_sum"}}}},
                     [path](std::string_view text) { write_file(path, std::string(text)); });
}

Reader of_matrix_market(const fs::path& folder) {
  const fs::path matrix = folder / "matrix.input", labels = folder / "labels.input";
  const Json options{{"source", "matrix_market"}, {"path", matrix.string()}, {"labels_path", labels.string()}};
  return of_scenario(folder, "matrix_market", {{"/data", options}}, [=](std::string_view text) {
    constexpr std::string_view border = "%labels\n";  // a comment, if it is read
    const std::size_t end = std::min(text.find(border), text.size());
    write_file(matrix, std::string(text.substr(0, end)));
    write_file(labels, std::string(text.substr(std::min(end + border.size(), text.size()))));
  });
}

/// The document itself, without what it names.
Reader of_documents(const fs::path& folder) {
  const fs::path path = folder / "document.input";
  return {"scenario", [path](std::string_view text) {
            write_file(path, std::string(text));
            try {
              const ScenarioFile file = read_scenario_file(path);
              read_presentation(file);
              for (const SweepPoint& point : sweep_points(file)) read_scenario(point.file);
              return true;
            } catch (const Diagnosed&) {
              return false;
            }
          }};
}

/// The checksum by which a summary names its scenario would be wrong after every change, and nothing else be read.
std::string matching(std::string summary, std::string_view scenario) {
  constexpr std::string_view key = "\"scenario_crc32\": \"";
  const std::string crc = checksum(std::string(scenario));
  if (const std::size_t at = summary.find(key); at != std::string::npos)
    summary.replace(at + key.size(), crc.size(), crc);
  return summary;
}

/// A file in the folder of a run.
Reader of_run(const fs::path& run, std::string name, const std::string& file, std::function<void()> read) {
  const std::string before = read_file(run / file), scenario = read_file(run / "scenario.json"),
                    summary = read_file(run / "summary.json");
  return {std::move(name), [=](std::string_view text) {
            write_file(run / file, file == "summary.json" ? matching(std::string(text), scenario) : std::string(text));
            if (file == "scenario.json") write_file(run / "summary.json", matching(summary, text));
            bool is_read = false;
            try {
              read();
              is_read = true;
            } catch (const OutputError&) {
            } catch (const Diagnosed&) {
            }
            write_file(run / file, before);
            write_file(run / "summary.json", summary);
            return is_read;
          }};
}

/// What comes over a connection. The first letter says what follows: whole frames (S), or the body of a message (M), a
/// receipt (R) or a greeting (H), which no checksum keeps from being changed.
bool read_frames(std::string_view text) {
  constexpr FrameLimits limits{.largest_body = 1 << 16, .links = 6};
  if (text.empty()) return false;
  const auto bytes = std::as_bytes(std::span(text)).subspan(1);
  const auto read_body = [&](const Frame& frame) {
    if (frame.header.kind == FrameKind::message) read_message(frame, limits);
    if (frame.header.kind == FrameKind::receipt) read_receipt(frame.body, limits);
    if (frame.header.kind == FrameKind::hello) read_hello(frame.body);
  };
  try {
    if (text[0] == 'M') return read_body({{.kind = FrameKind::message}, bytes}), true;
    if (text[0] == 'R') return read_body({{.kind = FrameKind::receipt}, bytes}), true;
    if (text[0] == 'H') return read_body({{.kind = FrameKind::hello}, bytes}), true;
    FrameReader reader(limits);
    for (std::size_t first = 0; first < bytes.size();) {
      const auto room = reader.room();
      const std::size_t count = std::min(room.size(), bytes.size() - first);
      std::ranges::copy(bytes.subspan(first, count), room.begin());
      reader.add(count);
      first += count;
      while (const auto frame = reader.next()) read_body(*frame);
    }
    return text[0] == 'S';
  } catch (const FrameError&) {
    return false;
  }
}

/// A record of an agent's process, as `lagnet deploy collect` reads it.
Reader of_record(const fs::path& folder) {
  const fs::path path = folder / "record.input";
  return {"record", [path](std::string_view text) {
            write_file(path, std::string(text));
            try {
              EventLogReader log(path);
              while (log.next()) continue;
              return log.has_ended();
            } catch (const RunError&) {
              return false;
            }
          }};
}

Reader of_plan(const fs::path& folder) {
  const fs::path path = folder / "plan.input";
  return {"plan", [path](std::string_view text) {
            write_file(path, std::string(text));
            try {
              check_plan(read_plan(path).plan, 3, "plan");
              return true;
            } catch (const Diagnosed&) {
              return false;
            }
          }};
}

Reader of_hosts() {
  return {"hosts", [](std::string_view text) {
            try {
              read_hosts(std::string(text), 3, "hosts");
              return true;
            } catch (const Diagnosed&) {
              return false;
            }
          }};
}

fs::path make_run(const fs::path& folder) {
  Json document = small_scenario();
  document["record"]["timeline"] = true;
  write_file(folder / "run.json", document.dump());
  execute(read_scenario_file(folder / "run.json"), folder / "run", {});
  return folder / "run";
}

}  // namespace

std::vector<Reader> make_readers(const fs::path& folder) {
  const fs::path run = make_run(folder);
  const auto compare = [run] {
    for (const RecordedRun& one : read_recorded_runs({run}).runs) {
      circumstances(one.scenario);
      read_scenario(scenario_file(one));
    }
    read_model(run);
  };
  return {
      of_documents(folder),
      of_file(folder, "libsvm", "/data", {{"source", "libsvm"}}),
      of_file(folder, "csv", "/data", {{"source", "csv"}}),
      of_matrix_market(folder),
      of_file(folder, "edge_list", "/topology", {{"kind", "edge_list"}}),
      of_file(folder, "graphml", "/topology", {{"kind", "graphml"}}),
      of_digraph(folder, "arc_list", "edge_list"),
      of_digraph(folder, "directed_graphml", "graphml"),
      of_file(folder, "latency_matrix", "/network/latency_ms", {{"kind", "matrix"}}),
      of_file(folder, "speed_trace", "/compute/speed_flops_per_s", {{"kind", "trace"}}),
      of_file(folder, "availability_trace", "/participation/availability/0", {{"kind", "trace"}}),
      of_run(run, "progress", "progress.csv", compare),
      of_run(run, "summary", "summary.json", compare),
      of_run(run, "recorded_scenario", "scenario.json", compare),
      of_run(run, "timeline", "timeline.json",
             [run] { read_timeline_window(run / "timeline.json", 3, {.agents_max = 3, .slices_max = 100}); }),
      of_run(run, "model", "model.csv", [run] { read_model(run); }),
      {"frames", read_frames},
      of_record(folder),
      of_plan(folder),
      of_hosts(),
  };
}

}  // namespace lagnet::fuzz
