#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/realtime/peers.hpp"

namespace lagnet {

/// Whether a name stands for this computer alone; false if the name is unknown.
bool is_loopback(const std::string& host);

/// Sockets that listen at the loopback address, at ports that are free. Processes that are made by a fork have them,
/// too, so that no other program can come first.
class LoopbackListeners {
 public:
  /// Throws RunError if there are not enough.
  explicit LoopbackListeners(std::uint32_t count);
  ~LoopbackListeners();
  LoopbackListeners(const LoopbackListeners&) = delete;
  LoopbackListeners& operator=(const LoopbackListeners&) = delete;
  const std::vector<PeerAddress>& addresses() const { return addresses_; }
  /// For PeersOptions::listener. It stays this object's own as well.
  int socket(std::uint32_t k) const;
  /// The same, which is the caller's from now on.
  int take(std::uint32_t k);

 private:
  struct Sockets;
  std::unique_ptr<Sockets> sockets_;
  std::vector<PeerAddress> addresses_;
};

}  // namespace lagnet
