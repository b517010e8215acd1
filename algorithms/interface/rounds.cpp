#include "algorithms/interface/rounds.hpp"

#include <fmt/format.h>

namespace lagnet {

Remarks remark_on_missing(std::int64_t missing, std::string_view whose, std::string_view consequence) {
  if (missing == 0) return {};
  return {
      {"answers_missing",
       {{"answers", missing}},
       fmt::format("{} answers of {} were not there when their rounds were closed: {}", missing, whose, consequence)}};
}

}  // namespace lagnet
