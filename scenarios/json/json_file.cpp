#include "scenarios/json/json_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <boost/locale/utf.hpp>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <system_error>

#include "sim/base/errors.hpp"
#include "sim/base/input_file.hpp"

namespace lagnet {

namespace {

constexpr std::size_t deepest = 64;  // scenarios need about six levels; writing JSON recurses once per level

std::string place(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return fmt::format("line {}, column {}", line, offset - line_start + 1);
}

/// Goes through a text once without building anything, for what the builder would pass over: keys given twice, depth,
/// and the place of an error.
class Scanner : public nlohmann::json_sax<Json> {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<Diagnostic> duplicates;
  std::optional<Diagnostic> failure;

  bool null() override { return next_value(); }
  bool boolean(bool) override { return next_value(); }
  bool number_integer(number_integer_t) override { return next_value(); }
  bool number_unsigned(number_unsigned_t) override { return next_value(); }
  bool number_float(number_float_t number, const string_t& written) override {
    if (number != 0 || written.substr(0, written.find_first_of("eE")).find_first_of("123456789") == std::string::npos)
      return next_value();
    failure = {levels_.empty() ? "" : pointer(levels_.size()), "a number within the range of a double", written};
    return false;
  }
  bool string(string_t&) override { return next_value(); }
  bool binary(binary_t&) override { return next_value(); }
  bool start_object(std::size_t) override { return open(false); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Level& level = levels_.back();
    level.key = name;
    if (!level.keys.insert(name).second)
      duplicates.push_back({pointer(levels_.size() - 1), "each key once", shown(Json(name)) + " twice"});
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& error) override {
    failure = describe(error, token, std::min(position, text_.size()));
    return false;
  }

 private:
  struct Level {
    bool is_array;
    std::size_t index = 0;  // of the element that comes next
    std::string key = {};   // of the member that comes next
    std::set<std::string> keys = {};
  };

  bool next_value() {
    if (!levels_.empty() && levels_.back().is_array) ++levels_.back().index;
    return true;
  }
  bool open(bool is_array) {
    if (levels_.size() == deepest) {
      failure = {pointer(1), fmt::format("at most {} levels of lists and objects", deepest), "more"};
      return false;
    }
    levels_.push_back({is_array});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return next_value();
  }
  std::string pointer(std::size_t depth) const {
    std::string path;
    for (std::size_t i = 0; i < depth; ++i)
      path = child_pointer(path, levels_[i].is_array ? std::to_string(levels_[i].index) : levels_[i].key);
    return path;
  }

  /// Turns the library's sentence, "[..] parse error at ..: syntax error while parsing CONTEXT - REASON; expected
  /// WHAT", into what was expected and what was found. `end` is behind the last character that was read, and `token` is
  /// what was read of the last string or number, with anything that followed.
  Diagnostic describe(const nlohmann::detail::exception& error, const std::string& token, std::size_t end) const {
    constexpr int number_overflow = 406;
    const std::size_t last = end > 0 ? end - 1 : 0;
    const std::size_t token_start = text_.substr(0, end).ends_with(token) ? end - token.size() : last;
    if (error.id == number_overflow) return {place(text_, token_start), "a number within the range of a double", token};
    std::string_view rest = error.what();
    if (const auto dash = rest.find(" - "); dash != std::string_view::npos) rest.remove_prefix(dash + 3);
    std::string reason(rest), expected = "valid JSON";
    const std::string last_read = "; last read: '" + token + "'";
    if (const auto at = reason.find(last_read); at != std::string::npos) reason.erase(at, last_read.size());
    if (const auto at = reason.find("; expected "); at != std::string::npos) {
      expected = reason.substr(at + 11);
      expected.erase(std::min(expected.find("; expected "), expected.size()));  // a bad token may name two
      reason.erase(at);
    }
    if (reason.starts_with("unexpected ")) reason.erase(0, 11);

    std::size_t start = last;
    if (reason == "end of input") start = text_.size();
    if (reason.ends_with("string literal") || reason.ends_with("number literal")) start = token_start;
    if (reason.starts_with("invalid string") || reason.starts_with("invalid number")) start = token_start;
    if (reason.starts_with("invalid literal"))
      while (start > 0 && is_letter(text_[start - 1])) --start;
    if (const auto found = habit_of_others(expected, reason, start)) return *found;
    if (reason.starts_with("invalid literal") || reason.starts_with("invalid number")) {
      reason = word_at(start);
      if (is_not_finite(reason)) expected = "a finite number";
    }
    return {place(text_, start), expected, reason};
  }
  /// What other languages allow at this place and JSON does not; nothing elsewhere.
  std::optional<Diagnostic> habit_of_others(const std::string& expected, const std::string& reason,
                                            std::size_t start) const {
    const auto found = [this](std::size_t at, const char* wanted, const std::string& written) {
      return Diagnostic{place(text_, at), wanted, written};
    };
    if (reason == "'}'" || reason == "']'") {
      const std::size_t comma = text_.substr(0, start).find_last_not_of(" \t\r\n");
      const bool is_trailing = comma != std::string_view::npos && text_[comma] == ',';
      return is_trailing ? std::optional(found(comma, "no comma after the last member", "a trailing comma"))
                         : std::nullopt;
    }
    if (reason == "string literal" && expected == "'}'") return found(start, "a comma between members", "none");
    if (!reason.starts_with("invalid literal")) return std::nullopt;
    if (text_[start] == '\'') return found(start, "keys and texts in double quotes", "a single quote");
    const std::string word = word_at(start);
    if (expected == "string literal" && is_letter(word[0])) return found(start, "keys in double quotes", word);
    for (const auto& [python, json] : {std::pair("True", "true"), {"False", "false"}, {"None", "null"}})
      if (word == python) return found(start, json, word);
    return std::nullopt;
  }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
  /// The text at `start`, up to a space or the punctuation of JSON, shortened.
  std::string word_at(std::size_t start) const {
    constexpr std::size_t longest = 40;
    const std::size_t end = text_.find_first_of(" \t\r\n,:[]{}\"", start + 1);
    return std::string(text_.substr(start, std::min(end - start, longest)));
  }
  static bool is_not_finite(std::string word) {
    for (char& c : word) c = static_cast<char>(c | 0x20);  // lower case
    if (word[0] == '-' || word[0] == '+') word.erase(0, 1);
    return word == "nan" || word == "inf" || word == "infinity";
  }

