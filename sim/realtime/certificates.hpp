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

/// From a day ago, since clocks differ, and for so many days.
CertificateTimes times_from_now(int days);

/// The certificates of one run: one for each process, and that of the authority that has signed them all.
struct RunCertificates {
  std::string authority;
  std::vector<SignedKey> processes;
};

/// Makes them anew, with Ed25519 keys. The authority's own key is forgotten, so that nobody can add a process to the
/// run. Throws RunError where OpenSSL cannot.
RunCertificates make_certificates(std::uint32_t processes, CertificateTimes times);

}  // namespace lagnet
