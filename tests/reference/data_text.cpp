#include "tests/reference/data_text.hpp"

#include <nlohmann/json.hpp>

#include <regex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace lagnet::reference {

namespace {

const std::string lead = "(?:[Tt]hen |and )*", zeroed = "(?: are| is)?(?: all)?(?: then)? set to (?:0|zero)",
                  listed = R"((\[[0-9, ]*\]))";

/// "" and "2" before i or j.
Index coefficient(const std::string& digits) { return digits.empty() ? 1 : std::stoll(digits); }

void divide_rows(Matrix& X, double norm) {
  for (Index i = 0; i < X.rows(); ++i)
    if (const double own = X.row(i).norm(); own > 0) X.row(i) *= norm / own;
}

/// Throws std::out_of_range for a place that the matrix does not have.
void clear(Matrix& X, bool columns, const std::vector<Index>& places) {
  for (const Index place : places) {
    if (place >= (columns ? X.cols() : X.rows())) throw std::out_of_range("data: no such row or column to set to zero");
    if (columns)
      X.col(place).setZero();
    else
      X.row(place).setZero();
  }
}

void clear_class(Matrix& X, Index of_i, Index of_j, Index modulus, Index rest) {
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.cols(); ++j)
      if ((of_i * i + of_j * j) % modulus == rest) X(i, j) = 0;
}

}  // namespace

std::optional<MatrixChange> matrix_change(const std::string& clause) {
  static const std::regex raw(lead +
                              "(?:raw rows|rows (?:are )?raw|(?:the )?rows (?:are )?not (?:normali[sz]ed|divided)|"
                              "no normali[sz]ation)");
  static const std::regex division(lead +
                                   "every row divided by its Euclidean norm"
                                   "(?: times | and multiplied by )?([0-9.eE+-]*)");
  static const std::regex places(lead + "(?:these |the )?(columns?|rows?) ?" + listed + "?" + zeroed + "(?:: *" +
                                 listed + ")?");
  static const std::regex classes(
      lead + R"((?:the )?(?:entries|X\[i,j\]) (?:with|where|if) \(?([0-9]*)\*? ?i ?\+ ?([0-9]*)\*? ?j\)?)" +
      " mod ([0-9]+) ?=+ ?([0-9]+)" + zeroed);
  std::smatch found;
  if (std::regex_match(clause, raw)) return [](Matrix&) {};
  if (std::regex_match(clause, found, division)) {
    const double norm = found[1].length() == 0 ? 1 : std::stod(found[1]);
    return [norm](Matrix& X) { divide_rows(X, norm); };
  }
  if (std::regex_match(clause, found, places) && (found[2].length() > 0) != (found[3].length() > 0)) {
    const bool columns = found[1].str().starts_with("column");
    const std::string given = found[2].length() > 0 ? found[2] : found[3];
    return
        [columns, all = nlohmann::json::parse(given).get<std::vector<Index>>()](Matrix& X) { clear(X, columns, all); };
  }
  if (std::regex_match(clause, found, classes) && std::stoll(found[3]) > 0)
    return [of_i = coefficient(found[1]), of_j = coefficient(found[2]), modulus = std::stoll(found[3]),
            rest = std::stoll(found[4])](Matrix& X) { clear_class(X, of_i, of_j, modulus, rest); };
  return std::nullopt;
}

std::vector<MatrixChange> changes_after(const std::string& text, const std::string& formula, const std::string& key) {
  if (!text.starts_with(formula)) throw std::runtime_error("not understood: " + key + " = \"" + text + "\"");
  // A list of places has commas of its own: clauses end at semicolons, full stops, or before "then".
  static const std::regex ends(R"( *(?:;|\. |, *(?=then ))+ *)");
  const std::string rest = std::regex_replace(text.substr(formula.size()), std::regex(R"(^[ ,;.]+|[ ,;.]+$)"), "");
  std::vector<MatrixChange> changes;
  if (rest.empty()) return changes;
  for (std::sregex_token_iterator clause(rest.begin(), rest.end(), ends, -1), end; clause != end; ++clause) {
    auto change = matrix_change(*clause);
    if (!change) throw std::runtime_error("not understood: " + key + " = \"" + clause->str() + "\"");
    changes.push_back(std::move(*change));
  }
  return changes;
}

bool tells_of_change(const std::string& clause) {
  static const std::regex words("\\b(?:set to|zero|removed|left out|empty|raw|normali[sz]|divided)");
  return std::regex_search(clause, words);
}

}  // namespace lagnet::reference