  std::string_view text_;
  std::vector<Level> levels_;
};

/// The offset of the first byte that is not UTF-8, or npos.
std::size_t first_not_utf8(std::string_view text) {
  using Utf8 = boost::locale::utf::utf_traits<char>;
  for (auto at = text.begin(); at != text.end();) {
    const auto start = at;
    const auto code_point = Utf8::decode(at, text.end());
    if (code_point == boost::locale::utf::illegal || code_point == boost::locale::utf::incomplete)
      return static_cast<std::size_t>(start - text.begin());
  }
  return std::string_view::npos;
}

/// `place`: in the text, "line 3, column 5"; "" for all of it.
[[noreturn]] void fail(Diagnostics& diagnostics, std::string place, std::string expected, std::string found) {
  diagnostics.add({std::move(place), std::move(expected), std::move(found)});
  diagnostics.fail();
}

/// The element of a list that a token names, or null.
Json* element_of(Json& list, const std::string& token) {
  if (token == "-") return &list.emplace_back();
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  const bool is_index = error == std::errc{} && end == token.data() + token.size();
  return is_index && index < list.size() ? &list[index] : nullptr;
}

}  // namespace

std::optional<std::vector<std::string>> pointer_tokens(std::string_view pointer) {
  if (!pointer.starts_with('/')) return std::nullopt;
  try {
    std::vector<std::string> tokens;
    for (Json::json_pointer rest{std::string(pointer)}; !rest.empty(); rest.pop_back())
      tokens.insert(tokens.begin(), rest.back());
    return tokens;
  } catch (const Json::parse_error&) {
    return std::nullopt;
  }
}

bool is_pointer(std::string_view text) { return pointer_tokens(text).has_value(); }

bool is_utf8(std::string_view text) { return first_not_utf8(text) == std::string_view::npos; }

bool has_control(std::string_view text) {
  using Utf8 = boost::locale::utf::utf_traits<char>;
  for (auto at = text.begin(); at != text.end();) {
    const auto c = Utf8::decode(at, text.end());
    if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xfffe || c == 0xffff) return true;
  }
  return false;
}

Json parse_json(std::string_view text) { return Json::parse(text); }

Json try_json(std::string_view text) { return Json::parse(text, nullptr, false); }

Json json_or_text(const std::string& text) {
  Json value = try_json(text);
  return value.is_discarded() ? Json(text) : value;
}

Json parse_scenario(std::string_view text, Diagnostics& diagnostics) {
  if (text.starts_with("\xEF\xBB\xBF")) fail(diagnostics, "", "UTF-8 text without a byte order mark", "one");
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) fail(diagnostics, "", "UTF-8 text", "UTF-16");
  if (const auto bad = first_not_utf8(text); bad != std::string_view::npos)
    fail(diagnostics, place(text, bad), "UTF-8 text",
         fmt::format("the byte 0x{:02x}", static_cast<unsigned char>(text[bad])));
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    fail(diagnostics, "", "a JSON object", "an empty file");
  // The library would take it for the end, and pass over all that follows.
  if (const auto nul = text.find('\0'); nul != std::string_view::npos)
    fail(diagnostics, place(text, nul), "UTF-8 text", "a NUL byte");

  Scanner scanner(text);
  Json::sax_parse(text, &scanner, Json::input_format_t::json, true, true);
  for (const Diagnostic& twice : scanner.duplicates) diagnostics.add(twice.where, twice.expected, twice.found);
  if (const auto& failure = scanner.failure) fail(diagnostics, failure->where, failure->expected, failure->found);

  Json document = Json::parse(text, nullptr, true, true);
  if (!document.is_object()) fail(diagnostics, "", "a JSON object", shown(document));
  return document;
}

