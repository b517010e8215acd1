#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "sim/realtime/certificates.hpp"
#include "sim/realtime/stream.hpp"

namespace lagnet::tls_test {

/// The certificates of a run in files.
class Keys {
 public:
  explicit Keys(const std::string& name, CertificateTimes times = times_from_now(1), std::uint32_t processes = 2)
      : folder_(std::filesystem::temp_directory_path() / ("lagnet-tls-" + name)) {
    std::filesystem::create_directories(folder_);
    const RunCertificates made = make_certificates(processes, times);
    write("authority", made.authority);
    for (std::uint32_t process = 0; process < processes; ++process) {
      write("certificate" + std::to_string(process), made.processes[process].certificate);
      write("key" + std::to_string(process), made.processes[process].key);
      std::filesystem::permissions(of(process).key, std::filesystem::perms::owner_read);
    }
  }
  ~Keys() { std::filesystem::remove_all(folder_); }
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;
  TlsFiles of(std::uint32_t process) const {
    const std::string number = std::to_string(process);
    return {folder_ / "authority", folder_ / ("certificate" + number), folder_ / ("key" + number)};
  }
  /// Believes another run's authority, too.
  void trust(const Keys& other) {
    std::ofstream(of(0).authority, std::ios::app) << std::ifstream(other.of(0).authority).rdbuf();
  }
  std::shared_ptr<const Tls> tls(std::uint32_t process) const {
    return std::make_shared<const Tls>(of(process), process);
  }

 private:
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  std::filesystem::path folder_;
};

}  // namespace lagnet::tls_test
