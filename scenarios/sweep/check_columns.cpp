#include "scenarios/sweep/check_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lagnet {

namespace {

/// What one of them says, by the place where it is said.
using Said = std::vector<std::pair<std::string, std::string>>;

Said columns_of_claim(const Choice<ClaimFamily>& claim, const std::string& place) {
  const MeasureOptions& measure = claim.common().measure;
  Said said{{place + "/metric", measure.metric}};
  if (const auto* ratio = claim.options_as<RatioClaim>(); ratio && ratio->to_metric)
    said.emplace_back(place + "/to_metric", *ratio->to_metric);
  for (const auto& [key, row] : {std::pair("/at", &measure.at), std::pair("/first", &measure.first)})
    if (row->is_object()) said.emplace_back(place + key, row->begin().key());
  // What begins with a slash is a number of summary.json.
  std::erase_if(said, [](const auto& column) { return column.second == "excess" || column.second.starts_with('/'); });
  return said;
}

Said columns_of_panel(const PanelOptions& panel, const std::string& place) {
  return {{place + "/x", panel.x}, {place + "/y", panel.y}};
}

}  // namespace

void check_presented_columns(const ScenarioFile& file, const std::vector<std::vector<std::string>>& columns,
                             Diagnostics& problems) {
  const PresentationOptions presentation = read_presentation(file);
  Said said;
  for (std::size_t i = 0; i < presentation.expect.size(); ++i)
    for (auto& column : columns_of_claim(presentation.expect[i], fmt::format("/expect/{}", i)))
      said.push_back(std::move(column));
  for (std::size_t i = 0; i < presentation.figure.size(); ++i)
    for (auto& column : columns_of_panel(presentation.figure[i], fmt::format("/figure/{}", i)))
      said.push_back(std::move(column));
  if (said.empty()) return;

  std::vector<std::string> known;
  std::set<std::string> seen;
  for (const auto& of_run : columns)
    for (const std::string& name : of_run)
      if (seen.insert(name).second) known.push_back(name);
  for (const auto& [place, name] : said)
    if (!seen.contains(name))
      problems.add(place, fmt::format("one of the columns {}", comma_list(known)),
                   fmt::format("{}{}", name, did_you_mean(name, known)));
}

}  // namespace lagnet
