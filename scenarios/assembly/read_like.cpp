#include "scenarios/assembly/read_like.hpp"

#include "scenarios/data/csv.hpp"
#include "scenarios/data/libsvm.hpp"

namespace lagnet {

DataSet load_like(const Choice<DataFamily>& source, const std::filesystem::path& file, Index features,
                  const ReadAs* as) {
  if (const auto* const csv = source.options_as<CsvOptions>()) {
    CsvOptions options = *csv;
    options.path = file;
    return load(options, as);
  }
  if (const auto* const libsvm = source.options_as<LibsvmOptions>()) {
    LibsvmOptions options = *libsvm;
    options.path = file;
    options.features = features;
    return load(options, as);
  }
  return source.make().load_other(file, features);
}

std::optional<TableSurvey> survey_of(const Choice<DataFamily>& source) {
  const auto* const csv = source.options_as<CsvOptions>();
  return csv ? std::optional(survey(*csv)) : std::nullopt;
}

}  // namespace lagnet
