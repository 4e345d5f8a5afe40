#!/usr/bin/env bash
# Installs, builds and runs every test; the validation against the committed records is one of them.
set -euo pipefail
cd "$(dirname "$0")"
scripts/install.sh
scripts/build.sh release
ctest --preset release -j "$(nproc)"