Json read_json_file(const std::filesystem::path& path, Diagnostics& diagnostics) {
  if (path == "-") return parse_scenario(std::string(std::istreambuf_iterator<char>(std::cin), {}), diagnostics);
  if (const auto found = no_regular_file(path, "no such file")) fail(diagnostics, "", "a scenario file", *found);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  if (file) content << file.rdbuf();
  if (!file || content.bad()) {
    const std::string reason = errno != 0 ? std::generic_category().message(errno) : "an input error";
    fail(diagnostics, "", "a file that can be read", reason);
  }
  return parse_scenario(content.str(), diagnostics);
}

void set_member(Json& document, std::string_view pointer, Json value, const std::string& named,
                Diagnostics& diagnostics) {
  const auto tokens = pointer_tokens(pointer);
  if (!tokens) return diagnostics.add(named, "a JSON pointer such as /topology/agents", shown(Json(pointer)));
  Json changed = document;  // so that a pointer that ends nowhere leaves no half-made path behind
  Json* at = &changed;
  std::string reached;
  for (const std::string& token : *tokens) {
    if (at->is_null()) *at = Json::object();
    if (!at->is_object() && !at->is_array())
      return diagnostics.add(named, fmt::format("an object or a list at {}", reached), shown(*at));
    if (at->is_object()) {
      at = &(*at)[token];
    } else {
      const std::size_t size = at->size();
      at = element_of(*at, token);
      if (!at) return diagnostics.add(named, fmt::format("an index below {} at {}, or -", size, reached), token);
    }
    reached = child_pointer(reached, token);
  }
  *at = std::move(value);
  document = std::move(changed);
}

std::string setting_pointer(std::string_view key) {
  std::string pointer(key);
  if (key.empty() || key.starts_with('/')) return pointer;
  if (key.find('/') == std::string_view::npos) std::ranges::replace(pointer, '.', '/');
  return '/' + pointer;
}

void apply_setting(Json& document, std::string_view setting, Diagnostics& diagnostics) {
  const auto equals = setting.find('=');
  const std::string_view path = setting.substr(0, equals);
  const std::string named = fmt::format("--set {}", path);
  if (equals == std::string_view::npos)
    return diagnostics.add({named, "a key and its value, as in topology.agents=16", "no \"=\""});
  const std::string_view text = setting.substr(equals + 1);
  if (!is_utf8(setting)) return diagnostics.add({"--set", "UTF-8 text", shown(Json(setting))});

  if (text.find('\0') != std::string_view::npos) return diagnostics.add({named, "text", "a NUL byte"});
  Scanner scanner(text);
  const bool is_json = Json::sax_parse(text, &scanner);
  for (const Diagnostic& twice : scanner.duplicates)
    if (is_json) diagnostics.add({named + twice.where, twice.expected, twice.found});
  if (!is_json && (text.starts_with('{') || text.starts_with('['))) {
    const Diagnostic& failure = *scanner.failure;
    return diagnostics.add({named, "JSON, whose keys and texts stand in double quotes, all of it in single quotes",
                            fmt::format("{}, with {} at {}", text, failure.found, failure.where)});
  }
  Diagnostics of_member("");
  set_member(document, setting_pointer(path), is_json ? parse_json(text) : Json(text), named, of_member);
  for (const Diagnostic& one : of_member.list()) diagnostics.add({one.where, one.expected, one.found});
}

std::string sweep_setting(std::string_view swept) {
  const auto equals = swept.find('=');
  LAGNET_CHECK(equals != std::string_view::npos, "no \"=\" in {}", swept);
  const std::string text(swept.substr(equals + 1));
  std::string list = "[" + text + "]";
  if (try_json(list).is_discarded()) {
    std::vector<std::string> values;
    boost::algorithm::split(values, text, [](char c) { return c == ','; });
    for (std::string& value : values)
      if (try_json(value).is_discarded()) value = Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
    list = "[" + boost::algorithm::join(values, ",") + "]";
  }
  return child_pointer("/sweep", setting_pointer(swept.substr(0, equals))) + "=" + list;
}

}  // namespace lagnet
