#include "topologies/generators/node_names.hpp"

#include <fmt/format.h>

#include <boost/locale/utf.hpp>
#include <charconv>
#include <map>
#include <numeric>
#include <optional>

namespace lagnet {

namespace {

namespace utf = boost::locale::utf;

bool is_printable(utf::code_point c) {
  return c != utf::illegal && c != utf::incomplete && c >= 0x20 && (c < 0x7f || c >= 0xa0);
}

/// The number that a text is as lagnet would write it.
std::optional<std::size_t> number_of(const std::string& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || fmt::format("{}", number) != text)
    return std::nullopt;
  return number;
}

/// The name with a space in place of every character that is not printable.
std::string printable(std::string_view name) {
  std::string kept;
  for (auto at = name.begin(); at != name.end();) {
    const auto from = at;
    if (is_printable(utf::utf_traits<char>::decode(at, name.end())))
      kept.append(from, at);
    else
      kept += ' ';
  }
  return kept;
}

}  // namespace

bool is_printable_utf8(std::string_view name) {
  for (auto at = name.begin(); at != name.end();)
    if (!is_printable(utf::utf_traits<char>::decode(at, name.end()))) return false;
  return true;
}

std::vector<AgentId> agents_of_ids(const std::vector<std::string>& ids) {
  std::vector<AgentId> in_order(ids.size());
  std::iota(in_order.begin(), in_order.end(), AgentId{0});
  std::vector<AgentId> agents;
  std::vector<bool> is_taken(ids.size());
  for (const std::string& id : ids) {
    const auto number = number_of(id);
    if (!number || *number >= ids.size() || is_taken[*number]) return in_order;
    is_taken[*number] = true;
    agents.push_back(static_cast<AgentId>(*number));
  }
  return agents;
}

std::vector<std::string> names_of_nodes(const std::vector<std::string>& ids, const std::vector<std::string>& labels) {
  std::map<std::string, std::size_t> uses;
  for (const std::string& label : labels) ++uses[label];
  std::vector<std::string> names;
  bool are_numbers = true;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const std::string& label = k < labels.size() ? labels[k] : "";
    const std::string name = label.empty() ? ids[k] : uses[label] > 1 ? fmt::format("{} ({})", label, ids[k]) : label;
    names.push_back(printable(name));
    are_numbers = are_numbers && names.back() == fmt::format("{}", k);
  }
  if (are_numbers) return {};
  // An id may be the label of another node.
  std::map<std::string, std::size_t> seen;
  for (std::string& name : names)
    if (const std::size_t count = seen[name]++; count > 0) name = fmt::format("{} [{}]", name, count + 1);
  return names;
}

}  // namespace lagnet
