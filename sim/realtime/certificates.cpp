#include "sim/realtime/certificates.hpp"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <array>
#include <chrono>
#include <memory>
#include <utility>

#include "sim/base/errors.hpp"
#include "sim/realtime/stream.hpp"

namespace lagnet {

namespace {

template <auto free>
struct Freeing {
  void operator()(auto* what) const { free(what); }
};
using Key = std::unique_ptr<EVP_PKEY, Freeing<EVP_PKEY_free>>;
using X509Ptr = std::unique_ptr<X509, Freeing<X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Freeing<X509_EXTENSION_free>>;
using Bio = std::unique_ptr<BIO, Freeing<BIO_free_all>>;

void require(bool done, const char* what) {
  if (done) return;
  std::array<char, 256> why{};
  ERR_error_string_n(ERR_get_error(), why.data(), why.size());
  throw RunError(fmt::format("cannot make certificates: {}: {}", what, why.data()));
}

/// What a certificate is for.
struct Purposes {
  std::string name;
  std::vector<std::pair<int, std::string>> extensions;
};

void add_extension(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  require(extension && X509_add_ext(certificate, extension.get(), -1) == 1, "extension");
}

X509Ptr make(const Purposes& purposes, EVP_PKEY* key, CertificateTimes times, X509* issuer, EVP_PKEY* issuer_key) {
  X509Ptr made(X509_new());
  require(made != nullptr, "certificate");
  X509* certificate = made.get();
  std::uint64_t serial = 0;
  require(RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) == 1, "serial number");
  serial = (serial >> 1) | 1;
  constexpr long version_3 = 2;
  require(X509_set_version(certificate, version_3) == 1 &&
              ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial) == 1 &&
              ASN1_TIME_set(X509_getm_notBefore(certificate), times.from_s) != nullptr &&
              ASN1_TIME_set(X509_getm_notAfter(certificate), times.until_s) != nullptr &&
              X509_set_pubkey(certificate, key) == 1,
          "fields");
  const auto* name = reinterpret_cast<const unsigned char*>(purposes.name.c_str());
  require(X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8, name, -1, -1, 0) == 1,
          "name");
  if (issuer == nullptr) issuer = certificate;
  require(X509_set_issuer_name(certificate, X509_get_subject_name(issuer)) == 1, "issuer");
  for (const auto& [kind, value] : purposes.extensions) add_extension(certificate, issuer, kind, value);
  require(X509_sign(certificate, issuer_key, nullptr) > 0, "signature");
  return made;
}

template <class Write>
std::string pem(const Write& write) {
  const Bio bio(BIO_new(BIO_s_mem()));
  require(bio && write(bio.get()) == 1, "text");
  char* bytes = nullptr;
  const long count = BIO_get_mem_data(bio.get(), &bytes);
  return std::string(bytes, static_cast<std::size_t>(count));
}

SignedKey texts_of(X509* certificate, EVP_PKEY* key) {
  return {pem([&](BIO* bio) { return PEM_write_bio_X509(bio, certificate); }),
          pem([&](BIO* bio) { return PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr); })};
}

Key make_key() {
  Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  require(key != nullptr, "key");
  return key;
}

}  // namespace

CertificateTimes times_from_now(int days) {
  const auto now = std::chrono::system_clock::now();
  const auto seconds = [](std::chrono::system_clock::time_point time) {
    return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
  };
  constexpr std::chrono::hours day{24};
  return {.from_s = seconds(now - day), .until_s = seconds(now + day * days)};
}

RunCertificates make_certificates(std::uint32_t processes, CertificateTimes times) {
  const Key authority_key = make_key();
  const Purposes signs{"lagnet run",
                       {{NID_basic_constraints, "critical,CA:TRUE,pathlen:0"},
                        {NID_key_usage, "critical,keyCertSign,cRLSign"},
                        {NID_subject_key_identifier, "hash"}}};
  const X509Ptr authority = make(signs, authority_key.get(), times, nullptr, authority_key.get());
  RunCertificates made{texts_of(authority.get(), authority_key.get()).certificate, {}};
  for (std::uint32_t process = 0; process < processes; ++process) {
    const Key key = make_key();
    const Purposes talks{fmt::format("lagnet process {}", process),
                         {{NID_basic_constraints, "critical,CA:FALSE"},
                          {NID_key_usage, "critical,digitalSignature"},
                          {NID_ext_key_usage, "serverAuth,clientAuth"},
                          {NID_subject_key_identifier, "hash"},
                          {NID_authority_key_identifier, "keyid:always"},
                          {NID_subject_alt_name, "DNS:" + certificate_name(process)}}};
    const X509Ptr certificate = make(talks, key.get(), times, authority.get(), authority_key.get());
    made.processes.push_back(texts_of(certificate.get(), key.get()));
  }
  return made;
}

}  // namespace lagnet
