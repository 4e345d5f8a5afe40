// A table of strings, and its plain, Markdown and CSV forms.
#pragma once

#include <string>
#include <vector>

namespace rooftile::reports {

struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

std::string text(const Table& table);      // columns aligned; numbers to the right
std::string markdown(const Table& table);  // pipes in cells are escaped
bool is_numeric(const std::string& cell);
std::string csv_cell(const std::string& cell);

}  // namespace rooftile::reports
