#include "tests/realtime/wire_network.hpp"

#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace lagnet::wire {

namespace {

/// Of one host's packets before others have their turn.
constexpr int most_at_once = 64;

// What an event of epoll is about: the number of a host, or one of these.
constexpr std::uint64_t of_timer = ~std::uint64_t{0};
constexpr std::uint64_t of_signals = of_timer - 1;
constexpr std::uint64_t of_stdin = of_timer - 2;

Nanos monotonic() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

Network::Network(const Config& config, Nanos busy_wait)
    : config_(config),
      busy_wait_(busy_wait),
      without_link_(config.hosts.size()),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      timer_fd_(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)) {
  if (epoll_.get() < 0 || timer_fd_.get() < 0) throw_errno("make an epoll and a timer");
  routes_.resize(config.hosts.size());
  for (auto& routes : routes_) routes.fill(no_link);
  for (const LinkConfig& link : config.links) {
    const auto number = static_cast<std::uint32_t>(links_.size());
    links_.emplace_back(link, config.seed, number);
    routes_[link.from][config.hosts[link.to].address & 255] = static_cast<std::int32_t>(number);
  }
  watch(timer_fd_.get(), of_timer, EPOLLIN | EPOLLET);  // is never read: setting it again clears it
  hosts_.reserve(config.hosts.size());
  for (const HostConfig& host : config.hosts) {
    hosts_.emplace_back(host, config.mtu);
    watch(hosts_.back().device(), hosts_.size() - 1, EPOLLIN);
  }
}

void Network::watch(int fd, std::uint64_t what, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = what;
  // A file and /dev/null as standard input have no other end that could close: they are refused with EPERM.
  if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0 && what != of_stdin) throw_errno("wait for a file");
}

void Network::run(int stop_signals) {
  watch(stop_signals, of_signals, EPOLLIN);
  watch(STDIN_FILENO, of_stdin, EPOLLRDHUP | EPOLLET);  // and EPOLLHUP, which needs no asking
  std::array<epoll_event, 64> events;
  for (;;) {
    hand_over_due();
    const int count = epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), set_timer());
    if (count < 0 && errno != EINTR) throw_errno("wait");
    for (int k = 0; k < count; ++k) {
      const std::uint64_t what = events[static_cast<std::size_t>(k)].data.u64;
      if (what == of_signals || what == of_stdin) return;
      if (what == of_timer)
        timer_ = 0;
      else
        read_from(what);
    }
  }
}

Network::Buffer Network::take_buffer() {
  if (spare_.empty()) return std::make_unique<std::byte[]>(static_cast<std::size_t>(config_.mtu));
  Buffer buffer = std::move(spare_.back());
  spare_.pop_back();
  return buffer;
}

void Network::read_from(std::size_t host) {
  for (int k = 0; k < most_at_once; ++k) {
    Buffer data = take_buffer();
    const ssize_t bytes = read(hosts_[host].device(), data.get(), static_cast<std::size_t>(config_.mtu));
    if (bytes < 0) {
      spare_.push_back(std::move(data));
      if (errno == EAGAIN || errno == EINTR) return;
      throw_errno("read from a tun device");
    }
    forward(host, std::move(data), static_cast<std::size_t>(bytes));
  }
}

void Network::forward(std::size_t host, Buffer data, std::size_t bytes) {
  // An IPv4 header has 20 bytes, the version in the upper half of the first, and the destination in the last four.
  std::int32_t route = no_link;
  if (bytes >= 20 && std::to_integer<int>(data[0]) >> 4 == 4) {
    std::uint32_t address = 0;
    for (std::size_t k = 16; k < 20; ++k) address = address << 8 | std::to_integer<std::uint32_t>(data[k]);
    if ((address ^ config_.hosts[host].address) >> 8 == 0) route = routes_[host][address & 255];
  }
  if (route == no_link) {
    ++without_link_[host];
    spare_.push_back(std::move(data));
    return;
  }
  const auto link = static_cast<std::uint32_t>(route);
  // The clock is read after the packet, so that no packet is ever early.
  const auto due = links_[link].take(monotonic(), static_cast<std::int64_t>(bytes));
  if (!due) {
    spare_.push_back(std::move(data));
    return;
  }
  waiting_.push_back({*due, packets_++, link, static_cast<std::uint32_t>(bytes), std::move(data)});
  std::ranges::push_heap(waiting_, leaves_later);
}

void Network::hand_over_due() {
  for (int k = 0; k < most_at_once && !waiting_.empty(); ++k) {
    const Nanos late = monotonic() - waiting_.front().due;
    if (late < 0) return;
    std::ranges::pop_heap(waiting_, leaves_later);
    Packet packet = std::move(waiting_.back());
    waiting_.pop_back();
    Link& link = links_[packet.link];
    if (write(hosts_[link.config().to].device(), packet.data.get(), packet.bytes) == packet.bytes)
      link.count_delivered(late, packet.bytes);
    else
      link.count_refused();
    spare_.push_back(std::move(packet.data));
  }
}

int Network::set_timer() {
  if (waiting_.empty()) return -1;
  const Nanos wake = waiting_.front().due - busy_wait_;
  if (wake <= monotonic()) return 0;
  if (wake == timer_) return -1;
  itimerspec at{};
  at.it_value.tv_sec = wake / 1'000'000'000;
  at.it_value.tv_nsec = wake % 1'000'000'000;
  if (timerfd_settime(timer_fd_.get(), TFD_TIMER_ABSTIME, &at, nullptr) != 0) throw_errno("set a timer");
  timer_ = wake;
  return -1;
}

Json Network::statistics() const {
  Json links = Json::array(), hosts = Json::array();
  for (const Link& link : links_) {
    Json row = {{"from", config_.hosts[link.config().from].name}, {"to", config_.hosts[link.config().to].name}};
    link.add_statistics(row);
    links.push_back(std::move(row));
  }
  for (std::size_t k = 0; k < hosts_.size(); ++k)
    hosts.push_back({{"name", config_.hosts[k].name},
                     {"without_link", without_link_[k]},
                     {"device_drops", hosts_[k].device_drops()}});
  return {{"links", std::move(links)}, {"hosts", std::move(hosts)}};
}

}  // namespace lagnet::wire
