#include "scenarios/run/outcome.hpp"

#include <fmt/format.h>

namespace lagnet {

double compute_utilization(const AgentAccount& account, std::int64_t agents, Time at) {
  if (at == Time()) return 0;
  const Duration busy = account.computing + account.encrypting;
  return busy.in_seconds() / (static_cast<double>(agents) * at.in_seconds());
}

std::optional<std::string> missing_optimum(const Optimum* optimum) {
  if (!optimum || optimum->certified()) return std::nullopt;
  if (optimum->certificate.kind == CertificateKind::no_minimizer)
    return "no minimizer exists (separable data): relative_error is empty";
  return fmt::format("no certified optimum ({}: {:.2g}): relative_error is empty", name_of(optimum->certificate.kind),
                     optimum->certificate.relative);
}

std::optional<std::string> missing_distance(const ErrorScale& error_scale) {
  if (!error_scale.optimum || error_scale.initial > *error_scale.optimum) return std::nullopt;
  return fmt::format("the start is a minimizer, F(0) = F* = {:.9g}: relative_error, (F - F*) / (F(0) - F*), is empty",
                     *error_scale.optimum);
}

}  // namespace lagnet
