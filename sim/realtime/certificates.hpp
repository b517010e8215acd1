#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lagnet {

/// A private key and its certificate, as texts in PEM.
struct SignedKey {
  std::string certificate, key;
};

struct CertificateTimes {
  std::int64_t from_s = 0, until_s = 0;  // since 1970
};

/// Valid from a day ago, since clocks differ, for `days` days.
CertificateTimes times_from_now(int days);

/// The certificates of one run: one for each process, and that of the authority that has signed them all.
struct RunCertificates {
  std::string authority;
  std::vector<SignedKey> processes;
};

/// Makes new ones, with Ed25519 keys. It discards the authority's own key, so that no process can be added to the run.
/// Throws RunError where OpenSSL cannot.
RunCertificates make_certificates(std::uint32_t processes, CertificateTimes times);

}  // namespace lagnet
