#include "reports/table.hpp"

#include <algorithm>

namespace rooftile::reports {
namespace {

// Width on a terminal: bytes that continue a UTF-8 character take no room.
std::size_t width(const std::string& s) {
  return static_cast<std::size_t>(std::count_if(s.begin(), s.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string pad(const std::string& s, std::size_t to, bool right) {
  const std::string space(to - std::min(to, width(s)), ' ');
  return right ? space + s : s + space;
}

}  // namespace

bool is_numeric(const std::string& s) { return !s.empty() && s.find_first_not_of("0123456789.+-eE%naif") == std::string::npos; }

std::string text(const Table& t) {
  std::vector<std::size_t> widths;
  std::vector<bool> right;
  for (std::size_t c = 0; c < t.header.size(); ++c) {
    std::size_t w = width(t.header[c]);
    bool all_numeric = !t.rows.empty();
    for (const auto& row : t.rows) {
      w = std::max(w, width(row[c]));
      all_numeric = all_numeric && (is_numeric(row[c]) || row[c].empty());
    }
    widths.push_back(w);
    right.push_back(all_numeric);
  }
  std::string out;
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string l;
    for (std::size_t c = 0; c < cells.size(); ++c) l += (c ? "  " : "") + pad(cells[c], widths[c], right[c]);
    while (!l.empty() && l.back() == ' ') l.pop_back();
    out += l + "\n";
  };
  line(t.header);
  for (const auto& row : t.rows) line(row);
  return out;
}

std::string markdown(const Table& t) {
  const auto escape = [](const std::string& s) {
    std::string e;
    for (const char c : s) e += c == '|' ? "\\|" : c == '\n' ? " " : std::string(1, c);
    return e;
  };
  std::string out;
  const auto line = [&](const std::vector<std::string>& cells) {
    out += "|";
    for (const auto& c : cells) out += " " + escape(c) + " |";
    out += "\n";
  };
  line(t.header);
  out += "|";
  for (std::size_t i = 0; i < t.header.size(); ++i) out += "---|";
  out += "\n";
  for (const auto& row : t.rows) line(row);
  return out;
}

std::string csv_cell(const std::string& cell) {
  if (cell.find_first_of(",\"\n\r") == std::string::npos) return cell;
  std::string q = "\"";
  for (const char c : cell) q += c == '"' ? std::string("\"\"") : std::string(1, c);
  return q + "\"";
}

}  // namespace rooftile::reports
