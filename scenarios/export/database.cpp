#include "scenarios/export/database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/replace.hpp>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <system_error>
#include <utility>

#include "scenarios/files/canonical_path.hpp"
#include "scenarios/files/result_folder.hpp"
#include "sim/base/input_file.hpp"

namespace lagnet {

namespace {

constexpr std::uint32_t application_id = 0x6c61676e;  // "lagn"

/// SQLite changes texts into numbers in columns of numbers, and whole numbers into reals in columns of reals.
std::string_view declared(ColumnType type) {
  switch (type) {
    case ColumnType::integer:
      return "INTEGER";
    case ColumnType::real:
      return "REAL";
    case ColumnType::text:
      return "TEXT";
    case ColumnType::any:
      return "NUMERIC";
  }
  return "";
}

int bind(sqlite3_stmt& statement, int place, const DatabaseCell& cell) {
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return sqlite3_bind_int64(&statement, place, *number);
  if (const auto* number = std::get_if<double>(&cell)) return sqlite3_bind_double(&statement, place, *number);
  if (const auto* text = std::get_if<std::string>(&cell))
    return sqlite3_bind_text64(&statement, place, text->data(), text->size(), SQLITE_STATIC, SQLITE_UTF8);
  return sqlite3_bind_null(&statement, place);
}

}  // namespace

std::string quoted_name(std::string_view name) {
  return "\"" + boost::replace_all_copy(std::string(name), "\"", "\"\"") + "\"";
}

Database::Database(const std::filesystem::path& file) : file_(file) {
  sqlite3* opened = nullptr;
  const int status = sqlite3_open_v2(canonical_path(file).c_str(), &opened,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW, nullptr);
  database_.reset(opened);
  check(status);
  begin();
}

void Database::begin() {
  execute("PRAGMA journal_mode = OFF");
  execute("PRAGMA synchronous = OFF");
  execute(fmt::format("PRAGMA application_id = {}", application_id));
  execute("BEGIN");
}

bool Database::is_own(const std::filesystem::path& file) {
  // In its header, as SQLite's file format says: a signed number of four bytes, the highest first.
  constexpr std::size_t place = 68;
  std::string header(place + 4, '\0');
  std::ifstream in = open_regular_file(file);
  if (!in.read(header.data(), static_cast<std::streamsize>(header.size())) || !header.starts_with("SQLite format 3"))
    return false;
  std::uint32_t id = 0;
  for (const char c : header.substr(place)) id = id << 8U | static_cast<unsigned char>(c);
  return id == application_id;
}

void Database::copy(const std::filesystem::path& other, const std::vector<std::string>& left_out) {
  execute("COMMIT");
  sqlite3* opened = nullptr;
  int status = sqlite3_open_v2(other.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
  const std::unique_ptr<sqlite3, Closes> from(opened);
  check(status);
  sqlite3_backup* const copying = sqlite3_backup_init(database_.get(), "main", from.get(), "main");
  status = copying == nullptr ? sqlite3_errcode(database_.get()) : sqlite3_backup_step(copying, -1);
  if (copying != nullptr) sqlite3_backup_finish(copying);
  check(status);
  begin();
  for (const std::string& table : left_out) execute(fmt::format("DROP TABLE IF EXISTS {}", quoted_name(table)));
}

void Database::Closes::operator()(sqlite3* database) const { sqlite3_close_v2(database); }
void Database::Closes::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Database::check(int status) const {
  if (status == SQLITE_OK || status == SQLITE_DONE || status == SQLITE_ROW) return;
  const int reason = status & 0xff;  // what is above says more of it
  const bool is_of_system = reason == SQLITE_FULL || reason == SQLITE_IOERR || reason == SQLITE_NOMEM;
  const int opening = database_ && reason == SQLITE_CANTOPEN ? sqlite3_system_errno(database_.get()) : 0;
  throw OutputError(fmt::format("{}: cannot be written: {}", file_.string(),
                                database_ ? sqlite3_errmsg(database_.get()) : sqlite3_errstr(status)),
                    std::error_code(is_of_system ? EIO : opening, std::generic_category()));
}

void Database::execute(const std::string& sql) {
  check(sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr));
}

void Database::close() {
  execute("COMMIT");
  check(sqlite3_close(database_.release()));
}

DatabaseTable::DatabaseTable(Database& database, std::string name) : database_(database), name_(std::move(name)) {
  database_.execute(fmt::format("CREATE TABLE {} (id INTEGER PRIMARY KEY)", quoted_name(name_)));
  columns_.emplace_back("id");
  places_["id"] = 0;
}

std::size_t DatabaseTable::column(std::string_view name, ColumnType type) {
  const auto [found, is_new] = places_.emplace(boost::to_lower_copy(std::string(name)), columns_.size());
  if (is_new) {
    database_.execute(
        fmt::format("ALTER TABLE {} ADD COLUMN {} {}", quoted_name(name_), quoted_name(name), declared(type)));
    columns_.emplace_back(name);
  }
  return found->second;
}

bool DatabaseTable::has(std::string_view name) const {
  return places_.contains(boost::to_lower_copy(std::string(name)));
}

DatabaseTable::Statement DatabaseTable::prepared(const std::string& sql) const {
  sqlite3_stmt* made = nullptr;
  database_.check(sqlite3_prepare_v2(database_.database_.get(), sql.c_str(), -1, &made, nullptr));
  return Statement(made);
}

void DatabaseTable::run(sqlite3_stmt& statement, const std::vector<DatabaseCell>& cells) const {
  for (std::size_t k = 0; k < cells.size(); ++k) database_.check(bind(statement, static_cast<int>(k) + 1, cells[k]));
  database_.check(sqlite3_step(&statement));
  database_.check(sqlite3_reset(&statement));
}

void DatabaseTable::add(const std::vector<DatabaseCell>& cells) {
  Statement& adding = adding_[cells.size()];
  if (!adding) {
    std::vector<std::string> names, marks(cells.size(), "?");
    for (std::size_t k = 0; k < cells.size(); ++k) names.push_back(quoted_name(columns_[k]));
    adding = prepared(fmt::format("INSERT INTO {} ({}) VALUES ({})", quoted_name(name_), boost::join(names, ", "),
                                  boost::join(marks, ", ")));
  }
  run(*adding, cells);
}

void DatabaseTable::change(std::int64_t row, std::size_t column, const DatabaseCell& cell) {
  Statement& changing = changing_[column];
  if (!changing)
    changing =
        prepared(fmt::format("UPDATE {} SET {} = ? WHERE id = ?", quoted_name(name_), quoted_name(columns_[column])));
  run(*changing, {cell, row});
}

void DatabaseTable::add_index(const std::vector<std::string>& columns) {
  std::vector<std::string> names;
  for (const std::string& column : columns) names.push_back(quoted_name(column));
  database_.execute(fmt::format("CREATE INDEX {} ON {} ({})",
                                quoted_name(fmt::format("{} by {}", name_, boost::join(columns, " and "))),
                                quoted_name(name_), boost::join(names, ", ")));
}

}  // namespace lagnet
