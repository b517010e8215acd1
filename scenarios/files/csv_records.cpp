#include "scenarios/files/csv_records.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/text.hpp"

namespace lagnet {

namespace {
/// Where the blanks end that begin here.
std::size_t after_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(' ', at), text.size());
}
}  // namespace

CsvRecords::CsvRecords(std::string_view text, char separator, DataDiagnostics& diagnostics)
    : text_(text), separator_(separator), diagnostics_(diagnostics) {
  if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;  // the UTF-8 byte order mark that spreadsheets write
}

bool CsvRecords::next(std::vector<std::string>& fields) {
  while (at_ < text_.size()) {
    fields.clear();
    line_ = next_line_;
    if (separator_ == ' ') at_ = after_blanks(text_, at_);
    for (bool more = true; more;) more = read_field(fields.emplace_back());
    if (fields.size() > 1 || !trimmed(fields[0]).empty()) return true;
  }
  return false;
}

bool CsvRecords::read_field(std::string& field) {
  if (at_ < text_.size() && text_[at_] == '"') return read_quoted(field);
  const char stops[] = {separator_, '\n'};
  const std::size_t end = std::min(text_.find_first_of(std::string_view(stops, 2), at_), text_.size());
  field = text_.substr(at_, end - at_);
  at_ = end;
  const bool last_of_line = at_ == text_.size() || text_[at_] == '\n';
  if (last_of_line && field.ends_with('\r')) field.pop_back();
  return end_of_field();
}

bool CsvRecords::read_quoted(std::string& field) {
  const Index opened = next_line_;
  for (;;) {
    const std::size_t quote = text_.find('"', at_ + 1);
    if (quote == std::string_view::npos) {
      diagnostics_.add(opened, "a closing quote", "no quote up to the end of the file");
      at_ = text_.size();
      return false;
    }
    const std::string_view piece = text_.substr(at_ + 1, quote - at_ - 1);
    field += piece;
    next_line_ += std::count(piece.begin(), piece.end(), '\n');
    at_ = quote + 1;
    if (at_ >= text_.size() || text_[at_] != '"') break;
    field += '"';
  }
  if (text_.substr(at_).starts_with("\r\n")) ++at_;
  const char stops[] = {separator_, '\n'};
  const std::size_t end = std::min(text_.find_first_of(std::string_view(stops, 2), at_), text_.size());
  if (end > at_) {
    diagnostics_.add(next_line_, fmt::format("a separator or the line's end after {}", shown_token(field)),
                     shown_token(text_.substr(at_, end - at_)));
  }
  at_ = end;
  return end_of_field();
}

bool CsvRecords::end_of_field() {
  if (at_ == text_.size()) return false;
  bool another = text_[at_] == separator_;
  if (another && separator_ == ' ') {  // at the end of a line it separates nothing
    at_ = after_blanks(text_, at_);
    if (text_.substr(at_).starts_with("\r\n")) ++at_;
    if (at_ == text_.size()) return false;
    another = text_[at_] != '\n';
    if (another) return true;
  }
  if (!another) ++next_line_;
  ++at_;
  // A separator as the very last byte is followed by one more, empty, field: the caller reads it at the text's end.
  return another;
}

RecordedCsv::RecordedCsv(const std::filesystem::path& path)
    : file(path.string()), text(read_file(path)), diagnostics(file), records(text, ',', diagnostics) {
  if (!next(header)) throw OutputError(file + ": expected a header, found nothing");
}

bool RecordedCsv::next(std::vector<std::string>& cells) try {
  const bool is_more = records.next(cells);
  diagnostics.throw_if_any();
  if (is_more && cells.size() != header.size())
    refuse(fmt::format("{} cells, as in the header", header.size()), fmt::format("{}", cells.size()));
  return is_more;
} catch (const Diagnosed& error) {
  throw OutputError(sentence(error.diagnostics.front()));
}

void RecordedCsv::refuse(std::string_view expected, std::string_view found) const {
  throw OutputError(fmt::format("{}:{}: expected {}, found {}", file, records.line(), expected, found));
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += ',';
    if (cells[i].find_first_of(",\"\r\n") == std::string::npos) {
      line += cells[i];
      continue;
    }
    line += '"';
    for (const char c : cells[i]) line += c == '"' ? "\"\"" : std::string(1, c);
    line += '"';
  }
  return line + '\n';
}

}  // namespace lagnet
