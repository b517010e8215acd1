#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace lagnet {

/// The content of a cell: nothing, an integer, a real number or a text.
using DatabaseCell = std::variant<std::monostate, std::int64_t, double, std::string>;

enum class ColumnType { integer, real, text, any };

/// A name as SQL takes it, whatever it is made of: "to_1e-4_s" in quotes.
std::string quoted_name(std::string_view name);

/// A new SQLite database in a file, written in one go: without a journal, since the file is of no use before it is
/// complete. It has the mark of lagnet (PRAGMA application_id). All functions throw OutputError with the file's name if
/// SQLite says no.
class Database {
 public:
  explicit Database(const std::filesystem::path& file);

  /// Whether a file is a database with this mark.
  static bool is_own(const std::filesystem::path& file);
  /// Begins with all tables of another database but these.
  void copy(const std::filesystem::path& other, const std::vector<std::string>& left_out);

  void execute(const std::string& sql);
  /// Writes the rest and closes the file, after its tables are destroyed.
  void close();

 private:
  friend class DatabaseTable;
  struct Closes {
    void operator()(sqlite3* database) const;
    void operator()(sqlite3_stmt* statement) const;
  };
  void check(int status) const;
  void begin();

  std::filesystem::path file_;
  std::unique_ptr<sqlite3, Closes> database_;
};

/// A table to which rows are added, and columns as rows have them.
class DatabaseTable {
 public:
  DatabaseTable(Database& database, std::string name);

  /// The index of a column in rows; a new name adds a column to the table. Names that differ only in case are equal, as
  /// in SQLite.
  std::size_t column(std::string_view name, ColumnType type);
  bool has(std::string_view name) const;
  /// Its columns, in the order of rows.
  const std::vector<std::string>& columns() const { return columns_; }
  /// Adds a row with the first cells of the columns; others are empty.
  void add(const std::vector<DatabaseCell>& cells);
  /// Of the rows that were added, changes a column of the row with this number, from 1.
  void change(std::int64_t row, std::size_t column, const DatabaseCell& cell);
  void add_index(const std::vector<std::string>& columns);

 private:
  using Statement = std::unique_ptr<sqlite3_stmt, Database::Closes>;
  Statement prepared(const std::string& sql) const;
  void run(sqlite3_stmt& statement, const std::vector<DatabaseCell>& cells) const;

  Database& database_;
  const std::string name_;
  std::vector<std::string> columns_;
  std::map<std::string, std::size_t> places_;  // by the names in lower case
  std::map<std::size_t, Statement> adding_;    // by the number of cells
  std::map<std::size_t, Statement> changing_;  // by the column
};

}  // namespace lagnet
