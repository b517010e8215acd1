#pragma once

#include <memory>
#include <string>

#include "tools/serve/access.hpp"
#include "tools/serve/http_message.hpp"
#include "tools/serve/live_results.hpp"

namespace lagnet::tools {

/// The server's answers: `GET /` the page, `GET /status` the progress of the runs, `GET /model` the page's model, `POST
/// /stop` interrupts the run. Everything else is refused.
class LiveService {
 public:
  LiveService(const Access& access, LiveResults& results, std::string page);
  HttpReply answer(const HttpRequest& request);

 private:
  HttpReply read(const HttpRequest& request);
  HttpReply stop(const HttpRequest& request);

  const Access& access_;
  LiveResults& results_;
  std::shared_ptr<const std::string> page_;
};

}  // namespace lagnet::tools
