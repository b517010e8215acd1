#include "tools/cli/reproduce_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/json/diagnostics.hpp"
#include "scenarios/results/folder_damage.hpp"
#include "scenarios/words/words.hpp"
#include "tools/cli/results/commands.hpp"
#include "tools/cli/results/report_command.hpp"
#include "tools/cli/run_commands.hpp"
#include "tools/console/printing.hpp"
#include "tools/console/terminal.hpp"

namespace lagnet::tools {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_seeds = 10'000;

/// Where the papers' scenarios are: below the working directory, in the tree that the program was built in, or beside
/// it where it was installed.
fs::path papers_folder() {
  std::vector<fs::path> places{"scenarios/papers"};
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  if (!none) {
    places.push_back(program.parent_path().parent_path().parent_path().parent_path() / "scenarios" / "papers");
    places.push_back(program.parent_path().parent_path() / "share" / "lagnet" / "scenarios" / "papers");
    places.push_back(program.parent_path().parent_path() / "share" / "scenarios" / "papers");  // of the Python package
  }
  for (const fs::path& place : places)
    if (fs::is_directory(place)) return place;
  throw InputError(
      "reproduce: expected the papers' scenarios in scenarios/papers, found no such folder; run it in the folder of "
      "lagnet's sources");
}

std::vector<std::string> names_in(const fs::path& folder, bool of_folders) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (of_folders && entry.is_directory()) names.push_back(entry.path().filename().string());
    if (!of_folders && entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

bool has_claims(const fs::path& scenario) { return !read_presentation(read_scenario_file(scenario)).expect.empty(); }

bool has_full_size(const fs::path& scenario) { return !read_presentation(read_scenario_file(scenario)).full.empty(); }

/// The figures of "PAPER", those with statements, or the one of "PAPER/FIGURE".
std::vector<fs::path> figures_of(const std::string& what) {
  const fs::path papers = papers_folder();
  const std::string paper = what.substr(0, what.find('/'));
  const std::vector<std::string> known = names_in(papers, true);
  if (std::ranges::find(known, paper) == known.end())
    throw InputError(fmt::format("reproduce: expected one of the papers {}, found {}{}", comma_list(known), paper,
                                 did_you_mean(paper, known)));
  const std::vector<std::string> figures = names_in(papers / paper, false);
  std::vector<fs::path> chosen;
  const std::string figure = what.size() > paper.size() ? what.substr(paper.size() + 1) : "";
  for (const std::string& name : figures) {
    const fs::path path = papers / paper / (name + ".json");
    if (figure == name || (figure.empty() && has_claims(path))) chosen.push_back(path);
  }
  if (chosen.empty())
    throw InputError(fmt::format("reproduce: expected one of {} of {}, found {}{}", comma_list(figures), paper, figure,
                                 did_you_mean(figure, figures)));
  return chosen;
}

/// Whether a point of a sweep has ended by an error, which leaves no rows.
bool has_errors(const fs::path& folder) {
  return std::ranges::any_of(fs::directory_iterator(folder),
                             [](const auto& point) { return error_of_point(point.path()).has_value(); });
}

/// The page beside the results; where this build has no reports, the results are all there is.
void write_report(const fs::path& folder, const std::string& what, const Console& console) {
  const fs::path page = folder / "report.html";
  const bool made = has_reports();
  const Console quiet{.quiet = true};
  if (made)
    report_command({.folders = {folder.string()}, .out = {page.string(), true}, .command = "lagnet reproduce " + what},
                   quiet);
  if (!console.quiet && !console.json) print_out("results in {}\n", made ? page.string() : folder.string());
}

/// Throws InputError unless it is one figure that its scenario defines, in a build that can draw: users learn this
/// before the runs, not after them.
void check_drawable(const std::vector<fs::path>& figures, const fs::path& pdf, bool replace) {
  if (!replace && fs::is_regular_file(pdf) && fs::file_size(pdf) > 0 && !read_file(pdf).starts_with("%PDF"))
    throw InputError(fmt::format(
        "reproduce: --pdf: expected a PDF or no file, found another file, {}; choose another name, or pass --replace",
        pdf.string()));
  if (fs::is_directory(pdf))
    throw InputError(fmt::format("reproduce: --pdf: expected a file, found the folder {}", pdf.string()));
  if (figures.size() > 1)
    throw InputError(fmt::format("reproduce: --pdf: expected one PAPER/FIGURE, found {} figures", figures.size()));
  if (!has_reports()) throw InputError("reproduce: --pdf: this build of lagnet has no reports");
  if (read_presentation(read_scenario_file(figures.front())).figure.empty())
    throw InputError(fmt::format("reproduce: --pdf: expected a scenario with panels under \"figure\", found none in {}",
                                 figures.front().string()));
}

/// The seeds that "5" stands for, from the scenario's own on, or "11..20".
Json seeds_of(const std::string& text, std::uint64_t own) {
  const auto refuse = [&] {
    throw InputError(fmt::format("reproduce: --seeds: expected a number from 1 to {}, or a range as 11..20, found {}",
                                 most_seeds, text));
  };
  const auto whole = [&](const std::string& digits) -> std::uint64_t {
    if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) refuse();
    return std::stoull(digits);
  };
  const std::size_t dots = text.find("..");
  const bool is_range = dots != std::string::npos;
  const std::uint64_t first = is_range ? whole(text.substr(0, dots)) : own;
  const std::uint64_t end = is_range ? whole(text.substr(dots + 2)) + 1 : own + whole(text);
  if (end <= first || end - first > most_seeds) refuse();
  Json seeds = Json::array();
  for (std::uint64_t seed = first; seed < end; ++seed) seeds.push_back(seed);
  return seeds;
}

/// With the seeds as the last key of the sweep, so that a point's neighbors differ in their draw.
std::vector<std::string> settings_with_seeds(const RunRequest& request, const fs::path& figure) {
  std::vector<std::string> settings = request.settings;
  if (request.seeds.empty()) return settings;
  const ScenarioFile file = read_scenario_file(figure, settings);
  const Json seeds = seeds_of(request.seeds, file.document.value("seed", std::uint64_t{1}));
  // A seed that is set is the first of a number of draws; beside a range it has no effect and is refused below.
  if (request.seeds.find("..") == std::string::npos)
    std::erase_if(settings,
                  [](const std::string& set) { return set.starts_with("seed=") || set.starts_with("/seed="); });
  settings.push_back("/sweep/~1seed=" + seeds.dump());
  return settings;
}

}  // namespace

