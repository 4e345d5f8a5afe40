// The version of the model: two programs that say the same predict the same. It is the release, and a hash of
// the sources of sim/core, hw and workloads (hardware files are inputs and hashed apart).
#pragma once

namespace rooftile::core {

const char* model_version();

}  // namespace rooftile::core
