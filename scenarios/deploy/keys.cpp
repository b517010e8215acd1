#include "scenarios/deploy/keys.hpp"

#include <fmt/format.h>

#include <system_error>

#include "scenarios/files/result_folder.hpp"
#include "sim/realtime/addresses.hpp"
#include "sim/realtime/certificates.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& keys, std::uint32_t process) { return keys / fmt::format("process_{}", process); }

TlsFiles files_in(const fs::path& folder) {
  return {.authority = folder / "authority.pem",
          .certificate = folder / "certificate.pem",
          .key = folder / "private_key.pem"};
}

void write_keys(const RunCertificates& made, const fs::path& folder) {
  for (std::uint32_t process = 0; process < made.processes.size(); ++process) {
    const fs::path own = folder_of(folder, process);
    make_folder(own);
    const TlsFiles files = files_in(own);
    write_file(files.authority, made.authority);
    write_file(files.certificate, made.processes[process].certificate);
    write_file(files.key, made.processes[process].key);
    fs::permissions(files.key, fs::perms::owner_read | fs::perms::owner_write);
  }
}

void check_plain_text(const DeployPlan& plan, const fs::path& file, const fs::path& missing) {
  Diagnostics diagnostics(file.string());
  for (std::size_t process = 0; process < plan.processes.size(); ++process)
    if (const std::string& host = plan.processes[process].host; !is_loopback(host))
      diagnostics.add(
          fmt::format("/processes/{}/host", process),
          fmt::format("an address of this computer alone (127.0.0.1), or certificates in {} (lagnet deploy "
                      "keys {}), or --insecure, which lets anyone on the network path read and change all messages",
                      missing.string(), file.string()),
          host);
  diagnostics.throw_if_any();
}

}  // namespace

fs::path keys_folder(const fs::path& plan) { return fs::path(plan).replace_extension(".keys"); }

void make_keys(const fs::path& plan, const fs::path& folder, int days) {
  const auto processes = static_cast<std::uint32_t>(read_plan(plan).plan.processes.size());
  if (fs::exists(fs::symlink_status(folder)))
    throw OutputError(fmt::format("{}: exists; new certificates would not match those in it", folder.string()));
  const RunCertificates made = make_certificates(processes, times_from_now(days));
  try {
    fs::create_directories(folder);
    fs::permissions(folder, fs::perms::owner_all);
    write_keys(made, folder);
  } catch (const fs::filesystem_error& error) {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    throw OutputError(fmt::format("{}: {}", folder.string(), error.code().message()));
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    throw;
  }
}

std::shared_ptr<const Tls> security_of(const DeployPlan& plan, const fs::path& file, std::uint32_t process,
                                       const SecurityOptions& options) {
  const fs::path own = folder_of(options.keys.value_or(keys_folder(file)), process);
  if (options.keys || (!options.is_insecure && fs::exists(own)))
    return std::make_shared<const Tls>(files_in(own), process);
  if (!options.is_insecure) check_plain_text(plan, file, own);
  return nullptr;
}

}  // namespace lagnet
