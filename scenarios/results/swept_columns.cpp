#include "scenarios/results/swept_columns.hpp"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <map>
#include <set>

#include "scenarios/format/series_names.hpp"
#include "scenarios/json/document.hpp"

namespace lagnet {

namespace {

struct Leaf {
  std::string pointer;
  bool is_part = false;               // of an object or a list
  std::map<std::size_t, Json> cells;  // by point
};

std::string cell_text(const Json& value) { return value.is_null() ? "" : text_or_json(value); }

bool is_plain_list(const Json& value) {
  return value.is_array() && !value.empty() &&
         std::ranges::all_of(value, [](const Json& one) { return one.is_primitive(); });
}

std::string plain_list_text(const Json& list) {
  std::vector<std::string> texts;
  for (const Json& one : list) texts.push_back(cell_text(one));
  return boost::join(texts, " ");
}

/// The same with lists of plain values as texts: "3 7 12" has a cell, not a column for each number, and so have the
/// edges of a graph, "0 1, 1 2".
Json with_plain_lists_as_texts(Json value) {
  if (is_plain_list(value)) return plain_list_text(value);
  if (value.is_array() && !value.empty() && std::ranges::all_of(value, is_plain_list)) {
    std::vector<std::string> texts;
    for (const Json& one : value) texts.push_back(plain_list_text(one));
    return boost::join(texts, ", ");
  }
  if (value.is_structured())
    for (Json& part : value) part = with_plain_lists_as_texts(std::move(part));
  return value;
}

std::vector<Leaf> leaves_of(const std::vector<PointValues>& points) {
  std::vector<Leaf> leaves;
  const auto add = [&](std::size_t point, const std::string& pointer, const Json& value, bool is_part) {
    auto leaf = std::ranges::find(leaves, pointer, &Leaf::pointer);
    if (leaf == leaves.end()) leaf = leaves.insert(leaves.end(), Leaf{pointer, is_part, {}});
    leaf->cells[point] = value;
  };
  for (std::size_t i = 0; i < points.size(); ++i)
    for (const auto& [pointer, given] : points[i]) {
      const Json value = with_plain_lists_as_texts(as_called(given));
      if (!value.is_structured() || value.empty()) {
        add(i, pointer, value.is_structured() ? Json() : value, false);
        continue;
      }
      const Json flat = value.flatten();
      for (const auto& [below, part] : flat.items()) add(i, pointer + below, part, true);
    }
  return leaves;
}

bool is_same_for_all(const Leaf& leaf, std::size_t points) {
  return leaf.cells.size() == points &&
         std::ranges::all_of(leaf.cells, [&](const auto& cell) { return cell.second == leaf.cells.begin()->second; });
}

/// The last words of a pointer, "topology_agents"; a kind is called as what it is the kind of.
std::string last_words(const std::string& pointer, std::size_t count) {
  std::vector<std::string> words;
  boost::split(words, pointer, boost::is_any_of("/"));
  std::erase(words, "");
  if (words.size() > 1 && words.back() == "kind") words.pop_back();
  const auto is_index = [](const std::string& word) {
    return !word.empty() && std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
  };
  // A place in a list says nothing alone.
  while (count < words.size() && is_index(words[words.size() - count])) ++count;
  words.erase(words.begin(), words.end() - static_cast<std::ptrdiff_t>(std::min(count, words.size())));
  return boost::join(words, "_");
}

}  // namespace

std::vector<SweptColumn> swept_columns(const std::vector<PointValues>& points, const std::vector<std::string>& taken) {
  std::vector<Leaf> leaves = leaves_of(points);
  std::erase_if(leaves, [&](const Leaf& leaf) {
    return leaf.is_part && !leaf.pointer.ends_with("/kind") && is_same_for_all(leaf, points.size());
  });
  std::vector<SweptColumn> columns;
  for (const Leaf& leaf : leaves) {
    const auto is_ambiguous = [&](const std::string& name, std::size_t words) {
      const auto has_it = [&](const Leaf& other) {
        return other.pointer != leaf.pointer && last_words(other.pointer, words) == name;
      };
      return std::ranges::find(taken, name) != taken.end() || std::ranges::any_of(leaves, has_it);
    };
    constexpr std::size_t most_words = 8;
    std::size_t words = 1;
    while (words < most_words && is_ambiguous(last_words(leaf.pointer, words), words)) ++words;
    SweptColumn column{.name = words < most_words ? last_words(leaf.pointer, words) : leaf.pointer, .cells = {}};
    column.cells.resize(points.size());
    for (const auto& [point, value] : leaf.cells) column.cells[point] = cell_text(value);
    columns.push_back(std::move(column));
  }
  return columns;
}

std::vector<std::string> pointers_of_sweep(const Json& scenario) {
  const Json& sweep = Document(scenario).at("/sweep");
  std::vector<std::string> pointers;
  const auto add = [&](const Json& keys) {
    if (!keys.is_object()) return;
    for (const auto& [key, value] : keys.items())
      if (key != "label" && std::ranges::find(pointers, key) == pointers.end()) pointers.push_back(key);
  };
  if (!sweep.is_object()) return pointers;
  for (const auto& [key, value] : sweep.items())
    if (key == "points")
      add(value.is_array() && !value.empty() ? value.front() : Json());
    else if (key == "random" || key == "latin_hypercube")
      add(Document(value).at("/ranges"));
    else
      add(Json{{key, Json()}});
  return pointers;
}

}  // namespace lagnet
