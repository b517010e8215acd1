#include "tools/report/page.hpp"

namespace lagnet::tools {

std::optional<ReportTexts> report_texts() { return std::nullopt; }

}  // namespace lagnet::tools
