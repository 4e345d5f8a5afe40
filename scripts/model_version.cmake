# Writes OUTPUT: the version of the model, from the contents of everything that decides a prediction. Run at
# every build; the file is left alone when nothing has changed.
file(GLOB_RECURSE sources ${SOURCE}/sim/core/*.[ch]pp ${SOURCE}/hw/*.[ch]pp ${SOURCE}/workloads/*.[ch]pp)
list(SORT sources)
set(all "")
foreach(source ${sources})
  file(SHA256 ${source} hash)
  string(APPEND all ${hash})
endforeach()
string(SHA256 all "${all}")
string(SUBSTRING ${all} 0 12 all)
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT
"// Made by scripts/model_version.cmake.
#include \"sim/core/version.hpp\"
namespace rooftile::core { const char* model_version() { return \"${VERSION}+${all}\"; } }
")
