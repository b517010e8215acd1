#include "tools/cli/results/report_command.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <boost/algorithm/string/trim.hpp>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "scenarios/compare/tables/run_values.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/temporary_folder.hpp"
#include "scenarios/report/report_model.hpp"
#include "scenarios/words/words.hpp"
#include "tools/cli/results/commands.hpp"
#include "tools/cli/results/compare_command.hpp"
#include "tools/console/child_process.hpp"
#include "tools/console/idle_options.hpp"
#include "tools/console/option_checks.hpp"
#include "tools/console/output_options.hpp"
#include "tools/console/printing.hpp"
#include "tools/console/suggestions.hpp"
#include "tools/report/filled_page.hpp"

namespace lagnet::tools {

namespace {

namespace fs = std::filesystem;

const std::vector<std::string> figure_names{"convergence", "critical-path", "panels",   "ranking",   "pareto",
                                            "heat",        "costs",         "faults",   "staleness", "topology",
                                            "links",       "sites",         "playback", "timeline",  "what-if-map"};

constexpr double column_mm = 85, page_mm = 180;  // of a journal

/// The figure that was asked for, by --figure or by --panel.
std::string figure_of(const ReportRequest& request) {
  return request.panel ? fmt::format("panel-{}", *request.panel) : request.figure;
}

/// Runs a program that makes figures. Throws InputError where it is missing or says no.
void run_figure_program(const std::vector<std::string>& command, const fs::path& output, const fs::path& scratch,
                        std::string_view package) {
  constexpr int not_found = 127, refused = 2;
  const fs::path messages = scratch / "messages";
  const int status = run_program(command, output, messages);
  if (status == 0) return;
  if (status == not_found)
    throw InputError(
        fmt::format("report: this format needs the program {}, which was not found; on Debian: apt-get "
                    "install {}",
                    command[0], package));
  const std::string said = boost::trim_copy(read_file(messages));
  if (status == refused) throw InputError("report: " + said);
  throw std::runtime_error(fmt::format("{} ended with status {}: {}", command[0], status, said));
}

/// The choices of a figure as an object: values are texts, but for true and false.
Json choices_of(const std::vector<std::string>& given) {
  Json choices = Json::object();
  for (const std::string& choice : given) {
    const std::size_t at = choice.find('=');
    if (at == 0 || at == std::string::npos)
      throw InputError(fmt::format("report: --choose: expected KEY=VALUE, found {}", choice));
    const std::string value = choice.substr(at + 1);
    choices[choice.substr(0, at)] = value == "true" ? Json(true) : value == "false" ? Json(false) : Json(value);
  }
  return choices;
}

/// The figure as SVG text, drawn by node.
std::string svg_figure(const ReportTexts& texts, const Json& model, const ReportRequest& request,
                       const fs::path& scratch) {
  std::string script = "const echarts = (() => { const module = { exports: {} }, exports = module.exports;\n";
  script += texts.chart_library;
  script += "return module.exports; })();\n";
  script += texts.figure_scripts;
  script += fmt::format("paperFigureToStdout({}, {}, {}, {});\n", in_script(model), in_script(figure_of(request)),
                        in_script(choices_of(request.choices)),
                        request.width_mm.value_or(request.figure == "panels" ? page_mm : column_mm));
  const fs::path program = scratch / "figure.cjs", svg = scratch / "figure.svg";
  write_file(program, script);
  run_figure_program({"node", program.string()}, svg, scratch, "nodejs");
  return read_file(svg);
}

/// Prints at 600 dots an inch; on screens SVG pixels are a 96th of an inch.
std::string converted_figure(const std::string& format, const fs::path& scratch) {
  const fs::path drawn = scratch / "figure.svg", made = scratch / ("figure." + format);
  std::vector<std::string> command{"rsvg-convert", "--format", format};
  if (format == "png") command.insert(command.end(), {"--zoom", "6.25", "--background-color", "white"});
  command.push_back(drawn.string());
  ::setenv("SOURCE_DATE_EPOCH", "0", 0);  // the same bytes at any time: a PDF says when it was made
  run_figure_program(command, made, scratch, "librsvg2-bin");
  return read_file(made);
}

void check_window(const ReportRequest& request) {
  if (request.to_s && *request.to_s <= request.from_s)
    throw InputError(
        fmt::format("report: --to-s: expected more than --from-s, {}, found {}", request.from_s, *request.to_s));
}

void check_request(const ReportRequest& request) {
  check_window(request);
  const bool is_page = request.format == "html";
  if (is_page && !request.figure.empty())
    throw InputError("report: --figure: expected --format svg, png or pdf beside it, found html");
  if (is_page && !request.choices.empty())
    throw InputError("report: --choose: expected --figure and --format beside it, found html");
  if (is_page && request.width_mm)
    throw InputError("report: --width-mm: expected --figure and --format beside it, found html");
  if (is_page && request.panel)
    throw InputError("report: --panel: expected --format svg, png or pdf beside it, found html");
  if (request.panel && !request.figure.empty())
    throw InputError("report: --panel: expected no --figure beside it, found " + request.figure);
  if (request.panel) return;  // drawing it shows whether the scenario has it
  if (!is_page && request.figure.empty())
    throw InputError(fmt::format("report: --format {}: expected --figure with one of {}, or --panel, found none",
                                 request.format, comma_list(figure_names)));
  const bool is_panel = request.figure.starts_with("panel-");  // of the scenario's own figure: drawing it shows
  if (!is_page && !is_panel && std::ranges::find(figure_names, request.figure) == figure_names.end())
    throw InputError(fmt::format("report: --figure: expected one of {}, found {}{}", comma_list(figure_names),
                                 request.figure, did_you_mean(request.figure, figure_names)));
}

}  // namespace

bool has_reports() { return report_texts().has_value(); }

ReportTexts page_texts(const std::string& command) {
  if (const auto texts = report_texts()) return *texts;
  throw InputError(command +
                   ": this build of lagnet has no reports, since the chart library was missing when it was built; "
                   "install npm (on Debian: apt-get install npm), or name a folder that has the library "
                   "(cmake --preset release -D LAGNET_CHART_LIBRARY=FOLDER), and configure and build again");
}

int report_command(const ReportRequest& request, const Console& console) {
  check_request(request);
  const ReportTexts texts = page_texts("report");
  const bool is_page = request.format == "html";
  const OutputFile out = or_default(request.out, is_page ? "report.html" : figure_of(request) + "." + request.format);
  if (fs::is_directory(out.path))
    throw InputError(fmt::format("report: -o: expected a file, found the folder {}", out.path));
  const std::vector<fs::path> folders(request.folders.begin(), request.folders.end());
  const Json model =
      report_model(read_runs_where(folders, request.where), {.command = request.command,
                                                             .window_from_s = request.from_s,
                                                             .window_to_s = request.to_s,
                                                             .is_for_figure = !is_page,
                                                             .has_what_if = is_page || request.figure == "what-if-map",
                                                             .compare = request.compare});
  std::string content;
  if (is_page) {
    content = filled_page(texts, model);
  } else {
    const TemporaryFolder scratch("report");
    content = svg_figure(texts, model, request, scratch.path());
    if (request.format != "svg") content = converted_figure(request.format, scratch.path());
  }
  write_output(out, content);
  print_answer(console, {{"file", out.path}, {"bytes", content.size()}, {"runs", model["runs"].size()}},
               fmt::format("{}: {}, {} bytes\n", out.path, counted(model["runs"].size(), "run"), content.size()));
  return 0;
}

void add_report(CLI::App& app, Console& console, const std::string& typed) {
  auto given = std::make_shared<ReportRequest>();
  given->command = typed;
  auto* command = app.add_subcommand("report", "Write runs as a page for any browser, or a figure for print");
  command->add_option("DIR", given->folders, "result folders of runs and sweeps")->required();
  add_where(*command, given->where);
  add_levels(*command, given->compare.to, "levels to compare; the page begins with the last one", "");
  add_output_file(*command, given->out,
                  "file to write; its ending sets the format; by default report.html, or the figure's name", true);
  command->add_option("--format", given->format, "html (the default) for the page; svg, png or pdf for one figure")
      ->check(CLI::IsMember({"html", "svg", "png", "pdf"}))
      ->option_text("FORMAT");
  command
      ->add_option("--figure", given->figure,
                   "figure to draw: panels (the scenario's own figure), convergence, ranking, pareto, heat, "
                   "critical-path, costs, faults, staleness, topology, links, sites, playback, timeline or what-if-map")
      ->check(suggests(
          "panels|convergence|ranking|pareto|heat|critical-path|costs|faults|staleness|topology|links|sites|playback|"
          "timeline|what-if-map"))
      ->option_text("NAME");
  command->add_option("--panel", given->panel, "draw this panel of the scenario's own figure, from 1 on, instead")
      ->check(CLI::Range(1, 1000))
      ->option_text("N");
  command
      ->add_option(
          "--choose", given->choices,
          "set what the figure shows (repeatable), like the page's controls: y=objective, x=bytes, logX=true, run=2")
      ->type_size(1)
      ->allow_extra_args(false)
      ->option_text("KEY=VALUE");
  command
      ->add_option("--width-mm", given->width_mm,
                   "width of the figure, from 40 to 400; by default 85, and 180 for panels")
      ->check(CLI::Range(40.0, 400.0))
      ->check(refuse_infinite)
      ->option_text("MM");
  command->add_option("--from-s", given->from_s, "simulated time at which timelines begin, in s; by default 0")
      ->check(refuse_infinite)
      ->check(refuse_below_zero)
      ->option_text("S");
  command->add_option("--to-s", given->to_s, "simulated time at which timelines end, in s; by default as much as fits")
      ->check(refuse_infinite)
      ->option_text("S");
  command->callback([given, command, &console] {
    const std::string asked = command->count("--format") > 0 ? given->format : "";
    const std::string named =
        format_of_name("report: -o", given->out.path,
                       {{".html", "html"}, {".htm", "html"}, {".svg", "svg"}, {".png", "png"}, {".pdf", "pdf"}}, asked,
                       "--format " + asked);
    if (!named.empty()) given->format = named;
    const bool has_times = given->format == "html" || given->figure == "timeline" || given->figure == "playback";
    refuse_all_idle(*command, {"--from-s", "--to-s"}, !has_times,
                    "on this figure: only the page, timeline and playback show a part of a run");
    const std::string& figure = given->figure;
    refuse_idle(*command, "--to",
                given->format != "html" && figure != "ranking" && figure != "pareto" && figure != "heat" &&
                    figure != "what-if-map",
                "on this figure: only the page, ranking, pareto, heat and what-if-map compare levels");
    console.exit_status = report_command(*given, console);
  });
}

}  // namespace lagnet::tools
