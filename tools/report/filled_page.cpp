#include "tools/report/filled_page.hpp"

#include <fmt/format.h>

#include <boost/algorithm/string/replace.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace lagnet::tools {

namespace {

std::string in_html(std::string text) {
  boost::replace_all(text, "&", "&amp;");
  boost::replace_all(text, "<", "&lt;");
  return text;
}

/// The template with each @name@ replaced; what is put in is not searched again.
std::string filled(std::string_view form, const std::vector<std::pair<std::string_view, std::string>>& parts) {
  std::string text;
  for (const auto& [name, part] : parts) {
    const std::size_t at = form.find(name);
    if (at == std::string_view::npos) throw std::logic_error(fmt::format("the page has no place for {}", name));
    text += form.substr(0, at);
    text += part;
    form.remove_prefix(at + name.size());
  }
  return text.append(form);
}

/// `more_policy`: what the page may do beyond drawing.
std::string page_with(const ReportTexts& texts, const Json& model, const std::string& more_policy) {
  return filled(texts.page_template, {{"@script-hashes@", std::string(texts.script_hashes)},
                                      {"@more-policy@", more_policy},
                                      {"@style@", std::string(texts.page_style)},
                                      {"@licenses@", in_html(std::string(texts.licenses))},
                                      {"@model@", in_script(model)},
                                      {"@echarts@", std::string(texts.chart_library)},
                                      {"@scripts@", std::string(texts.page_scripts)}});
}

}  // namespace

std::string in_script(const Json& value) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  boost::replace_all(text, "<", "\\u003c");
  return text;
}

std::string filled_page(const ReportTexts& texts, const Json& model) { return page_with(texts, model, ""); }

std::string live_page(const ReportTexts& texts) { return page_with(texts, nullptr, "; connect-src 'self'"); }

}  // namespace lagnet::tools
