#include "tools/serve/serve.hpp"

#include <sys/resource.h>

#include "tools/report/filled_page.hpp"
#include "tools/serve/http_server.hpp"
#include "tools/serve/live_service.hpp"

namespace lagnet::tools {

void serve(const ReportTexts& texts, const ServeOptions& options,
           const std::function<void(const std::string&)>& listening) {
  constexpr int low_priority = 10;  // runs come first, and pages still get an answer where all cores are busy
  ::setpriority(PRIO_PROCESS, 0, low_priority);
  const Access access(options.address);
  LiveResults results(options.folder, options.command);
  LiveService service(access, results, live_page(texts));
  HttpServer server(options.address, options.port, [&](const HttpRequest& request) { return service.answer(request); });
  if (options.ends_with_input) server.end_with_input();
  listening(access.url(server.port()));
  server.run();
}

}  // namespace lagnet::tools
