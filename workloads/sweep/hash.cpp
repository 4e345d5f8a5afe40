#include "workloads/sweep/hash.hpp"

#include <boost/uuid/detail/sha1.hpp>

#include <cstdio>

namespace rooftile::workloads::sweep {

std::string hash_text(std::string_view text) {
  boost::uuids::detail::sha1 sha;
  sha.process_bytes(text.data(), text.size());
  boost::uuids::detail::sha1::digest_type words;
  sha.get_digest(words);
  std::string out;
  char part[9];
  for (const unsigned word : words) {
    std::snprintf(part, sizeof part, "%08x", word);
    out += part;
  }
  return out;
}

}  // namespace rooftile::workloads::sweep
