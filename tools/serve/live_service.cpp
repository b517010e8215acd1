#include "tools/serve/live_service.hpp"

#include <utility>

namespace lagnet::tools {

namespace {

HttpReply unless_known(const VersionedText& now, const HttpRequest& request) {
  HttpReply reply{.type = "application/json", .body = now.text, .etag = "\"" + now.version + "\""};
  if (request.known != reply.etag) return reply;
  reply.status = 304;
  reply.body = nullptr;
  return reply;
}

}  // namespace

LiveService::LiveService(const Access& access, LiveResults& results, std::string page)
    : access_(access), results_(results), page_(std::make_shared<const std::string>(std::move(page))) {}

HttpReply LiveService::answer(const HttpRequest& request) {
  if (!access_.is_own_host(request))
    return told_reply(403, "Host: expected the address printed by lagnet serve, found another one");
  const bool is_stop = request.target == "/stop";
  if (!is_stop && request.target != "/" && request.target != "/status" && request.target != "/model")
    return told_reply(404, "expected /, /status, /model or /stop");
  if (request.method != (is_stop ? "POST" : "GET")) return told_reply(405, is_stop ? "expected POST" : "expected GET");
  return is_stop ? stop(request) : read(request);
}

HttpReply LiveService::read(const HttpRequest& request) {
  // The page itself holds no results: it asks for them with the token of its address.
  if (request.target == "/") return {.type = "text/html; charset=utf-8", .body = page_};
  if (!access_.may_read(request))
    return told_reply(403, "X-Lagnet-Token: expected the token in the address printed by lagnet serve");
  return unless_known(request.target == "/status" ? results_.status() : results_.model(), request);
}

HttpReply LiveService::stop(const HttpRequest& request) {
  if (!access_.may_stop(request))
    return told_reply(403,
                      "expected the token in the address printed by lagnet serve, and a request from its own page");
  if (!results_.stop()) return told_reply(409, "no run can be stopped from here");
  return told_reply(202, "interrupted");
}

}  // namespace lagnet::tools
