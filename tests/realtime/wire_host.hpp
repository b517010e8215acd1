#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/realtime/wire_config.hpp"

namespace lagnet::wire {

/// The computer does not let this process make namespaces or tun devices; what() is a sentence.
class NotPermitted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file descriptor, closed at the end.
class Fd {
 public:
  explicit Fd(int fd = -1) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd();
  int get() const { return fd_; }

 private:
  int fd_;
};

/// std::system_error of errno, or NotPermitted where errno says that the computer refuses.
[[noreturn]] void throw_errno(const std::string& doing);

/// The name of a network namespace: a file below /run/netns on which it is mounted, as `ip netns` has them.
class NamespaceName {
 public:
  /// Makes the file, on which nothing is mounted yet.
  explicit NamespaceName(std::string name);
  NamespaceName(NamespaceName&& other) noexcept : name_(std::exchange(other.name_, {})) {}
  NamespaceName& operator=(NamespaceName&&) = delete;
  ~NamespaceName();
  /// Gives the name to the namespace that this thread is in.
  void mount_own() const;
  const std::string& get() const { return name_; }

 private:
  std::string name_;
};

/// A host: a network namespace with a tun device whose other end is here. The end of the object removes both.
class Host {
 public:
  Host(const HostConfig& config, int mtu);
  const HostConfig& config() const { return config_; }
  const std::string& namespace_name() const { return name_.get(); }
  /// Reads what the host sends, and takes what it receives: whole IP packets.
  int device() const { return device_.get(); }
  /// Packets of the host that the kernel dropped because the wire did not read them fast enough.
  std::uint64_t device_drops() const;

 private:
  HostConfig config_;
  NamespaceName name_;
  Fd device_;
};

/// The name of the tun device in each namespace.
constexpr char device_name[] = "wire0";

/// Removes the namespaces of wires that were killed, and returns their names.
std::vector<std::string> sweep_namespaces();

}  // namespace lagnet::wire
