#include "reports/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace rooftile::reports {
namespace {

std::string one_line(const std::string& s) {
  std::string out = s;
  std::replace_if(out.begin(), out.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return out;
}

// What Markdown would take for markup at any place of a line.
std::string markdown_escape(const std::string& s) {
  std::string out;
  for (const char c : one_line(s)) {
    if (c == '<') {
      out += "&lt;";
      continue;
    }
    if (std::string("\\`*_[]#|").find(c) != std::string::npos) out += '\\';
    out += c;
  }
  return out;
}

Table escaped(const Table& t) {
  Table e = t;
  for (auto& row : e.rows)
    for (auto& cell : row) {
      std::string out;
      for (const char c : cell) out += c == '<' ? "&lt;" : std::string(1, c);
      cell = out;
    }
  return e;
}

std::string html_table(const Block& b) {
  std::string out = "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + html_escape(b.text.empty() ? "table" : b.text) + "\"><table>";
  if (!b.text.empty()) out += "<caption>" + html_escape(b.text) + "</caption>";
  out += "<thead><tr>";
  for (const auto& h : b.table.header) out += "<th scope=\"col\">" + html_escape(h) + "</th>";
  out += "</tr></thead><tbody>";
  for (const auto& row : b.table.rows) {
    out += "<tr>";
    for (const auto& c : row) out += (is_numeric(c) ? "<td class=\"n\">" : "<td>") + html_escape(c) + "</td>";
    out += "</tr>";
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace

std::string html_escape(const std::string& s) {
  std::string out;
  for (const char c : s) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  return out;
}

Document& Document::heading(int level, std::string text) {
  blocks_.push_back({.kind = Block::Kind::heading, .level = level, .text = std::move(text)});
  return *this;
}
Document& Document::paragraph(std::string text) {
  blocks_.push_back({.kind = Block::Kind::paragraph, .text = std::move(text)});
  return *this;
}
Document& Document::list(std::vector<std::string> items) {
  if (!items.empty()) blocks_.push_back({.kind = Block::Kind::list, .items = std::move(items)});
  return *this;
}
Document& Document::table(std::string caption, Table t) {
  blocks_.push_back({.kind = Block::Kind::table, .text = std::move(caption), .table = std::move(t)});
  return *this;
}

std::string Document::text() const {
  std::string out;
  for (const Block& b : blocks_) switch (b.kind) {
      case Block::Kind::heading: {
        const std::string line = one_line(b.text);
        out += (out.empty() ? "" : "\n") + line + "\n";
        if (b.level <= 2) out += std::string(std::min<std::size_t>(line.size(), 100), b.level == 1 ? '=' : '-') + "\n";
        break;
      }
      case Block::Kind::paragraph: out += one_line(b.text) + "\n"; break;
      case Block::Kind::list:
        for (const auto& i : b.items) out += "- " + one_line(i) + "\n";
        break;
      case Block::Kind::table: out += "\n" + (b.text.empty() ? "" : b.text + "\n") + reports::text(b.table) + "\n"; break;
    }
  return out;
}

std::string Document::markdown() const {
  std::string out;
  for (const Block& b : blocks_) switch (b.kind) {
      case Block::Kind::heading: out += std::string(static_cast<std::size_t>(b.level), '#') + " " + markdown_escape(b.text) + "\n\n"; break;
      case Block::Kind::paragraph: out += markdown_escape(b.text) + "\n\n"; break;
      case Block::Kind::list:
        for (const auto& i : b.items) out += "- " + markdown_escape(i) + "\n";
        out += "\n";
        break;
      case Block::Kind::table:
        out += (b.text.empty() ? "" : markdown_escape(b.text) + "\n\n") + reports::markdown(escaped(b.table)) + "\n";
        break;
    }
  return out;
}

std::string Document::html() const {
  std::string out;
  for (const Block& b : blocks_) switch (b.kind) {
      case Block::Kind::heading: {
        const int h = std::min(6, b.level + 2);
        out += fmt::format("<h{}>{}</h{}>\n", h, html_escape(b.text), h);
        break;
      }
      case Block::Kind::paragraph: out += "<p>" + html_escape(b.text) + "</p>\n"; break;
      case Block::Kind::list:
        out += "<ul>";
        for (const auto& i : b.items) out += "<li>" + html_escape(i) + "</li>";
        out += "</ul>\n";
        break;
      case Block::Kind::table: out += html_table(b); break;
    }
  return out;
}

}  // namespace rooftile::reports
