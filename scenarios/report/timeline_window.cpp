#include "scenarios/report/timeline_window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/json/json_file.hpp"
#include "sim/base/input_file.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

struct DrawnSlice {
  std::int64_t agent = 0;
  std::string activity;
  double start_us = 0;
  double end_us = 0;
  std::int64_t round = 0;
  std::optional<std::int64_t> sender;
  std::string fate;  // of a message that did not arrive: the cause of its loss, or unfinished
};

constexpr double us_per_s = 1e6;

class WindowReader {
 public:
  WindowReader(fs::path path, std::int64_t agents, const TimelineWindow& window)
      : path_(std::move(path)),
        rows_(std::min(agents, window.agents_max)),
        slices_max_(window.slices_max),
        from_us_(window.from_s * us_per_s),
        to_us_(window.to_s ? *window.to_s * us_per_s : std::numeric_limits<double>::infinity()),
        passed_(static_cast<std::size_t>(rows_), false) {}

  Json read(std::int64_t agents) {
    std::ifstream file = open_regular_file(path_);
    if (!file.is_open()) throw OutputError(fmt::format("{}: cannot be read", path_.string()));
    std::string line;
    while (!is_complete() && std::getline(file, line)) {
      ++line_number_;
      take(line);
    }
    shorten(slices_max_);
    return document(agents);
  }

 private:
  /// A slice is written when the agent's next begins, a message when it ends; so what is in the window is known when
  /// every agent has passed it and the messages that began in it have ended.
  bool is_complete() const { return passed_count_ == rows_ && waiting_ == 0; }

  void take(const std::string& line) {
    constexpr std::string_view opening = "{\"ph\":\"", time_key = "\"ts\":";
    if (!line.starts_with(opening) || line.size() <= opening.size()) return;
    const char phase = line[opening.size()];
    if (phase != 'X' && phase != 'b' && phase != 'e') return;
    const std::size_t at = line.find(time_key);
    double time_us = 0;
    if (at == std::string::npos ||
        std::from_chars(line.data() + at + time_key.size(), line.data() + line.size(), time_us).ec != std::errc())
      refuse();
    if (phase == 'e' ? on_the_way_.empty() : time_us >= to_us_ && phase == 'b') return;
    const Json event = try_json(line.ends_with(',') ? line.substr(0, line.size() - 1) : line);
    if (!event.is_object()) refuse();
    try {
      if (phase == 'X') take_slice(event, time_us);
      if (phase == 'b') begin_message(event, time_us);
      if (phase == 'e') end_message(event, time_us);
    } catch (const Json::exception&) {
      refuse();
    }
  }

  void take_slice(const Json& event, double start_us) {
    const std::int64_t agent = event.at("tid").get<std::int64_t>() - 1;
    if (agent < 0 || agent >= rows_) return;
    const std::string name = event.at("name").get<std::string>();
    if (name == "send" || name == "receive") return;  // a wait that they fall into is written after them
    const double end_us = start_us + event.at("dur").get<double>();
    if (start_us >= to_us_) return pass(agent);
    if (end_us <= from_us_ || end_us == start_us) return;
    const Json args = event.value("args", Json::object());
    add({agent, name, start_us, end_us, args.value("round", std::int64_t{0}), {}, ""});
  }

  void begin_message(const Json& event, double start_us) {
    unsigned from = 0, to = 0;
    long long round = 0;
    const std::string name = event.at("name").get<std::string>();
    if (std::sscanf(name.c_str(), "%u → %u, round %lld", &from, &to, &round) != 3) refuse();
    if (to >= rows_) return;
    on_the_way_[event.at("id").get<std::uint64_t>()] = {to, "transfer", start_us, start_us, round, from, ""};
    ++waiting_;
  }