std::vector<std::string> paper_figures() {
  const fs::path papers = papers_folder();
  std::vector<std::string> all;
  for (const std::string& paper : names_in(papers, true))
    for (const std::string& figure : names_in(papers / paper, false)) all.push_back(paper + "/" + figure);
  return all;
}

int papers_command(const Console& console) {
  const fs::path papers = papers_folder();
  const Look look = look_of(STDOUT_FILENO);
  constexpr std::size_t indent = 36;  // of descriptions
  Json list = Json::array();
  std::string text;
  for (const std::string& paper : names_in(papers, true))
    for (const std::string& figure : names_in(papers / paper, false)) {
      const ScenarioFile file = read_scenario_file(papers / paper / (figure + ".json"));
      const std::size_t statements = read_presentation(file).expect.size();
      if (statements == 0) continue;
      const std::string name = paper + "/" + figure;
      const std::string description = file.document.value("description", std::string());
      list.push_back({{"name", name}, {"description", description}, {"statements", statements}});
      text += entry_line(name, description + ", " + counted(statements, "statement"), look, indent);
    }
  print_answer({.json = console.json}, {{"papers", list}}, text);
  return 0;
}

int reproduce_command(const RunRequest& request, const std::string& pdf, const Console& console) {
  const std::string &what = request.scenario, &out = request.out;
  if (what.empty()) return papers_command(console);
  int worst = 0;
  const std::vector<fs::path> figures = figures_of(what);
  if (!pdf.empty()) check_drawable(figures, pdf, request.replace);
  if (request.full && std::ranges::none_of(figures, has_full_size))
    throw InputError(fmt::format("reproduce: --full has no effect on {}, which has no section full", what));
  for (const fs::path& figure : figures) {
    fs::path folder = out.empty() ? fs::path("runs") / figure.parent_path().filename() / figure.stem() : fs::path(out);
    if (!out.empty() && figures.size() > 1) folder /= figure.stem();
    if (out.empty() && request.full) folder += "-full";
    if (out.empty() && !request.seeds.empty()) folder += "-seeds-" + request.seeds;
    if (!console.quiet) print_err("{}\n", figure.string());
    const Console progress{.quiet = true, .only_progress = !console.quiet};
    const RunRequest sweep{.scenario = figure.string(),
                           .settings = settings_with_seeds(request, figure),
                           .out = folder.string(),
                           .full = request.full,
                           .replace = request.replace,
                           .part = request.part,
                           .resources = request.resources};
    const Swept swept = sweep_request(sweep, progress);
    if (swept.published == Executed::Published::not_yet) {
      tell_part(request, folder.string(), console);
      worst = std::max(worst, swept.exit_status);
      continue;
    }
    const bool draws = swept.published == Executed::Published::now || !fs::exists(folder / "report.html");
    const bool is_held_against = has_claims(folder / "scenario.json");
    // A statement may predict divergence or a deadlock: then the statements decide.
    if (!is_held_against || has_errors(folder)) worst = std::max(worst, swept.exit_status);
    if (is_held_against)
      worst = std::max(worst, claims_command(folder.string(), console));
    else if (!console.quiet)
      print_out("{} for {}\n",
                has_claims(figure) ? "the statements are about other data and are left out"
                                   : "no statements are written down",
                figure.stem().string());
    if (draws)
      write_report(folder, what, console);
    else if (!console.quiet && !console.json)
      print_out("results in {}\n", folder.string());
    if (!pdf.empty())
      report_command({.folders = {folder.string()}, .out = {pdf, request.replace}, .format = "pdf", .figure = "panels"},
                     console);
  }
  return worst;
}

}  // namespace lagnet::tools
