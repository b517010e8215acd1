#include "tools/console/heartbeat.hpp"

#include <catch2/catch.hpp>
#include <future>

namespace lagnet::tools {

TEST_CASE("A heartbeat names the step that takes long, and a quiet one nothing") {
  std::promise<std::string> heard;
  bool is_first = true;
  const auto say = [&](const std::string& line) {
    if (is_first) heard.set_value(line);
    is_first = false;
  };
  {
    Heartbeat heartbeat("design", false, say, std::chrono::milliseconds(1));
    heartbeat.step("server in tokyo, 3 of 10");
    const std::string line = heard.get_future().get();
    CHECK_THAT(line, Catch::StartsWith("design: after "));
    CHECK_THAT(line, Catch::EndsWith(" s at server in tokyo, 3 of 10"));
  }
  Heartbeat quiet(
      "design", true, [](const std::string&) { FAIL(); }, std::chrono::milliseconds(1));
  quiet.step("nothing");
}

}  // namespace lagnet::tools