  void end_message(const Json& event, double end_us) {
    const auto found = on_the_way_.find(event.at("id").get<std::uint64_t>());
    if (found == on_the_way_.end()) return;
    DrawnSlice slice = std::move(found->second);
    on_the_way_.erase(found);
    if (slice.start_us >= to_us_) return;
    --waiting_;
    if (end_us <= from_us_) return;
    slice.end_us = end_us;
    const Json args = event.value("args", Json::object());
    if (args.contains("lost")) {
      slice.activity = "lost";
      slice.fate = args.at("lost").get<std::string>();
    } else if (!args.value("arrived", true)) {
      slice.fate = "unfinished";
    }
    add(std::move(slice));
  }

  void add(DrawnSlice slice) {
    slices_.push_back(std::move(slice));
    if (slices_.size() >= 2 * slices_max_) shorten(slices_max_);
  }

  void pass(std::int64_t agent) {
    if (passed_[static_cast<std::size_t>(agent)]) return;
    passed_[static_cast<std::size_t>(agent)] = true;
    ++passed_count_;
  }

  /// Lets the window end where it has `count` slices, if it has more.
  void shorten(std::size_t count) {
    std::ranges::stable_sort(slices_, {}, &DrawnSlice::start_us);
    if (slices_.size() <= count) return;
    is_shortened_ = true;
    if (const double end = slices_[count].start_us; end > std::max(from_us_, slices_.front().start_us)) {
      to_us_ = std::min(to_us_, end);
      std::erase_if(slices_, [&](const DrawnSlice& slice) { return slice.start_us >= to_us_; });
      waiting_ = std::ranges::count_if(on_the_way_, [&](const auto& m) { return m.second.start_us < to_us_; });
    } else {
      slices_.resize(count);
    }
  }

  Json document(std::int64_t agents) const {
    double last_us = from_us_;
    for (const DrawnSlice& slice : slices_) last_us = std::max(last_us, slice.end_us);
    const double end_us = std::min(to_us_, last_us);
    const auto seconds = [](double us) { return std::stod(fmt::format("{:.12g}", us / us_per_s)); };
    Json list = Json::array();
    for (const DrawnSlice& slice : slices_) {
      // Where a message is on its way follows from its own times: they are not cut.
      const double start_us = slice.sender ? slice.start_us : std::max(slice.start_us, from_us_);
      const double until_us = slice.sender ? slice.end_us : std::min(slice.end_us, end_us);
      list.push_back({slice.agent, slice.activity, seconds(start_us), seconds(until_us), slice.round});
      if (slice.sender) list.back().push_back(*slice.sender);
      if (!slice.fate.empty()) list.back().push_back(slice.fate);
    }
    Json rows = Json::array();
    for (std::int64_t agent = 0; agent < rows_; ++agent) rows.push_back(agent);
    std::string remark;
    if (rows_ < agents) remark = fmt::format("The first {} of {} agents are drawn.", rows_, agents);
    if (is_shortened_)
      remark += fmt::format("{}More than {} slices are not drawn: the window ends here.", remark.empty() ? "" : " ",
                            slices_max_);
    return {{"from_s", seconds(from_us_)},
            {"to_s", seconds(end_us)},
            {"agents", rows},
            {"remark", remark},
            {"slices", list}};
  }

  [[noreturn]] void refuse() const {
    throw OutputError(
        fmt::format("{}:{}: expected an event of a timeline, found something else", path_.string(), line_number_));
  }

  fs::path path_;
  std::int64_t rows_;
  std::size_t slices_max_;
  double from_us_, to_us_;
  std::vector<bool> passed_;       // by agent: it has begun something after the window
  std::int64_t passed_count_ = 0;  // how many of them have
  std::int64_t waiting_ = 0;       // messages on their way that began in the window
  std::map<std::uint64_t, DrawnSlice> on_the_way_;
  std::vector<DrawnSlice> slices_;
  bool is_shortened_ = false;
  std::int64_t line_number_ = 0;
};

}  // namespace

Json read_timeline_window(const fs::path& path, std::int64_t agents, const TimelineWindow& window) {
  return WindowReader(path, agents, window).read(agents);
}

}  // namespace lagnet
