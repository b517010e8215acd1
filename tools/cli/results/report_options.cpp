#include "tools/cli/results/report_options.hpp"

#include <memory>

#include "tools/cli/results/compare_command.hpp"
#include "tools/cli/results/report_command.hpp"
#include "tools/console/idle_options.hpp"
#include "tools/console/option_checks.hpp"
#include "tools/console/output_options.hpp"
#include "tools/console/suggestions.hpp"

namespace lagnet::tools {

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
                   "figure to draw: panels (the scenario's own figure), convergence, ranking, pareto, heat, costs, "
                   "faults, staleness, topology, links, playback, timeline or what-if-map")
      ->check(suggests(
          "panels|convergence|ranking|pareto|heat|costs|faults|staleness|topology|links|playback|timeline|what-if-map"))
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
