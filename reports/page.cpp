#include "reports/page.hpp"

#include <filesystem>

#include "sim/core/input/yaml.hpp"
#include "workloads/data.hpp"

namespace rooftile::reports {
namespace {

constexpr const char* kScripts[] = {"base.js", "chart.js", "table.js", "roofline.js", "operators.js", "timeline.js", "memory.js", "experts.js",
                                    "run.js", "validate.js", "compare.js", "sweep.js", "topology.js", "main.js"};

std::string web_file(const std::string& name) {
  // Our own files: larger ones than a scenario may be are fine, and control characters of a minified library too.
  return input::read_file((workloads::data_folder() / "web" / name).string());
}

// `<` occurs in strings of JSON only; escaped, no script or comment can begin inside the element.
std::string embedded(const Json& j) {
  const std::string plain = j.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  out.reserve(plain.size());
  for (const char c : plain) {
    if (c == '<') out += "\\u003c";
    else out += c;
  }
  return out;
}

}  // namespace

std::string page(const std::string& title, const std::vector<PageItem>& items) {
  Json data = Json::array();
  for (const PageItem& i : items) data.push_back({{"kind", i.kind}, {"title", i.title}, {"data", i.data}});
  std::string out = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
                    "script-src 'unsafe-inline'; img-src data:\">\n"
                    "<title>" + html_escape(title) + "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n" + web_file("page/style.css") +
                    "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n"
                    "<header><div class=\"head\"><h1>" + html_escape(title) + "</h1><button id=\"theme\" type=\"button\">Dark</button></div>"
                    "<nav aria-label=\"Sections\"><ul id=\"contents\"></ul></nav></header>\n<main id=\"main\"></main>\n"
                    "<footer><p>Written by rooftile. Charts: Apache ECharts, Apache License 2.0.</p></footer>\n"
                    "<noscript><p>The charts need JavaScript; nothing is loaded from anywhere.</p></noscript>\n";
  for (std::size_t i = 0; i < items.size(); ++i)
    if (!items[i].text.empty()) out += "<template id=\"text-" + std::to_string(i) + "\">\n" + items[i].text + "</template>\n";
  out += "<script type=\"application/json\" id=\"data\">" + embedded(data) + "</script>\n<script>\n" + web_file("vendor/echarts.min.js") + "</script>\n<script>\n";
  for (const char* s : kScripts) out += web_file(std::string("page/") + s);
  return out + "</script>\n</body>\n</html>\n";
}

}  // namespace rooftile::reports
