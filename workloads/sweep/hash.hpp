// Content addresses: SHA-1 as 40 hexadecimal digits. For naming contents, not for security.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rooftile::workloads::sweep {

std::string hash_text(std::string_view text);

}  // namespace rooftile::workloads::sweep
