#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/json/diagnostics.hpp"

/// Scenario files as JSON (RFC 8259), with // and /* */ comments, read strictly: whatever another JSON reader might
/// understand in another way (a key given twice, a byte order mark, NaN) is a problem here.
namespace lagnet {

/// The keys and indices on the way of a JSON pointer to a member; nothing if the text is no such pointer.
std::optional<std::vector<std::string>> pointer_tokens(std::string_view pointer);

/// Whether a text is a JSON pointer (RFC 6901) to a member.
bool is_pointer(std::string_view text);

/// Whether JSON can hold it.
bool is_utf8(std::string_view text);

/// Whether a text in UTF-8 has a character that tables, figures and terminals cannot show: a control character, which
/// line ends and tabs are, too, or one that XML excludes.
bool has_control(std::string_view text);

/// The value that a text holds: what lagnet itself has written, else nlohmann::json::exception. Here alone, since the
/// library's parser is a template that takes a second to compile.
Json parse_json(std::string_view text);

/// The same; discarded (Json::is_discarded) if the text is no JSON.
Json try_json(std::string_view text);

/// The same; the text itself if it is no JSON.
Json json_or_text(const std::string& text);

/// The JSON object that `text` holds. Keys given twice are added to `diagnostics`, the last value kept. Whatever else
/// is wrong (not UTF-8, empty, a syntax error, a number out of range, nested too deeply, not an object) is added, too,
/// and Diagnosed thrown, with line and column counted from 1 and the column in bytes.
Json parse_scenario(std::string_view text, Diagnostics& diagnostics);

/// The same for a file, or for standard input where the path is "-". A missing file, one that is no regular file, or
/// one that cannot be read: Diagnosed.
Json read_json_file(const std::filesystem::path& path, Diagnostics& diagnostics);

/// Puts `value` at a JSON pointer below `document`. Objects missing on the way are made; a list takes an index that it
/// has, or "-" for one more element at its end. A pointer that leads nowhere is a problem, with `named` as its place,
/// and changes nothing.
void set_member(Json& document, std::string_view pointer, Json value, const std::string& named,
                Diagnostics& diagnostics);

/// The pointer that a setting's key stands for: topology.agents, topology/agents or /topology/agents.
std::string setting_pointer(std::string_view key);

/// One `--set` of the command line, "/pointer=value", or "key.key=value" or "key/key=value": the value is read as JSON,
/// or otherwise taken as a string, so that --set topology.kind=ring needs no quotes. A value that begins like an object
/// or a list must be one.
void apply_setting(Json& document, std::string_view setting, Diagnostics& diagnostics);

/// The setting that one `--sweep` of the command line stands for: "topology.agents=4,9,16" puts the list [4, 9, 16] at
/// the key "/topology/agents" of the section "sweep". Each value is read as JSON, or else taken as a text. There must
/// be a "=".
std::string sweep_setting(std::string_view swept);

}  // namespace lagnet
