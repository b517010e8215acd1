#include "scenarios/assembly/gossip_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/files/compressed.hpp"
#include "scenarios/files/csv_records.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/files/text.hpp"
#include "scenarios/format/kinds/name_or_number.hpp"
#include "topologies/gossip.hpp"

namespace lagnet {

namespace {

constexpr double sum_tolerance = 1e-9, symmetry_tolerance = 1e-12;

class GossipFileReader {
 public:
  GossipFileReader(const std::string& file, const Topology& topology)
      : diagnostics_(file), topology_(topology), names_(topology) {}

  SparseMatrix read(std::string_view text) {
    CsvRecords records(text, ',', diagnostics_);
    std::vector<std::string> fields;
    while (records.next(fields)) {
      if (!form_ && read_header(records.line(), fields)) continue;
      if (form_ == Form::triplets)
        read_triplet(records.line(), fields);
      else
        read_row(records.line(), fields);
    }
    const auto agents = static_cast<std::size_t>(topology_.agents());
    if (form_ != Form::triplets && rows_.size() != agents)
      diagnostics_.add(0, fmt::format("{} lines of {} numbers, one an agent", agents, agents),
                       fmt::format("{} lines", rows_.size()));
    diagnostics_.throw_if_any();
    return matrix();
  }

 private:
  enum class Form { rows, named_rows, triplets };

  /// The form of the file by its first line; true if that is a header.
  bool read_header(Index line, const std::vector<std::string>& fields) {
    double number = 0;
    if (fields.size() == 3 && trimmed(fields[0]) == "from" && trimmed(fields[1]) == "to" &&
        trimmed(fields[2]) == "weight") {
      form_ = Form::triplets;
      return true;
    }
    form_ = fields.size() > 1 && parse_real(trimmed(fields[0]), number) != nullptr ? Form::named_rows : Form::rows;
    if (form_ == Form::rows) return false;
    for (std::size_t k = 1; k < fields.size(); ++k)
      if (const auto agent = agent_of(line, fields[k])) columns_.push_back(*agent);
    if (std::ssize(columns_) != topology_.agents())
      diagnostics_.add(line, fmt::format("the names of {} agents", topology_.agents()),
                       fmt::format("{}", columns_.size()));
    return true;
  }

  std::optional<AgentId> agent_of(Index line, std::string_view field) {
    const std::string text(trimmed(field));
    NameOrNumber name;
    name.name = text;
    auto found = names_.find(name);
    std::int64_t number = 0;
    if (!found && !parse_integer(text, number) && number >= 0) found = names_.find(NameOrNumber(number));
    if (!found) diagnostics_.add(line, "an agent, by its number or the name of its node", shown_token(text));
    return found;
  }

  void put(Index line, AgentId i, AgentId j, std::string_view field, std::string_view where) {
    double value = 0;
    if (parse_real(trimmed(field), value))
      diagnostics_.add(line, fmt::format("a finite number{}", where), shown_token(trimmed(field)));
    else if (!entries_.emplace(std::pair(i, j), value).second)
      diagnostics_.add(line, "each entry once",
                       fmt::format("W({},{}) again", topology_.name_of(i), topology_.name_of(j)));
  }

  void read_triplet(Index line, const std::vector<std::string>& fields) {
    if (fields.size() != 3) return diagnostics_.add(line, "from,to,weight", fmt::format("{} fields", fields.size()));
    const auto from = agent_of(line, fields[0]), to = agent_of(line, fields[1]);
    if (from && to) put(line, *from, *to, fields[2], "");
  }

  void read_row(Index line, const std::vector<std::string>& fields) {
    const std::size_t first = form_ == Form::named_rows ? 1 : 0, agents = static_cast<std::size_t>(topology_.agents());
    auto row = std::optional(static_cast<AgentId>(rows_.size()));
    if (first == 1) row = agent_of(line, fields[0]);
    if (!row) return;
    if (first == 1 && rows_.contains(*row))
      return diagnostics_.add(line, "one line of each agent", shown_token(fields[0]));
    rows_[*row] = line;
    if (fields.size() != agents + first || (first == 1 && columns_.size() != agents))
      return diagnostics_.add(line, fmt::format("{}{} numbers, one an agent", first == 1 ? "a name and " : "", agents),
                              fmt::format("{} fields", fields.size()));
    if (*row >= agents) return;  // too many lines, which is reported at the end
    for (std::size_t k = 0; k < agents; ++k)
      put(line, *row, first == 1 ? columns_[k] : static_cast<AgentId>(k), fields[k + first],
          fmt::format(" in column {}", k + first + 1));
  }

  SparseMatrix matrix() {
    const Index m = topology_.agents();
    Vector others = Vector::Zero(m);
    for (auto& [ends, value] : entries_) {
      const auto mirrored = entries_.find({ends.second, ends.first});
      if (ends.first < ends.second && mirrored != entries_.end() &&
          std::abs(mirrored->second - value) <= symmetry_tolerance)
        mirrored->second = value;
    }
    for (const auto& [ends, value] : entries_)
      if (ends.first != ends.second) others[ends.first] += value;
    for (AgentId i = 0; i < m; ++i) {
      const auto own = entries_.find({i, i});
      const double lacking = 1 - others[i];
      if ((own == entries_.end() && form_ == Form::triplets) ||
          (own != entries_.end() && std::abs(own->second - lacking) <= sum_tolerance))
        entries_[{i, i}] = std::abs(lacking) <= symmetry_tolerance ? 0 : lacking;
    }
    std::vector<Eigen::Triplet<double>> triplets;
    for (const auto& [ends, value] : entries_)
      if (value != 0 || ends.first == ends.second) triplets.emplace_back(ends.first, ends.second, value);
    SparseMatrix w(m, m);
    w.setFromTriplets(triplets.begin(), triplets.end());
    return w;
  }

  DataDiagnostics diagnostics_;
  const Topology& topology_;
  AgentNames names_;
  std::optional<Form> form_;
  std::vector<AgentId> columns_;
  std::map<AgentId, Index> rows_;  // the line of each agent's row
  std::map<std::pair<AgentId, AgentId>, double> entries_;
};

}  // namespace

SparseMatrix read_gossip_file(const std::filesystem::path& path, const Topology& topology) {
  need_undirected(topology, "W");
  const std::string file = path.generic_string();
  SparseMatrix w = GossipFileReader(file, topology).read(read_data_text(path));
  std::vector<Diagnostic> problems = gossip_problems_on(topology, w);
  for (Diagnostic& problem : problems) problem.where = file + ": " + problem.where;
  if (!problems.empty()) throw Diagnosed(std::move(problems));
  return w;
}

}  // namespace lagnet
