// A report as headings, paragraphs, lists and tables, and its plain, Markdown and HTML forms. Content is collected once;
// every form escapes what could be taken for its own markup.
#pragma once

#include <string>
#include <vector>

#include "reports/table.hpp"

namespace rooftile::reports {

struct Block {
  enum class Kind { heading, paragraph, list, table } kind = Kind::paragraph;
  int level = 1;                   // of a heading
  std::string text;                // heading, paragraph; caption of a table
  std::vector<std::string> items;  // of a list
  Table table;
};

class Document {
 public:
  Document& heading(int level, std::string text);
  Document& paragraph(std::string text);
  Document& list(std::vector<std::string> items);
  Document& table(std::string caption, Table table);
  const std::vector<Block>& blocks() const { return blocks_; }

  std::string text() const;
  std::string markdown() const;
  std::string html() const;  // a fragment; headings start at <h3>

 private:
  std::vector<Block> blocks_;
};

std::string html_escape(const std::string& text);

}  // namespace rooftile::reports
