#include "tests/realtime/wire_host.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace lagnet::wire {

namespace {

constexpr char folder[] = "/run/netns";
constexpr char own_namespace[] = "/proc/thread-self/ns/net";

/// So many packets of a host wait in the kernel until they are read: 1.2 s at 100 Mbit/s.
constexpr int device_queue = 10'000;

std::string path_of(const std::string& name) { return fmt::format("{}/{}", folder, name); }

Fd open_file(const char* path, int flags) {
  Fd file(open(path, flags | O_CLOEXEC));
  if (file.get() < 0) throw_errno(fmt::format("open {}", path));
  return file;
}

/// Makes the folder a shared mount as `ip netns` does, so that a name that is removed here disappears in the mount
/// namespaces of `ip netns exec` as well, and an `ip netns add` of others does not cover the names.
void prepare_folder() {
  if (mkdir("/run", 0755) != 0 && errno != EEXIST) throw_errno("make /run");
  if (mkdir(folder, 0755) != 0 && errno != EEXIST) throw_errno(fmt::format("make {}", folder));
  const Fd lock = open_file(folder, O_RDONLY | O_DIRECTORY);
  flock(lock.get(), LOCK_EX);  // two wires at once would mount it twice
  if (mount("", folder, "none", MS_SHARED | MS_REC, nullptr) == 0) return;
  if (errno != EINVAL) throw_errno(fmt::format("share the mount {}", folder));
  if (mount(folder, folder, "none", MS_BIND | MS_REC, nullptr) != 0) throw_errno(fmt::format("mount {}", folder));
  if (mount("", folder, "none", MS_SHARED | MS_REC, nullptr) != 0)
    throw_errno(fmt::format("share the mount {}", folder));
}

void remove_name(const std::string& name) {
  const std::string path = path_of(name);
  umount2(path.c_str(), MNT_DETACH);
  unlink(path.c_str());
}

/// This thread is back in its own namespace at the end.
class Excursion {
 public:
  Excursion() : own_(open_file(own_namespace, O_RDONLY)) {}
  ~Excursion() {
    // Elsewhere everything that follows would happen in the wrong network.
    if (setns(own_.get(), CLONE_NEWNET) != 0) std::terminate();
  }
  Excursion(const Excursion&) = delete;
  Excursion& operator=(const Excursion&) = delete;

 private:
  Fd own_;
};

void set(int socket, unsigned long request, ifreq& of, const char* what) {
  if (ioctl(socket, request, &of) != 0) throw_errno(fmt::format("set {}", what));
}

ifreq request_for(const char* device) {
  ifreq request{};
  std::strncpy(request.ifr_name, device, IFNAMSIZ - 1);
  return request;
}

void set_address(int socket, unsigned long request, std::uint32_t address, const char* what) {
  ifreq of = request_for(device_name);
  sockaddr_in ip{};
  ip.sin_family = AF_INET;
  ip.sin_addr.s_addr = htonl(address);
  std::memcpy(&of.ifr_addr, &ip, sizeof ip);
  set(socket, request, of, what);
}

void bring_up(int socket, const char* device) {
  ifreq of = request_for(device);
  set(socket, SIOCGIFFLAGS, of, "a device up");
  of.ifr_flags = static_cast<short>(of.ifr_flags | IFF_UP);
  set(socket, SIOCSIFFLAGS, of, "a device up");
}

/// The tun device of the namespace that this thread is in.
Fd make_device(const HostConfig& config, int mtu) {
  Fd device = open_file("/dev/net/tun", O_RDWR | O_NONBLOCK);
  ifreq request = request_for(device_name);
  request.ifr_flags = IFF_TUN | IFF_NO_PI;
  if (ioctl(device.get(), TUNSETIFF, &request) != 0) throw_errno("make a tun device");
  // Without virtio headers the kernel gives packets that are cut and have their checksums; this makes sure of it.
  if (ioctl(device.get(), TUNSETOFFLOAD, 0) != 0) throw_errno("turn the offloads of a tun device off");
  // Otherwise each host would send IPv6 packets that no program asked for. A host without IPv6 needs nothing here.
  std::ofstream("/proc/sys/net/ipv6/conf/all/disable_ipv6") << "1";
  const Fd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (socket.get() < 0) throw_errno("make a socket");
  set_address(socket.get(), SIOCSIFADDR, config.address, "an address");
  set_address(socket.get(), SIOCSIFNETMASK, 0xffffff00, "a netmask");
  request = request_for(device_name);
  request.ifr_mtu = mtu;
  set(socket.get(), SIOCSIFMTU, request, "an MTU");
  request = request_for(device_name);
  request.ifr_qlen = device_queue;
  set(socket.get(), SIOCSIFTXQLEN, request, "the length of a queue");
  bring_up(socket.get(), "lo");
  bring_up(socket.get(), device_name);
  return device;
}

}  // namespace

void throw_errno(const std::string& doing) {
  const int code = errno;
  const std::string why = std::generic_category().message(code);
  for (const int refusal : {EPERM, EACCES, EROFS, ENOSYS, ENODEV, ENXIO})
    if (code == refusal) throw NotPermitted(fmt::format("this computer does not let it {} ({})", doing, why));
  if (code == ENOENT && doing == "open /dev/net/tun") throw NotPermitted("this computer has no /dev/net/tun");
  throw std::system_error(code, std::generic_category(), "cannot " + doing);
}

Fd::~Fd() {
  if (fd_ >= 0) close(fd_);
}

NamespaceName::NamespaceName(std::string name) {
  prepare_folder();
  const Fd file(open(path_of(name).c_str(), O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0));
  if (file.get() < 0) throw_errno(fmt::format("make {}", path_of(name)));
  name_ = std::move(name);
}

NamespaceName::~NamespaceName() {
  if (!name_.empty()) remove_name(name_);
}

void NamespaceName::mount_own() const {
  if (mount(own_namespace, path_of(name_).c_str(), "none", MS_BIND, nullptr) != 0) throw_errno("mount a namespace");
}

Host::Host(const HostConfig& config, int mtu)
    : config_(config), name_(fmt::format("wire-{}-{}", getpid(), config.name)) {
  const Excursion excursion;
  if (unshare(CLONE_NEWNET) != 0) throw_errno("make a network namespace");
  name_.mount_own();
  device_ = make_device(config, mtu);
}

std::uint64_t Host::device_drops() const {
  const Excursion excursion;
  const Fd there = open_file(path_of(name_.get()).c_str(), O_RDONLY);
  if (setns(there.get(), CLONE_NEWNET) != 0) throw_errno("enter a namespace");
  std::ifstream devices("/proc/thread-self/net/dev");
  for (std::string line; std::getline(devices, line);) {
    // NAME: eight counters of receiving, then bytes, packets, errors and drops of sending.
    std::array<char, 32> name{};
    unsigned long long drops = 0;
    constexpr char form[] = " %31[^:]: %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %llu";
    if (std::sscanf(line.c_str(), form, name.data(), &drops) == 2 && name.data() == std::string_view(device_name))
      return drops;
  }
  return 0;
}

std::vector<std::string> sweep_namespaces() {
  std::vector<std::string> swept;
  std::error_code nothing;
  for (const auto& entry : std::filesystem::directory_iterator(folder, nothing)) {
    const std::string name = entry.path().filename();
    int process = 0;
    if (std::sscanf(name.c_str(), "wire-%d-", &process) != 1 || process <= 0) continue;
    if (kill(process, 0) == 0 || errno != ESRCH) continue;
    remove_name(name);
    swept.push_back(name);
  }
  return swept;
}

}  // namespace lagnet::wire
